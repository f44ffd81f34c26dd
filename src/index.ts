/** `import { startMedley } from "medley"`. */
import { startMedley as start } from "./app/start.ts";
import type { Medley, StartOptions } from "./library.ts";

export type { Account, Carrier, Medley, StartOptions } from "./library.ts";

export const startMedley = (options?: StartOptions): Promise<Medley> => start(options);
