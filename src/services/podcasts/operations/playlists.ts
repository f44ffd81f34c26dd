/** Operations for playlists. Read operations follow the public contract. */
import { type Static, Type } from "@sinclair/typebox";
import { dropList, showInCatalog } from "../actions/lists.ts";
import { webAddress } from "../domain/feeds/addresses.ts";
import { plainLine } from "../domain/feeds/html.ts";
import { errors } from "../errors.ts";
import type { PodcastsContext } from "../state.ts";
import { listEpisodes } from "../store/episodes.ts";
import * as store from "../store/playlists.ts";
import { listPodcasts } from "../store/podcasts.ts";
import type { PlaylistEntryRow, PlaylistRow } from "../tables.ts";
import * as wire from "../wire/index.ts";
import { getEpisode, getPodcast, pageFacts } from "./lookup.ts";
import { meteredOperation } from "./metered.ts";

const PLAYLISTS_A_PAGE = 20;
const ITEMS_A_PAGE = 20;
const PLAYLISTS_MAX = 10_000;
const ITEMS_MAX = 10_000;
/** Same length as ids of the public service. */
const ID_LENGTH = 11;

const PlaylistId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The playlist's id.",
  examples: ["m1pe7z60bsw"],
});
const named = Type.Object({ id: PlaylistId });

async function getPlaylist({ db, account }: PodcastsContext, id: string): Promise<PlaylistRow> {
  const playlist = await store.findPlaylist(db, account, id);
  if (!playlist) throw errors.notFound(`There is no playlist ${id.slice(0, 64)}.`);
  return playlist;
}
const factsOf = (row: PlaylistRow, links: wire.Links) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  image: row.image,
  thumbnail: row.image,
  vendor_url: links.playlist(row.id),
  visibility: row.visibility as Static<typeof wire.Visibility>,
});

type Item = Static<typeof wire.Playlist>["items"][number];
/** Current data of the entries. An entry that is no longer listed shows its saved title. */
async function itemsOf(context: PodcastsContext, entries: readonly PlaylistEntryRow[]): Promise<Item[]> {
  const { db, account } = context;
  const idsOf = (type: string) => entries.filter((one) => one.type === type).map((one) => one.target_id);
  const episodes = new Map((await listEpisodes(db, account, idsOf("episode"))).map((one) => [one.id, one]));
  const podcastIds = [...idsOf("podcast"), ...[...episodes.values()].map(({ podcast_id }) => podcast_id)];
  const podcasts = new Map(
    (await listPodcasts(db, account, [...new Set(podcastIds)])).map((one) => [one.id, one]),
  );
  const links = wire.linksOf(context);
  const dataOf = (entry: PlaylistEntryRow): Item["data"] => {
    const episode = episodes.get(entry.target_id);
    const podcast = podcasts.get(episode?.podcast_id ?? entry.target_id);
    if (entry.type === "custom_audio") return JSON.parse(entry.details);
    if (podcast && entry.type === "podcast") return wire.podcastSimpleOf(podcast, links);
    if (podcast && episode) return wire.episodeSimpleOf(episode, podcast, links);
    const { title = "" } = JSON.parse(entry.details);
    return { id: entry.target_id, title, status: "deleted", error: "It is no longer listed." };
  };
  return entries.map((entry) => ({
    id: Number(entry.number),
    type: entry.type as Item["type"],
    notes: entry.notes,
    added_at_ms: Number(entry.added_at),
    data: dataOf(entry),
  }));
}

const oneOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Union(
    words.map((word) => Type.Literal(word as Words[number])),
    { default: words[0] as Words[number], description, examples: [words[0] as string] },
  );

const readPlaylist = meteredOperation({
  id: "podcasts.playlists.get",
  summary: "Returns a playlist with a page of its items",
  description:
    "Pass `last_timestamp_ms` of a page for the next. Items that are no longer listed have the status `deleted` and their saved title.",
  method: "GET",
  path: "/playlists/{id}",
  permission: "podcasts:GetPlaylist",
  params: named,
  query: Type.Object({
    type: oneOf(["episode_list", "podcast_list"], "Which of its items: what can be played, or podcasts."),
    last_timestamp_ms: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: "Where the next page goes on, as the answer before says; 0 for the first.",
      examples: [0],
    }),
    sort: oneOf(store.ITEM_SORTS, "In which order the items come."),
  }),
  answers: { 200: wire.Playlist },
  errors: [errors.notFound],
  async handle({ params, query: { type, sort, last_timestamp_ms } }, context) {
    const { db, account } = context;
    const playlist = await getPlaylist(context, params.id);
    const slice = { type, sort, after: last_timestamp_ms, limit: ITEMS_A_PAGE };
    const entries = await store.listItems(db, account, playlist.id, slice);
    const figures = await store.getItemFigures(db, account, playlist.id);
    const last = entries.at(-1);
    const isByDate = sort.includes("published");
    return {
      ...factsOf(playlist, wire.linksOf(context)),
      type,
      total: type === "podcast_list" ? figures.podcasts : figures.episodes,
      total_audio_length_sec: type === "podcast_list" ? 0 : figures.seconds,
      last_timestamp_ms: Number((isByDate ? last?.pub_date_ms : last?.added_at) ?? 0),
      items: await itemsOf(context, entries),
    };
  },
});

