/** All SQL of the durable queue. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { queriesOf } from "../db/compiled-query.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/pruning.ts";
import type { PlannedJob } from "../operation/work.ts";
import type { JobRow, KernelTables } from "../runtime/tables.ts";
import { type Lane, SLOTS_MAX } from "./slots.ts";

type Db = Kysely<KernelTables>;
const { compiledInsertAll, compiledQuery } = queriesOf<Db>();
export type DueByLane = {
  readonly untilMs: number;
  readonly lanes: readonly Lane[];
  /** Chooses which of the found jobs to claim; they come in the order of their due time. */
  choose(found: readonly JobRow[]): readonly JobRow[];
};
/** Due jobs, and those of them that were claimed. */
export type Claim = { readonly found: readonly JobRow[]; readonly claimed: readonly JobRow[] };
export type Lease = { readonly owner: string; readonly nowMs: number; readonly leaseUntilMs: number };

const KEPT_DONE_MAX = 1000;
const ABANDONED_AT_ONCE = 100;

/** A key is unique within one service and account. */
export type JobKey = { readonly service: string; readonly account: string; readonly key: string };

const ofKey = (db: Db, service: string, account: string, key: string) =>
  db
    .updateTable("medley_job")
    .where("service", "=", service)
    .where("account", "=", account)
    .where("dedupe_key", "=", key);
type Named = readonly [service: string, account: string, key: string];
const renewWaiting = compiledQuery<{ id: string }, [string, string, ...Named]>(
  ["", "", "", "", ""],
  (db: Db, name, payload, ...key) =>
    ofKey(db, ...key)
      .set({ name, payload, attempts: 0, error: null })
      .where("state", "=", "waiting")
      .returning("id"),
);
const moveWaiting = compiledQuery<{ id: string }, [string, string, number, ...Named]>(
  ["", "", 0, "", "", ""],
  (db: Db, name, payload, runAtMs, ...key) =>
    ofKey(db, ...key)
      .set({ name, payload, attempts: 0, error: null, run_at: runAtMs })
      .where("state", "=", "waiting")
      .returning("id"),
);
const freeKey = compiledQuery<never, [...Named]>(["", "", ""], (db: Db, ...key) =>
  ofKey(db, ...key).set({ dedupe_key: null }),
);
const insertRow = compiledInsertAll<JobRow>("medley_job", [
  "id",
  "account",
  "service",
  "name",
  "dedupe_key",
  "payload",
  "state",
  "run_at",
  "attempts",
  "lease_owner",
  "lease_until",
  "error",
  "created_at",
  "finished_at",
]);
/** Replaces a waiting job of the same key. If that job already runs, a new one is added. */
export async function insertJob(db: Db, row: JobRow, keepsTime = false): Promise<string> {
  const { service, account, dedupe_key: key, name, payload } = row;
  if (key !== null) {
    const [moved] = await (keepsTime
      ? renewWaiting(db, name, payload, service, account, key)
      : moveWaiting(db, name, payload, row.run_at, service, account, key));
    if (moved) return moved.id;
    await freeKey(db, service, account, key);
  }
  await insertRow(db, [row]);
  return row.id;
}

export async function cancelWaiting(db: Db, { service, account, key }: JobKey): Promise<boolean> {
  const result = await db
    .deleteFrom("medley_job")
    .where("service", "=", service)
    .where("account", "=", account)
    .where("dedupe_key", "=", key)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

const KEYS_AT_ONCE = 500;
/** Jobs that wait or run, by their keys. */
export async function listPlanned(
  db: Db,
  { service, account, keys }: Omit<JobKey, "key"> & { readonly keys: readonly string[] },
): Promise<PlannedJob[]> {
  const found: PlannedJob[] = [];
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const rows = await db
      .selectFrom("medley_job")
      .select(["name", "dedupe_key", "payload", "run_at"])
      .where("service", "=", service)
      .where("account", "=", account)
      .where("dedupe_key", "in", keys.slice(start, start + KEYS_AT_ONCE))
      .execute();
    for (const { name, dedupe_key: key, payload, run_at } of rows)
      found.push({ name, key: key ?? "", payload: JSON.parse(payload), runAtMs: Number(run_at) });
  }
  return found;
}

