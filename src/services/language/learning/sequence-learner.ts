/** Learns where entities begin and end: a conditional random field of our own, over one tag for every token. */
import { FeatureIndex } from "./feature-index.ts";
import { type Random, randomFrom, shuffle } from "./random.ts";

/** A named span of tokens, from `start` up to but excluding `end`. */
export type Span = { readonly start: number; readonly end: number; readonly name: string };

/** Features of each token, as numbers. */
export type TokenFeatures = readonly Int32Array[];

export type SequenceLesson = { readonly features: TokenFeatures; readonly spans: readonly Span[] };

/**
 * Tags: 0 is outside; 1 + 2n begins the n-th name, 2 + 2n goes on with it. Only steps in `steps` are possible: a name
 * goes on with itself, and follows another without a gap only if it did so in a lesson.
 */
export type SequenceModel = {
  readonly names: readonly string[];
  readonly index: FeatureIndex;
  /** One row per feature, one column per tag. */
  readonly weights: Float32Array;
  /** Pairs of tags, from and to. */
  readonly steps: Int32Array;
  readonly stepWeights: Float32Array;
};

const ROUNDS_MIN = 8;
const ROUNDS_MAX = 30;
const STEPS_WANTED = 6000;
const RATE_FIRST = 0.2;
/** Weight decay: how much each example moves the weights towards zero. */
const SHRINKING = 2e-4;
const SEED = 7;
/** Dropout: the part of the features that is hidden in each step. The first one, which all tokens have, is never hidden. */
const HIDDEN_SHARE = 0.3;
const OUTSIDE = 0;

export const tagCountOf = ({ names }: Pick<SequenceModel, "names">): number => 1 + 2 * names.length;

export function learnSequences(lessons: readonly SequenceLesson[], names: readonly string[]): SequenceModel {
  const index = new FeatureIndex();
  for (const { features } of lessons)
    for (const ofToken of features) for (const hash of ofToken) index.add(hash);
  const tagged = lessons.map(({ features, spans }) => ({
    rows: features.map((ofToken) => ofToken.map((hash) => index.find(hash))),
    tags: tagsOf(spans, names, features.length),
  }));
  const steps = stepsOf(
    tagged.map(({ tags }) => tags),
    names.length,
  );
  const model: SequenceModel = {
    names,
    index,
    weights: new Float32Array(index.size * (1 + 2 * names.length)),
    steps,
    stepWeights: new Float32Array(steps.length / 2),
  };
  const rounds = Math.min(ROUNDS_MAX, Math.max(ROUNDS_MIN, Math.ceil(STEPS_WANTED / (lessons.length + 1))));
  const order = Int32Array.from(tagged.keys());
  const random = randomFrom(SEED);
  let step = 0;
  for (let round = 0; round < rounds; round += 1) {
    shuffle(order, random);
    for (const at of order) {
      const lesson = tagged[at];
      if (lesson)
        learnFrom(
          model,
          withHidden(lesson.rows, random),
          lesson.tags,
          RATE_FIRST * (1 - step / (rounds * tagged.length)),
        );
      step += 1;
    }
  }
  return model;
}

const withHidden = (rows: readonly Int32Array[], random: Random): Int32Array[] =>
  rows.map((ofToken) => ofToken.filter((_, at) => at === 0 || random() >= HIDDEN_SHARE));

function tagsOf(spans: readonly Span[], names: readonly string[], length: number): Int32Array {
  const tags = new Int32Array(length);
  for (const { start, end, name } of spans) {
    const place = names.indexOf(name);
    if (place < 0) continue;
    for (let at = start; at < end; at += 1) tags[at] = at === start ? 1 + 2 * place : 2 + 2 * place;
  }
  return tags;
}

