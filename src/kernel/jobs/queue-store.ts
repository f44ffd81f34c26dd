/** All SQL of the durable queue. */
import { type Kysely, sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { JobRow, KernelTables } from "../runtime/tables.ts";

type Db = Kysely<KernelTables>;
/** Work of services that this process does not have is left for one that has them. */
export type Due = { readonly untilMs: number; readonly limit: number; readonly names: readonly string[] };
export type Lease = { readonly owner: string; readonly nowMs: number; readonly leaseUntilMs: number };

const KEPT_DONE_MAX = 1000;

/** A waiting job of the same key is moved and given the new payload; one that runs already is followed by a new one. */
export async function insertJob(db: Db, row: JobRow): Promise<string> {
  if (row.dedupe_key !== null) {
    const moved = await db
      .updateTable("medley_job")
      .set({ run_at: row.run_at, payload: row.payload, attempts: 0, error: null })
      .where("dedupe_key", "=", row.dedupe_key)
      .where("state", "=", "waiting")
      .returning("id")
      .executeTakeFirst();
    if (moved) return moved.id;
    await db
      .updateTable("medley_job")
      .set({ dedupe_key: null })
      .where("dedupe_key", "=", row.dedupe_key)
      .execute();
  }
  await db.insertInto("medley_job").values(row).execute();
  return row.id;
}

export async function cancelWaiting(db: Db, key: string): Promise<boolean> {
  const result = await db
    .deleteFrom("medley_job")
    .where("dedupe_key", "=", key)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Due work, oldest first. Waiting jobs that are due, and running ones whose node has fallen silent. */
export async function claimDue(database: Database, due: Due, lease: Lease): Promise<JobRow[]> {
  return database.transact(async (db: Db) => {
    const found = await selectDue(database, db, due, lease);
    const claimed: JobRow[] = [];
    for (const job of found) {
      const change = {
        state: "running",
        lease_owner: lease.owner,
        lease_until: lease.leaseUntilMs,
        attempts: job.attempts + 1,
      } as const;
      await db.updateTable("medley_job").set(change).where("id", "=", job.id).execute();
      claimed.push({ ...job, ...change });
    }
    return claimed;
  });
}

async function selectDue(
  database: Database,
  db: Db,
  { untilMs, limit, names }: Due,
  lease: Lease,
): Promise<JobRow[]> {
  const waiting = db
    .selectFrom("medley_job")
    .selectAll()
    .where("state", "=", "waiting")
    .where("run_at", "<=", untilMs)
    .where("name", "in", names)
    .orderBy("run_at")
    .orderBy("id")
    .limit(limit);
  const abandoned = db
    .selectFrom("medley_job")
    .selectAll()
    .where("state", "=", "running")
    .where("lease_until", "<", lease.nowMs)
    .where("name", "in", names)
    .orderBy("run_at")
    .limit(limit);
  if (database.kind === "sqlite")
    return [...(await abandoned.execute()), ...(await waiting.execute())].slice(0, limit);
  // Rows another node is claiming at this moment are passed over instead of waited for.
  const rows = [
    ...(await abandoned.forUpdate().skipLocked().execute()),
    ...(await waiting.forUpdate().skipLocked().execute()),
  ];
  return rows.slice(0, limit);
}

export const findNextDue = (db: Db, names: readonly string[]) =>
  db
    .selectFrom("medley_job")
    .select(["id", "run_at"])
    .where("state", "=", "waiting")
    .where("name", "in", names)
    .orderBy("run_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();

/** A look without a lock, so that an idle node costs the database next to nothing. */
export async function isAnythingDue(
  db: Db,
  names: readonly string[],
  untilMs: number,
  machineNowMs: number,
): Promise<boolean> {
  const next = await findNextDue(db, names);
  if (next && next.run_at <= untilMs) return true;
  const abandoned = await db
    .selectFrom("medley_job")
    .select("id")
    .where("state", "=", "running")
    .where("lease_until", "<", machineNowMs)
    .where("name", "in", names)
    .limit(1)
    .executeTakeFirst();
  return abandoned !== undefined;
}

/** True when the job is still this owner's: the check that makes its effect happen once. */
export async function isHeldBy(db: Db, id: string, owner: string): Promise<boolean> {
  const row = await db
    .selectFrom("medley_job")
    .select(["state", "lease_owner"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.state === "running" && row.lease_owner === owner;
}

const released = { lease_owner: null, lease_until: null };
export async function finish(
  db: Db,
  id: string,
  state: "done" | "failed",
  nowMs: number,
  error: string | null,
): Promise<void> {
  await db
    .updateTable("medley_job")
    .set({ state, finished_at: nowMs, error, dedupe_key: null, ...released })
    .where("id", "=", id)
    .execute();
}
export async function retryLater(
  db: Db,
  id: string,
  owner: string,
  runAtMs: number,
  error: string,
): Promise<void> {
  await db
    .updateTable("medley_job")
    .set({ state: "waiting", run_at: runAtMs, error, ...released })
    .where("id", "=", id)
    .where("lease_owner", "=", owner)
    .execute();
}
/** Gives work back untouched: the attempt does not count. */
export async function releaseAll(db: Db, owner: string | undefined): Promise<void> {
  let query = db
    .updateTable("medley_job")
    .set((expression) => ({
      state: "waiting" as const,
      attempts: expression("attempts", "-", 1),
      ...released,
    }))
    .where("state", "=", "running");
  if (owner !== undefined) query = query.where("lease_owner", "=", owner);
  await query.execute();
}
export async function renew(db: Db, ids: readonly string[], lease: Lease): Promise<void> {
  await db
    .updateTable("medley_job")
    .set({ lease_until: lease.leaseUntilMs })
    .where("id", "in", [...ids])
    .where("lease_owner", "=", lease.owner)
    .execute();
}

/** Keeps the newest finished jobs to look at, and no more. */
export async function pruneFinished(db: Db): Promise<void> {
  for (const state of ["done", "failed"] as const) {
    const border = await db
      .selectFrom("medley_job")
      .select("finished_at")
      .where("state", "=", state)
      .orderBy("finished_at", "desc")
      .offset(KEPT_DONE_MAX)
      .limit(1)
      .executeTakeFirst();
    if (border?.finished_at) {
      await db
        .deleteFrom("medley_job")
        .where("state", "=", state)
        .where("finished_at", "<=", border.finished_at)
        .execute();
    }
  }
}

export async function countByState(db: Db): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom("medley_job")
    .select(["state", sql<number>`count(*)`.as("count")])
    .groupBy("state")
    .execute();
  return Object.fromEntries(rows.map((row) => [row.state, Number(row.count)]));
}
