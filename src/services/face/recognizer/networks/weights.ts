/** Network weights from the package: a manifest of names and shapes, and binary data that is decoded once. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs-core";
import { MODEL_FOLDER } from "../network-files.ts";

type Manifest = readonly {
  readonly weights: tf.io.WeightsManifestEntry[];
  readonly paths: readonly string[];
}[];

/** Tensors of one network by name. */
export class Weights {
  readonly #tensors: tf.NamedTensorMap;
  constructor(tensors: tf.NamedTensorMap) {
    this.#tensors = tensors;
  }
  get<T extends tf.Tensor>(name: string): T {
    const tensor = this.#tensors[name];
    if (!tensor) throw new Error(`the network has no weights named ${name}`);
    return tensor as T;
  }
}

export async function loadWeights(model: string): Promise<Weights> {
  const manifest: Manifest = JSON.parse(
    await readFile(join(MODEL_FOLDER, `${model}-weights_manifest.json`), "utf8"),
  );
  const tensors: tf.NamedTensorMap = {};
  for (const { weights, paths } of manifest) {
    const bytes = Buffer.concat(await Promise.all(paths.map((path) => readFile(join(MODEL_FOLDER, path)))));
    const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    Object.assign(tensors, tf.io.decodeWeights(whole, weights));
  }
  return new Weights(tensors);
}
