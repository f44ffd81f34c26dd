/** Queries for inputs and their routes to models. */
import type { Kysely } from "kysely";
import { listByName, queriesOf } from "#kernel/db";
import { errors } from "../errors.ts";
import type { InputRow, RouteRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();

export const findInput = (
  db: Db,
  account: string,
  region: string,
  name: string,
): Promise<InputRow | undefined> =>
  db
    .selectFrom("events_input")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .executeTakeFirst();
export async function getInput(db: Db, account: string, region: string, name: string): Promise<InputRow> {
  const input = await findInput(db, account, region, name);
  if (!input) throw errors.notFound(`There is no input ${name} in this account and region.`);
  return input;
}
export async function insertInput(db: Db, row: InputRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("events_input")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
export async function updateInput(db: Db, row: InputRow): Promise<void> {
  await db
    .updateTable("events_input")
    .set(row)
    .where("account", "=", row.account)
    .where("region", "=", row.region)
    .where("name", "=", row.name)
    .execute();
}
export async function deleteInput(db: Db, account: string, region: string, name: string): Promise<void> {
  await db
    .deleteFrom("events_input")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .execute();
}
export const listInputs = (
  db: Db,
  account: string,
  region: string,
  after: string,
  limit: number,
): Promise<InputRow[]> => listByName(db, "events_input", { account, region, after, limit });
export async function countInputs(db: Db, account: string, region: string): Promise<number> {
  const { count } = await db
    .selectFrom("events_input")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("region", "=", region)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Attribute paths of all inputs of the region by name, for the compilation of models. */
export async function attributesByInput(
  db: Db,
  account: string,
  region: string,
): Promise<Record<string, { jsonPath: string }[]>> {
  const rows = await db
    .selectFrom("events_input")
    .select(["name", "attributes"])
    .where("account", "=", account)
    .where("region", "=", region)
    .where("status", "!=", "DELETING")
    .execute();
  return Object.fromEntries(
    rows.map(({ name, attributes }) => [
      name,
      (JSON.parse(attributes) as string[]).map((jsonPath) => ({ jsonPath })),
    ]),
  );
}

/**
 * Route of an input to a model. An input without models has one row with nulls. An unknown input has no
 * row.
 */
export type Route = {
  readonly model_id: string | null;
  readonly key_path: string | null;
};
const selectRoutes = compiledQuery<Route, [string, string, string]>(
  ["", "", ""],
  (db: Db, account, region, name) =>
    db
      .selectFrom("events_input as i")
      .leftJoin("events_route as r", (join) =>
        join
          .onRef("r.account", "=", "i.account")
          .onRef("r.region", "=", "i.region")
          .onRef("r.input", "=", "i.name"),
      )
      .select(["r.model_id", "r.key_path"])
      .where("i.account", "=", account)
      .where("i.region", "=", region)
      .where("i.name", "=", name)
      .where("i.status", "!=", "DELETING"),
);
export const routesOf = (db: Db, account: string, region: string, input: string): Promise<Route[]> =>
  selectRoutes(db, account, region, input);

export async function replaceRoutes(
  db: Db,
  account: string,
  modelId: string,
  routes: readonly RouteRow[],
): Promise<void> {
  await db
    .deleteFrom("events_route")
    .where("account", "=", account)
    .where("model_id", "=", modelId)
    .execute();
  if (routes.length > 0)
    await db
      .insertInto("events_route")
      .values([...routes])
      .execute();
}
export const listRoutes = (
  db: Db,
  account: string,
  region: string,
  input: string,
  after: string,
  limit: number,
): Promise<RouteRow[]> =>
  db
    .selectFrom("events_route")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("input", "=", input)
    .where("model_id", ">", after)
    .orderBy("model_id")
    .limit(limit)
    .execute();
/** Number of models of a kind that read the input, without the given one. */
export async function countListeners(
  db: Db,
  account: string,
  region: string,
  input: string,
  kind: string,
  besides: string,
): Promise<number> {
  const { count } = await db
    .selectFrom("events_route")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("region", "=", region)
    .where("input", "=", input)
    .where("kind", "=", kind)
    .where("model_id", "!=", besides)
    .executeTakeFirstOrThrow();
  return Number(count);
}
