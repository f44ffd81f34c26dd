/** Functions and their policies as rows. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import {
  type CloudFunction,
  EVERYWHERE,
  emptyPolicy,
  type FunctionName,
  type Place,
  type Policy,
  type State,
} from "../domain/index.ts";
import type { FunctionRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();
/** A function with its account, for lookups by address. */
export type ServedFunction = CloudFunction & { readonly account: string; readonly policy: Policy };

const functionOf = (row: FunctionRow): ServedFunction => ({
  account: row.account,
  project: row.project,
  location: row.location,
  functionId: row.function_id,
  slug: row.slug,
  definition: JSON.parse(row.definition),
  state: row.state as State,
  stateMessages: JSON.parse(row.state_messages),
  generation: Number(row.generation),
  revision: row.revision ?? undefined,
  busyWith: row.busy_with ?? undefined,
  upgrade: row.upgrade === null ? undefined : JSON.parse(row.upgrade),
  traffic: row.traffic === null ? undefined : JSON.parse(row.traffic),
  policy: JSON.parse(row.policy),
  createdAtMs: Number(row.created_at),
  updatedAtMs: Number(row.updated_at),
});
const changingColumns = (one: CloudFunction) => ({
  definition: JSON.stringify(one.definition),
  triggered: one.definition.eventTrigger ? 1 : 0,
  state: one.state,
  state_messages: JSON.stringify(one.stateMessages),
  generation: one.generation,
  revision: one.revision ?? null,
  busy_with: one.busyWith ?? null,
  upgrade: one.upgrade === undefined ? null : JSON.stringify(one.upgrade),
  traffic: one.traffic === undefined ? null : JSON.stringify(one.traffic),
  updated_at: one.updatedAtMs,
});

const selectFunction = compiledQuery<FunctionRow, [string, string, string, string]>(
  ["", "", "", ""],
  (db, account, project, location, functionId) =>
    db
      .selectFrom("functions_function")
      .selectAll()
      .where("account", "=", account)
      .where("project", "=", project)
      .where("location", "=", location)
      .where("function_id", "=", functionId),
);
export async function findFunction(
  db: Db,
  account: string,
  { project, location, functionId }: FunctionName,
): Promise<ServedFunction | undefined> {
  const [row] = await selectFunction(db, account, project, location, functionId);
  return row && functionOf(row);
}

const selectServed = compiledQuery<FunctionRow, [string]>([""], (db, slug) =>
  db.selectFrom("functions_function").selectAll().where("slug", "=", slug),
);
/** By its address, in any account. */
export async function findServed(db: Db, slug: string): Promise<ServedFunction | undefined> {
  const [row] = await selectServed(db, slug);
  return row && functionOf(row);
}

export async function insertFunction(db: Db, account: string, one: CloudFunction): Promise<void> {
  const { project, location, functionId: function_id, slug, createdAtMs: created_at } = one;
  await db
    .insertInto("functions_function")
    .values({
      account,
      project,
      location,
      function_id,
      slug,
      created_at,
      policy: JSON.stringify(emptyPolicy),
      ...changingColumns(one),
    })
    .execute();
}
export async function saveFunction(db: Db, account: string, one: CloudFunction): Promise<void> {
  await db
    .updateTable("functions_function")
    .set(changingColumns(one))
    .where("account", "=", account)
    .where("slug", "=", one.slug)
    .execute();
}
export async function savePolicy(db: Db, account: string, slug: string, policy: Policy): Promise<void> {
  await db
    .updateTable("functions_function")
    .set({ policy: JSON.stringify(policy) })
    .where("account", "=", account)
    .where("slug", "=", slug)
    .execute();
}
export async function deleteFunction(db: Db, account: string, slug: string): Promise<void> {
  for (const table of ["functions_log", "functions_revision", "functions_function"] as const)
    await db.deleteFrom(table).where("account", "=", account).where("slug", "=", slug).execute();
}

export async function countFunctions(db: Db, account: string, { project, location }: Place): Promise<number> {
  const row = await db
    .selectFrom("functions_function")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("project", "=", project)
    .where("location", "=", location)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
/** All of one place; of a project, where the place is everywhere. */
export async function listFunctions(
  db: Db,
  account: string,
  { project, location }: Place,
): Promise<ServedFunction[]> {
  const rows = await db
    .selectFrom("functions_function")
    .selectAll()
    .where("account", "=", account)
    .where("project", "=", project)
    .$if(location !== EVERYWHERE, (query) => query.where("location", "=", location))
    .orderBy("location")
    .orderBy("function_id")
    .execute();
  return rows.map(functionOf);
}
export async function listAllFunctions(db: Db, account: string, limit: number): Promise<ServedFunction[]> {
  const rows = await db
    .selectFrom("functions_function")
    .selectAll()
    .where("account", "=", account)
    .orderBy("updated_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(functionOf);
}
/** Functions with this id in all locations. */
export async function listNamed(db: Db, account: string, functionId: string): Promise<ServedFunction[]> {
  const rows = await db
    .selectFrom("functions_function")
    .selectAll()
    .where("account", "=", account)
    .where("function_id", "=", functionId)
    .orderBy("project")
    .orderBy("location")
    .execute();
  return rows.map(functionOf);
}
/** Revisions of all accounts with a minimum number of processes. The member is set only for values above zero. */
export async function listKeptWarm(
  db: Db,
): Promise<{ readonly served: ServedFunction; readonly revision: string }[]> {
  const rows = await db
    .selectFrom("functions_revision as kept")
    .innerJoin("functions_function as one", (join) =>
      join.onRef("one.account", "=", "kept.account").onRef("one.slug", "=", "kept.slug"),
    )
    .selectAll("one")
    .select("kept.revision as kept_revision")
    .where("kept.definition", "like", '%"minInstanceCount":%')
    .where("kept.ready_at", "is not", null)
    .execute();
  return rows.map(({ kept_revision, ...row }) => ({ served: functionOf(row), revision: kept_revision }));
}
const selectTriggered = compiledQuery<FunctionRow, [string]>([""], (db, account) =>
  db.selectFrom("functions_function").selectAll().where("account", "=", account).where("triggered", "=", 1),
);
/** Functions with an event trigger. */
export async function listTriggered(db: Db, account: string): Promise<ServedFunction[]> {
  return (await selectTriggered(db, account)).map(functionOf);
}
