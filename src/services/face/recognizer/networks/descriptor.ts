/** Face descriptor: a residual network with squares of 150 pixels as input. */
import * as tf from "@tensorflow/tfjs-core";
import { rowsOf } from "./face-features.ts";
import { convolution, facesTensor, type Layer } from "./layers.ts";
import { loadWeights, type Weights } from "./weights.ts";

export const DESCRIPTOR_SQUARE_SIZE = 150;

/** In order. The names mark the layers that halve the resolution. */
const RESIDUAL_LAYERS = [
  "conv32_1",
  "conv32_2",
  "conv32_3",
  "conv64_down",
  "conv64_1",
  "conv64_2",
  "conv64_3",
  "conv128_down",
  "conv128_1",
  "conv128_2",
  "conv256_down",
  "conv256_1",
  "conv256_2",
  "conv256_down_out",
] as const;

type Options = NonNullable<Parameters<typeof convolution>[2]>;

/** Folds the scale layer into filter and bias. */
function scaled(weights: Weights, name: string, options: Options): Layer {
  const scale = weights.get<tf.Tensor1D>(`${name}/scale/weights`);
  const filter = tf.mul<tf.Tensor4D>(weights.get(`${name}/conv/filters`), tf.reshape(scale, [1, 1, 1, -1]));
  const bias = tf.add<tf.Tensor1D>(
    tf.mul(weights.get(`${name}/conv/bias`), scale),
    weights.get(`${name}/scale/biases`),
  );
  return convolution(filter, bias, options);
}

function residual(weights: Weights, name: string): Layer {
  const halves = name.includes("down");
  const first = scaled(weights, `${name}/conv1`, {
    activation: "relu",
    ...(halves && { stride: 2, padding: "valid" as const }),
  });
  const second = scaled(weights, `${name}/conv2`, {});
  return (x) => tf.relu(halves ? addHalved(second(first(x)), x) : tf.add(second(first(x)), x));
}

/** Adds the pooled shortcut. The smaller tensor is padded with zeros. */
function addHalved(out: tf.Tensor4D, x: tf.Tensor4D): tf.Tensor4D {
  const pooled = tf.avgPool(x, 2, 2, "valid");
  const [, height, width, channels] = out.shape;
  const [, pooledHeight, pooledWidth, pooledChannels] = pooled.shape;
  const padded = tf.pad(out, [
    [0, 0],
    [0, pooledHeight - height],
    [0, pooledWidth - width],
    [0, 0],
  ]);
  const widened = tf.pad(pooled, [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, channels - pooledChannels],
  ]);
  return tf.add(padded, widened);
}

export type DescriptorNetwork = { descriptors(squares: readonly Float32Array[]): Float32Array[] };

export async function loadDescriptorNetwork(): Promise<DescriptorNetwork> {
  const weights = await loadWeights("face_recognition_model");
  const first = scaled(weights, "conv32_down", { stride: 2, padding: "valid", activation: "relu" });
  const layers = RESIDUAL_LAYERS.map((name) => residual(weights, name));
  const last = weights.get<tf.Tensor2D>("fc");
  return {
    descriptors: (squares) =>
      rowsOf(
        tf.tidy(() => {
          let out: tf.Tensor4D = first(facesTensor(squares, DESCRIPTOR_SQUARE_SIZE));
          out = tf.maxPool(out, 3, 2, "valid");
          for (const layer of layers) out = layer(out);
          return tf.matMul(tf.mean<tf.Tensor2D>(out, [1, 2]), last);
        }),
      ),
  };
}
