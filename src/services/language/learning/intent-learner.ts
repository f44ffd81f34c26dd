/** Learns which words speak for which intent: one linear model over all intents, by gradient steps in a fixed order. */
import { type Random, randomFrom, shuffle } from "./random.ts";
import type { FeatureVector } from "./text-features.ts";

/** One row of weights per feature, one column per intent. */
export type LinearModel = {
  readonly intentCount: number;
  readonly weights: Float32Array;
  readonly bias: Float32Array;
};

export type Example = { readonly vector: FeatureVector; readonly intent: number };

/** Small applications need more rounds to learn as much. */
const ROUNDS_MIN = 12;
const ROUNDS_MAX = 60;
const STEPS_WANTED = 60_000;
const STEP_FIRST = 2;
const BIAS_STEP = 0.1;
/** Of a gradient: below it an intent is left as it is, which saves most of the work in later rounds. */
const GRADIENT_MIN = 5e-4;
const SEED = 20_140;
/** Of the features of an utterance, the part that is hidden each time it is learned from, so that no word carries an intent alone. */
const HIDDEN_SHARE = 0.4;
/** Where not all data is used: of the other intents, the part that an utterance is held against each time. */
const OTHERS_SHARE = 0.2;

/** What is to be learned: `usesAll` holds every utterance against all other intents, not a few at a time. */
export type Task = {
  readonly examples: readonly Example[];
  readonly featureCount: number;
  readonly intentCount: number;
  readonly usesAll: boolean;
};

export function learnIntents({ examples, featureCount, intentCount, usesAll }: Task): LinearModel {
  const model: LinearModel = {
    intentCount,
    weights: new Float32Array(featureCount * intentCount),
    bias: new Float32Array(intentCount),
  };
  const rounds = Math.min(ROUNDS_MAX, Math.max(ROUNDS_MIN, Math.ceil(STEPS_WANTED / (examples.length + 1))));
  const random = randomFrom(SEED);
  const order = Int32Array.from(examples.keys());
  const scores = new Float32Array(intentCount);
  const stepCount = rounds * examples.length;
  let step = 0;
  for (let round = 0; round < rounds; round += 1) {
    shuffle(order, random);
    for (const at of order) {
      const example = examples[at];
      if (!example) continue;
      const seen = withHidden(example.vector, random);
      scoreInto(scores, model, seen);
      if (!usesAll) leaveOutOthers(scores, example.intent, random);
      toShares(scores);
      scores[example.intent] = (scores[example.intent] ?? 0) - 1;
      descend(model, seen, scores, STEP_FIRST * (1 - step / stepCount));
      step += 1;
    }
  }
  return model;
}

/** What is left speaks the louder. */
function withHidden({ rows, values }: FeatureVector, random: Random): FeatureVector {
  const keptRows = new Int32Array(rows.length);
  const keptValues = new Float32Array(rows.length);
  let kept = 0;
  for (let at = 0; at < rows.length; at += 1) {
    if (random() < HIDDEN_SHARE) continue;
    keptRows[kept] = rows[at] as number;
    keptValues[kept] = (values[at] as number) / (1 - HIDDEN_SHARE);
    kept += 1;
  }
  return { rows: keptRows.subarray(0, kept), values: keptValues.subarray(0, kept) };
}

export function scoreInto(scores: Float32Array, model: LinearModel, { rows, values }: FeatureVector): void {
  const { intentCount, weights, bias } = model;
  scores.set(bias);
  for (let at = 0; at < rows.length; at += 1) {
    const value = values[at] as number;
    const start = (rows[at] as number) * intentCount;
    for (let intent = 0; intent < intentCount; intent += 1)
      scores[intent] = (scores[intent] as number) + value * (weights[start + intent] as number);
  }
}

/** An intent that scores nothing has no share, and learns nothing. */
function leaveOutOthers(scores: Float32Array, intent: number, random: Random): void {
  for (let at = 0; at < scores.length; at += 1)
    if (at !== intent && random() >= OTHERS_SHARE) scores[at] = Number.NEGATIVE_INFINITY;
}

/** From scores to shares that sum to one. */
export function toShares(scores: Float32Array): void {
  let highest = Number.NEGATIVE_INFINITY;
  for (const score of scores) if (score > highest) highest = score;
  let sum = 0;
  for (let at = 0; at < scores.length; at += 1) {
    const share = Math.exp((scores[at] as number) - highest);
    scores[at] = share;
    sum += share;
  }
  for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] as number) / sum;
}

function descend(
  model: LinearModel,
  { rows, values }: FeatureVector,
  gradient: Float32Array,
  step: number,
): void {
  const { intentCount, weights, bias } = model;
  const changed: number[] = [];
  for (let intent = 0; intent < intentCount; intent += 1)
    if (Math.abs(gradient[intent] as number) > GRADIENT_MIN) changed.push(intent);
  for (let at = 0; at < rows.length; at += 1) {
    const start = (rows[at] as number) * intentCount;
    const size = step * (values[at] as number);
    for (const intent of changed)
      weights[start + intent] = (weights[start + intent] as number) - size * (gradient[intent] as number);
  }
  for (const intent of changed)
    bias[intent] = (bias[intent] as number) - step * BIAS_STEP * (gradient[intent] as number);
}
