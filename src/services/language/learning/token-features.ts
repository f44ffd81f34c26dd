/**
 * Features of a token for the sequence model: the word, its shape, its neighbours, and findings at its
 * position.
 */
import type { Read } from "../recognition/reading.ts";
import { addTextToHash, addToHash, startHash } from "./feature-index.ts";
import type { TokenFeatures } from "./sequence-learner.ts";

/** Something found by other means, in places of tokens: a phrase of a list, an entity. */
export type Finding = { readonly start: number; readonly end: number; readonly name: string };

/** Names for the intent model: whether something occurs, without its position. */
export const namesOf = (hints: readonly Finding[]): string[] => [...new Set(hints.map(({ name }) => name))];

/** The first kind number of token features, distinct from those of utterances. */
const KIND = 16;
const ENDING_MAX = 3;
const EDGE = "\u0000";

/** `isCommon`: whether a word occurred more than once in the lessons; others are seen as rare, as unknown ones will be. */
export function tokenFeaturesOf(
  { text, tokens, words }: Read,
  findings: readonly Finding[],
  isCommon: (word: string) => boolean,
): TokenFeatures {
  const written = tokens.map(({ start, end }) => text.slice(start, end));
  const wordAt = (at: number): string => words[at] ?? EDGE;
  return words.map((word, at) => {
    const names = [
      "b",
      `w${word}`,
      `f${formOf(written[at] ?? "")}`,
      `-1${wordAt(at - 1)}`,
      `-2${wordAt(at - 2)}`,
      `+1${wordAt(at + 1)}`,
      `+2${wordAt(at + 2)}`,
      `-1w${wordAt(at - 1)} ${word}`,
      `w+1${word} ${wordAt(at + 1)}`,
      `-2-1${wordAt(at - 2)} ${wordAt(at - 1)}`,
      `-1+1${wordAt(at - 1)} ${wordAt(at + 1)}`,
    ];
    for (let size = 1; size <= Math.min(ENDING_MAX, word.length - 1); size += 1)
      names.push(`e${word.slice(-size)}`, `s${word.slice(0, size)}`);
    if (!isCommon(word)) names.push("rare", `rare-1${wordAt(at - 1)}`, `rare+1${wordAt(at + 1)}`);
    return hashesOf([...names, ...findings.flatMap((finding) => hintsAt(at, finding))]);
  });
}

function hintsAt(at: number, { start, end, name }: Finding): string[] {
  if (start <= at && at < end) return [`${at === start ? "B" : "I"}${name}`, `in${name}`];
  if (at === start - 1) return [`before${name}`];
  return at === end ? [`after${name}`] : [];
}

function hashesOf(names: readonly string[]): Int32Array {
  return Int32Array.from(names, (name) => addToHash(addTextToHash(startHash(KIND), name), 0));
}

/** The shape of a token: capitals, digits and other characters, each run once. */
function formOf(token: string): string {
  let form = "";
  for (const character of token) {
    const next = characterForm(character);
    if (!form.endsWith(next)) form += next;
  }
  return form;
}

const DIGIT = /\p{N}/u;
const CAPITAL = /\p{Lu}/u;
const LETTER = /\p{L}/u;
function characterForm(character: string): string {
  if (DIGIT.test(character)) return "0";
  if (CAPITAL.test(character)) return "A";
  return LETTER.test(character) ? "a" : "-";
}