const readPlaylists = meteredOperation({
  id: "podcasts.playlists.list",
  summary: "Lists playlists",
  description:
    "All playlists of the account, also private ones, with their number of items and total length.",
  method: "GET",
  path: "/playlists",
  permission: "podcasts:GetPlaylist",
  query: Type.Object({
    sort: oneOf(store.PLAYLIST_SORTS, "In which order they come."),
    page: wire.PageNumber,
  }),
  answers: { 200: wire.Playlists },
  async handle({ query: { sort, page } }, context) {
    const { db, account } = context;
    const total = await store.countPlaylists(db, account);
    const slice = { sort, offset: (page - 1) * PLAYLISTS_A_PAGE, limit: PLAYLISTS_A_PAGE };
    const links = wire.linksOf(context);
    const playlists: Static<typeof wire.Playlists>["playlists"] = [];
    for (const row of await store.pageOfPlaylists(db, account, slice)) {
      const figures = await store.getItemFigures(db, account, row.id);
      playlists.push({
        ...factsOf(row, links),
        last_timestamp_ms: figures.latestMs,
        total_audio_length_sec: figures.seconds,
        episode_count: figures.episodes,
        podcast_count: figures.podcasts,
      });
    }
    return { ...pageFacts(page, page * PLAYLISTS_A_PAGE < total), total, playlists };
  },
});

const Changed = Type.Object({ id: Type.String(), status: Type.String() });
const editing = { permission: "podcasts:EditPlaylist", tags: ["addition"] } as const;

const makePlaylist = meteredOperation({
  ...editing,
  id: "podcasts.playlists.create",
  summary: "Creates a playlist",
  description: `An account may have ${PLAYLISTS_MAX} playlists. A private playlist has no public page. Add items with \`podcasts.playlists.addItem\`.`,
  method: "POST",
  path: "/playlists",
  body: wire.NewPlaylist,
  answers: { 200: Changed },
  errors: [errors.tooManyLists],
  examples: { body: { name: "Sunday walks", visibility: "public" } },
  async handle({ body }, context) {
    const { db, account, clock, ids } = context;
    if ((await store.countPlaylists(db, account)) >= PLAYLISTS_MAX)
      throw errors.tooManyLists(`An account has ${PLAYLISTS_MAX} playlists at the most.`);
    const nowMs = clock.nowMs();
    const id = ids.secret(ID_LENGTH);
    const name = plainLine(body.name);
    await store.insertPlaylist(db, account, {
      account,
      id,
      name,
      description: plainLine(body.description ?? "", 5_000),
      image: webAddress(body.image ?? ""),
      visibility: body.visibility ?? "public",
      created_at: nowMs,
      changed_at: nowMs,
    });
    await showInCatalog(context, "playlist", { id, name });
    return { id, status: "created" };
  },
});

const changePlaylist = meteredOperation({
  ...editing,
  id: "podcasts.playlists.update",
  summary: "Changes a playlist",
  description: "Members that are not given stay; items do not change.",
  method: "PATCH",
  path: "/playlists/{id}",
  params: named,
  body: wire.PlaylistChange,
  answers: { 200: Changed },
  errors: [errors.notFound],
  async handle({ params, body }, context) {
    const { db, account, clock } = context;
    const playlist = await getPlaylist(context, params.id);
    await store.updatePlaylist(db, account, playlist.id, {
      ...(body.name !== undefined && { name: plainLine(body.name) }),
      ...(body.description !== undefined && { description: plainLine(body.description, 5_000) }),
      ...(body.image !== undefined && { image: webAddress(body.image) }),
      ...(body.visibility !== undefined && { visibility: body.visibility }),
      changed_at: clock.nowMs(),
    });
    const name = body.name === undefined ? playlist.name : plainLine(body.name);
    await showInCatalog(context, "playlist", { id: playlist.id, name });
    return { id: playlist.id, status: "changed" };
  },
});

