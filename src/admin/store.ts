/** All SQL of the admin API. */
import { type Kysely, sql } from "kysely";
import type { Stored } from "#kernel/objects";
import type { KernelTables } from "#kernel/runtime";
import { likeOf } from "./store/resource-filter.ts";

type Db = Kysely<KernelTables>;
type JobRow = KernelTables["medley_job"];
type Filter = {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly state?: string;
  readonly service?: string;
  readonly account?: string | undefined;
  readonly kind?: string;
};
type MessageFilter = Filter & {
  readonly target?: string;
  readonly text?: string;
  readonly acknowledged?: boolean;
};

/** Number of rows of a service: the account's rows, rows without an account, and managed resources. */
export async function countRows(
  db: Db,
  account: string,
  { name, tables = [] }: { readonly name: string; readonly tables?: readonly string[] },
): Promise<number> {
  const count = async (table: string, service?: string) => {
    // biome-ignore lint/suspicious/noExplicitAny: tables differ.
    let query = (db as Kysely<any>).selectFrom(table).where("account", "in", [account, ""]);
    if (service !== undefined) query = query.where("service", "=", service);
    const row = await query.select(({ fn }) => fn.countAll().as("count")).executeTakeFirst();
    return Number(row?.count ?? 0);
  };
  let rows = await count("medley_managed_resource", name);
  for (const table of tables) rows += await count(table);
  return rows;
}

type Except = { readonly except: readonly string[] };
export function listJobs(db: Db, filter: Filter & Except) {
  let query = db.selectFrom("medley_job").selectAll();
  if (filter.except.length > 0) query = query.where("name", "not in", [...filter.except]);
  if (filter.before !== undefined) query = query.where("id", "<", filter.before);
  if (filter.state !== undefined) query = query.where("state", "=", filter.state as "done");
  if (filter.service !== undefined) query = query.where("service", "=", filter.service);
  if (filter.account !== undefined) query = query.where("account", "=", filter.account);
  if (filter.kind !== undefined) query = query.where("name", "=", filter.kind);
  return query.orderBy("id", "desc").limit(filter.limit).execute();
}

export const findJob = (db: Db, id: string) =>
  db.selectFrom("medley_job").selectAll().where("id", "=", id).executeTakeFirst();

/** Waiting jobs by due time. */
export function listDue(db: Db, filter: Omit<Filter, "before"> & Except) {
  let query = db.selectFrom("medley_job").selectAll().where("state", "=", "waiting");
  if (filter.except.length > 0) query = query.where("name", "not in", [...filter.except]);
  if (filter.service !== undefined) query = query.where("service", "=", filter.service);
  if (filter.account !== undefined) query = query.where("account", "=", filter.account);
  return query.orderBy("run_at").orderBy("id").limit(filter.limit).execute();
}

export async function countJobs(
  db: Db,
  filter: Pick<Filter, "service" | "account"> & Except,
): Promise<Readonly<Record<string, number>>> {
  let query = db.selectFrom("medley_job").select(({ fn }) => ["state", fn.countAll().as("count")]);
  if (filter.except.length > 0) query = query.where("name", "not in", [...filter.except]);
  if (filter.service !== undefined) query = query.where("service", "=", filter.service);
  if (filter.account !== undefined) query = query.where("account", "=", filter.account);
  const rows = await query.groupBy("state").execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

/** False if the job's state has changed. */
export async function retryJob(db: Db, id: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("medley_job")
    .set({ state: "waiting", run_at: nowMs, attempts: 0, error: null, finished_at: null })
    .where("id", "=", id)
    .where("state", "in", ["waiting", "failed"])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
/** Inserts a copy that is due now. It has no key, so that the planned job keeps its time. */
export async function copyJob(db: Db, planned: JobRow, copy: { id: string; nowMs: number }): Promise<void> {
  const { id, nowMs } = copy;
  const row = { ...planned, id, dedupe_key: null, run_at: nowMs, created_at: nowMs };
  await db.insertInto("medley_job").values(row).execute();
}
export async function cancelJob(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("medley_job")
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export function listMessages(db: Db, filter: MessageFilter) {
  let query = db.selectFrom("medley_outbox").selectAll();
  if (filter.before !== undefined) query = query.where("id", "<", filter.before);
  if (filter.state !== undefined) query = query.where("state", "=", filter.state as "waiting");
  if (filter.service !== undefined) query = query.where("service", "=", filter.service);
  if (filter.account !== undefined) query = query.where("account", "=", filter.account);
  if (filter.kind !== undefined) query = query.where("kind", "=", filter.kind);
  if (filter.target !== undefined) query = query.where("target", "=", filter.target);
  if (filter.text !== undefined) {
    const like = likeOf(filter.text);
    const found = (column: string) => sql<boolean>`lower(${sql.ref(column)}) like ${like} escape '\\'`;
    query = query.where(({ or }) => or([found("target"), found("subject"), found("body")]));
  }
  if (filter.acknowledged !== undefined)
    query = query.where("acknowledged_at", filter.acknowledged ? "is not" : "is", null);
  return query.orderBy("id", "desc").limit(filter.limit).execute();
}
/** Only the first acknowledgement is stored. */
export async function acknowledgeMessage(db: Db, id: string, nowMs: number): Promise<void> {
  await db
    .updateTable("medley_outbox")
    .set({ acknowledged_at: nowMs })
    .where("id", "=", id)
    .where("acknowledged_at", "is", null)
    .execute();
}
/** Queues the message for another delivery, whatever its result was. */
export async function reopenMessage(db: Db, id: string): Promise<void> {
  await db
    .updateTable("medley_outbox")
    .set({ state: "waiting", error: null, answer_status: null })
    .where("id", "=", id)
    .execute();
}
export const findMessage = (db: Db, id: string) =>
  db.selectFrom("medley_outbox").selectAll().where("id", "=", id).executeTakeFirst();

export async function findMessageContent(
  db: Db,
  id: string,
): Promise<{ readonly type: string; readonly chunks: readonly Stored[] } | undefined> {
  const message = await findMessage(db, id);
  if (!message?.blob_id) return undefined;
  const blob = await db
    .selectFrom("medley_blob")
    .select(["id", "type"])
    .where("id", "=", message.blob_id)
    .executeTakeFirst();
  if (!blob) return undefined;
  const chunks = await db
    .selectFrom("medley_blob_chunk")
    .select(["bytes", "object"])
    .where("blob_id", "=", blob.id)
    .orderBy("position")
    .execute();
  return { type: blob.type, chunks };
}
