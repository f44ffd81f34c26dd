/** The utterances of a test set as they are sent. */
import type { TestUtterance } from "../domain/batch-tests.ts";
import { errors } from "../errors.ts";
import * as wire from "../wire/batch-tests.ts";

export type TestSet = typeof wire.TestSet.static;

export function utterancesOf({ LabeledTestSetUtterances }: TestSet): TestUtterance[] {
  const utterances = LabeledTestSetUtterances.map(({ text, intent, entities }) => ({
    text,
    intent,
    labels: (entities as Parameters<typeof wire.labelOf>[0][]).map(wire.labelOf),
  }));
  for (const { text, labels } of utterances)
    if (labels.some(({ start, end }) => end > text.length || start >= end))
      throw errors.badArgument(`A label lies outside of its utterance: ${text}`);
  return utterances;
}
