/** Finds entities with a trained sequence model. */
import {
  chancesOf,
  type SequenceModel,
  type Span,
  type TokenFeatures,
  tagCountOf,
  tagScores,
} from "./sequence-learner.ts";

export type FoundSpan = Span & {
  /** From 0 to 1. */
  readonly score: number;
};

/** The likeliest tags for the whole utterance, as spans. */
export function findSpans(model: SequenceModel, features: TokenFeatures): FoundSpan[] {
  const length = features.length;
  if (length === 0 || model.names.length === 0) return [];
  const rows = features.map((ofToken) => ofToken.map((hash) => model.index.find(hash)));
  const scores = tagScores(model, rows);
  const tags = likeliestTags(model, scores, length);
  const { ofTags } = chancesOf(model, scores, length);
  const tagCount = tagCountOf(model);
  const found: FoundSpan[] = [];
  for (let at = 0; at < length; at += 1) {
    const tag = tags[at] as number;
    if (tag % 2 !== 1) continue;
    let end = at + 1;
    while (end < length && tags[end] === tag + 1) end += 1;
    let score = 1;
    for (let inside = at; inside < end; inside += 1)
      score = Math.min(score, ofTags[inside * tagCount + (tags[inside] as number)] as number);
    found.push({ start: at, end, name: model.names[(tag - 1) / 2] ?? "", score });
  }
  return found;
}

function likeliestTags(
  { names, steps, stepWeights }: SequenceModel,
  scores: Float32Array,
  length: number,
): Int32Array {
  const tagCount = tagCountOf({ names });
  const best = new Float64Array(length * tagCount).fill(Number.NEGATIVE_INFINITY);
  const before = new Int32Array(length * tagCount);
  for (let at = 0; at < length; at += 1)
    for (let step = 0; step < stepWeights.length; step += 1) {
      const from = steps[2 * step] as number;
      const to = steps[2 * step + 1] as number;
      if (from < 0 !== (at === 0)) continue;
      const soFar = from < 0 ? 0 : (best[(at - 1) * tagCount + from] as number);
      const score = soFar + (stepWeights[step] as number) + (scores[at * tagCount + to] as number);
      if (score <= (best[at * tagCount + to] as number)) continue;
      best[at * tagCount + to] = score;
      before[at * tagCount + to] = from;
    }
  return wayBack(best, before, tagCount);
}

function wayBack(best: Float64Array, before: Int32Array, tagCount: number): Int32Array {
  const length = best.length / tagCount;
  const last = best.subarray((length - 1) * tagCount);
  const tags = new Int32Array(length);
  let tag = last.indexOf(Math.max(...last));
  for (let at = length - 1; at >= 0; at -= 1) {
    tags[at] = tag;
    tag = before[at * tagCount + tag] as number;
  }
  return tags;
}
