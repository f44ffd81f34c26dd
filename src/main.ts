/** Entry of the bundle: the command line and the library. Each part is loaded when it is called. */
import type { Medley, StartOptions } from "./library.ts";

export type { Medley, StartOptions } from "./library.ts";

/** Answers the exit code. */
export const run = async (words: readonly string[]): Promise<number> =>
  (await import("./cli/index.ts")).run(words);
/** `import { startMedley } from "medley"`. */
export const startMedley = async (options?: StartOptions): Promise<Medley> =>
  (await import("./app/start.ts")).startMedley(options);
/** For the build: what migrations have made of an empty database. */
export const rememberedSchemas = async () => (await import("./kernel/db/index.ts")).rememberedSchemas();
/** For the build: the file of an OpenAPI document. */
export const documentFileOf = async (
  services: readonly { readonly name: string; readonly mount: string; readonly operations: number }[],
) => (await import("./kernel/openapi/index.ts")).documentFileOf(services);
/** For benchmarks and soak tests, whose own service must run on the very modules that the product runs on. */
export const testing = () => import("./kernel/testing/index.ts");
export const protocols = () => import("./kernel/protocols/index.ts");
