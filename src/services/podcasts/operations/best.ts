/** Operations for the best podcasts. */
import { Type } from "@sinclair/typebox";
import { findGenre, ROOT_GENRE_ID } from "../domain/genres.ts";
import { LANGUAGES } from "../domain/languages.ts";
import { isRegion } from "../domain/places.ts";
import { errors } from "../errors.ts";
import { BEST_SORTS, type BestFilter, countBest, pageOfBest } from "../store/best.ts";
import * as wire from "../wire/index.ts";
import { pageFacts } from "./lookup.ts";
import { meteredOperation } from "./metered.ts";

const PAGE_SIZE = 20;
const ANY_LANGUAGE = "Any language";
const GENRE_ID = /^\d{1,9}$/;

function genreNamed(id: string) {
  const genre = GENRE_ID.test(id) ? findGenre(Number(id)) : undefined;
  if (!genre) throw errors.notFound(`There is no genre ${id}.`);
  return genre;
}
function regionNamed(region: string | undefined): string | undefined {
  if (region === undefined || region === "") return undefined;
  const code = region.toLowerCase();
  if (!isRegion(code)) throw errors.notFound(`There is no region ${region}.`);
  return code;
}
function languageNamed(language: string | undefined): string | undefined {
  if (language === undefined || language === "" || language === ANY_LANGUAGE) return undefined;
  const known = LANGUAGES.find((one) => one.toLowerCase() === language.toLowerCase());
  if (known === undefined) throw errors.notFound(`There is no language ${language}.`);
  return known;
}

const best = meteredOperation({
  id: "podcasts.best",
  summary: "Lists the best podcasts of a genre",
  description: `A podcast belongs to a region if it is made there or was requested from there; without a known origin it belongs to all. Pages have ${PAGE_SIZE} podcasts. Scores are computed every 10 minutes.`,
  method: "GET",
  path: "/best_podcasts",
  permission: "podcasts:GetPodcast",
  query: Type.Object({
    genre_id: Type.Optional(
      Type.String({
        maxLength: 20,
        description: "A genre of `/genres`; all, where none is given.",
        examples: ["93"],
      }),
    ),
    page: wire.PageNumber,
    region: Type.String({
      maxLength: 10,
      default: "us",
      description: "Where it is listened to, as `/regions` names it.",
    }),
    publisher_region: Type.Optional(
      Type.String({
        maxLength: 10,
        description: "Where it is made, as `/regions` names it.",
        examples: ["us"],
      }),
    ),
    language: Type.Optional(
      Type.String({ maxLength: 50, description: "As `/languages` names it.", examples: ["English"] }),
    ),
    sort: Type.Union(
      BEST_SORTS.map((sort) => Type.Literal(sort)),
      { default: "recent_added_first", description: "Which come first." },
    ),
    safe_mode: wire.zeroOrOne("1: leaves out what is explicit."),
  }),
  answers: {
    200: Type.Object({
      ...wire.numberedPage,
      id: Type.Integer({ description: "The genre.", examples: [93] }),
      name: Type.String({ description: "The genre's name.", examples: ["Business"] }),
      parent_id: Type.Union([Type.Integer(), Type.Null()], {
        description: "The genre above it.",
        examples: [67],
      }),
      vendor_url: Type.String({
        description: "A page for people.",
        examples: ["http://127.0.0.1:4020/podcasts/api/v2/listen/123456789012/genres/93"],
      }),
      total: Type.Integer({ description: "How many podcasts there are.", examples: [120] }),
      podcasts: Type.Array(wire.PodcastSimple),
    }),
  },
  errors: [errors.notFound],
  examples: { query: { genre_id: "93", sort: "listen_score" } },
  async handle({ query }, context) {
    const { db, account } = context;
    const genre = genreNamed(query.genre_id ?? String(ROOT_GENRE_ID));
    const filter: BestFilter = {
      genreId: genre.id === ROOT_GENRE_ID ? undefined : genre.id,
      region: regionNamed(query.region),
      publisherRegion: regionNamed(query.publisher_region),
      language: languageNamed(query.language),
      isSafe: query.safe_mode === 1,
    };
    const offset = (query.page - 1) * PAGE_SIZE;
    const total = await countBest(db, account, filter);
    const rows = await pageOfBest(db, account, filter, { sort: query.sort, offset, limit: PAGE_SIZE });
    const links = wire.linksOf(context);
    return {
      ...pageFacts(query.page, total > offset + PAGE_SIZE),
      id: genre.id,
      name: genre.name,
      parent_id: genre.parentId,
      vendor_url: links.genre(genre.id),
      total,
      podcasts: rows.map((podcast) => wire.podcastSimpleOf(podcast, links)),
    };
  },
});
export const bestOperations = [best];
