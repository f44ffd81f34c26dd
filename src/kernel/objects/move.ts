/** Moves bytes between the database and the store. Each row moves by itself, so it can be stopped at any time. */
import { sql } from "kysely";
import { kernelErrors } from "../operation/errors.ts";
import { type NamingTable, namingTables, rowsOf, type Upkeep } from "./names.ts";
import { LARGE_BYTES_MIN, type Stored } from "./objects.ts";
import { getStore } from "./walk.ts";

export type Target = "s3" | "database";
/** `missing`: rows whose object is not in the store. `next`: where to continue; absent at the end. */
export type Moved = {
  readonly moved: number;
  readonly bytes: number;
  readonly missing: number;
  readonly next?: string;
};

/** So many rows are looked at in one call, and so many of them are moved at once. */
const ROWS_PER_CALL = 64;
const MOVED_AT_ONCE = 4;

type Row = Stored & { readonly [column: string]: unknown };
type Place = { readonly table: number; readonly key: readonly (string | number)[] | undefined };

export async function moveObjects(upkeep: Upkeep, target: Target, from?: string): Promise<Moved> {
  getStore(upkeep);
  const tables = namingTables(upkeep.services);
  const place = placeIn(from);
  const table = tables[place.table];
  const moved = { moved: 0, bytes: 0, missing: 0 };
  if (!table) return moved;
  const rows = await listRows(upkeep, table, target, place.key);
  for (let at = 0; at < rows.length; at += MOVED_AT_ONCE) {
    const some = rows.slice(at, at + MOVED_AT_ONCE);
    const sizes = await Promise.all(some.map((row) => moveRow(upkeep, table, target, row)));
    moved.missing += sizes.filter((size) => size === "missing").length;
    const known = sizes.filter((size) => typeof size === "number");
    moved.moved += known.length;
    moved.bytes += known.reduce((sum, size) => sum + size, 0);
  }
  const last = rows.at(-1);
  const next: Place =
    rows.length < ROWS_PER_CALL || !last
      ? { table: place.table + 1, key: undefined }
      : { table: place.table, key: keyOf(table, last) };
  return { ...moved, ...(next.table < tables.length && { next: JSON.stringify(next) }) };
}

function placeIn(text: string | undefined): Place {
  if (text === undefined) return { table: 0, key: undefined };
  try {
    const { table, key } = JSON.parse(text) as Place;
    if (Number.isInteger(table) && (key === undefined || Array.isArray(key))) return { table, key };
  } catch {}
  throw kernelErrors.invalidInput("This is not where an earlier call has ended.");
}
const keyOf = ({ key }: NamingTable, row: Row) => key.map((column) => row[column] as string | number);

/** Without their bytes, because few rows at once may be in memory. */
function listRows(
  { database }: Upkeep,
  table: NamingTable,
  target: Target,
  after: Place["key"],
): Promise<Row[]> {
  const columns = sql.join(table.key.map((column) => sql.ref(column)));
  const query = rowsOf(database.read, table)
    .select([...table.key])
    .$if(target === "database", (rows) => rows.where("object", "is not", null))
    .$if(target === "s3", (rows) =>
      rows.where("object", "is", null).where(sql<number>`length(bytes)`, ">=", LARGE_BYTES_MIN),
    )
    .$if(after !== undefined, (rows) =>
      rows.where(sql<boolean>`(${columns}) > (${sql.join([...(after ?? [])])})`),
    );
  return table.key
    .reduce((rows, column) => rows.orderBy(column), query)
    .limit(ROWS_PER_CALL)
    .execute() as Promise<Row[]>;
}

/** Answers the size; undefined if the row has changed in the meantime, so that it keeps what it has. */
async function moveRow(
  upkeep: Upkeep,
  table: NamingTable,
  target: Target,
  key: Row,
): Promise<number | "missing" | undefined> {
  const { database, objects } = upkeep;
  const chosen = (rows: ReturnType<typeof rowsOf>) =>
    table.key.reduce((query, column) => query.where(column, "=", key[column]), rows);
  const row = (await chosen(rowsOf(database.read, table)).select(["bytes", "object"]).executeTakeFirst()) as
    | Stored
    | undefined;
  if (!row || (row.object === null) === (target === "database")) return undefined;
  if (row.object !== null && !(await getStore(upkeep).has(row.object))) return "missing";
  const bytes = await objects.load(row);
  const stored = target === "s3" ? await objects.store(table.service, bytes) : { bytes, object: null };
  const { numUpdatedRows } = await database.transact(
    (db) =>
      table.key
        .reduce(
          (query, column) => query.where(column, "=", key[column]),
          db.updateTable(table.table).set({ bytes: stored.bytes, object: stored.object }),
        )
        .where("bytes", "=", row.bytes)
        .where("object", row.object === null ? "is" : "=", row.object)
        .executeTakeFirstOrThrow(),
    stored.bytes.length,
  );
  return numUpdatedRows > 0n ? bytes.length : undefined;
}
