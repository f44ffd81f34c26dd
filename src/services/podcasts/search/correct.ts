/** Corrects a query word by word, from the dictionary and from words that occur together. */
import { escapeHtml } from "../domain/search/highlight.ts";
import { ORDER_MAX } from "../domain/search/order.ts";
import { parseQuery } from "../domain/search/query.ts";
import {
  correctionsOf,
  isCorrectable,
  oneChangeFrom,
  skeletonOf,
  skeletonsNear,
} from "../domain/search/spelling.ts";
import { type Word, wordsOf } from "../domain/search/words.ts";
import type { PodcastsContext } from "../state.ts";
import { findPlaces } from "../store/search.ts";
import { findKnown, findWords } from "../store/words.ts";

/** Candidates that are tested together with the other words. */
const TRIED_MAX = 5;
const WORDS_MAX = 16;
/** Most frequent words with the same phonetic key that are scored, for each word. */
const SOUNDING_MAX = 500;
/** A word in more texts than this counts as correct. */
const DOUBTED_COUNT_MAX = 2;

export type Correction = { readonly word: Word; readonly suggestion: string };

/** Most likely corrections of each word. One query serves all words. */
async function candidatesFor(
  { db, account }: PodcastsContext,
  words: readonly string[],
): Promise<Map<string, string[]>> {
  const asked = words.filter(isCorrectable).map((word) => ({
    word,
    spellings: new Set([word, ...oneChangeFrom(word)]),
    skeletons: new Set(skeletonsNear(word)),
  }));
  if (asked.length === 0) return new Map();
  const known = await findWords(db, account, {
    spellings: asked.flatMap(({ spellings }) => [...spellings]),
    skeletons: asked.flatMap(({ skeletons }) => [...skeletons]),
    limit: SOUNDING_MAX * asked.length,
  });
  return new Map(
    asked.map(({ word, spellings, skeletons }) => {
      const near = known.filter((one) => spellings.has(one.word) || skeletons.has(skeletonOf(one.word)));
      return [word, correctionsOf(word, near).slice(0, TRIED_MAX)];
    }),
  );
}

/** Whether a title or name contains all these words. */
async function standTogether(
  { db, account }: PodcastsContext,
  words: readonly string[],
  languages: readonly string[],
): Promise<boolean> {
  const query = parseQuery(words.map((word) => `"${word}"`).join(" "), languages);
  for (const kind of ["p", "e"] as const) {
    const search = { kind, query, fields: ["title", "author"] as const, facets: [], withoutFacets: [] };
    const found = await findPlaces(db, account, { search, first: 0, last: ORDER_MAX }, { limit: 1 });
    if (found.length > 0) return true;
  }
  return false;
}

export async function correct(context: PodcastsContext, text: string): Promise<Correction[]> {
  const words = wordsOf(text).slice(0, WORDS_MAX);
  const known = await findKnown(
    context.db,
    context.account,
    words.map((word) => word.text),
  );
  const sure = new Set(known.filter(({ count }) => count > DOUBTED_COUNT_MAX).map(({ word }) => word));
  const unsure = words.filter(({ text }) => !sure.has(text));
  const found = await candidatesFor(
    context,
    unsure.map((word) => word.text),
  );
  const doubted = unsure.flatMap((word) => {
    const candidates = found.get(word.text) ?? [];
    return candidates.length > 0 ? [{ word, candidates }] : [];
  });
  if (doubted.length === 0) return [];
  const languages = await context.state.languages.of(context.db, context.account);
  const settled = words.filter((word) => !doubted.some((one) => one.word === word)).map((word) => word.text);
  const corrections: Correction[] = [];
  for (const { word, candidates } of doubted) {
    const suggestion = await choose(context, candidates, settled, languages);
    settled.push(suggestion);
    corrections.push({ word, suggestion });
  }
  return corrections;
}

/** The first candidate that occurs together with the accepted words; else the first candidate. */
async function choose(
  context: PodcastsContext,
  candidates: readonly string[],
  sure: readonly string[],
  languages: readonly string[],
): Promise<string> {
  const [first = ""] = candidates;
  if (candidates.length > 1 && sure.length > 0)
    for (const candidate of candidates)
      if (await standTogether(context, [...sure, candidate], languages)) return candidate;
  return first;
}

export function correctedHtml(text: string, corrections: readonly Correction[]): string {
  let html = "";
  let at = 0;
  for (const { word, suggestion } of corrections) {
    html += `${escapeHtml(text.slice(at, word.start))}<b><i>${escapeHtml(suggestion)}</i></b>`;
    at = word.end;
  }
  return html + escapeHtml(text.slice(at));
}
