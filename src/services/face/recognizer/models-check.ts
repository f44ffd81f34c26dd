/** Checks that the files of the networks exist. */
import { access } from "node:fs/promises";
import { join } from "node:path";
import { MODEL_FOLDER, WASM_FOLDER } from "./network-files.ts";

const MODELS = [
  "ssd_mobilenetv1_model",
  "face_landmark_68_model",
  "face_recognition_model",
  "face_expression_model",
  "age_gender_model",
];

export async function findModelProblem(): Promise<string | undefined> {
  try {
    await access(join(WASM_FOLDER, "tfjs-backend-wasm.wasm"));
    await Promise.all(MODELS.map((model) => access(join(MODEL_FOLDER, `${model}.bin`))));
    return undefined;
  } catch (error) {
    return `not complete: ${(error as Error).message}`;
  }
}