export async function isKeyInUse(db: Db, { service, account, key }: JobKey): Promise<boolean> {
  const row = await db
    .selectFrom("medley_job")
    .select("id")
    .where("service", "=", service)
    .where("account", "=", account)
    .where("dedupe_key", "=", key)
    .executeTakeFirst();
  return row !== undefined;
}

/** Repeating jobs have no account, and a key of the queue. A row created in the future comes from a wrong clock. */
export const findPlannedAhead = (db: Db, names: readonly string[], nowMs: number) =>
  db
    .selectFrom("medley_job")
    .select(["id", "name"])
    .where("state", "=", "waiting")
    .where("name", "in", names)
    .where("run_at", ">", nowMs)
    .where("created_at", ">", nowMs)
    .where("account", "=", "")
    .where("dedupe_key", "like", "repeat:%")
    .execute();

export async function planAnew(
  db: Db,
  id: string,
  plan: Pick<JobRow, "run_at" | "created_at" | "payload">,
): Promise<void> {
  await db.updateTable("medley_job").set(plan).where("id", "=", id).where("state", "=", "waiting").execute();
}
/** No retry waits longer than the maximum backoff. */
export async function retryBy(
  db: Db,
  names: readonly string[],
  { nowMs, latestMs }: { nowMs: number; latestMs: number },
): Promise<void> {
  await db
    .updateTable("medley_job")
    .set({ run_at: nowMs })
    .where("state", "=", "waiting")
    .where("name", "in", names)
    .where("attempts", ">", 0)
    .where("run_at", ">", latestMs)
    .execute();
}

/** Due waiting jobs, and running ones whose lease has expired; the oldest of each lane first. */
export function claimDue(database: Database, due: DueByLane, lease: Lease): Promise<Claim> {
  return database.transact(async (db: Db) => {
    const names = due.lanes.map(({ name }) => name);
    const abandoned = await skippingLocked(database, selectAbandoned(db, names, lease.nowMs)).execute();
    const select = database.kind === "sqlite" ? selectLanesEmbedded : selectLanesShared;
    const { rows: waiting } = await select(due.lanes, due.untilMs).execute(db);
    const found = [...abandoned, ...waiting];
    return { found, claimed: await markClaimed(db, due.choose(found), lease) };
  });
}
async function markClaimed(db: Db, jobs: readonly JobRow[], lease: Lease): Promise<JobRow[]> {
  if (jobs.length === 0) return [];
  const change = { state: "running", lease_owner: lease.owner, lease_until: lease.leaseUntilMs } as const;
  const ids = jobs.map(({ id }) => id);
  await db
    .updateTable("medley_job")
    .set((expression) => ({ ...change, attempts: expression("attempts", "+", 1) }))
    .where("id", "in", ids)
    .execute();
  return jobs.map((job) => ({ ...job, ...change, attempts: job.attempts + 1 }));
}

/** Skips rows that another node is claiming at the moment, instead of waiting for their locks. */
function skippingLocked<Q extends { forUpdate(): { skipLocked(): Q } }>(database: Database, query: Q): Q {
  return database.kind === "sqlite" ? query : query.forUpdate().skipLocked();
}
const selectAbandoned = (db: Db, names: readonly string[], machineNowMs: number) =>
  db
    .selectFrom("medley_job")
    .selectAll()
    .where("state", "=", "running")
    .where("lease_until", "<", machineNowMs)
    .where("name", "in", names)
    .orderBy("run_at")
    .limit(ABANDONED_AT_ONCE);
/** Each lane is a range of one index. Only its beginning is read, up to the first account with a free slot. */
const selectLanesEmbedded = (lanes: readonly Lane[], untilMs: number): RawBuilder<JobRow> => sql<JobRow>`
  with lane as materialized (
    select value ->> 'name' as name, value ->> 'full' as full_accounts from json_each(${JSON.stringify(lanes)}))
  select job.* from lane
  cross join medley_job as job on job.id in (
    select id from medley_job
    where state = 'waiting' and name = lane.name and run_at <= ${untilMs}
      and instr(lane.full_accounts, '"' || account || '"') = 0
    order by run_at, id limit ${sql.lit(SLOTS_MAX)})
  order by job.run_at, job.id`;
