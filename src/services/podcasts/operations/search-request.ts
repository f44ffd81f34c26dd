/** Parses search parameters into an index query. */
import type { Static } from "@sinclair/typebox";
import { ROOT_GENRE_ID } from "../domain/genres.ts";
import { LANGUAGES } from "../domain/languages.ts";
import { isRegion } from "../domain/places.ts";
import { FIELDS, type Field, type Search } from "../domain/search/expressions.ts";
import {
  EXPLICIT,
  genreFacet,
  INTERVIEW,
  type Kind,
  languageFacet,
  lengthRangeFacets,
  MINUTES_MAX,
  podcastFacet,
  regionFacet,
  SPONSORED,
} from "../domain/search/facets.ts";
import { orderRange } from "../domain/search/order.ts";
import { parseQuery } from "../domain/search/query.ts";
import { errors } from "../errors.ts";
import type { Wanted } from "../search/engine.ts";
import type { PodcastsContext } from "../state.ts";
import type { PodcastFigures } from "../store/search.ts";
import type { SearchQuery } from "../wire/search.ts";

type Asked = Static<typeof SearchQuery>;
const KINDS: Readonly<Record<Asked["type"], Kind>> = { episode: "e", podcast: "p", curated: "c" };
const ANY_LANGUAGE = "Any language";
const LIST_MAX = 50;
const NUMBER = /^\d{1,9}$/;
const ID = /^[A-Za-z0-9]{1,64}$/;

function listOf(text: string | undefined, name: string, isGood: (one: string) => boolean): string[] {
  const all = (text ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  if (all.length > LIST_MAX) throw errors.badRequest(`${name} takes ${LIST_MAX} at the most.`);
  const bad = all.find((one) => !isGood(one));
  if (bad !== undefined) throw errors.badRequest(`${name} cannot be ${JSON.stringify(bad)}.`);
  return all;
}

function fieldsOf(onlyIn: string | undefined): Field[] {
  const all = listOf(onlyIn, "only_in", (one) => (FIELDS as readonly string[]).includes(one)) as Field[];
  return new Set(all).size === FIELDS.length ? [] : [...new Set(all)];
}
/** Undefined if any language matches. */
function languageOf(language: string | undefined): string | undefined {
  if (language === undefined || language === "" || language === ANY_LANGUAGE) return undefined;
  const known = LANGUAGES.find((one) => one.toLowerCase() === language.toLowerCase());
  if (known === undefined) throw errors.badRequest(`No language is called ${JSON.stringify(language)}.`);
  return known;
}
function regionOf(region: string | undefined): string | undefined {
  if (region === undefined || region === "") return undefined;
  if (!isRegion(region.toLowerCase()))
    throw errors.badRequest(`No region is called ${JSON.stringify(region)}.`);
  return region.toLowerCase();
}
const isId = (one: string): boolean => ID.test(one);

/** Facet groups. A document must match one facet of each group. */
function facetsOf(asked: Asked, language: string | undefined): string[][] {
  const groups: string[][] = [];
  const genres = listOf(asked.genre_ids, "genre_ids", (one) => NUMBER.test(one)).map(Number);
  if (genres.length > 0 && !genres.includes(ROOT_GENRE_ID)) groups.push(genres.map(genreFacet));
  if (language !== undefined) groups.push([languageFacet(language)]);
  const region = regionOf(asked.region);
  if (region !== undefined) groups.push([regionFacet(region)]);
  const podcasts = listOf(asked.ocid, "ocid", isId);
  if (podcasts.length > 0) groups.push(podcasts.map(podcastFacet));
  if (asked.interviews_only === 1) groups.push([INTERVIEW]);
  if (asked.sponsored_only === 1) groups.push([SPONSORED]);
  if (asked.len_min > 0 || asked.len_max !== undefined)
    groups.push(lengthRangeFacets(asked.len_min, asked.len_max ?? MINUTES_MAX));
  return groups;
}

function figuresOf(asked: Asked): PodcastFigures | undefined {
  const figures = {
    episodesMin: asked.episode_count_min,
    episodesMax: asked.episode_count_max,
    hoursMin: asked.update_freq_min,
    hoursMax: asked.update_freq_max,
  };
  return Object.values(figures).some((one) => one !== undefined) ? figures : undefined;
}

/** Lists are filtered only by date and text, because they have no length, language or region. */
export async function wantedOf(context: PodcastsContext, asked: Asked): Promise<Wanted> {
  const { db, account, clock, state } = context;
  const language = languageOf(asked.language);
  const languages = language === undefined ? await state.languages.of(db, account) : [language];
  const query = parseQuery(asked.q, languages);
  if (query.wanted.length + query.unwanted.length === 0)
    throw errors.badRequest("q holds nothing that could be looked for.");
  const kind = KINDS[asked.type];
  const isList = kind === "c";
  const fields = fieldsOf(asked.only_in);
  const facets = facetsOf(asked, language);
  const search: Search = {
    kind,
    query,
    fields,
    facets: isList ? [] : facets,
    withoutFacets: isList
      ? []
      : [...(asked.safe_mode === 1 ? [EXPLICIT] : []), ...listOf(asked.ncid, "ncid", isId).map(podcastFacet)],
  };
  return {
    query: {
      search,
      ...orderRange(asked.published_after === 0 ? undefined : asked.published_after, asked.published_before),
    },
    figures: isList ? undefined : figuresOf(asked),
    isByDate: asked.sort_by_date === 1,
    isUnique: asked.unique_podcasts === 1 && kind === "e",
    offset: asked.offset,
    size: asked.page_size,
    nowMs: clock.nowMs(),
  };
}
