/** SQL for running jobs one by one in the order of their due time, while the clock is advanced. */
import { CompiledQuery, type Kysely, sql } from "kysely";
import { queriesOf } from "../db/compiled-query.ts";
import type { AnyDb } from "../db/database.ts";
import type { JobRow, KernelTables } from "../runtime/tables.ts";
import type { Lease } from "./queue-store.ts";

type Db = Kysely<KernelTables>;
const { compiledQuery, compiledShapes } = queriesOf<Db>();
/** Jobs of services that this process does not have are left to a process that has them. */
export class Names {
  readonly all: readonly string[];
  /** Known here, but not wanted. */
  readonly left: readonly string[];
  readonly #all: ReadonlySet<string>;
  readonly key: string;
  constructor(all: readonly string[], left: readonly string[] = []) {
    this.all = all;
    this.left = left;
    this.#all = new Set(all);
    this.key = left.join();
  }
  has(name: string): boolean {
    return this.#all.has(name);
  }
}
/** What commits together with a claim. */
export type Arrive = (db: Db) => Promise<void>;
export type NextRun = {
  /** Joins the transaction of the claim. */
  readonly arrive?: Arrive;
  readonly leaveHousekeeping?: boolean;
  /** Default 1. */
  readonly runsMax?: number;
  /** After this time no more jobs join the commit, because other changes wait for it. */
  readonly batchMsMax?: number;
  /** Checked between two jobs: if true, no further job begins. */
  isOver?(): boolean;
};
export type NextJob = Pick<JobRow, "id" | "name" | "run_at">;

const first = (db: Db, state: JobRow["state"]) =>
  db
    .selectFrom("medley_job")
    .select(["id", "name", "run_at"])
    .where("state", "=", state)
    .orderBy("run_at")
    .orderBy("id")
    .limit(1);
const firstWaiting = compiledShapes<NextJob, Names>((db: Db, { left }) => {
  if (left.length === 0) return first(db, "waiting");
  // Names are literals, and the expression prevents the use of an index: a tenth of the time.
  const unwanted = sql`(${sql.join(left.map((name) => sql.lit(name)))})`;
  return first(db, "waiting").where(sql`name || ''`, "not in", unwanted);
});
const abandoned = (db: Db, machineNowMs: number) =>
  first(db, "running").where("lease_until", "<", machineNowMs);
const firstAbandoned = compiledQuery<NextJob, [number]>([0], abandoned);

/** The first job is nearly always known here. A query with all known names costs ten times as much. */
async function firstOf(
  names: Names,
  [found]: readonly NextJob[],
  all: () => ReturnType<typeof first>,
): Promise<NextJob | undefined> {
  if (!found || names.has(found.name)) return found;
  return all().where("name", "in", names.all).executeTakeFirst();
}
export async function findNextDue(db: Db, names: Names): Promise<NextJob | undefined> {
  const { rows } = await firstWaiting(db, names.key, names, []);
  return firstOf(names, rows, () => first(db, "waiting"));
}
const findAbandoned = async (db: Db, names: Names, machineNowMs: number) =>
  firstOf(names, await firstAbandoned(db, machineNowMs), () => abandoned(db, machineNowMs));

/** When the next job is due; 0 for one whose lease has expired. Takes no lock, so an idle node costs little. */
export async function findDueTime(db: Db, names: Names, machineNowMs: number): Promise<number | undefined> {
  if (await findAbandoned(db, names, machineNowMs)) return 0;
  return (await findNextDue(db, names))?.run_at;
}

const markRunning = compiledQuery<JobRow, [string, number, string]>(["", 0, ""], (db: Db, owner, until, id) =>
  db
    .updateTable("medley_job")
    .set((expression) => ({
      state: "running",
      lease_owner: owner,
      lease_until: until,
      attempts: expression("attempts", "+", 1),
    }))
    .where("id", "=", id)
    .returningAll(),
);

/** Claims `next`, or a job whose node has died. Joins a transaction. */
export async function claimNext(
  db: AnyDb,
  next: NextJob,
  names: Names,
  lease: Lease,
): Promise<JobRow | undefined> {
  const { id } = (await findAbandoned(db, names, lease.nowMs)) ?? next;
  const [claimed] = await markRunning(db, lease.owner, lease.leaseUntilMs, id);
  return claimed;
}

const [BEGIN, KEEP, UNDO] = ["savepoint run", "release run", "rollback to run"].map((text) =>
  CompiledQuery.raw(text),
) as [CompiledQuery, CompiledQuery, CompiledQuery];
/** Inside a transaction of an embedded database: a failure rolls back only `work`. Resolves to the error. */
export async function undoneWhenItFails(
  db: AnyDb,
  work: () => Promise<void>,
): Promise<{ readonly error: unknown } | undefined> {
  await db.executeQuery(BEGIN);
  try {
    await work();
    await db.executeQuery(KEEP);
    return undefined;
  } catch (error) {
    await db.executeQuery(UNDO);
    await db.executeQuery(KEEP);
    return { error };
  }
}