const selectLanesShared = (lanes: readonly Lane[], untilMs: number): RawBuilder<JobRow> => sql<JobRow>`
  select job.* from jsonb_array_elements(cast(${JSON.stringify(lanes)} as jsonb)) as lane
  cross join lateral (
    select * from medley_job
    where state = 'waiting' and name = lane ->> 'name' and run_at <= ${untilMs}
      and not jsonb_exists(lane -> 'full', account)
    order by run_at, id limit ${sql.lit(SLOTS_MAX)}
    for update skip locked) as job
  order by job.run_at, job.id`;

export async function isRunningElsewhere(db: Db, owner: string, machineNowMs: number): Promise<boolean> {
  const found = await db
    .selectFrom("medley_job")
    .select("id")
    .where("state", "=", "running")
    .where("lease_owner", "!=", owner)
    .where("lease_until", ">=", machineNowMs)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** True if this owner still holds the lease. This check makes the effect of a job happen once. */
const findHolder = compiledQuery<Pick<JobRow, "state" | "lease_owner">, [string]>([""], (db: Db, id) =>
  db.selectFrom("medley_job").select(["state", "lease_owner"]).where("id", "=", id),
);
export async function isHeldBy(db: Db, id: string, owner: string): Promise<boolean> {
  const [row] = await findHolder(db, id);
  return row?.state === "running" && row.lease_owner === owner;
}

const released = { lease_owner: null, lease_until: null };
const end = compiledQuery<never, [string, number, string | null, string, string]>(
  ["", 0, "", "", ""],
  (db: Db, state, nowMs, error, id, owner) =>
    db
      .updateTable("medley_job")
      .set({ state: state as JobRow["state"], finished_at: nowMs, error, dedupe_key: null, ...released })
      .where("id", "=", id)
      .where("lease_owner", "=", owner),
);
export async function finish(
  db: Db,
  id: string,
  owner: string,
  { state, nowMs, error }: { state: "done" | "failed"; nowMs: number; error: string | null },
): Promise<void> {
  await end(db, state, nowMs, error, id, owner);
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
/** Returns jobs to the queue untouched: the attempt does not count. */
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

/** Keeps only the newest finished jobs. Deletes some; returns whether there may be more. */
export async function pruneFinished(db: Db): Promise<boolean> {
  let isMore = false;
  for (const state of ["done", "failed"] as const) {
    const border = await db
      .selectFrom("medley_job")
      .select("finished_at")
      .where("state", "=", state)
      .orderBy("finished_at", "desc")
      .offset(KEPT_DONE_MAX)
      .limit(1)
      .executeTakeFirst();
    const until = border?.finished_at;
    if (!until) continue;
    const areMore = await deleteSome(db, "medley_job", (jobs) =>
      jobs.where("state", "=", state).where("finished_at", "<=", until),
    );
    isMore ||= areMore;
  }
  return isMore;
}

/** Of waiting jobs: how many are due, since when, and how many have this name. */
export async function backlogOf(db: Db, nowMs: number, name: string) {
  const { due, oldest, named } = await db
    .selectFrom("medley_job")
    .where("state", "=", "waiting")
    .select([
      sql<number | null>`sum(case when run_at <= ${nowMs} then 1 else 0 end)`.as("due"),
      sql<number | null>`min(run_at)`.as("oldest"),
      sql<number | null>`sum(case when name = ${name} then 1 else 0 end)`.as("named"),
    ])
    .executeTakeFirstOrThrow();
  return {
    due: Number(due ?? 0),
    oldestAgeSeconds: Math.max(0, nowMs - Number(oldest ?? nowMs)) / 1000,
    named: Number(named ?? 0),
  };
}
export async function countWaiting(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("medley_job")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("state", "=", "waiting")
    .executeTakeFirstOrThrow();
  return Number(count);
}
export async function countByState(db: Db): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom("medley_job")
    .select(["state", sql<number>`count(*)`.as("count")])
    .groupBy("state")
    .execute();
  return Object.fromEntries(rows.map((row) => [row.state, Number(row.count)]));
}
