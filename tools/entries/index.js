import { createRequire } from "node:module";

export const { startMedley } = createRequire(import.meta.url)("./load.cjs");
