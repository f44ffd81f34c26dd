/** Layers of the networks, each a fused operation. */
import * as tf from "@tensorflow/tfjs-core";
import type { Weights } from "./weights.ts";

export type Layer = (x: tf.Tensor4D) => tf.Tensor4D;
type Activation = "linear" | "relu" | "relu6";
type Padding = "same" | "valid";

export function convolution(
  filter: tf.Tensor4D,
  bias: tf.Tensor1D,
  {
    stride = 1,
    padding = "same",
    activation = "linear",
  }: {
    stride?: number;
    padding?: Padding;
    activation?: Activation;
  } = {},
): Layer {
  return (x) => tf.fused.conv2d({ x, filter, bias, strides: stride, pad: padding, activation });
}

export function depthwise(
  filter: tf.Tensor4D,
  bias: tf.Tensor1D | undefined,
  { stride = 1, activation = "linear" }: { stride?: number; activation?: Activation } = {},
): Layer {
  return (x) =>
    tf.fused.depthwiseConv2d({ x, filter, strides: stride, pad: "same", activation, ...(bias && { bias }) });
}

/** Depthwise convolution, then pointwise convolution. */
export function separable(weights: Weights, name: string, stride = 1): Layer {
  const perChannel = depthwise(weights.get(`${name}/depthwise_filter`), undefined, { stride });
  const across = convolution(weights.get(`${name}/pointwise_filter`), weights.get(`${name}/bias`));
  return (x) => across(perChannel(x));
}

/** Mean colour that face networks subtract. */
const MEAN_COLOUR: readonly [number, number, number] = [122.782, 117.001, 104.298];

/** Packs RGB squares into a normalized input tensor of the face networks. */
export function facesTensor(squares: readonly Float32Array[], size: number): tf.Tensor4D {
  const values = new Float32Array(squares.length * size * size * 3);
  squares.forEach((square, at) => {
    values.set(square, at * size * size * 3);
  });
  for (let i = 0; i < values.length; i += 1)
    values[i] = ((values[i] as number) - (MEAN_COLOUR[i % 3] as number)) / 255;
  return tf.tensor4d(values, [squares.length, size, size, 3]);
}

/** Final layer of a classifier or a regression. */
export const fullyConnected = (weights: Weights, name: string) => {
  const matrix = weights.get<tf.Tensor2D>(`${name}/weights`);
  const bias = weights.get<tf.Tensor1D>(`${name}/bias`);
  return (x: tf.Tensor2D): tf.Tensor2D => tf.add(tf.matMul(x, matrix), bias);
};
