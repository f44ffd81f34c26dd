/** SQL for running jobs one by one in the order of their due time, while the clock is advanced. */
import { CompiledQuery, type Kysely } from "kysely";
import { queriesOf } from "../db/compiled-query.ts";
import type { AnyDb } from "../db/database.ts";
import type { JobRow, KernelTables } from "../runtime/tables.ts";
import type { Lease } from "./queue-store.ts";

type Db = Kysely<KernelTables>;
const { compiledQuery } = queriesOf<Db>();
/** Jobs of services that this process does not have are left to a process that has them. */
export class Names {
  readonly all: readonly string[];
  /** How many more are known here, but not wanted. */
  readonly left: number;
  readonly #all: ReadonlySet<string>;
  constructor(all: readonly string[], left = 0) {
    this.all = all;
    this.left = left;
    this.#all = new Set(all);
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

const inOrder = (db: Db, state: JobRow["state"]) =>
  db
    .selectFrom("medley_job")
    .select(["id", "name", "run_at"])
    .where("state", "=", state)
    .orderBy("run_at")
    .orderBy("id");
const firstWaiting = compiledQuery<NextJob, [number, number]>([0, 0], (db: Db, fromMs, limit) =>
  inOrder(db, "waiting").where("run_at", ">=", fromMs).limit(limit),
);
const abandoned = (db: Db, machineNowMs: number) =>
  inOrder(db, "running").where("lease_until", "<", machineNowMs);
const firstAbandoned = compiledQuery<NextJob, [number, number]>([0, 0], (db: Db, machineNowMs, limit) =>
  abandoned(db, machineNowMs).limit(limit),
);

/** The first is nearly always wanted. A query with all wanted names costs ten times as much. */
const FIRST = 1;
async function wantedOf(
  names: Names,
  first: readonly NextJob[],
  limit: number,
  all: () => ReturnType<typeof inOrder>,
): Promise<NextJob | undefined> {
  const found = first.find(({ name }) => names.has(name));
  if (found || first.length < limit) return found;
  return all().where("name", "in", names.all).limit(1).executeTakeFirst();
}
/** `fromMs`: the caller knows that none is due before, except unwanted ones. */
export async function findNextDue(db: Db, names: Names, fromMs = 0): Promise<NextJob | undefined> {
  const limit = fromMs > 0 ? FIRST : FIRST + names.left;
  return wantedOf(names, await firstWaiting(db, fromMs, limit), limit, () => inOrder(db, "waiting"));
}
/** The first job whose node has died. */
export const findAbandoned = async (db: Db, names: Names, machineNowMs: number) =>
  wantedOf(names, await firstAbandoned(db, machineNowMs, FIRST), FIRST, () => abandoned(db, machineNowMs));

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

/** Joins a transaction. */
export async function claim(db: AnyDb, { id }: NextJob, lease: Lease): Promise<JobRow | undefined> {
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
