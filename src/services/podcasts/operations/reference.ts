/** Operations for genres, regions and languages. */
import { Type } from "@sinclair/typebox";
import { GENRES, ROOT_GENRE_ID } from "../domain/genres.ts";
import { LANGUAGES } from "../domain/languages.ts";
import { regionNames } from "../domain/places.ts";
import * as wire from "../wire/index.ts";
import { meteredOperation } from "./metered.ts";

const PERMISSION = "podcasts:GetReference";

const readGenres = meteredOperation({
  id: "podcasts.genres.list",
  summary: "Lists the genres",
  description: "The list is fixed.",
  method: "GET",
  path: "/genres",
  permission: PERMISSION,
  query: Type.Object({ top_level_only: wire.zeroOrOne("1 for those right below the root only.") }),
  answers: { 200: Type.Object({ genres: Type.Array(wire.Genre) }) },
  handle: ({ query }) => ({
    genres: GENRES.filter(({ parentId }) => query.top_level_only === 0 || parentId === ROOT_GENRE_ID).map(
      ({ id, name, parentId }) => ({ id, name, parent_id: parentId }),
    ),
  }),
});

const readRegions = meteredOperation({
  id: "podcasts.regions.list",
  summary: "Lists countries and regions by code",
  description: "The list is fixed.",
  method: "GET",
  path: "/regions",
  permission: PERMISSION,
  answers: { 200: Type.Object({ regions: Type.Record(Type.String(), Type.String()) }) },
  handle: () => ({ regions: regionNames() }),
});

const readLanguages = meteredOperation({
  id: "podcasts.languages.list",
  summary: "Lists languages by name",
  description: "The list is fixed.",
  method: "GET",
  path: "/languages",
  permission: PERMISSION,
  answers: { 200: Type.Object({ languages: Type.Array(Type.String()) }) },
  handle: () => ({ languages: [...LANGUAGES] }),
});

export const referenceOperations = [readGenres, readRegions, readLanguages];
