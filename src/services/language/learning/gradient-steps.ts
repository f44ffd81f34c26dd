/** Code that the intent learners share: examples, dropout and softmax. */
import { type Random, shuffle } from "./random.ts";
import type { FeatureVector } from "./text-features.ts";

export type Example = { readonly vector: FeatureVector; readonly intent: number };

/**
 * A training task. `usesAll`: compare every utterance with all other intents instead of a few. `isSmall`: there are few
 * utterances in the application, so each step is larger.
 */
export type Task = {
  readonly examples: readonly Example[];
  readonly featureCount: number;
  readonly intentCount: number;
  readonly usesAll: boolean;
  readonly isSmall: boolean;
  /** Gets the share of the rounds that are done, after each. */
  readonly noteRounds?: (share: number) => void;
};

/** Small applications need more rounds to learn as much. */
const ROUNDS_MIN = 12;
const ROUNDS_MAX = 60;
const STEPS_WANTED = 60_000;
/** Where not all data is used: of the other intents, the part that an utterance is held against each time. */
const OTHERS_SHARE = 0.2;
/** Of a gradient: below it an intent is left as it is, which saves most of the work in later rounds. */
export const GRADIENT_MIN = 5e-4;
/** The step size of the bias of an intent or cell. */
export const BIAS_STEP = 0.1;

const roundsFor = ({ examples }: Task): number =>
  Math.min(ROUNDS_MAX, Math.max(ROUNDS_MIN, Math.ceil(STEPS_WANTED / (examples.length + 1))));

type Steps = {
  readonly random: Random;
  /** Of the first step; the later ones are shorter and shorter. */
  readonly stepFirst: number;
  /** Of the features of an utterance, the part that is hidden each time. */
  readonly hiddenShare: number;
};

/** Goes through the examples in a new order every round. */
export function learnInSteps(
  task: Task,
  { random, stepFirst, hiddenShare }: Steps,
  learn: (seen: FeatureVector, intent: number, step: number) => void,
): void {
  const { examples } = task;
  const rounds = roundsFor(task);
  const order = Int32Array.from(examples.keys());
  const stepCount = rounds * examples.length;
  let done = 0;
  for (let round = 0; round < rounds; round += 1) {
    shuffle(order, random);
    for (const at of order) {
      const example = examples[at];
      if (!example) continue;
      const seen = withHidden(example.vector, hiddenShare, random);
      learn(seen, example.intent, stepFirst * (1 - done / stepCount));
      done += 1;
    }
    task.noteRounds?.((round + 1) / rounds);
  }
}

/** Adds the rows of the features, one column per place of `sums`. */
export function addRows(
  sums: Float32Array,
  weights: Float32Array | Int8Array,
  { rows, values }: FeatureVector,
): void {
  const columns = sums.length;
  for (let at = 0; at < rows.length; at += 1) {
    const value = values[at] as number;
    const start = (rows[at] as number) * columns;
    for (let column = 0; column < columns; column += 1)
      sums[column] = (sums[column] as number) + value * (weights[start + column] as number);
  }
}

/** Dropout: hides a part of the features each time, so that no single word decides. The rest is scaled up. */
function withHidden({ rows, values }: FeatureVector, share: number, random: Random): FeatureVector {
  const keptRows = new Int32Array(rows.length);
  const keptValues = new Float32Array(rows.length);
  let kept = 0;
  for (let at = 0; at < rows.length; at += 1) {
    if (random() < share) continue;
    keptRows[kept] = rows[at] as number;
    keptValues[kept] = (values[at] as number) / (1 - share);
    kept += 1;
  }
  return { rows: keptRows.subarray(0, kept), values: keptValues.subarray(0, kept) };
}

/** Turns the scores of the intents into the gradient of the loss. */
export function toGradient(scores: Float32Array, intent: number, usesAll: boolean, random: Random): void {
  if (!usesAll) leaveOutOthers(scores, intent, random);
  toShares(scores);
  scores[intent] = (scores[intent] ?? 0) - 1;
}

/** Excluded intents get a probability of zero and are not updated. */
function leaveOutOthers(scores: Float32Array, intent: number, random: Random): void {
  for (let at = 0; at < scores.length; at += 1)
    if (at !== intent && random() >= OTHERS_SHARE) scores[at] = Number.NEGATIVE_INFINITY;
}

function toShares(scores: Float32Array): void {
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
