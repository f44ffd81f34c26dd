/** Queries for detectors and alarms, the instances of models. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { InstanceRow, Tables } from "../tables.ts";
import { inSizes } from "./sizes.ts";

type Db = Kysely<Tables>;
const { compiledQuery, compiledShapes } = queriesOf<Db>();
export type InstancePlace = Pick<InstanceRow, "account" | "model_id" | "version">;

const selectOfKeys = compiledShapes<InstanceRow, number>(
  (db: Db, _count, [account, modelId, version, ...keys]) =>
    db
      .selectFrom("events_instance")
      .selectAll()
      .where("account", "=", account)
      .where("model_id", "=", modelId)
      .where("version", "=", version)
      .where("key", "in", keys),
);
export async function instancesOfKeys(
  db: Db,
  { account, model_id, version }: InstancePlace,
  keys: readonly string[],
): Promise<InstanceRow[]> {
  const found: InstanceRow[] = [];
  for (const some of inSizes(keys)) {
    const { rows } = await selectOfKeys(db, String(some.length), some.length, [
      account,
      model_id,
      version,
      ...some,
    ]);
    found.push(...rows);
  }
  return found;
}
export async function findInstance(
  db: Db,
  place: InstancePlace,
  key: string,
): Promise<InstanceRow | undefined> {
  return (await instancesOfKeys(db, place, [key]))[0];
}

const COLUMNS = [
  "account",
  "model_id",
  "version",
  "key",
  "shard",
  "state_name",
  "state",
  "recent",
  "due_at",
  "created_at",
  "updated_at",
] as const;
const KEY = ["account", "model_id", "version", "key"] as const;
const rowsOf = (count: number, values: readonly unknown[]): InstanceRow[] =>
  Array.from(
    { length: count },
    (_, row) =>
      Object.fromEntries(
        COLUMNS.map((column, at) => [column, values[row * COLUMNS.length + at]]),
      ) as InstanceRow,
  );
const putAll = compiledShapes<never, number>((db: Db, count, values) =>
  db
    .insertInto("events_instance")
    .values(rowsOf(count, values))
    .onConflict((conflict) =>
      conflict.columns([...KEY]).doUpdateSet((expression) => ({
        shard: expression.ref("excluded.shard"),
        state_name: expression.ref("excluded.state_name"),
        state: expression.ref("excluded.state"),
        recent: expression.ref("excluded.recent"),
        due_at: expression.ref("excluded.due_at"),
        updated_at: expression.ref("excluded.updated_at"),
      })),
    ),
);
/** Does not write indexed columns. */
const putInside = compiledShapes<never, number>((db: Db, count, values) =>
  db
    .insertInto("events_instance")
    .values(rowsOf(count, values))
    .onConflict((conflict) =>
      conflict.columns([...KEY]).doUpdateSet((expression) => ({
        state: expression.ref("excluded.state"),
        recent: expression.ref("excluded.recent"),
        updated_at: expression.ref("excluded.updated_at"),
      })),
    ),
);
async function save(db: Db, put: typeof putAll, rows: readonly InstanceRow[]): Promise<void> {
  for (const some of inSizes(rows)) {
    const values: (string | number | null)[] = [];
    for (const row of some) for (const column of COLUMNS) values.push(row[column]);
    await put(db, String(some.length), some.length, values);
  }
}
/** `unmoved` instances have the same state name and the same next timer as before. */
export async function saveInstances(
  db: Db,
  moved: readonly InstanceRow[],
  unmoved: readonly InstanceRow[],
): Promise<void> {
  await save(db, putAll, moved);
  await save(db, putInside, unmoved);
}
export async function deleteInstance(db: Db, place: InstancePlace, key: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("events_instance")
    .where("account", "=", place.account)
    .where("model_id", "=", place.model_id)
    .where("version", "=", place.version)
    .where("key", "=", key)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
/** Deletes up to `limit` instances of older versions. Returns their number. */
export async function deleteOlder(
  db: Db,
  { account, model_id, version }: InstancePlace,
  limit: number,
): Promise<number> {
  const rows = await db
    .selectFrom("events_instance")
    .select(["version", "key"])
    .where("account", "=", account)
    .where("model_id", "=", model_id)
    .where("version", "<", version)
    .orderBy("version")
    .orderBy("key")
    .limit(limit)
    .execute();
  for (const old of new Set(rows.map((row) => row.version)))
    await db
      .deleteFrom("events_instance")
      .where("account", "=", account)
      .where("model_id", "=", model_id)
      .where("version", "=", old)
      .where(
        "key",
        "in",
        rows.filter((row) => row.version === old).map(({ key }) => key),
      )
      .execute();
  return rows.length;
}

type ListRow = Pick<InstanceRow, "key" | "version" | "state_name" | "created_at" | "updated_at">;
export const listInstances = (
  db: Db,
  { account, model_id, version }: InstancePlace,
  { stateName, after, limit }: { stateName?: string | undefined; after?: string | undefined; limit: number },
): Promise<ListRow[]> =>
  db
    .selectFrom("events_instance")
    .select(["key", "version", "state_name", "created_at", "updated_at"])
    .where("account", "=", account)
    .where("model_id", "=", model_id)
    .where("version", "=", version)
    .$if(stateName !== undefined, (query) => query.where("state_name", "=", stateName ?? ""))
    .$if(after !== undefined, (query) => query.where("key", ">", after ?? ""))
    .orderBy("key")
    .limit(limit)
    .execute();

/** Number of instances in a state, up to `max`. */
export async function countInState(
  db: Db,
  { account, model_id, version }: InstancePlace,
  stateName: string,
  max: number,
): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom("events_instance")
        .select("key")
        .where("account", "=", account)
        .where("model_id", "=", model_id)
        .where("version", "=", version)
        .where("state_name", "=", stateName)
        .limit(max)
        .as("some"),
    )
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const selectFirstDue = compiledQuery<{ due_at: number }, [string, number]>(
  ["", 0],
  (db: Db, account, shard) =>
    db
      .selectFrom("events_instance")
      .select("due_at")
      .where("account", "=", account)
      .where("shard", "=", shard)
      .where("due_at", "is not", null)
      .orderBy("due_at")
      .limit(1),
);
/** Time of the next timer or snooze end of a shard. */
export async function findFirstDue(db: Db, account: string, shard: number): Promise<number | undefined> {
  const [row] = await selectFirstDue(db, account, shard);
  return row && Number(row.due_at);
}
export const listDue = (
  db: Db,
  account: string,
  shard: number,
  nowMs: number,
  limit: number,
): Promise<InstanceRow[]> =>
  db
    .selectFrom("events_instance")
    .selectAll()
    .where("account", "=", account)
    .where("shard", "=", shard)
    .where("due_at", "<=", nowMs)
    .orderBy("due_at")
    .orderBy("key")
    .limit(limit)
    .execute();
export async function clearDue(db: Db, { account, model_id, version, key }: InstanceRow): Promise<void> {
  await db
    .updateTable("events_instance")
    .set({ due_at: null })
    .where("account", "=", account)
    .where("model_id", "=", model_id)
    .where("version", "=", version)
    .where("key", "=", key)
    .execute();
}
/** The first instances by key, with all columns, for the console. */
export const listFirst = (
  db: Db,
  { account, model_id, version }: InstancePlace,
  limit: number,
): Promise<InstanceRow[]> =>
  db
    .selectFrom("events_instance")
    .selectAll()
    .where("account", "=", account)
    .where("model_id", "=", model_id)
    .where("version", "=", version)
    .orderBy("key")
    .limit(limit)
    .execute();
