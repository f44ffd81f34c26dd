/** Whether the files are there that the networks are made of. */
import { access } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const packaged = createRequire(import.meta.url);
const MODELS = [
  "ssd_mobilenetv1_model",
  "face_landmark_68_model",
  "face_recognition_model",
  "face_expression_model",
  "age_gender_model",
];

export async function findModelProblem(): Promise<string | undefined> {
  try {
    const folder = join(dirname(packaged.resolve("@vladmandic/face-api/package.json")), "model");
    packaged.resolve("@tensorflow/tfjs-backend-wasm");
    await Promise.all(MODELS.map((model) => access(join(folder, `${model}.bin`))));
    return undefined;
  } catch (error) {
    return `not complete: ${(error as Error).message}`;
  }
}
