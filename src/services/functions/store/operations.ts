/** Long-running operations as rows; their ids grow with time. */
import type { Kysely } from "kysely";
import { deleteSome } from "#kernel/db";
import type { FunctionName, Place } from "../domain/index.ts";
import type { OperationRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export type Stage = {
  readonly name: string;
  readonly state: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETE";
  readonly message: string;
};
export type OperationMetadata = {
  readonly stages: readonly Stage[];
  readonly statusDetail?: string;
  /** As it was asked for. */
  readonly requestResource: unknown;
};
export type OperationError = { readonly code: number; readonly message: string };
export type StoredOperation = FunctionName & {
  readonly id: string;
  readonly verb: string;
  readonly metadata: OperationMetadata;
  readonly response: Readonly<Record<string, unknown>> | undefined;
  readonly error: OperationError | undefined;
  readonly done: boolean;
  readonly createdAtMs: number;
  readonly endedAtMs: number | undefined;
};

const operationOf = (row: OperationRow): StoredOperation => ({
  project: row.project,
  location: row.location,
  functionId: row.function_id,
  id: row.id,
  verb: row.verb,
  metadata: JSON.parse(row.metadata),
  response: row.response === null ? undefined : JSON.parse(row.response),
  error: row.error === null ? undefined : JSON.parse(row.error),
  done: Number(row.done) === 1,
  createdAtMs: Number(row.created_at),
  endedAtMs: row.ended_at === null ? undefined : Number(row.ended_at),
});
const changingColumns = (one: StoredOperation) => ({
  metadata: JSON.stringify(one.metadata),
  response: one.response === undefined ? null : JSON.stringify(one.response),
  error: one.error === undefined ? null : JSON.stringify(one.error),
  done: one.done ? 1 : 0,
  ended_at: one.endedAtMs ?? null,
});

export async function insertOperation(db: Db, account: string, one: StoredOperation): Promise<void> {
  const { project, location, functionId: function_id, id, verb, createdAtMs: created_at } = one;
  await db
    .insertInto("functions_operation")
    .values({ account, project, location, function_id, id, verb, created_at, ...changingColumns(one) })
    .execute();
}
export async function saveOperation(db: Db, account: string, one: StoredOperation): Promise<void> {
  await db
    .updateTable("functions_operation")
    .set(changingColumns(one))
    .where("account", "=", account)
    .where("id", "=", one.id)
    .execute();
}
export async function findOperation(
  db: Db,
  account: string,
  id: string,
): Promise<StoredOperation | undefined> {
  const row = await db
    .selectFrom("functions_operation")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && operationOf(row);
}
export type OperationFilter = Pick<Place, "project"> & {
  readonly location?: string;
  readonly functionId?: string;
};
/** Newest first. */
export async function listOperations(
  db: Db,
  account: string,
  { project, location, functionId }: OperationFilter,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<StoredOperation[]> {
  const rows = await db
    .selectFrom("functions_operation")
    .selectAll()
    .where("account", "=", account)
    .where("project", "=", project)
    .$if(location !== undefined, (query) => query.where("location", "=", location ?? ""))
    .$if(functionId !== undefined, (query) => query.where("function_id", "=", functionId ?? ""))
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(operationOf);
}
/** Deletes some. Returns whether there may be more. */
export const forgetOperations = (db: Db, account: string, beforeMs: number): Promise<boolean> =>
  deleteSome(db, "functions_operation", (operations) =>
    operations.where("account", "=", account).where("done", "=", 1).where("created_at", "<", beforeMs),
  );
