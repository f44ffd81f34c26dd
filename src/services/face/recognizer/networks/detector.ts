/** Face detector: SSD on MobileNet, with squares of 512 pixels as input. */
import * as tf from "@tensorflow/tfjs-core";
import { convolution, depthwise, type Layer } from "./layers.ts";
import { loadWeights, type Weights } from "./weights.ts";

export const DETECTOR_SIZE = 512;
const DEPTHWISE_LAYERS = 13;
const HALVING_LAYERS: ReadonlySet<number> = new Set([2, 4, 6, 12]);
/** The output of this layer detects the smallest faces. */
const FINE_LAYER = 11;
const BOX_PREDICTORS = 6;
const NORM_EPSILON = 0.001;
/** Scale of the predicted box centre and size. */
const CENTRE_SCALE = 10;
const SIZE_SCALE = 5;

/** Relative to the square. */
export type ScoredBox = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly score: number;
};
export type Detector = { detect(square: Float32Array, scoreMin: number): ScoredBox[] };

/** Folds batch normalization into filter and bias. */
function foldedDepthwise(weights: Weights, layer: number): Layer {
  const name = `MobilenetV1/Conv2d_${layer}_depthwise`;
  const scale = tf.div(
    weights.get(`${name}/BatchNorm/gamma`),
    tf.sqrt(tf.add(weights.get(`${name}/BatchNorm/moving_variance`), NORM_EPSILON)),
  );
  const filter = weights.get<tf.Tensor4D>(`${name}/depthwise_weights`);
  const folded = tf.mul(filter, tf.reshape(scale, [1, 1, filter.shape[2], 1]));
  const bias = tf.sub(
    weights.get(`${name}/BatchNorm/beta`),
    tf.mul(weights.get(`${name}/BatchNorm/moving_mean`), scale),
  );
  return depthwise(folded as tf.Tensor4D, bias as tf.Tensor1D, {
    stride: HALVING_LAYERS.has(layer) ? 2 : 1,
    activation: "relu6",
  });
}
const pointwise = (weights: Weights, part: string, layer: number, stride = 1): Layer =>
  convolution(
    weights.get(`${part}/Conv2d_${layer}_pointwise/weights`),
    weights.get(`${part}/Conv2d_${layer}_pointwise/convolution_bn_offset`),
    { stride, activation: "relu6" },
  );

function predictor(weights: Weights, index: number, kind: "BoxEncoding" | "Class", width: number) {
  const name = `Prediction/BoxPredictor_${index}/${kind}Predictor`;
  const layer = convolution(weights.get(`${name}/weights`), weights.get(`${name}/biases`));
  return (x: tf.Tensor4D): tf.Tensor2D => tf.reshape(layer(x), [-1, width]);
}

function featuresOf(weights: Weights): (x: tf.Tensor4D) => tf.Tensor4D[] {
  const first = pointwise(weights, "MobilenetV1", 0, 2);
  const pairs = Array.from({ length: DEPTHWISE_LAYERS }, (_, i) => ({
    perChannel: foldedDepthwise(weights, i + 1),
    across: pointwise(weights, "MobilenetV1", i + 1),
  }));
  // Pairs of layers: the first reduces channels, the second halves the resolution.
  const further = Array.from({ length: 8 }, (_, i) =>
    pointwise(weights, "Prediction", i, i % 2 === 1 ? 2 : 1),
  );
  return (x) => {
    const seen: tf.Tensor4D[] = [];
    let out = first(x);
    pairs.forEach(({ perChannel, across }, i) => {
      out = across(perChannel(out));
      if (i + 1 === FINE_LAYER) seen.push(out);
    });
    seen.push(out);
    further.forEach((layer, i) => {
      out = layer(out);
      if (i % 2 === 1) seen.push(out);
    });
    return seen;
  };
}

export async function loadDetector(): Promise<Detector> {
  const weights = await loadWeights("ssd_mobilenetv1_model");
  const features = featuresOf(weights);
  const boxes = Array.from({ length: BOX_PREDICTORS }, (_, i) => predictor(weights, i, "BoxEncoding", 4));
  const classes = Array.from({ length: BOX_PREDICTORS }, (_, i) => predictor(weights, i, "Class", 3));
  const anchors = await weights.get("Output/extra_dim").data();

  return {
    detect(square, scoreMin) {
      const [encodings, scores] = tf.tidy(() => {
        const x = tf.sub(tf.div(tf.tensor4d(square, [1, DETECTOR_SIZE, DETECTOR_SIZE, 3]), 127.5), 1);
        const seen = features(x as tf.Tensor4D);
        const all = tf.concat(
          seen.map((feature, i) => (boxes[i] as (typeof boxes)[0])(feature)),
          0,
        );
        const logits = tf.concat(
          seen.map((feature, i) => (classes[i] as (typeof classes)[0])(feature)),
          0,
        );
        return [all.dataSync(), tf.sigmoid(tf.slice(logits, [0, 1], [-1, 1])).dataSync()] as const;
      });
      const found: ScoredBox[] = [];
      scores.forEach((score, i) => {
        if (score >= scoreMin) found.push({ ...decoded(anchors, encodings, i * 4), score });
      });
      return found;
    },
  };
}

type Numbers = ArrayLike<number>;
function decoded(anchors: Numbers, encodings: Numbers, at: number): Omit<ScoredBox, "score"> {
  const anchor = (i: number) => anchors[at + i] as number;
  const said = (i: number) => encodings[at + i] as number;
  const height = anchor(2) - anchor(0);
  const width = anchor(3) - anchor(1);
  const y = anchor(0) + height / 2 + (said(0) / CENTRE_SCALE) * height;
  const x = anchor(1) + width / 2 + (said(1) / CENTRE_SCALE) * width;
  const halfHeight = (Math.exp(said(2) / SIZE_SCALE) * height) / 2;
  const halfWidth = (Math.exp(said(3) / SIZE_SCALE) * width) / 2;
  return { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight };
}
