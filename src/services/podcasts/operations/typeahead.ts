/** Operation for completions. */
import { type Static, Type } from "@sinclair/typebox";
import { GENRES } from "../domain/genres.ts";
import { highlightTyped } from "../domain/search/highlight.ts";
import { phraseOf, phrasesOf } from "../domain/search/phrases.ts";
import { errors } from "../errors.ts";
import type { PodcastsContext } from "../state.ts";
import { completeTerm, completeTitle, completeWord, type TitledPodcast } from "../store/words.ts";
import * as wire from "../wire/index.ts";
import { meteredOperation } from "./metered.ts";

const TERMS_MAX = 8;
const SEARCHED_MAX = 4;
const PODCASTS_MAX = 5;
const TITLES_MAX = 10;
/** A short prefix matches many titles, so only this number is scanned. */
const TITLES_LOOKED_AT = 400;

const podcastOf = (podcast: TitledPodcast, typed: readonly string[], links: wire.Links) => ({
  id: podcast.id,
  image: podcast.image || links.cover(podcast.id),
  thumbnail: podcast.thumbnail || links.cover(podcast.id),
  explicit_content: podcast.isExplicit,
  title_original: podcast.title,
  title_highlighted: highlightTyped(podcast.title, typed),
  publisher_original: podcast.publisher,
  publisher_highlighted: highlightTyped(podcast.publisher, typed),
});
const genresWith = (beginning: string): Static<typeof wire.Genre>[] =>
  GENRES.filter(({ name }) => phrasesOf(name).some((phrase) => phrase.startsWith(beginning))).map(
    ({ id, name, parentId }) => ({ id, name, parent_id: parentId }),
  );

/** Searches first, then titles, then completions of the last word. */
async function termsFor(
  { db, account }: PodcastsContext,
  beginning: string,
  titles: readonly TitledPodcast[],
): Promise<string[]> {
  const searched = await completeTerm(db, account, beginning, SEARCHED_MAX);
  const words = beginning.includes(" ") ? [] : await completeWord(db, account, beginning, TERMS_MAX);
  const all = new Set([...searched, ...titles.map(({ phrase }) => phrase).slice(0, SEARCHED_MAX), ...words]);
  return [...all].slice(0, TERMS_MAX);
}
function unique(podcasts: readonly TitledPodcast[]): TitledPodcast[] {
  const seen = new Map<string, TitledPodcast>();
  for (const podcast of podcasts) if (!seen.has(podcast.id)) seen.set(podcast.id, podcast);
  return [...seen.values()];
}

const typeahead = meteredOperation({
  id: "podcasts.typeahead",
  summary: "Suggests terms, genres and podcasts for typed text",
  description: "At most 8 terms and 5 podcasts. Terms come from earlier searches, titles and words.",
  method: "GET",
  path: "/typeahead",
  permission: "podcasts:Search",
  query: Type.Object({
    q: wire.SearchText,
    show_podcasts: wire.zeroOrOne("1: with podcasts."),
    show_genres: wire.zeroOrOne("1: with genres."),
    safe_mode: wire.zeroOrOne("1: leaves out what is explicit."),
  }),
  answers: {
    200: Type.Object({
      terms: Type.Array(Type.String(), { description: "What may be meant.", examples: [["star wars"]] }),
      genres: Type.Optional(Type.Array(wire.Genre)),
      podcasts: Type.Optional(Type.Array(wire.PodcastTypeaheadResult)),
    }),
  },
  errors: [errors.badRequest],
  examples: { query: { q: "star", show_podcasts: 1 } },
  async handle({ query }, context) {
    const beginning = phraseOf(query.q);
    if (beginning === "") throw errors.badRequest("q holds no letter or number.");
    const typed = beginning.split(" ");
    const titles = unique(
      await completeTitle(context.db, context.account, beginning, {
        isSafe: query.safe_mode === 1,
        looked: TITLES_LOOKED_AT,
        limit: TITLES_MAX,
      }),
    );
    return {
      terms: await termsFor(context, beginning, titles),
      ...(query.show_genres === 1 && { genres: genresWith(beginning) }),
      ...(query.show_podcasts === 1 && {
        podcasts: titles
          .slice(0, PODCASTS_MAX)
          .map((podcast) => podcastOf(podcast, typed, wire.linksOf(context))),
      }),
    };
  },
});
export const typeaheadOperations = [typeahead];
