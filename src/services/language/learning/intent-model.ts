/**
 * The intent model: a linear model and a network with equal votes, because they make different errors.
 * The weights of features are single bytes, with a scale per feature.
 */
import { type Calibration, calibrate, type Judged, sharesOf, trustIn } from "./calibration.ts";
import { FeatureIndex } from "./feature-index.ts";
import { addRows, type Example, type Task } from "./gradient-steps.ts";
import { type LinearModel, learnIntents } from "./intent-learner.ts";
import {
  type AnyNetwork,
  addNetworkScores,
  CELLS,
  type IntentNetwork,
  learnNetwork,
} from "./intent-network.ts";
import { type Sections, sectionOf } from "./sections.ts";
import {
  type FeatureVector,
  KIND_WEIGHTS,
  knownPartOf,
  type RawFeatures,
  type Vocabulary,
  vectorOf,
  vocabularyOf,
} from "./text-features.ts";

export type IntentModel = {
  readonly vocabulary: Vocabulary;
  readonly intentCount: number;
  readonly linear: {
    readonly weights: Int8Array;
    readonly scales: Float32Array;
    readonly bias: Float32Array;
  };
  readonly network: AnyNetwork & { readonly inward: Int8Array; readonly scales: Float32Array };
  readonly calibration: Calibration;
};

/** An utterance to learn from: its features and the place of its intent. */
export type Lesson = { readonly features: RawFeatures; readonly intent: number };

/** Weights of all features together; rarer features are left out until they fit. */
const WEIGHTS_MAX = 20_000_000;
const BYTE_MAX = 127;
/** Number of folds for cross-validation. Larger sets use one held-out fold: every fifth utterance. */
const TURNS = 5;
const ALL_JUDGED_MAX = 2000;
/** Applications with so few utterances learn in another way. Held-out folds learn like the whole. */
const SMALL_MAX = 100;

type IntentLessons = {
  readonly lessons: readonly Lesson[];
  readonly intentCount: number;
  /** Otherwise each utterance is held against a few other intents at a time. */
  readonly usesAll: boolean;
  /** Gets the share of the learning that is done. */
  readonly note?: (share: number) => void;
};
type Judging = Omit<IntentLessons, "note"> & Pick<Task, "isSmall" | "noteRounds">;

/** Without enough lessons, nothing is held out. */
const turnsFor = ({ length }: readonly Lesson[]): number =>
  length < 2 * TURNS ? 0 : length > ALL_JUDGED_MAX ? 1 : TURNS;
/** Both learners run in each turn, and once more for the model itself. */
function roundsNoted({ lessons, note }: IntentLessons): (share: number) => void {
  const runs = 2 * (turnsFor(lessons) + 1);
  let ended = 0;
  return (share) => {
    note?.((ended + share) / runs);
    if (share === 1) ended += 1;
  };
}

export function learnIntentModel(given: IntentLessons): IntentModel {
  const { lessons, intentCount, usesAll } = given;
  const isSmall = lessons.length <= SMALL_MAX;
  const noteRounds = roundsNoted(given);
  const vocabulary = vocabularyFor(lessons, intentCount, isSmall);
  const calibration = calibrate(judgedByOthers({ ...given, isSmall, noteRounds }), intentCount);
  const { linear, network } = learnBoth(vocabulary, { lessons, intentCount, usesAll, isSmall, noteRounds });
  const { bytes: weights, scales } = inBytes(linear.weights, intentCount);
  const { bytes: inward, scales: inwardScales } = inBytes(network.inward, CELLS);
  return {
    vocabulary,
    intentCount,
    linear: { weights, scales, bias: linear.bias },
    network: { ...network, inward, scales: inwardScales },
    calibration,
  };
}

const vocabularyFor = (lessons: readonly Lesson[], intentCount: number, isSmall: boolean): Vocabulary =>
  vocabularyOf(
    lessons.map(({ features }) => features),
    { sizeMax: Math.floor(WEIGHTS_MAX / (intentCount + CELLS)), isSmall },
  );

type Learned = { readonly linear: LinearModel; readonly network: IntentNetwork };

function learnBoth(vocabulary: Vocabulary, { lessons, ...rest }: Judging): Learned {
  const examples: Example[] = lessons.map(({ features, intent }) => ({
    vector: vectorOf(features, vocabulary),
    intent,
  }));
  const task: Task = { ...rest, examples, featureCount: vocabulary.index.size };
  return { linear: learnIntents(task), network: learnNetwork(task) };
}

/**
 * Scores of utterances by models that were not trained on them: an estimate of the certainty on unseen text.
 */
