/** Spelling corrections for unknown and rare words. */

export type KnownWord = {
  readonly word: string;
  /** Number of texts that contain the word. */
  readonly count: number;
};

const ALPHABETS: readonly string[] = [
  "abcdefghijklmnopqrstuvwxyz",
  "абвгдежзийклмнопрстуфхцчшщъыьэюя",
  "αβγδεζηθικλμνξοπρστυφχψως",
];
const LETTERS_MIN = 3;
const LETTERS_MAX = 24;
/** Maximum edit distance. Beyond it, the result would be a different word. */
const changesMaxOf = (word: string): number => (word.length < 5 ? 1 : word.length < 12 ? 2 : 3);
const NUMBER = /\d/;

export const isCorrectable = (word: string): boolean =>
  word.length >= LETTERS_MIN &&
  word.length <= LETTERS_MAX &&
  !NUMBER.test(word) &&
  ALPHABETS.some((letters) => letters.includes(word[0] ?? " "));

/** All words at edit distance one: a letter removed, transposed, replaced or inserted. */
export function oneChangeFrom(word: string): string[] {
  const letters = ALPHABETS.find((alphabet) => alphabet.includes(word[0] ?? " ")) ?? ALPHABETS[0] ?? "";
  const made = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const before = word.slice(0, at);
    const here = word[at] ?? "";
    const behind = word.slice(at + 1);
    if (here !== "") made.add(before + behind);
    if (behind !== "") made.add(before + behind[0] + here + behind.slice(1));
    for (const letter of letters) {
      if (here !== "") made.add(before + letter + behind);
      made.add(before + letter + here + behind);
    }
  }
  made.delete(word);
  made.delete("");
  return [...made];
}

const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ph/g, "f"],
  [/ight/g, "it"],
  [/[cst]i(?=[ao])/g, "s"],
  [/^(?:kn|gn|pn)/, "n"],
  [/^wr/, "r"],
  [/^ps/, "s"],
  [/gh/g, "g"],
  [/ck|q|c(?![eiy])/g, "k"],
  [/c(?=[eiy])|z/g, "s"],
  [/x/g, "ks"],
  [/[dj]ge?/g, "j"],
  [/w/g, "v"],
  [/y/g, "i"],
];
const VOWELS = /[aeiouhаеиоуыэюяαεηιουω]/g;
const DOUBLED = /(.)\1+/g;
const SKELETON_LETTERS_MAX = 12;

/**
 * Phonetic key: without vowels and doubled letters, with one letter for similar sounds. Most typos keep it.
 */
export function skeletonOf(word: string): string {
  let sound = word;
  for (const [pattern, letter] of SOUNDS) sound = sound.replace(pattern, letter);
  const first = sound[0] ?? "";
  return (first + sound.slice(1).replace(VOWELS, "")).replace(DOUBLED, "$1").slice(0, SKELETON_LETTERS_MAX);
}

/** The key and its neighbours: one letter removed, two letters transposed, or another initial vowel. */
export function skeletonsNear(word: string): string[] {
  const skeleton = skeletonOf(word);
  const near = new Set([skeleton]);
  for (let at = 0; at < skeleton.length; at += 1) {
    near.add(skeleton.slice(0, at) + skeleton.slice(at + 1));
    near.add(
      skeleton.slice(0, at) + (skeleton[at + 1] ?? "") + (skeleton[at] ?? "") + skeleton.slice(at + 2),
    );
  }
  if (VOWEL_FIRST.test(skeleton)) for (const vowel of "aeiou") near.add(vowel + skeleton.slice(1));
  return [...near].filter((one) => one.length > 1);
}
const VOWEL_FIRST = /^[aeiou]/;

/** One cell of the edit distance matrix, from the cells before it. */
function changesAt(
  [one, other]: readonly [string, string],
  [row, column]: readonly [number, number],
  [current, last, beforeLast]: readonly (readonly number[])[],
): number {
  const isSame = one[row - 1] === other[column - 1];
  const changes = Math.min(
    (last?.[column] ?? 0) + 1,
    (current?.[column - 1] ?? 0) + 1,
    (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
  );
  const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
  return row > 1 && column > 1 && isSwapped
    ? Math.min(changes, (beforeLast?.[column - 2] ?? 0) + 1)
    : changes;
}

/** Edit distance where a transposition counts as one edit; `max + 1` if it is greater than `max`. */
export function changesBetween(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1)
      current.push(changesAt([one, other], [row, column], [current, last, beforeLast]));
    if (Math.min(...current) > max) return max + 1;
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? max + 1;
}

/** A known word is corrected only if another word is this many times as frequent. */
const DOUBT_TIMES = 50;
const CHANGE_COST = 100;
const FIRST_LETTER_COST = 60;
const SOUND_GAIN = 40;
const COUNT_GAIN = 12;

const costOf = (word: string, { word: known, count }: KnownWord, changes: number): number =>
  changes * CHANGE_COST +
  (word[0] === known[0] ? 0 : FIRST_LETTER_COST) -
  (skeletonOf(word) === skeletonOf(known) ? SOUND_GAIN : 0) -
  Math.floor(COUNT_GAIN * Math.log2(count + 1));

const isPluralOf = (word: string, singular: string): boolean =>
  word === `${singular}s` && !singular.endsWith("s");

/** Corrections, most likely first; empty if the word is right or no known word is close. */
export function correctionsOf(word: string, candidates: readonly KnownWord[]): string[] {
  const own = candidates.find((one) => one.word === word)?.count ?? 0;
  if (own === 0 && candidates.some((one) => isPluralOf(word, one.word) || isPluralOf(one.word, word)))
    return [];
  const skeleton = skeletonOf(word);
  return candidates
    .filter((one) => one.word !== word && one.count >= own * DOUBT_TIMES)
    .flatMap((one) => {
      // Words with the same sound can differ in more letters.
      const max = own > 0 ? 1 : changesMaxOf(word) + (skeletonOf(one.word) === skeleton ? 1 : 0);
      const changes = changesBetween(word, one.word, max);
      return changes > max ? [] : [{ word: one.word, cost: costOf(word, one, changes) }];
    })
    .sort((one, other) => one.cost - other.cost || (one.word < other.word ? -1 : 1))
    .map((one) => one.word);
}
