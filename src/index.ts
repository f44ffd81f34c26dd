/** `import { startMedley } from "medley"`. */
export { type Medley, type StartOptions, startMedley } from "./app/start.ts";
