/** Age and gender: a small network of separable convolutions, with squares of 112 pixels as input. */
import * as tf from "@tensorflow/tfjs-core";
import { FEATURES_SIZE, rowsOf } from "./face-features.ts";
import { convolution, facesTensor, fullyConnected, type Layer, separable } from "./layers.ts";
import { loadWeights, type Weights } from "./weights.ts";

const MAIN_BLOCKS = 2;

function reduction(weights: Weights, name: string, { activates = true } = {}): Layer {
  const first = separable(weights, `${name}/separable_conv0`);
  const second = separable(weights, `${name}/separable_conv1`);
  const shortcut = convolution(
    weights.get(`${name}/expansion_conv/filters`),
    weights.get(`${name}/expansion_conv/bias`),
    { stride: 2 },
  );
  return (x) => {
    const out = second(tf.relu(first(activates ? tf.relu(x) : x)));
    return tf.add(tf.maxPool(out, 3, 2, "same"), shortcut(x));
  };
}
function mainBlock(weights: Weights, name: string): Layer {
  const layers = [0, 1, 2].map((i) => separable(weights, `${name}/separable_conv${i}`));
  return (x) => {
    let out = x;
    for (const layer of layers) out = layer(tf.relu(out));
    return tf.add(out, x);
  };
}

export type AgeAndGender = { readonly age: number; readonly maleProbability: number };
export type AgeGenderNetwork = { agesAndGenders(squares: readonly Float32Array[]): AgeAndGender[] };

export async function loadAgeGenderNetwork(): Promise<AgeGenderNetwork> {
  const weights = await loadWeights("age_gender_model");
  const entry = convolution(
    weights.get("entry_flow/conv_in/filters"),
    weights.get("entry_flow/conv_in/bias"),
    {
      stride: 2,
      activation: "relu",
    },
  );
  const layers: Layer[] = [
    reduction(weights, "entry_flow/reduction_block_0", { activates: false }),
    reduction(weights, "entry_flow/reduction_block_1"),
    ...Array.from({ length: MAIN_BLOCKS }, (_, i) => mainBlock(weights, `middle_flow/main_block_${i}`)),
    reduction(weights, "exit_flow/reduction_block"),
    separable(weights, "exit_flow/separable_conv"),
  ];
  const age = fullyConnected(weights, "fc/age");
  const gender = fullyConnected(weights, "fc/gender");
  return {
    agesAndGenders(squares) {
      const rows = rowsOf(
        tf.tidy(() => {
          let out = entry(facesTensor(squares, FEATURES_SIZE));
          for (const layer of layers) out = layer(out);
          out = tf.avgPool(tf.relu(out), 7, 2, "valid");
          const pooled = tf.reshape(out, [squares.length, -1]) as tf.Tensor2D;
          return tf.concat([age(pooled), tf.softmax(gender(pooled))], 1);
        }),
      );
      return rows.map(([years = 0, male = 0]) => ({ age: years, maleProbability: male }));
    },
  };
}
