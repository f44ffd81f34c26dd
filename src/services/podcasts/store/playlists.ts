/** Queries for playlists and their entries. */
import type { Kysely } from "kysely";
import type { PlaylistEntryRow, PlaylistRow, Tables } from "../tables.ts";
import { withWholeDates } from "./whole-dates.ts";

type Db = Kysely<Tables>;

export const PLAYLIST_SORTS = [
  "recent_added_first",
  "oldest_added_first",
  "name_a_to_z",
  "name_z_to_a",
] as const;
export type PlaylistSort = (typeof PLAYLIST_SORTS)[number];
export const ITEM_SORTS = [
  "recent_added_first",
  "oldest_added_first",
  "recent_published_first",
  "oldest_published_first",
] as const;
export type ItemSort = (typeof ITEM_SORTS)[number];

export async function findPlaylist(db: Db, account: string, id: string): Promise<PlaylistRow | undefined> {
  return db
    .selectFrom("podcasts_playlist")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
}
const ORDERS = {
  recent_added_first: ["created_at", "desc"],
  oldest_added_first: ["created_at", "asc"],
  name_a_to_z: ["name", "asc"],
  name_z_to_a: ["name", "desc"],
} as const;
export async function pageOfPlaylists(
  db: Db,
  account: string,
  { sort, offset, limit }: { readonly sort: PlaylistSort; readonly offset: number; readonly limit: number },
): Promise<PlaylistRow[]> {
  const [column, direction] = ORDERS[sort];
  return db
    .selectFrom("podcasts_playlist")
    .selectAll()
    .where("account", "=", account)
    .orderBy(column, direction)
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();
}
export async function countPlaylists(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("podcasts_playlist")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
export async function insertPlaylist(db: Db, account: string, row: PlaylistRow): Promise<void> {
  await db
    .insertInto("podcasts_playlist")
    .values({ ...row, account })
    .execute();
}
export async function updatePlaylist(
  db: Db,
  account: string,
  id: string,
  changes: Partial<PlaylistRow>,
): Promise<void> {
  await db
    .updateTable("podcasts_playlist")
    .set(changes)
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();
}
export async function removePlaylist(db: Db, account: string, id: string): Promise<void> {
  await db
    .deleteFrom("podcasts_playlist_entry")
    .where("account", "=", account)
    .where("playlist_id", "=", id)
    .execute();
  await db.deleteFrom("podcasts_playlist").where("account", "=", account).where("id", "=", id).execute();
}

/** Podcasts, or playable entries. */
export type ListType = "episode_list" | "podcast_list";
const TYPES_OF: Readonly<Record<ListType, readonly string[]>> = {
  episode_list: ["episode", "custom_audio"],
  podcast_list: ["podcast"],
};
const ITEM_ORDERS = {
  recent_added_first: ["added_at", "desc"],
  oldest_added_first: ["added_at", "asc"],
  recent_published_first: ["pub_date_ms", "desc"],
  oldest_published_first: ["pub_date_ms", "asc"],
} as const;
type ItemSlice = {
  readonly type: ListType;
  readonly sort: ItemSort;
  /** Cursor after the previous page; 0 for the first page. */
  readonly after: number;
  readonly limit: number;
};
export async function listItems(
  db: Db,
  account: string,
  playlistId: string,
  { type, sort, after, limit }: ItemSlice,
): Promise<readonly PlaylistEntryRow[]> {
  const [column, direction] = ITEM_ORDERS[sort];
  const rows = await db
    .selectFrom("podcasts_playlist_entry")
    .selectAll()
    .where("account", "=", account)
    .where("playlist_id", "=", playlistId)
    .where("type", "in", TYPES_OF[type])
    .$if(after > 0, (query) => query.where(column, direction === "desc" ? "<" : ">", after))
    .orderBy(column, direction)
    .orderBy("number", direction)
    .limit(limit + 1)
    .execute();
  return withWholeDates(rows, limit, (row) => Number(row[column]));
}
/** In the order of insertion. */
export async function listAllItems(db: Db, account: string, playlistId: string): Promise<PlaylistEntryRow[]> {
  return db
    .selectFrom("podcasts_playlist_entry")
    .selectAll()
    .where("account", "=", account)
    .where("playlist_id", "=", playlistId)
    .orderBy("number")
    .execute();
}
export async function getItemFigures(db: Db, account: string, playlistId: string) {
  const rows = await db
    .selectFrom("podcasts_playlist_entry")
    .select(({ fn }) => [
      "type",
      fn.countAll().as("count"),
      fn.sum("audio_length_sec").as("seconds"),
      fn.max("number").as("last"),
      fn.max("added_at").as("latest"),
    ])
    .where("account", "=", account)
    .where("playlist_id", "=", playlistId)
    .groupBy("type")
    .execute();
  const sumOf = (types: readonly string[], member: "count" | "seconds") =>
    rows.filter(({ type }) => types.includes(type)).reduce((sum, row) => sum + Number(row[member] ?? 0), 0);
  return {
    episodes: sumOf(TYPES_OF.episode_list, "count"),
    podcasts: sumOf(TYPES_OF.podcast_list, "count"),
    seconds: sumOf(TYPES_OF.episode_list, "seconds"),
    lastNumber: Math.max(0, ...rows.map(({ last }) => Number(last ?? 0))),
    latestMs: Math.max(0, ...rows.map(({ latest }) => Number(latest ?? 0))),
  };
}
export async function insertItem(db: Db, account: string, row: PlaylistEntryRow): Promise<void> {
  await db
    .insertInto("podcasts_playlist_entry")
    .values({ ...row, account })
    .execute();
}
/** Returns false if no entry has this number. */
export async function removeItem(
  db: Db,
  account: string,
  playlistId: string,
  number: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("podcasts_playlist_entry")
    .where("account", "=", account)
    .where("playlist_id", "=", playlistId)
    .where("number", "=", number)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
