/** Records of all kinds that are not money themselves: one table, each kind with its own shape. */
import { queriesOf } from "#kernel/db";
import type { RecordRow } from "../tables.ts";
import { type Db, numbersIn } from "./db.ts";
import type { Slice } from "./slices.ts";

const { compiledInsert, compiledQuery, compiledUpdate } = queriesOf<Db>();

const COLUMNS = [
  "account",
  "kind",
  "id",
  "user_id",
  "owner_id",
  "status",
  "body",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof RecordRow)[];
const recordOf = numbersIn<RecordRow>("id", "user_id", "owner_id", "created_at", "updated_at");

export const insertRecord = compiledInsert<RecordRow>("bank_record", COLUMNS);
export const updateRecord = compiledUpdate<RecordRow, "account" | "kind" | "id">(
  "bank_record",
  ["account", "kind", "id"],
  ["status", "body", "updated_at"],
);
const selectRecord = compiledQuery<RecordRow, [string, string, number]>(
  ["", "", 0],
  (db, account, kind, id) =>
    db
      .selectFrom("bank_record")
      .selectAll()
      .where("account", "=", account)
      .where("kind", "=", kind)
      .where("id", "=", id),
);
/** The owner of a record: its user, and the account or record that it belongs to. */
export type RecordPlace = { readonly kind: string; readonly userId: number; readonly ownerId: number };
/** Likewise, of several kinds, or of all that the user has. */
export type RecordPlaces = {
  readonly kind: string | readonly string[];
  readonly userId: number;
  readonly ownerId?: number;
};
const kindsOf = ({ kind }: RecordPlaces): readonly string[] => (typeof kind === "string" ? [kind] : kind);
export async function findRecord(
  db: Db,
  account: string,
  place: RecordPlaces,
  id: number,
): Promise<RecordRow | undefined> {
  for (const kind of kindsOf(place)) {
    const [row] = await selectRecord(db, account, kind, id);
    const record = row && recordOf(row);
    const isHere = place.ownerId === undefined || record?.owner_id === place.ownerId;
    if (record?.user_id === place.userId && isHere) return record;
  }
  return undefined;
}
/** By its id alone, for references from other records. */
export async function findRecordById(
  db: Db,
  account: string,
  kind: string,
  id: number,
): Promise<RecordRow | undefined> {
  const [row] = await selectRecord(db, account, kind, id);
  return row && recordOf(row);
}
export async function deleteRecord(db: Db, account: string, kind: string, id: number): Promise<void> {
  await db
    .deleteFrom("bank_record")
    .where("account", "=", account)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .execute();
}
export async function countRecords(
  db: Db,
  account: string,
  { kind, userId, ownerId }: RecordPlace,
): Promise<number> {
  const { count } = await db
    .selectFrom("bank_record")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("kind", "=", kind)
    .where("user_id", "=", userId)
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
/** Newest first, in both paging directions. */
export async function pageOfRecords(
  db: Db,
  account: string,
  place: RecordPlaces,
  { olderThan, newerThan, limit }: Slice,
): Promise<RecordRow[]> {
  let query = db
    .selectFrom("bank_record")
    .selectAll()
    .where("account", "=", account)
    .where("kind", "in", kindsOf(place))
    .where("user_id", "=", place.userId)
    .limit(limit);
  if (place.ownerId !== undefined) query = query.where("owner_id", "=", place.ownerId);
  if (olderThan !== undefined) query = query.where("id", "<", olderThan);
  if (newerThan !== undefined) query = query.where("id", ">", newerThan);
  const rows = await query.orderBy("id", newerThan === undefined ? "desc" : "asc").execute();
  const records = rows.map(recordOf);
  return newerThan === undefined ? records : records.reverse();
}
/** All records at a place, the oldest first. Only for places with few records. */
export const listRecords = async (
  db: Db,
  account: string,
  place: RecordPlace,
  limit: number,
): Promise<RecordRow[]> => (await pageOfRecords(db, account, place, { limit })).reverse();
/** The newest of a place. */
export const listNewestRecords = (
  db: Db,
  account: string,
  place: RecordPlaces,
  limit: number,
): Promise<RecordRow[]> => pageOfRecords(db, account, place, { limit });

const PAGE = 100;
/** All of a place, the newest first. A page is read when somebody asks for it. */
export async function* newestFirst(db: Db, account: string, place: RecordPlaces): AsyncGenerator<RecordRow> {
  let last: RecordRow | undefined;
  do {
    const page = await pageOfRecords(db, account, place, { limit: PAGE, olderThan: last?.id });
    yield* page;
    last = page.length === PAGE ? page.at(-1) : undefined;
  } while (last);
}
