/** Stored test sets of an application, and the results of every training on them. */
import type { BatchTestStatus } from "./batch-tests.ts";

/** Of one application; older ones are forgotten. */
export const RUNS_KEPT_MAX = 100;
const UTTERANCES_SHOWN_MAX = 20;

/** Utterances of one intent that were predicted as another. */
export type Confusion = {
  readonly labelled: string;
  readonly predicted: string;
  readonly utterances: readonly string[];
};
export type TestRun = {
  readonly id: string;
  readonly application: string;
  readonly version: string;
  /** The model that the training made. */
  readonly blob: string;
  readonly status: BatchTestStatus;
  readonly trainedAtMs: number;
  readonly result: RunResult | undefined;
};
export type RunResult = {
  readonly utterances: number;
  readonly intentAccuracy: number;
  readonly entityFScore: number;
  readonly confusions: readonly Confusion[];
};
type Tested = { readonly text: string; readonly labelledIntent: string; readonly foundIntent: string };

/** The most frequent first. */
export function confusionsOf(tested: readonly Tested[]): Confusion[] {
  const pairs = new Map<string, { labelled: string; predicted: string; utterances: string[] }>();
  for (const { text, labelledIntent: labelled, foundIntent: predicted } of tested) {
    if (labelled === predicted) continue;
    const key = JSON.stringify([labelled, predicted]);
    const pair = pairs.get(key) ?? { labelled, predicted, utterances: [] };
    pair.utterances.push(text);
    pairs.set(key, pair);
  }
  return [...pairs.values()]
    .sort((one, other) => other.utterances.length - one.utterances.length)
    .map((pair) => ({ ...pair, utterances: pair.utterances.slice(0, UTTERANCES_SHOWN_MAX) }));
}