const removePlaylist = meteredOperation({
  ...editing,
  id: "podcasts.playlists.delete",
  summary: "Deletes a playlist with its items",
  description: "Episodes and podcasts stay. Its public page gives 404 afterwards.",
  method: "DELETE",
  path: "/playlists/{id}",
  params: named,
  answers: { 200: Changed },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const { id } = await getPlaylist(context, params.id);
    await dropList(context, "playlist", id);
    return { id, status: "deleted" };
  },
});

type NewItem = Static<typeof wire.NewItem>;
type Target = Pick<PlaylistEntryRow, "target_id" | "details" | "pub_date_ms" | "audio_length_sec">;
async function targetOf(context: PodcastsContext, item: NewItem, nowMs: number): Promise<Target> {
  if (item.type === "custom_audio") {
    const audio = webAddress(item.audio ?? "");
    if (audio === "")
      throw errors.badRequest("Custom audio needs the address of its audio.", { target: "audio" });
    const length = item.audio_length_sec ?? 0;
    const details = {
      title: plainLine(item.title ?? "") || audio,
      audio,
      audio_length_sec: length,
      image: "",
      thumbnail: "",
      pub_date_ms: nowMs,
    };
    return { target_id: "", details: JSON.stringify(details), pub_date_ms: nowMs, audio_length_sec: length };
  }
  if (item.id === undefined) throw errors.badRequest("Say the id of what is to be added.", { target: "id" });
  if (item.type === "podcast") {
    const { id, title, latest_pub_date_ms } = await getPodcast(context, item.id);
    return {
      target_id: id,
      details: JSON.stringify({ title }),
      pub_date_ms: latest_pub_date_ms,
      audio_length_sec: 0,
    };
  }
  const { id, title, pub_date_ms, audio_length_sec } = await getEpisode(context, item.id);
  return { target_id: id, details: JSON.stringify({ title }), pub_date_ms, audio_length_sec };
}

const addItem = meteredOperation({
  ...editing,
  id: "podcasts.playlists.addItem",
  summary: "Adds an episode, a podcast or custom audio to a playlist",
  description: `The episode or podcast must exist. A playlist may have ${ITEMS_MAX} items; the same one can be added again. The response has the id of the item.`,
  method: "POST",
  path: "/playlists/{id}/items",
  params: named,
  body: wire.NewItem,
  answers: { 200: Type.Object({ id: wire.ItemId, status: Type.String() }) },
  errors: [errors.badRequest, errors.notFound, errors.tooManyLists],
  examples: { body: { type: "episode", id: "6b6d65930c5a4f71b254465871fed370" } },
  async handle({ params, body }, context) {
    const { db, account, clock } = context;
    const playlist = await getPlaylist(context, params.id);
    const figures = await store.getItemFigures(db, account, playlist.id);
    if (figures.episodes + figures.podcasts >= ITEMS_MAX)
      throw errors.tooManyLists(`A playlist has ${ITEMS_MAX} items at the most.`);
    // Each entry has a unique time, so that paging by time neither repeats nor skips entries.
    const addedAtMs = Math.max(clock.nowMs(), figures.latestMs + 1);
    const number = figures.lastNumber + 1;
    await store.insertItem(db, account, {
      account,
      playlist_id: playlist.id,
      number,
      type: body.type,
      ...(await targetOf(context, body, clock.nowMs())),
      notes: plainLine(body.notes ?? "", 5_000),
      added_at: addedAtMs,
    });
    await store.updatePlaylist(db, account, playlist.id, { changed_at: clock.nowMs() });
    return { id: number, status: "added" };
  },
});

const removeItem = meteredOperation({
  ...editing,
  id: "podcasts.playlists.removeItem",
  summary: "Removes an item from a playlist",
  description: "Ids of other items stay.",
  method: "DELETE",
  path: "/playlists/{id}/items/{item_id}",
  params: Type.Object({
    id: PlaylistId,
    item_id: Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: "The item's id.",
      examples: [1],
    }),
  }),
  answers: { 200: Type.Object({ id: wire.ItemId, status: Type.String() }) },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const playlist = await getPlaylist(context, params.id);
    if (!(await store.removeItem(context.db, context.account, playlist.id, params.item_id)))
      throw errors.notFound(`The playlist has no item ${params.item_id}.`);
    return { id: params.item_id, status: "removed" };
  },
});

export const playlistOperations = [
  readPlaylist,
  readPlaylists,
  makePlaylist,
  changePlaylist,
  removePlaylist,
  addItem,
  removeItem,
];
