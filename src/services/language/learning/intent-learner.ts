/** Learns which words speak for which intent: one linear model over all intents, by gradient steps in a fixed order. */
import { addRows, BIAS_STEP, GRADIENT_MIN, learnInSteps, type Task, toGradient } from "./gradient-steps.ts";
import { randomFrom } from "./random.ts";
import type { FeatureVector } from "./text-features.ts";

/** One row of weights per feature, one column per intent. */
export type LinearModel = {
  readonly weights: Float32Array;
  readonly bias: Float32Array;
};

const STEP_FIRST = 2;
const STEP_FIRST_OF_FEW = 5;
const SEED = 20_140;
const HIDDEN_SHARE = 0.4;

export function learnIntents(task: Task): LinearModel {
  const { featureCount, intentCount, usesAll, isSmall } = task;
  const model: LinearModel = {
    weights: new Float32Array(featureCount * intentCount),
    bias: new Float32Array(intentCount),
  };
  const random = randomFrom(SEED);
  const scores = new Float32Array(intentCount);
  const changed = new Int32Array(intentCount);
  const steps = { random, stepFirst: isSmall ? STEP_FIRST_OF_FEW : STEP_FIRST, hiddenShare: HIDDEN_SHARE };
  learnInSteps(task, steps, (seen, intent, step) => {
    scores.set(model.bias);
    addRows(scores, model.weights, seen);
    toGradient(scores, intent, usesAll, random);
    const wrong = changed.subarray(0, noteWrong(changed, scores));
    descend(model, { seen, gradient: scores, wrong }, step);
  });
  return model;
}

/** Writes down which intents have something to learn, and answers how many. */
function noteWrong(changed: Int32Array, gradient: Float32Array): number {
  let count = 0;
  for (let intent = 0; intent < gradient.length; intent += 1) {
    if (Math.abs(gradient[intent] as number) <= GRADIENT_MIN) continue;
    changed[count] = intent;
    count += 1;
  }
  return count;
}

type Passed = {
  readonly seen: FeatureVector;
  /** By intent. */
  readonly gradient: Float32Array;
  /** Intents that have something to learn. */
  readonly wrong: Int32Array;
};

function descend({ weights, bias }: LinearModel, { seen, gradient, wrong }: Passed, step: number): void {
  const { rows, values } = seen;
  const intentCount = gradient.length;
  for (let at = 0; at < rows.length; at += 1) {
    const start = (rows[at] as number) * intentCount;
    const size = step * (values[at] as number);
    for (let place = 0; place < wrong.length; place += 1) {
      const intent = wrong[place] as number;
      weights[start + intent] = (weights[start + intent] as number) - size * (gradient[intent] as number);
    }
  }
  for (const intent of wrong)
    bias[intent] = (bias[intent] as number) - step * BIAS_STEP * (gradient[intent] as number);
}
