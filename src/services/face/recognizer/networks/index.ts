/** The networks, on WebAssembly. Each is loaded on first use and stays in its thread. */
import { sep } from "node:path";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import * as tf from "@tensorflow/tfjs-core";
import { WASM_FOLDER } from "../network-files.ts";
import { loadAgeGenderNetwork } from "./age-gender.ts";
import { loadDescriptorNetwork } from "./descriptor.ts";
import { loadDetector } from "./detector.ts";
import { loadExpressionNetwork, loadPointsNetwork } from "./face-features.ts";

async function startBackend(): Promise<void> {
  setWasmPaths(WASM_FOLDER + sep);
  await tf.setBackend("wasm");
  await tf.ready();
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
const backend = once(startBackend);
const afterBackend = <T>(load: () => Promise<T>): (() => Promise<T>) =>
  once(async () => {
    await backend();
    return load();
  });

export const networks = {
  detector: afterBackend(loadDetector),
  points: afterBackend(loadPointsNetwork),
  descriptor: afterBackend(loadDescriptorNetwork),
  expressions: afterBackend(loadExpressionNetwork),
  ageGender: afterBackend(loadAgeGenderNetwork),
};
