/**
 * A network with one hidden layer between features and intents, trained by gradient descent in a fixed order.
 * The hidden cells learn the meaning of similar words once for all intents.
 */
import { addRows, BIAS_STEP, GRADIENT_MIN, learnInSteps, type Task, toGradient } from "./gradient-steps.ts";
import { type Random, randomFrom } from "./random.ts";
import type { FeatureVector } from "./text-features.ts";

export const CELLS = 64;

export type IntentNetwork = {
  /** One row per feature, one column per cell. */
  readonly inward: Float32Array;
  readonly cellBias: Float32Array;
  /** One row per intent, one column per cell. */
  readonly outward: Float32Array;
  readonly intentBias: Float32Array;
};

const STEP_FIRST = 0.1;
const STEP_FIRST_OF_FEW = 0.3;
const SEED = 20_140;
const HIDDEN_SHARE = 0.6;
/** Dropout: the part of the cells that is silenced in each step. */
const SILENT_SHARE = 0.3;
/** The range of the initial weights, on both sides of zero. */
const INWARD_FIRST = 0.15;
const OUTWARD_FIRST = Math.sqrt(3 / CELLS);

export function learnNetwork(task: Task): IntentNetwork {
  const { featureCount, intentCount, usesAll, isSmall } = task;
  const random = randomFrom(SEED);
  const network: IntentNetwork = {
    inward: scattered(featureCount * CELLS, INWARD_FIRST, random),
    cellBias: new Float32Array(CELLS),
    outward: scattered(intentCount * CELLS, OUTWARD_FIRST, random),
    intentBias: new Float32Array(intentCount),
  };
  const cells = new Float32Array(CELLS);
  const awake = new Int32Array(CELLS);
  const scores = new Float32Array(intentCount);
  const steps = { random, stepFirst: isSmall ? STEP_FIRST_OF_FEW : STEP_FIRST, hiddenShare: HIDDEN_SHARE };
  learnInSteps(task, steps, (seen, intent, step) => {
    cellsInto(cells, network, seen);
    const heard = awake.subarray(0, silence(cells, awake, random));
    scoreHeard(scores, network, cells, heard);
    toGradient(scores, intent, usesAll, random);
    descend(network, { seen, cells, heard, gradient: scores }, step);
  });
  return network;
}

const scattered = (size: number, most: number, random: Random): Float32Array => {
  const weights = new Float32Array(size);
  for (let at = 0; at < size; at += 1) weights[at] = (2 * random() - 1) * most;
  return weights;
};

/** As it was learned, or with its weights in bytes. */
export type AnyNetwork = Omit<IntentNetwork, "inward"> & { readonly inward: Float32Array | Int8Array };

/** The activation of each cell: zero for negative inputs (ReLU). */
function cellsInto(cells: Float32Array, { inward, cellBias }: AnyNetwork, vector: FeatureVector): void {
  cells.set(cellBias);
  addRows(cells, inward, vector);
  for (let cell = 0; cell < CELLS; cell += 1) if ((cells[cell] as number) < 0) cells[cell] = 0;
}

/** Adds the network's score of each intent. */
export function addNetworkScores(scores: Float32Array, network: AnyNetwork, vector: FeatureVector): void {
  const { outward, intentBias } = network;
  const cells = new Float32Array(CELLS);
  cellsInto(cells, network, vector);
  for (let intent = 0; intent < scores.length; intent += 1) {
    let score = intentBias[intent] as number;
    const start = intent * CELLS;
    for (let cell = 0; cell < CELLS; cell += 1)
      score += (cells[cell] as number) * (outward[start + cell] as number);
    scores[intent] = (scores[intent] as number) + score;
  }
}

/** Dropout: silences some cells. Records the active ones and returns their number. */
function silence(cells: Float32Array, awake: Int32Array, random: Random): number {
  let count = 0;
  for (let cell = 0; cell < CELLS; cell += 1) {
    const said = cells[cell] as number;
    if (said === 0 || random() < SILENT_SHARE) continue;
    cells[cell] = said / (1 - SILENT_SHARE);
    awake[count] = cell;
    count += 1;
  }
  return count;
}

function scoreHeard(
  scores: Float32Array,
  { outward, intentBias }: IntentNetwork,
  cells: Float32Array,
  heard: Int32Array,
): void {
  for (let intent = 0; intent < scores.length; intent += 1) {
    let score = intentBias[intent] as number;
    const start = intent * CELLS;
    for (let at = 0; at < heard.length; at += 1) {
      const cell = heard[at] as number;
      score += (cells[cell] as number) * (outward[start + cell] as number);
    }
    scores[intent] = score;
  }
}

type Passed = {
  readonly seen: FeatureVector;
  readonly cells: Float32Array;
  /** Cells that said something. */
  readonly heard: Int32Array;
  /** By intent. */
  readonly gradient: Float32Array;
};

function descend(network: IntentNetwork, { seen, cells, heard, gradient }: Passed, step: number): void {
  const { inward, cellBias } = network;
  const cellGradient = descendOutward(network, { cells, heard, gradient }, step);
  const { rows, values } = seen;
  for (let at = 0; at < rows.length; at += 1) {
    const start = (rows[at] as number) * CELLS;
    const size = step * (values[at] as number);
    for (let place = 0; place < heard.length; place += 1) {
      const cell = heard[place] as number;
      inward[start + cell] = (inward[start + cell] as number) - size * (cellGradient[cell] as number);
    }
  }
  for (const cell of heard)
    cellBias[cell] = (cellBias[cell] as number) - step * BIAS_STEP * (cellGradient[cell] as number);
}

/** Answers the gradient of each cell. */
function descendOutward(
  { outward, intentBias }: IntentNetwork,
  { cells, heard, gradient }: Omit<Passed, "seen">,
  step: number,
): Float32Array {
  const cellGradient = new Float32Array(CELLS);
  for (let intent = 0; intent < gradient.length; intent += 1) {
    const ofIntent = gradient[intent] as number;
    if (Math.abs(ofIntent) <= GRADIENT_MIN) continue;
    const start = intent * CELLS;
    for (let place = 0; place < heard.length; place += 1) {
      const cell = heard[place] as number;
      const weight = outward[start + cell] as number;
      cellGradient[cell] = (cellGradient[cell] as number) + ofIntent * weight;
      outward[start + cell] = weight - step * ofIntent * (cells[cell] as number);
    }
    intentBias[intent] = (intentBias[intent] as number) - step * BIAS_STEP * ofIntent;
  }
  for (const cell of heard) cellGradient[cell] = (cellGradient[cell] as number) / (1 - SILENT_SHARE);
  return cellGradient;
}
