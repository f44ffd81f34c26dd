/**
 * Two small networks with the same feature extractor: 68 face points, and expressions. Both take squares of
 * 112 pixels.
 */
import * as tf from "@tensorflow/tfjs-core";
import { convolution, facesTensor, fullyConnected, type Layer, separable } from "./layers.ts";
import { loadWeights, type Weights } from "./weights.ts";

export const FEATURES_SIZE = 112;
const BLOCKS = 4;

/** The input of each layer is the sum of all previous outputs. */
function denseBlock(weights: Weights, block: number): Layer {
  const name = `dense${block}`;
  const first: Layer =
    block === 0
      ? convolution(weights.get(`${name}/conv0/filters`), weights.get(`${name}/conv0/bias`), { stride: 2 })
      : separable(weights, `${name}/conv0`, 2);
  const others = [1, 2, 3].map((i) => separable(weights, `${name}/conv${i}`));
  return (x) => {
    let sum: tf.Tensor4D = tf.relu(first(x));
    let activated = sum;
    for (const layer of others) {
      sum = tf.add(sum, layer(activated));
      activated = tf.relu(sum);
    }
    return activated;
  };
}

function featureNetwork(weights: Weights): (squares: readonly Float32Array[]) => tf.Tensor2D {
  const blocks = Array.from({ length: BLOCKS }, (_, i) => denseBlock(weights, i));
  const last = fullyConnected(weights, "fc");
  return (squares) => {
    let out = facesTensor(squares, FEATURES_SIZE);
    for (const block of blocks) out = block(out);
    out = tf.avgPool(out, 7, 2, "valid");
    return last(tf.reshape(out, [squares.length, -1]));
  };
}

/** Relative to the square: x, y, x, y, … */
export type PointsNetwork = { points(squares: readonly Float32Array[]): Float32Array[] };
export async function loadPointsNetwork(): Promise<PointsNetwork> {
  const network = featureNetwork(await loadWeights("face_landmark_68_model"));
  return { points: (squares) => rowsOf(tf.tidy(() => network(squares))) };
}

/** In the order of the network's output. */
export const EXPRESSIONS = [
  "neutral",
  "happiness",
  "sadness",
  "anger",
  "fear",
  "disgust",
  "surprise",
] as const;
export type Expressions = Readonly<Record<(typeof EXPRESSIONS)[number], number>>;
export type ExpressionNetwork = { expressions(squares: readonly Float32Array[]): Expressions[] };
export async function loadExpressionNetwork(): Promise<ExpressionNetwork> {
  const network = featureNetwork(await loadWeights("face_expression_model"));
  return {
    expressions: (squares) =>
      rowsOf(tf.tidy(() => tf.softmax(network(squares)))).map(
        (row) => Object.fromEntries(EXPRESSIONS.map((name, i) => [name, row[i] ?? 0])) as Expressions,
      ),
  };
}

/** Frees the tensor. */
export function rowsOf(tensor: tf.Tensor2D): Float32Array[] {
  const [rows, width] = tensor.shape;
  const values = tensor.dataSync() as Float32Array;
  tensor.dispose();
  return Array.from({ length: rows }, (_, i) => values.slice(i * width, (i + 1) * width));
}
