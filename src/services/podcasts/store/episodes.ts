/** Queries for episodes and transcripts. */
import { type Kysely, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import type { KnownEpisode } from "../domain/merge.ts";
import type { EpisodeRow, Tables, TranscriptRow } from "../tables.ts";
import { isOneOf } from "./one-of.ts";
import { withWholeDates } from "./whole-dates.ts";

type Db = Kysely<Tables>;
const { compiledInsertAll, compiledQuery } = queriesOf<Db>();
const LISTED = 1;

const selectEpisode = compiledQuery<EpisodeRow, [string, string]>(["", ""], (db, account, id) =>
  db.selectFrom("podcasts_episode").selectAll().where("account", "=", account).where("id", "=", id),
);
/** Includes withdrawn episodes. */
export async function findEpisode(db: Db, account: string, id: string): Promise<EpisodeRow | undefined> {
  const [row] = await selectEpisode(db, account, id);
  return row;
}

export async function episodesById(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<Map<string, EpisodeRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("podcasts_episode")
    .selectAll()
    .where("account", "=", account)
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
/** In the order of `ids`, without unknown ones. */
export async function listEpisodes(db: Db, account: string, ids: readonly string[]): Promise<EpisodeRow[]> {
  const byId = await episodesById(db, account, ids);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

type Slice = {
  readonly sort: "recent_first" | "oldest_first";
  /** Date at which the page starts. */
  readonly from?: number | undefined;
  readonly limit: number;
};
/** By date, then by id. */
export async function listByDate(
  db: Db,
  account: string,
  podcastId: string,
  { sort, from, limit }: Slice,
): Promise<EpisodeRow[]> {
  const direction = sort === "recent_first" ? "desc" : "asc";
  return db
    .selectFrom("podcasts_episode")
    .selectAll()
    .where("account", "=", account)
    .where("podcast_id", "=", podcastId)
    .where("is_listed", "=", LISTED)
    .$if(from !== undefined, (query) =>
      query.where("pub_date_ms", sort === "recent_first" ? "<=" : ">=", from ?? 0),
    )
    .orderBy("pub_date_ms", direction)
    .orderBy("id", direction)
    .limit(limit)
    .execute();
}
/** Latest episodes of several podcasts before a date, and whether there are more. */
export async function listLatest(
  db: Db,
  account: string,
  podcastIds: readonly string[],
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<{ readonly episodes: readonly EpisodeRow[]; readonly hasMore: boolean }> {
  if (podcastIds.length === 0) return { episodes: [], hasMore: false };
  const rows = await db
    .selectFrom("podcasts_episode")
    .selectAll()
    .where("account", "=", account)
    .where("podcast_id", "in", podcastIds)
    .where("is_listed", "=", LISTED)
    .$if(before !== undefined, (query) => query.where("pub_date_ms", "<", before ?? 0))
    .orderBy("pub_date_ms", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const episodes = withWholeDates(rows, limit, ({ pub_date_ms }) => Number(pub_date_ms));
  return { episodes, hasMore: rows.length > episodes.length };
}

/** The first listed episode at or after an id. A random id gives a random episode without a count. */
export async function findListedFrom(
  db: Db,
  account: string,
  fromId: string,
): Promise<EpisodeRow | undefined> {
  return db
    .selectFrom("podcasts_episode")
    .selectAll()
    .where("account", "=", account)
    .where("id", ">=", fromId)
    .where("is_listed", "=", LISTED)
    .where("audio", "!=", "")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

/** Columns that identify the episodes of a podcast. */
export async function listKnown(db: Db, account: string, podcastId: string): Promise<KnownEpisode[]> {
  const rows = await db
    .selectFrom("podcasts_episode")
    .select(["id", "guid", "audio", "link", "title", "pub_date_ms", "content_hash", "is_listed"])
    .where("account", "=", account)
    .where("podcast_id", "=", podcastId)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    guid: row.guid,
    audio: row.audio,
    link: row.link,
    title: row.title,
    pubDateMs: Number(row.pub_date_ms),
    contentHash: row.content_hash,
    isListed: Number(row.is_listed) === LISTED,
  }));
}

const insertAll = compiledInsertAll<EpisodeRow>("podcasts_episode", [
  "account",
  "id",
  "podcast_id",
  "guid",
  "title",
  "description",
  "link",
  "audio",
  "audio_type",
  "audio_bytes",
  "audio_length_sec",
  "pub_date_ms",
  "image",
  "thumbnail",
  "explicit_content",
  "season",
  "number",
  "type",
  "chapters",
  "chapters_url",
  "transcript_url",
  "transcript_type",
  "persons",
  "has_guest_interviews",
  "has_sponsors",
  "content_hash",
  "is_listed",
  "added_at",
  "updated_at",
]);
/**
 * Replaces stored episodes and returns their earlier texts by id. `added_at` stays, and so do fetched
 * chapters while their URL is unchanged. If it changes, the transcript is deleted, so that both are fetched
 * again.
 */
export async function putEpisodes(
  db: Db,
  account: string,
  rows: readonly EpisodeRow[],
): Promise<ReadonlyMap<string, EpisodeText>> {
  const before = new Map((await listKept(db, account, rows)).map((row) => [row.id, row]));
  const isElsewhere = ({ id, chapters_url }: EpisodeRow) => before.get(id)?.chapters_url !== chapters_url;
  const stale = rows.filter((row) => before.has(row.id) && isElsewhere(row)).map(({ id }) => id);
  if (before.size > 0) await deleteByIds(db, account, "podcasts_episode", "id", [...before.keys()]);
  if (stale.length > 0) await deleteByIds(db, account, "podcasts_transcript", "episode_id", stale);
  await insertAll(
    db,
    rows.map((row) => {
      const old = before.get(row.id);
      if (!old) return row;
      const chapters = row.chapters === "[]" && !isElsewhere(row) ? old.chapters : row.chapters;
      return { ...row, chapters, added_at: old.added_at };
    }),
  );
  return before;
}
/** Texts that the spelling dictionary learns. */
export type EpisodeText = Pick<EpisodeRow, "title" | "description">;
type Kept = EpisodeText & Pick<EpisodeRow, "id" | "chapters" | "chapters_url" | "added_at">;
const listKept = async (db: Db, account: string, rows: readonly EpisodeRow[]): Promise<Kept[]> =>
  rows.length === 0
    ? []
    : db
        .selectFrom("podcasts_episode")
        .select(["id", "title", "description", "chapters", "chapters_url", "added_at"])
        .where("account", "=", account)
        .where(
          isOneOf(
            db,
            "id",
            rows.map(({ id }) => id),
          ),
        )
        .execute();
async function deleteByIds(
  db: Db,
  account: string,
  table: "podcasts_episode" | "podcasts_transcript",
  column: "id" | "episode_id",
  ids: readonly string[],
): Promise<void> {
  await db
    .deleteFrom(table)
    .where("account", "=", account)
    .where(column as "account", "in", ids as string[])
    .execute();
}

export async function withdrawEpisodes(
  db: Db,
  account: string,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("podcasts_episode")
    .set({ is_listed: 0, updated_at: nowMs })
    .where("account", "=", account)
    .where("id", "in", ids)
    .execute();
}

export type EpisodeFigures = {
  readonly total: number;
  readonly averageSeconds: number;
  readonly earliestMs: number;
  readonly latestMs: number;
  readonly latestId: string;
  readonly withInterviews: number;
  readonly withSponsors: number;
  readonly explicit: number;
  /** Latest first. */
  readonly latestDatesMs: readonly number[];
};
const DATES_LOOKED_AT = 20;
export async function getEpisodeFigures(db: Db, account: string, podcastId: string): Promise<EpisodeFigures> {
  const listed = db
    .selectFrom("podcasts_episode")
    .where("account", "=", account)
    .where("podcast_id", "=", podcastId)
    .where("is_listed", "=", LISTED);
  const sums = await listed
    .select(({ fn }) => [
      fn.countAll().as("total"),
      fn.sum("audio_length_sec").as("seconds"),
      fn.min("pub_date_ms").as("earliest"),
      fn.sum("has_guest_interviews").as("interviews"),
      fn.sum("has_sponsors").as("sponsors"),
      fn.sum("explicit_content").as("explicit"),
      fn.count<number>(sql`nullif(audio_length_sec, 0)`).as("timed"),
    ])
    .executeTakeFirstOrThrow();
  const latest = await listed
    .select(["id", "pub_date_ms"])
    .orderBy("pub_date_ms", "desc")
    .orderBy("id", "desc")
    .limit(DATES_LOOKED_AT)
    .execute();
  return {
    total: Number(sums.total),
    averageSeconds: Math.round(Number(sums.seconds ?? 0) / Math.max(1, Number(sums.timed))),
    earliestMs: Number(sums.earliest ?? 0),
    latestMs: Number(latest[0]?.pub_date_ms ?? 0),
    latestId: latest[0]?.id ?? "",
    withInterviews: Number(sums.interviews ?? 0),
    withSponsors: Number(sums.sponsors ?? 0),
    explicit: Number(sums.explicit ?? 0),
    latestDatesMs: latest.map(({ pub_date_ms }) => Number(pub_date_ms)),
  };
}

/** Episodes whose linked transcript or chapters have not been fetched. */
const selectUnfetched = (db: Db, account: string, podcastId: string) =>
  db
    .selectFrom("podcasts_episode")
    .leftJoin("podcasts_transcript", (join) =>
      join
        .onRef("podcasts_transcript.account", "=", "podcasts_episode.account")
        .onRef("podcasts_transcript.episode_id", "=", "podcasts_episode.id")
        .onRef("podcasts_transcript.url", "=", "podcasts_episode.transcript_url"),
    )
    .where("podcasts_episode.account", "=", account)
    .where("podcasts_episode.podcast_id", "=", podcastId)
    .where("podcasts_episode.is_listed", "=", LISTED)
    .where((where) =>
      where.or([
        where("podcasts_episode.transcript_url", "!=", ""),
        where("podcasts_episode.chapters_url", "!=", ""),
      ]),
    )
    .where("podcasts_transcript.episode_id", "is", null);
export async function hasUnfetched(db: Db, account: string, podcastId: string): Promise<boolean> {
  const row = await selectUnfetched(db, account, podcastId)
    .select("podcasts_episode.id")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
/** Latest first. */
export async function listUnfetched(
  db: Db,
  account: string,
  podcastId: string,
  limit: number,
): Promise<EpisodeRow[]> {
  return selectUnfetched(db, account, podcastId)
    .selectAll("podcasts_episode")
    .orderBy("podcasts_episode.pub_date_ms", "desc")
    .limit(limit)
    .execute();
}
export async function setChapters(db: Db, account: string, id: string, chapters: string): Promise<void> {
  await db
    .updateTable("podcasts_episode")
    .set({ chapters })
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();
}

export async function putTranscript(db: Db, account: string, row: TranscriptRow): Promise<void> {
  const { episode_id, account: _, ...columns } = row;
  await db
    .insertInto("podcasts_transcript")
    .values({ account, episode_id, ...columns })
    .onConflict((conflict) => conflict.columns(["account", "episode_id"]).doUpdateSet(columns))
    .execute();
}
export async function findTranscript(
  db: Db,
  account: string,
  episodeId: string,
): Promise<TranscriptRow | undefined> {
  return db
    .selectFrom("podcasts_transcript")
    .selectAll()
    .where("account", "=", account)
    .where("episode_id", "=", episodeId)
    .executeTakeFirst();
}
