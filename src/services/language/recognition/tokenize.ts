/** Cuts an utterance into the smallest pieces that can be labelled, by the rules of its culture. */

/** In UTF-16 units of the text; `end` is the first that no longer belongs to it. */
export type Token = { readonly start: number; readonly end: number };

/** How a language is cut. `spaces`: at every space and special character. `characters`: every character of its script too. */
type Cut = "spaces" | "characters" | "dictionary";

const CUT_OF_LANGUAGE: ReadonlyMap<string, Cut> = new Map([
  ["zh", "characters"],
  ["ko", "characters"],
  ["ja", "dictionary"],
]);

const WORDS = /[\p{L}\p{N}\p{M}\u200C\u200D]+|\S/gu;
/** Characters that are a syllable or word each, with their marks. */
const CHARACTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]\p{M}*|[\p{L}\p{N}\p{M}]|\S/gu;
const IN_SCRIPT_OF_CHARACTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const SPACES_ONLY = /^\s*$/u;

const japaneseWords = new Intl.Segmenter("ja", { granularity: "word" });

/**
 * Every character that is no space belongs to exactly one token. Both versions of the German tokenizer cut at spaces
 * and special characters: parts of compound words cannot be labelled.
 */
export function tokenize(text: string, culture: string): readonly Token[] {
  const words = piecesOf(text, WORDS, 0);
  const cut = CUT_OF_LANGUAGE.get(culture.slice(0, 2)) ?? "spaces";
  if (cut === "spaces") return words;
  return words.flatMap((word) => {
    const piece = text.slice(word.start, word.end);
    if (!IN_SCRIPT_OF_CHARACTERS.test(piece)) return [word];
    return cut === "characters" ? charactersOf(piece, word.start) : dictionaryWordsOf(piece, word.start);
  });
}

function piecesOf(text: string, pattern: RegExp, offset: number): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(pattern))
    tokens.push({ start: offset + match.index, end: offset + match.index + match[0].length });
  return tokens;
}

/** Letters and digits of other scripts in between stay together. */
function charactersOf(piece: string, offset: number): Token[] {
  const tokens: Token[] = [];
  let isOpen = false;
  for (const token of piecesOf(piece, CHARACTERS, offset)) {
    const isAlone = IN_SCRIPT_OF_CHARACTERS.test(piece.slice(token.start - offset, token.end - offset));
    const last = tokens.at(-1);
    if (!isAlone && isOpen && last) tokens[tokens.length - 1] = { start: last.start, end: token.end };
    else tokens.push(token);
    isOpen = !isAlone;
  }
  return tokens;
}

function dictionaryWordsOf(piece: string, offset: number): Token[] {
  const tokens: Token[] = [];
  for (const { segment, index } of japaneseWords.segment(piece))
    if (!SPACES_ONLY.test(segment))
      tokens.push({ start: offset + index, end: offset + index + segment.length });
  return tokens;
}