function judgedByOthers(given: Judging): Judged[] {
  const { lessons, intentCount, isSmall } = given;
  const turns = turnsFor(lessons);
  if (turns === 0) return [];
  const turnOf = turnsByIntent(lessons, intentCount);
  const judged: Judged[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const learned = lessons.filter((_, at) => turnOf[at] !== turn);
    const vocabulary = vocabularyFor(learned, intentCount, isSmall);
    const { linear, network } = learnBoth(vocabulary, { ...given, lessons: learned });
    for (const [at, { features, intent }] of lessons.entries()) {
      if (turnOf[at] !== turn) continue;
      const vector = vectorOf(features, vocabulary);
      const scores = new Float32Array(linear.bias);
      addRows(scores, linear.weights, vector);
      addNetworkScores(scores, network, vector);
      judged.push({ scores, intent });
    }
  }
  return judged;
}

/** Every intent has its utterances in all turns alike. */
function turnsByIntent(lessons: readonly Lesson[], intentCount: number): Int32Array {
  const next = new Int32Array(intentCount);
  return Int32Array.from(lessons, ({ intent }) => {
    const turn = (next[intent] as number) % TURNS;
    next[intent] = turn + 1;
    return turn;
  });
}

function inBytes(weights: Float32Array, columns: number): { bytes: Int8Array; scales: Float32Array } {
  const rowCount = weights.length / columns;
  const bytes = new Int8Array(weights.length);
  const scales = new Float32Array(rowCount);
  for (let row = 0; row < rowCount; row += 1) {
    const start = row * columns;
    let largest = 0;
    for (let at = start; at < start + columns; at += 1)
      largest = Math.max(largest, Math.abs(weights[at] as number));
    const scale = largest / BYTE_MAX || 1;
    scales[row] = scale;
    for (let at = start; at < start + columns; at += 1)
      bytes[at] = Math.round((weights[at] as number) / scale);
  }
  return { bytes, scales };
}

const scaled = ({ rows, values }: FeatureVector, scales: Float32Array): FeatureVector => ({
  rows,
  values: values.map((value, at) => value * (scales[rows[at] as number] as number)),
});

export type IntentShares = {
  /** By intent; they sum to one. */
  readonly shares: Float32Array;
  /** From 0 to 1: that any of them is meant. */
  readonly trust: number;
};

export function intentSharesOf(model: IntentModel, features: RawFeatures): IntentShares {
  const shares = sharesOf(scoresOf(model, vectorOf(features, model.vocabulary)), model.calibration);
  return { shares, trust: trustIn(shares, knownPartOf(features, model.vocabulary), model.calibration) };
}

function scoresOf({ linear, network }: IntentModel, vector: FeatureVector): Float32Array {
  const scores = new Float32Array(linear.bias);
  addRows(scores, linear.weights, scaled(vector, linear.scales));
  addNetworkScores(scores, network, scaled(vector, network.scales));
  return scores;
}

export function sectionsOfIntents(model: IntentModel): Sections {
  const { vocabulary, linear, network, calibration } = model;
  return {
    intentHashes: vocabulary.index.hashes,
    intentRows: vocabulary.index.rows,
    intentRarity: vocabulary.rarity,
    intentWeights: linear.weights,
    intentScales: linear.scales,
    intentBias: linear.bias,
    networkInward: network.inward,
    networkScales: network.scales,
    networkCellBias: network.cellBias,
    networkOutward: network.outward,
    networkBias: network.intentBias,
    intentLean: calibration.lean,
    intentNumbers: Float32Array.of(
      vocabulary.rarityOfUnknown,
      calibration.sharpness,
      calibration.doubtAt,
      ...vocabulary.kindWeights,
    ),
  };
}

export function intentsFromSections(sections: Sections): IntentModel {
  const floats = (name: string): Float32Array => sectionOf(sections, name, Float32Array);
  const [rarityOfUnknown = 1, sharpness = 1, doubtAt = Number.NEGATIVE_INFINITY, ...kindWeights] =
    floats("intentNumbers");
  const bias = floats("intentBias");
  return {
    vocabulary: {
      index: new FeatureIndex(
        sectionOf(sections, "intentHashes", Int32Array),
        sectionOf(sections, "intentRows", Int32Array),
      ),
      rarity: floats("intentRarity"),
      // Models of earlier versions do not have them.
      kindWeights: kindWeights.length > 0 ? kindWeights : KIND_WEIGHTS,
      rarityOfUnknown,
    },
    intentCount: bias.length,
    linear: {
      weights: sectionOf(sections, "intentWeights", Int8Array),
      scales: floats("intentScales"),
      bias,
    },
    network: {
      inward: sectionOf(sections, "networkInward", Int8Array),
      scales: floats("networkScales"),
      cellBias: floats("networkCellBias"),
      outward: floats("networkOutward"),
      intentBias: floats("networkBias"),
    },
    calibration: { sharpness, lean: floats("intentLean"), doubtAt },
  };
}
