/** Queries for feeds, their URLs and submissions. */
import type { Kysely } from "kysely";
import { addressKey } from "../domain/feeds/addresses.ts";
import type { FeedRow, SubmissionRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export async function findFeed(db: Db, account: string, podcastId: string): Promise<FeedRow | undefined> {
  return db
    .selectFrom("podcasts_feed")
    .selectAll()
    .where("account", "=", account)
    .where("podcast_id", "=", podcastId)
    .executeTakeFirst();
}
export async function putFeed(db: Db, account: string, row: FeedRow): Promise<void> {
  const { podcast_id, account: _, ...columns } = row;
  await db
    .insertInto("podcasts_feed")
    .values({ account, podcast_id, ...columns })
    .onConflict((conflict) => conflict.columns(["account", "podcast_id"]).doUpdateSet(columns))
    .execute();
}
/** With the titles of their podcasts. */
export async function listFeeds(
  db: Db,
  account: string,
  limit: number,
): Promise<(FeedRow & { readonly title: string | null })[]> {
  return db
    .selectFrom("podcasts_feed as feed")
    .leftJoin("podcasts_podcast as podcast", (join) =>
      join.onRef("podcast.account", "=", "feed.account").onRef("podcast.id", "=", "feed.podcast_id"),
    )
    .selectAll("feed")
    .select("podcast.title as title")
    .where("feed.account", "=", account)
    .orderBy("feed.checked_at", "desc")
    .orderBy("feed.podcast_id")
    .limit(limit)
    .execute();
}

/** Finds by any current or former URL of the feed. */
export async function findIdByAddress(db: Db, account: string, url: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("podcasts_feed_address")
    .select("podcast_id")
    .where("account", "=", account)
    .where("address", "=", addressKey(url))
    .executeTakeFirst();
  return row?.podcast_id;
}
/** Returns false if the URL belongs to another podcast. */
export async function addAddress(db: Db, account: string, url: string, podcastId: string): Promise<boolean> {
  const owner = await findIdByAddress(db, account, url);
  if (owner !== undefined) return owner === podcastId;
  await db
    .insertInto("podcasts_feed_address")
    .values({ account, address: addressKey(url), podcast_id: podcastId })
    .execute();
  return true;
}

export async function findSubmission(
  db: Db,
  account: string,
  address: string,
): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom("podcasts_submission")
    .selectAll()
    .where("account", "=", account)
    .where("address", "=", address)
    .executeTakeFirst();
}
export async function putSubmission(db: Db, account: string, row: SubmissionRow): Promise<void> {
  const { address, account: _, ...columns } = row;
  await db
    .insertInto("podcasts_submission")
    .values({ account, address, ...columns })
    .onConflict((conflict) => conflict.columns(["account", "address"]).doUpdateSet(columns))
    .execute();
}
export async function listSubmissions(db: Db, account: string, limit: number): Promise<SubmissionRow[]> {
  return db
    .selectFrom("podcasts_submission")
    .selectAll()
    .where("account", "=", account)
    .orderBy("submitted_at", "desc")
    .orderBy("address")
    .limit(limit)
    .execute();
}
/** Progress of the batch of submissions around the oldest undecided one. */
export async function findReview(
  db: Db,
  account: string,
  togetherMs: number,
): Promise<{ readonly fromMs: number; readonly done: number; readonly of: number } | undefined> {
  const all = db.selectFrom("podcasts_submission").where("account", "=", account);
  const { oldest } = await all
    .select(({ fn }) => fn.min<number | null>("submitted_at").as("oldest"))
    .where("decided_at", "is", null)
    .executeTakeFirstOrThrow();
  if (oldest === null) return undefined;
  const near = await all
    .select(({ fn }) => [
      fn.min<number>("submitted_at").as("from"),
      fn.count<number>("decided_at").as("done"),
      fn.countAll<number>().as("of"),
    ])
    .where("submitted_at", ">=", Number(oldest) - togetherMs)
    .executeTakeFirstOrThrow();
  return { fromMs: Number(near.from), done: Number(near.done), of: Number(near.of) };
}