/** Tag -1 denotes the start. */
function stepsOf(sequences: readonly Int32Array[], nameCount: number): Int32Array {
  const steps: number[] = [-1, OUTSIDE, OUTSIDE, OUTSIDE];
  for (let name = 0; name < nameCount; name += 1) {
    const begin = 1 + 2 * name;
    const inside = begin + 1;
    steps.push(-1, begin, OUTSIDE, begin, begin, inside, inside, inside, begin, OUTSIDE, inside, OUTSIDE);
  }
  const seen = new Set<string>();
  for (const tags of sequences)
    for (let at = 1; at < tags.length; at += 1) {
      const from = tags[at - 1] as number;
      const to = tags[at] as number;
      if (from === OUTSIDE || to % 2 !== 1 || seen.has(`${from} ${to}`)) continue;
      seen.add(`${from} ${to}`);
      steps.push(from, to);
    }
  return Int32Array.from(steps);
}

/** The score of every tag at every token, token by token. */
export function tagScores(model: SequenceModel, rows: readonly Int32Array[]): Float32Array {
  const tagCount = tagCountOf(model);
  const scores = new Float32Array(rows.length * tagCount);
  for (let at = 0; at < rows.length; at += 1)
    for (const row of rows[at] ?? []) {
      if (row < 0) continue;
      const start = row * tagCount;
      for (let tag = 0; tag < tagCount; tag += 1)
        scores[at * tagCount + tag] =
          (scores[at * tagCount + tag] as number) + (model.weights[start + tag] as number);
    }
  return scores;
}

export type Chances = {
  /** Of every tag at every token. */
  readonly ofTags: Float64Array;
  /** Of every step, in the order of `steps`, from the token before to every token. */
  readonly ofSteps: Float64Array;
};

/**
 * Forward-backward algorithm over the tokens. Each position is normalised to a sum of one to avoid overflow.
 */
export function chancesOf(model: SequenceModel, scores: Float32Array, length: number): Chances {
  const stepFactors = Float64Array.from(model.stepWeights, (weight) => Math.exp(weight));
  const factors = factorsOf(scores, length, tagCountOf(model));
  const lattice: Lattice = { model, factors, stepFactors, length };
  return combined(lattice, forwards(lattice), backwards(lattice));
}

/** The model with the factors of every tag at every token, and of every step. */
type Lattice = {
  readonly model: SequenceModel;
  readonly factors: Float64Array;
  readonly stepFactors: Float64Array;
  readonly length: number;
};

function forwards({ model, factors, stepFactors, length }: Lattice): Float64Array {
  const tagCount = tagCountOf(model);
  const { steps } = model;
  const forward = new Float64Array(length * tagCount);
  for (let at = 0; at < length; at += 1) {
    const here = at * tagCount;
    for (let step = 0; step < stepFactors.length; step += 1) {
      const from = steps[2 * step] as number;
      const to = here + (steps[2 * step + 1] as number);
      if (from < 0 !== (at === 0)) continue;
      const before = from < 0 ? 1 : (forward[here - tagCount + from] as number);
      forward[to] =
        (forward[to] as number) + before * (stepFactors[step] as number) * (factors[to] as number);
    }
    normalize(forward, here, tagCount);
  }
  return forward;
}

function backwards({ model, factors, stepFactors, length }: Lattice): Float64Array {
  const tagCount = tagCountOf(model);
  const { steps } = model;
  const backward = new Float64Array(length * tagCount);
  backward.fill(1, (length - 1) * tagCount);
  for (let at = length - 1; at > 0; at -= 1) {
    const here = at * tagCount;
    for (let step = 0; step < stepFactors.length; step += 1) {
      const from = steps[2 * step] as number;
      const to = here + (steps[2 * step + 1] as number);
      if (from < 0) continue;
      const place = here - tagCount + from;
      backward[place] =
        (backward[place] as number) +
        (stepFactors[step] as number) * (factors[to] as number) * (backward[to] as number);
    }
    normalize(backward, here - tagCount, tagCount);
  }
  return backward;
}

