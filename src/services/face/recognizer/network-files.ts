/** Location of the network files after the build. */
import { workerFile } from "#kernel/workers";

export const MODEL_FOLDER = workerFile(import.meta.url, "vendor/face-models");
export const WASM_FOLDER = workerFile(import.meta.url, "vendor/tfjs-wasm");
