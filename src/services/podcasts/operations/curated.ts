/** Operations for curated lists. Read operations follow the public contract. */
import { type Static, Type } from "@sinclair/typebox";
import { dropList, keepCurated } from "../actions/lists.ts";
import { hostOf, webAddress } from "../domain/feeds/addresses.ts";
import { plainLine } from "../domain/feeds/html.ts";
import { errors } from "../errors.ts";
import type { PodcastsContext } from "../state.ts";
import * as store from "../store/curated.ts";
import { listPodcasts } from "../store/podcasts.ts";
import type { CuratedRow } from "../tables.ts";
import * as wire from "../wire/index.ts";
import { pageFacts } from "./lookup.ts";
import { meteredOperation } from "./metered.ts";

const LISTS_A_PAGE = 20;
const LISTS_MAX = 10_000;
const PODCASTS_MAX = 500;
/** Podcasts per list in an answer with several lists. */
const PODCASTS_SHOWN = 5;
/** Same length as ids of the public service. */
const ID_LENGTH = 11;

const named = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 64,
    description: "The curated list's id.",
    examples: ["SDFKduyJ47r"],
  }),
});

async function getList({ db, account }: PodcastsContext, id: string): Promise<CuratedRow> {
  const list = await store.findCurated(db, account, id);
  if (!list) throw errors.notFound(`There is no curated list ${id.slice(0, 64)}.`);
  return list;
}
const factsOf = (list: CuratedRow, links: wire.Links, total: number) => ({
  id: list.id,
  title: list.title,
  description: list.description,
  source_url: list.source_url,
  source_domain: list.source_domain,
  pub_date_ms: Number(list.pub_date_ms),
  vendor_url: links.curated(list.id),
  total,
});
async function fullView(
  context: PodcastsContext,
  list: CuratedRow,
): Promise<Static<typeof wire.CuratedListFull>> {
  const { db, account } = context;
  const podcasts = await listPodcasts(db, account, await store.listCuratedIds(db, account, list.id));
  const links = wire.linksOf(context);
  return {
    ...factsOf(list, links, podcasts.length),
    podcasts: podcasts.map((podcast) => wire.podcastSimpleOf(podcast, links)),
  };
}

const readList = meteredOperation({
  id: "podcasts.curated.get",
  summary: "Returns a curated list with its podcasts",
  description: "Podcasts that were deleted are left out.",
  method: "GET",
  path: "/curated_podcasts/{id}",
  permission: "podcasts:GetCurated",
  params: named,
  answers: { 200: wire.CuratedListFull },
  errors: [errors.notFound],
  handle: async ({ params }, context) => fullView(context, await getList(context, params.id)),
});

const readLists = meteredOperation({
  id: "podcasts.curated.list",
  summary: "Lists curated lists, newest first",
  description: `${LISTS_A_PAGE} lists on a page, each with its first ${PODCASTS_SHOWN} podcasts.`,
  method: "GET",
  path: "/curated_podcasts",
  permission: "podcasts:GetCurated",
  query: Type.Object({ page: wire.PageNumber }),
  answers: {
    200: Type.Object({
      ...wire.numberedPage,
      total: Type.Integer({ minimum: 0 }),
      curated_lists: Type.Array(wire.CuratedListSimple),
    }),
  },
  async handle({ query: { page } }, context) {
    const { db, account } = context;
    const total = await store.countCurated(db, account);
    const slice = { offset: (page - 1) * LISTS_A_PAGE, limit: LISTS_A_PAGE };
    const lists = await store.pageOfCurated(db, account, slice);
    const links = wire.linksOf(context);
    const views: Static<typeof wire.CuratedListSimple>[] = [];
    for (const list of lists) {
      const ids = await store.listCuratedIds(db, account, list.id);
      const shown = await listPodcasts(db, account, ids.slice(0, PODCASTS_SHOWN));
      views.push({
        ...factsOf(list, links, ids.length),
        podcasts: shown.map((podcast) => wire.podcastMinimumOf(podcast, links)),
      });
    }
    return { ...pageFacts(page, page * LISTS_A_PAGE < total), total, curated_lists: views };
  },
});