function combined(
  { model, factors, stepFactors, length }: Lattice,
  forward: Float64Array,
  backward: Float64Array,
): Chances {
  const tagCount = tagCountOf(model);
  const { steps } = model;
  const stepCount = stepFactors.length;
  const ofTags = new Float64Array(length * tagCount);
  const ofSteps = new Float64Array(length * stepCount);
  for (let at = 0; at < length; at += 1) {
    const here = at * tagCount;
    for (let tag = here; tag < here + tagCount; tag += 1)
      ofTags[tag] = (forward[tag] as number) * (backward[tag] as number);
    normalize(ofTags, here, tagCount);
    for (let step = 0; step < stepCount; step += 1) {
      const from = steps[2 * step] as number;
      const to = here + (steps[2 * step + 1] as number);
      if (from < 0 !== (at === 0)) continue;
      const before = from < 0 ? 1 : (forward[here - tagCount + from] as number);
      ofSteps[at * stepCount + step] =
        before * (stepFactors[step] as number) * (factors[to] as number) * (backward[to] as number);
    }
    normalize(ofSteps, at * stepCount, stepCount);
  }
  return { ofTags, ofSteps };
}

function factorsOf(scores: Float32Array, length: number, tagCount: number): Float64Array {
  const factors = new Float64Array(scores.length);
  for (let at = 0; at < length; at += 1) {
    let highest = Number.NEGATIVE_INFINITY;
    for (let tag = at * tagCount; tag < (at + 1) * tagCount; tag += 1)
      highest = Math.max(highest, scores[tag] as number);
    for (let tag = at * tagCount; tag < (at + 1) * tagCount; tag += 1)
      factors[tag] = Math.exp((scores[tag] as number) - highest);
  }
  return factors;
}

function normalize(numbers: Float64Array, start: number, length: number): void {
  let sum = 0;
  for (let at = start; at < start + length; at += 1) sum += numbers[at] as number;
  if (sum === 0) return;
  for (let at = start; at < start + length; at += 1) numbers[at] = (numbers[at] as number) / sum;
}

/** One step along the gradient of how likely the lesson's tags are. */
function learnFrom(model: SequenceModel, rows: readonly Int32Array[], tags: Int32Array, rate: number): void {
  const length = rows.length;
  if (length === 0) return;
  const tagCount = tagCountOf(model);
  const { ofTags, ofSteps } = chancesOf(model, tagScores(model, rows), length);
  const stepCount = model.stepWeights.length;
  for (let at = 0; at < length; at += 1) {
    const right = tags[at] as number;
    const wanted = Float64Array.from(
      ofTags.subarray(at * tagCount, (at + 1) * tagCount),
      (chance, tag) => (tag === right ? 1 : 0) - chance,
    );
    learnTags(model.weights, rows[at] ?? new Int32Array(), wanted, rate);
    const from = at === 0 ? -1 : (tags[at - 1] as number);
    learnSteps(model, ofSteps.subarray(at * stepCount, (at + 1) * stepCount), { from, to: right }, rate);
  }
}

function learnTags(weights: Float32Array, rows: Int32Array, wanted: Float64Array, rate: number): void {
  const keep = 1 - rate * SHRINKING;
  for (const row of rows) {
    const start = row * wanted.length;
    for (let tag = 0; tag < wanted.length; tag += 1)
      weights[start + tag] = (weights[start + tag] as number) * keep + rate * (wanted[tag] as number);
  }
}

function learnSteps(
  { steps, stepWeights }: SequenceModel,
  chances: Float64Array,
  right: { readonly from: number; readonly to: number },
  rate: number,
): void {
  for (let step = 0; step < stepWeights.length; step += 1) {
    const isRight = steps[2 * step] === right.from && steps[2 * step + 1] === right.to;
    stepWeights[step] =
      (stepWeights[step] as number) + rate * ((isRight ? 1 : 0) - (chances[step] as number));
  }
}
