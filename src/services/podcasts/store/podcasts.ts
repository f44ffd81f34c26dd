/** Queries for podcasts and their ids. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { PodcastRow, RemovalRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();

const selectPodcast = compiledQuery<PodcastRow, [string, string]>(["", ""], (db, account, id) =>
  db.selectFrom("podcasts_podcast").selectAll().where("account", "=", account).where("id", "=", id),
);
export async function findPodcast(db: Db, account: string, id: string): Promise<PodcastRow | undefined> {
  const [row] = await selectPodcast(db, account, id);
  return row;
}

export async function podcastsById(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<Map<string, PodcastRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("podcasts_podcast")
    .selectAll()
    .where("account", "=", account)
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
/** In the order of `ids`, without unknown ones. */
export async function listPodcasts(db: Db, account: string, ids: readonly string[]): Promise<PodcastRow[]> {
  const byId = await podcastsById(db, account, ids);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function findIdByStoreOne(db: Db, account: string, storeoneId: number) {
  const row = await db
    .selectFrom("podcasts_podcast")
    .select("id")
    .where("account", "=", account)
    .where("storeone_id", "=", storeoneId)
    .executeTakeFirst();
  return row?.id;
}
export async function findIdByStoreTwo(db: Db, account: string, storetwoId: string) {
  const row = await db
    .selectFrom("podcasts_podcast")
    .select("id")
    .where("account", "=", account)
    .where("storetwo_id", "=", storetwoId)
    .executeTakeFirst();
  return row?.id;
}

export async function insertPodcast(db: Db, account: string, row: PodcastRow): Promise<void> {
  await db
    .insertInto("podcasts_podcast")
    .values({ ...row, account })
    .execute();
}
export async function updatePodcast(
  db: Db,
  account: string,
  id: string,
  changes: Partial<PodcastRow>,
): Promise<void> {
  await db
    .updateTable("podcasts_podcast")
    .set(changes)
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();
}

export async function setGenres(
  db: Db,
  account: string,
  podcastId: string,
  genreIds: readonly number[],
): Promise<void> {
  await db
    .deleteFrom("podcasts_podcast_genre")
    .where("account", "=", account)
    .where("podcast_id", "=", podcastId)
    .execute();
  if (genreIds.length === 0) return;
  const rows = genreIds.map((genre_id) => ({ account, genre_id, podcast_id: podcastId }));
  await db.insertInto("podcasts_podcast_genre").values(rows).execute();
}

type Page = { readonly offset: number; readonly limit: number };
/** Podcasts whose website is on this host or a subdomain, by title. */
export async function pageOfDomain(
  db: Db,
  account: string,
  domain: string,
  { offset, limit }: Page,
): Promise<PodcastRow[]> {
  return db
    .selectFrom("podcasts_podcast")
    .selectAll()
    .where("account", "=", account)
    .where((where) =>
      where.or([where("domain", "=", domain), where("domain", "like", `%.${withoutWildcards(domain)}`)]),
    )
    .orderBy("title")
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();
}
/** Removes wildcards of LIKE. */
const withoutWildcards = (domain: string): string => domain.replace(/[%_\\]/g, "");

/** Latest first. */
export async function listNewestPodcasts(db: Db, account: string, limit: number): Promise<PodcastRow[]> {
  return db
    .selectFrom("podcasts_podcast")
    .selectAll()
    .where("account", "=", account)
    .orderBy("added_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}
/** Iterates over all podcasts by id. */
export async function listPodcastsAfter(
  db: Db,
  account: string,
  after: string,
  limit: number,
): Promise<PodcastRow[]> {
  return db
    .selectFrom("podcasts_podcast")
    .selectAll()
    .where("account", "=", account)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

const TABLES_OF_A_PODCAST = [
  "podcasts_podcast_genre",
  "podcasts_episode",
  "podcasts_transcript",
  "podcasts_feed",
  "podcasts_feed_address",
  "podcasts_curated_entry",
] as const;
/** Deletes the podcast with its dependent rows, and records the reason. */
export async function removePodcast(db: Db, account: string, removal: RemovalRow): Promise<void> {
  const id = removal.podcast_id;
  for (const table of TABLES_OF_A_PODCAST)
    await db.deleteFrom(table).where("account", "=", account).where("podcast_id", "=", id).execute();
  await db.deleteFrom("podcasts_podcast").where("account", "=", account).where("id", "=", id).execute();
  await db
    .insertInto("podcasts_removal")
    .values({ ...removal, account })
    .execute();
}
export async function findRemovalByAddress(db: Db, account: string, address: string) {
  return db
    .selectFrom("podcasts_removal")
    .selectAll()
    .where("account", "=", account)
    .where("address", "=", address)
    .orderBy("removed_at", "desc")
    .executeTakeFirst();
}
export async function listRemovals(db: Db, account: string, limit: number): Promise<RemovalRow[]> {
  return db
    .selectFrom("podcasts_removal")
    .selectAll()
    .where("account", "=", account)
    .orderBy("removed_at", "desc")
    .limit(limit)
    .execute();
}

/** Best known first. */
export async function listOfGenre(
  db: Db,
  account: string,
  genreId: number,
  limit: number,
): Promise<PodcastRow[]> {
  return db
    .selectFrom("podcasts_podcast")
    .selectAll("podcasts_podcast")
    .innerJoin("podcasts_podcast_genre", (join) =>
      join
        .onRef("podcasts_podcast_genre.account", "=", "podcasts_podcast.account")
        .onRef("podcasts_podcast_genre.podcast_id", "=", "podcasts_podcast.id"),
    )
    .where("podcasts_podcast_genre.account", "=", account)
    .where("podcasts_podcast_genre.genre_id", "=", genreId)
    .orderBy("podcasts_podcast.listen_score", "desc")
    .orderBy("podcasts_podcast.id")
    .limit(limit)
    .execute();
}