const CuratedBody = Type.Object({
  title: Type.String({
    minLength: 1,
    maxLength: 300,
    description: "What the list is called.",
    examples: ["Ten podcasts about gardens"],
  }),
  description: Type.Optional(
    Type.String({ maxLength: 5_000, description: "What it is about.", examples: ["For rainy days."] }),
  ),
  source_url: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: "Where the list was published.",
      examples: ["https://example.org/gardens"],
    }),
  ),
  podcast_ids: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: PODCASTS_MAX,
    description: "Its podcasts, in order.",
    examples: [["4d3fe717742d4963a85562e9f84d8c79"]],
  }),
});

async function putList(
  context: PodcastsContext,
  id: string,
  body: Static<typeof CuratedBody>,
  pubDateMs: number,
) {
  const { db, account } = context;
  const wanted = [...new Set(body.podcast_ids)];
  const podcasts = await listPodcasts(db, account, wanted);
  const missing = wanted.find((one) => !podcasts.some((podcast) => podcast.id === one));
  if (missing !== undefined)
    throw errors.badRequest(`There is no podcast ${missing}.`, { target: "podcast_ids" });
  const source = webAddress(body.source_url ?? "");
  const list: CuratedRow = {
    account,
    id,
    title: plainLine(body.title),
    description: plainLine(body.description ?? "", 5_000),
    source_url: source,
    source_domain: hostOf(source),
    pub_date_ms: pubDateMs,
  };
  const ordered = wanted.flatMap((one) => podcasts.find((podcast) => podcast.id === one) ?? []);
  await keepCurated(context, list, ordered);
  return fullView(context, list);
}

const editing = { permission: "podcasts:EditCurated", tags: ["addition"] } as const;
const makeList = meteredOperation({
  ...editing,
  id: "podcasts.curated.create",
  summary: "Creates a curated list",
  description: `All podcasts must exist; at most ${PODCASTS_MAX}, duplicates are dropped. An account may have ${LISTS_MAX} curated lists. The list is found by searches soon afterwards.`,
  method: "POST",
  path: "/curated_podcasts",
  body: CuratedBody,
  answers: { 200: wire.CuratedListFull },
  errors: [errors.badRequest, errors.tooManyLists],
  async handle({ body }, context) {
    const { db, account, clock, ids } = context;
    if ((await store.countCurated(db, account)) >= LISTS_MAX)
      throw errors.tooManyLists(`An account has ${LISTS_MAX} curated lists at the most.`);
    return putList(context, ids.secret(ID_LENGTH), body, clock.nowMs());
  },
});
const changeList = meteredOperation({
  ...editing,
  id: "podcasts.curated.replace",
  summary: "Replaces a curated list",
  description: "Replaces title, description, source and podcasts; the id and the date stay.",
  method: "PUT",
  path: "/curated_podcasts/{id}",
  params: named,
  body: CuratedBody,
  answers: { 200: wire.CuratedListFull },
  errors: [errors.badRequest, errors.notFound],
  async handle({ params, body }, context) {
    const list = await getList(context, params.id);
    return putList(context, list.id, body, Number(list.pub_date_ms));
  },
});
const removeList = meteredOperation({
  ...editing,
  id: "podcasts.curated.delete",
  summary: "Deletes a curated list",
  description: "Its podcasts stay. Its public page gives 404 afterwards.",
  method: "DELETE",
  path: "/curated_podcasts/{id}",
  params: named,
  answers: { 200: Type.Object({ status: Type.Literal("deleted") }) },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const list = await getList(context, params.id);
    await dropList(context, "curated", list.id);
    return { status: "deleted" as const };
  },
});

export const curatedOperations = [readList, readLists, makeList, changeList, removeList];
