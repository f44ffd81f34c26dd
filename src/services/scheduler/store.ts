/** All SQL of the scheduler's own tables. */
import type { Kysely } from "kysely";
import { deleteSome } from "#kernel/db";
import type { CollectionPlan } from "./domain/index.ts";
import type { CollectionRow, HistoryRow, JobRow, RunRow, Tables } from "./tables.ts";

type Db = Kysely<Tables>;

/** Limits of a job's history by number and age. */
export const historyLimits = { entriesMax: 1_000, ageMsMax: 60 * 86_400_000 } as const;

const countOf = (row: { total: number | string } | undefined): number => Number(row?.total ?? 0);

export async function putCollection(db: Db, row: CollectionRow): Promise<void> {
  await db
    .insertInto("scheduler_collection")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account", "key"]).doUpdateSet({ plan: row.plan }))
    .execute();
}
export async function removeCollection(db: Db, account: string, key: string): Promise<void> {
  await db.deleteFrom("scheduler_collection").where("account", "=", account).where("key", "=", key).execute();
}
/** Number of other collections of a plan in a subscription. */
export async function countOtherCollections(
  db: Db,
  account: string,
  key: string,
  subscriptionKey: string,
  plan: CollectionPlan,
): Promise<number> {
  return countOf(
    await db
      .selectFrom("scheduler_collection")
      .select((expression) => expression.fn.countAll<number | string>().as("total"))
      .where("account", "=", account)
      .where("subscription_key", "=", subscriptionKey)
      .where("plan", "=", plan)
      .where("key", "!=", key)
      .executeTakeFirst(),
  );
}

export async function putJob(db: Db, row: JobRow): Promise<void> {
  await db
    .insertInto("scheduler_job")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account", "collection_key", "key"]).doNothing())
    .execute();
}
export async function countJobs(db: Db, account: string, collectionKey: string): Promise<number> {
  return countOf(
    await db
      .selectFrom("scheduler_job")
      .select((expression) => expression.fn.countAll<number | string>().as("total"))
      .where("account", "=", account)
      .where("collection_key", "=", collectionKey)
      .executeTakeFirst(),
  );
}
/** The plan limits the number of keys. */
export async function listJobKeys(db: Db, account: string, collectionKey: string): Promise<string[]> {
  const rows = await db
    .selectFrom("scheduler_job")
    .select("key")
    .where("account", "=", account)
    .where("collection_key", "=", collectionKey)
    .orderBy("key")
    .execute();
  return rows.map(({ key }) => key);
}
/** Removes the job with its runs and history. */
export async function removeJob(db: Db, account: string, key: string, collectionKey: string): Promise<void> {
  await db
    .deleteFrom("scheduler_job")
    .where("account", "=", account)
    .where("collection_key", "=", collectionKey)
    .where("key", "=", key)
    .execute();
  for (const table of ["scheduler_run", "scheduler_history"] as const)
    await db.deleteFrom(table).where("account", "=", account).where("job_key", "=", key).execute();
}

export async function insertRun(db: Db, row: RunRow): Promise<void> {
  await db.insertInto("scheduler_run").values(row).execute();
}
export function listRuns(db: Db, account: string, key: string): Promise<RunRow[]> {
  return db
    .selectFrom("scheduler_run")
    .selectAll()
    .where("account", "=", account)
    .where("job_key", "=", key)
    .orderBy("id")
    .execute();
}
export function findRun(db: Db, account: string, key: string, id: string): Promise<RunRow | undefined> {
  return db
    .selectFrom("scheduler_run")
    .selectAll()
    .where("account", "=", account)
    .where("job_key", "=", key)
    .where("id", "=", id)
    .executeTakeFirst();
}
export async function updateRun(db: Db, row: RunRow): Promise<void> {
  await db
    .updateTable("scheduler_run")
    .set({ action_name: row.action_name, retry_count: row.retry_count, faulted: row.faulted })
    .where("account", "=", row.account)
    .where("job_key", "=", row.job_key)
    .where("id", "=", row.id)
    .execute();
}
export async function removeRun(db: Db, row: RunRow): Promise<void> {
  await db
    .deleteFrom("scheduler_run")
    .where("account", "=", row.account)
    .where("job_key", "=", row.job_key)
    .where("id", "=", row.id)
    .execute();
}

/** Deletes the oldest entries above the limit. */
export async function insertHistory(db: Db, row: HistoryRow): Promise<void> {
  await db.insertInto("scheduler_history").values(row).execute();
  if (row.position <= historyLimits.entriesMax) return;
  await db
    .deleteFrom("scheduler_history")
    .where("account", "=", row.account)
    .where("job_key", "=", row.job_key)
    .where("position", "<=", row.position - historyLimits.entriesMax)
    .execute();
}
/** Newest first. */
export function listHistory(
  db: Db,
  account: string,
  key: string,
  { before, endedAfterMs, limit }: { before: number; endedAfterMs: number; limit: number },
): Promise<HistoryRow[]> {
  return db
    .selectFrom("scheduler_history")
    .selectAll()
    .where("account", "=", account)
    .where("job_key", "=", key)
    .where("position", "<", before)
    .where("ended_at", ">", endedAfterMs)
    .orderBy("position", "desc")
    .limit(limit)
    .execute();
}
/** For all accounts. Deletes some; returns whether there may be more. */
export const pruneHistory = (db: Db, endedBeforeMs: number): Promise<boolean> =>
  deleteSome(db, "scheduler_history", (entries) => entries.where("ended_at", "<=", endedBeforeMs));

/** For the console: recent history and some jobs of an account. */
export function listRecentHistory(db: Db, account: string, limit: number): Promise<HistoryRow[]> {
  return db
    .selectFrom("scheduler_history")
    .selectAll()
    .where("account", "=", account)
    .orderBy("ended_at", "desc")
    .limit(limit)
    .execute();
}
export async function listSomeJobKeys(db: Db, account: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("scheduler_job")
    .select("key")
    .where("account", "=", account)
    .orderBy("collection_key")
    .orderBy("key")
    .limit(limit)
    .execute();
  return rows.map(({ key }) => key);
}
