/** How much is read of texts and queries: the last that counts, and the first that does not. */
import { expect, it } from "vitest";
import { fts5Expression, type Search } from "./expressions.ts";
import { minutesOf } from "./facets.ts";
import { excerpt, isFoundIn } from "./highlight.ts";
import { phraseOf, phrasesOf, spellingWordsOf, termWeightsOf } from "./phrases.ts";
import { parseQuery } from "./query.ts";
import { isCorrectable, skeletonOf } from "./spelling.ts";
import { spellingsOf, wordsOf } from "./words.ts";

const ENGLISH = ["English"];
const made = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(" ");

it("forty letters of a word", () => {
  for (const letter of ["a", "é"]) {
    const lengthOf = (length: number) => wordsOf(letter.repeat(length))[0]?.text.length;
    expect([39, 40, 41].map(lengthOf)).toEqual([39, 40, 40]);
  }
  const spelt = (length: number) => spellingsOf("a".repeat(length))[0]?.length;
  expect([39, 40, 41].map(spelt)).toEqual([39, 40, 40]);
});

it("24 words of a query, and prefixes of two letters", () => {
  const wanted = (count: number) => parseQuery(made(count), ENGLISH).wanted.length;
  expect([23, 24, 25].map(wanted)).toEqual([23, 24, 24]);
  const isPrefix = (text: string) => parseQuery(text, ENGLISH).wanted[0]?.isPrefix;
  expect(["a*", "ab*"].map(isPrefix)).toEqual([false, true]);
});

it("sixteen spellings of a phrase", () => {
  const search = (words: number): Search => ({
    kind: "p",
    query: { wanted: [{ words: Array(words).fill(["one", "other"]), isPrefix: false }], unwanted: [] },
    fields: [],
    facets: [],
    withoutFacets: [],
  });
  const spellings = (words: number) => fts5Expression("a", search(words)).split(" OR ").length;
  expect([3, 4, 5].map(spellings)).toEqual([8, 16, 16]);
});

it("twenty thousand letters of a text, to find words in it", () => {
  const query = parseQuery("zebra", ENGLISH);
  const text = (before: number) => `${"a".repeat(before - 1)} zebra and more`;
  const found = [20_000 - 5, 20_000 - 4].map((before) => [
    isFoundIn(text(before), "English", query),
    excerpt(text(before), "English", query).includes("zebr"),
  ]);
  expect(found).toEqual([
    [true, true],
    [false, false],
  ]);
});

it("eighty letters of a title, and twelve phrases", () => {
  expect([79, 80, 81].map((length) => phraseOf("t".repeat(length)).length)).toEqual([79, 80, 80]);
  expect([11, 12, 13].map((count) => phrasesOf(made(count)).length)).toEqual([11, 12, 12]);
});

it("words of three letters to correct others by, and of 24 to be corrected", () => {
  expect(spellingWordsOf("ab abc")).toEqual(["abc"]);
  expect([2, 3, 24, 25].map((length) => isCorrectable("a".repeat(length)))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect([11, 12, 13].map((length) => skeletonOf("bd".repeat(length)).length)).toEqual([12, 12, 12]);
  expect(["bdbdbdbdbdb", "bdbdbdbdbdbd"].map((word) => skeletonOf(word).length)).toEqual([11, 12]);
});

it("48 words that tell what a text is of", () => {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const text = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `q${letters[index % 26]}${letters[Math.floor(index / 26)]}x`,
    ).join(" ");
  const counted = (count: number) => termWeightsOf("", text(count), "English").length;
  expect([47, 48, 49].map(counted)).toEqual([47, 48, 48]);
});

it("1,023 minutes of an episode", () => {
  expect([1022, 1023, 1024].map((minutes) => minutesOf(minutes * 60))).toEqual([1022, 1023, 1023]);
});
