/** Events and notification filters. */
import { queriesOf } from "#kernel/db";
import type { EventRow, FilterRow } from "../tables.ts";
import { type Db, numbersIn } from "./db.ts";
import type { Slice } from "./slices.ts";

const { compiledInsert, compiledInsertAll, compiledShapes } = queriesOf<Db>();

export const insertEvents = compiledInsertAll<EventRow>("bank_event", [
  "account",
  "id",
  "user_id",
  "ledger_id",
  "action",
  "status",
  "category",
  "object_kind",
  "object_id",
  "body",
  "created_at",
]);
const eventOf = numbersIn<EventRow>("id", "user_id", "ledger_id", "object_id", "created_at");
export async function findEvent(db: Db, account: string, id: number): Promise<EventRow | undefined> {
  const row = await db
    .selectFrom("bank_event")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && eventOf(row);
}
/** Columns that a list can be filtered by, in the order of their values. */
const NARROWING = [
  ["ledgerId", "ledger_id", "="],
  ["sinceMs", "created_at", ">="],
  ["untilMs", "created_at", "<"],
  ["olderThan", "id", "<"],
  ["newerThan", "id", ">"],
] as const;
type Narrowing = readonly (typeof NARROWING)[number][];
const selectPage = compiledShapes<EventRow, Narrowing>(
  (db, narrowing, [account, userId, limit, ...values]) => {
    let query = db
      .selectFrom("bank_event")
      .selectAll()
      .where("account", "=", account)
      .where("user_id", "=", userId)
      .limit(limit);
    for (const [at, [, column, operator]] of narrowing.entries())
      query = query.where(column, operator, values[at]);
    return query.orderBy("id", narrowing.some(([name]) => name === "newerThan") ? "asc" : "desc");
  },
);
/** Newest first, in both paging directions. */
export async function pageOfEvents(
  db: Db,
  account: string,
  userId: number,
  { limit, ...slice }: EventSlice,
): Promise<EventRow[]> {
  const narrowing = NARROWING.filter(([name]) => slice[name] !== undefined);
  const values = narrowing.map(([name]) => slice[name] ?? 0);
  const key = narrowing.map(([name]) => name).join(" ");
  const { rows } = await selectPage(db, key, narrowing, [account, userId, limit, ...values]);
  const events = rows.map(eventOf);
  return slice.newerThan === undefined ? events : events.reverse();
}
export type EventSlice = Slice & {
  readonly ledgerId?: number | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
};

export const insertFilter = compiledInsert<FilterRow>("bank_filter", [
  "account",
  "id",
  "user_id",
  "ledger_id",
  "method",
  "category",
  "target",
  "created_at",
]);
const filterOf = numbersIn<FilterRow>("id", "user_id", "ledger_id", "created_at");
const selectFilters = compiledShapes<FilterRow, number>((db, _count, [account, ...users]) =>
  db.selectFrom("bank_filter").selectAll().where("account", "=", account).where("user_id", "in", users),
);
/**
 * All filters of some users. They are few and sorted in memory, because with ORDER BY SQLite would scan the
 * index of the whole account.
 */
export async function listFilters(db: Db, account: string, users: readonly number[]): Promise<FilterRow[]> {
  const { rows } = await selectFilters(db, String(users.length), users.length, [account, ...users]);
  return rows.map(filterOf).sort((one, other) => one.id - other.id);
}
export async function findFilter(db: Db, account: string, id: number): Promise<FilterRow | undefined> {
  const row = await db
    .selectFrom("bank_filter")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && filterOf(row);
}
export async function deleteFilters(
  db: Db,
  account: string,
  userId: number,
  { method, ledgerId }: { readonly method: string; readonly ledgerId: number },
): Promise<void> {
  await db
    .deleteFrom("bank_filter")
    .where("account", "=", account)
    .where("user_id", "=", userId)
    .where("method", "=", method)
    .where("ledger_id", "=", ledgerId)
    .execute();
}
