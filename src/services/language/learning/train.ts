/** Trains a version: the same content gives the same bytes. */
import type { Utterance, VersionContent } from "../domain/content.ts";
import { findersOf, findWithoutLearning, hintsOf } from "../recognition/findings.ts";
import { findPrebuilts } from "../recognition/prebuilts.ts";
import { type Read, readUtterance } from "../recognition/reading.ts";
import { commonWordsOf, isCommonWord } from "./common-words.ts";
import { type Definition, definitionOf } from "./definition.ts";
import { addTextToHash, startHash } from "./feature-index.ts";
import { learnIntentModel } from "./intent-model.ts";
import { bytesOfModel } from "./model.ts";
import { learnSequences, type SequenceModel } from "./sequence-learner.ts";
import { sequenceLessonsOf } from "./sequence-lessons.ts";
import { rawFeaturesOf } from "./text-features.ts";
import { type Finding, namesOf, tokenFeaturesOf } from "./token-features.ts";

/** Resolutions do not matter in training, so any day will do. */
const ANY_TIME_MS = 0;

/** Above this number of utterances, their order has hardly any effect. */
const ORDERED_MAX = 2000;
/** When reading and learning of intents end. How long they take depends on the version. */
const READ_PERCENT = 10;
const INTENTS_PERCENT = 60;
const WHOLE_PERCENT = 100;
/** Tells how many percent are done. */
type Note = (percent: number) => void;

/**
 * A model must not depend on the order in which utterances were written. Similar texts get places apart, because every
 * fifth lesson is kept back to choose settings by.
 */
function inFixedOrder(utterances: readonly Utterance[]): readonly Utterance[] {
  if (utterances.length > ORDERED_MAX) return utterances;
  const placed = utterances.map((utterance) => ({
    utterance,
    place: addTextToHash(startHash(0), utterance.text),
  }));
  placed.sort((a, b) => a.place - b.place || a.utterance.text.localeCompare(b.utterance.text, "en"));
  return placed.map(({ utterance }) => utterance);
}

export async function train(
  content: VersionContent,
  note: Note = () => {},
): Promise<Uint8Array<ArrayBuffer>> {
  const definition = definitionOf(content);
  const placeOfIntent = new Map(definition.intents.map(({ name }, place) => [name, place]));
  const utterances = inFixedOrder(content.utterances);
  const hinted = await hintedUtterances(utterances, definition, note);
  const lessonsOfIntents = hinted.flatMap(({ read, hints }, at) => {
    const intent = placeOfIntent.get(utterances[at]?.intent ?? "");
    return intent === undefined ? [] : [{ features: rawFeaturesOf(read, namesOf(hints)), intent }];
  });
  const intents = learnIntentModel({
    lessons: lessonsOfIntents,
    intentCount: definition.intents.length,
    usesAll: content.settings.useAllTrainingData,
    note: (share) => note(percentAfter(READ_PERCENT, INTENTS_PERCENT, share)),
  });
  const commonWords = commonWordsOf(hinted.map(({ read }) => read));
  const lessons = sequenceLessonsOf(
    hinted.map(({ read, hints }, at) => ({
      read,
      labels: utterances[at]?.labels ?? [],
      features: tokenFeaturesOf(read, hints, (word) => isCommonWord(commonWords, word)),
    })),
    content,
  );
  const sequences = new Map<string, SequenceModel>();
  for (const [key, ofModel] of lessons) {
    const names = new Set(ofModel.flatMap(({ spans }) => spans.map(({ name }) => name)));
    sequences.set(key, learnSequences(ofModel, [...names].sort()));
    note(percentAfter(INTENTS_PERCENT, WHOLE_PERCENT, sequences.size / lessons.size));
  }
  return bytesOfModel({ definition, intents, sequences, commonWords }, content);
}

const percentAfter = (from: number, to: number, share: number): number =>
  Math.floor(from + (to - from) * share);

type Hinted = { readonly read: Read; readonly hints: readonly Finding[] };

async function hintedUtterances(
  utterances: readonly Utterance[],
  definition: Definition,
  note: Note,
): Promise<Hinted[]> {
  const { culture, rules, helpfulPrebuilts } = definition;
  const finders = findersOf(definition);
  const hinted: Hinted[] = [];
  for (const { text } of utterances) {
    const read = readUtterance(text, rules);
    const prebuilts =
      helpfulPrebuilts.length === 0
        ? []
        : await findPrebuilts(text, { culture, names: helpfulPrebuilts, wallClockMs: ANY_TIME_MS });
    const found = findWithoutLearning(read, finders, { prebuilts, dynamicLists: [] });
    hinted.push({ read, hints: hintsOf(read, found, finders) });
    note(percentAfter(0, READ_PERCENT, hinted.length / utterances.length));
  }
  return hinted;
}
