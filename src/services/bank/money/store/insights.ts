/**
 * Sums by user, category and hour. They are updated with every payment, so that a long period is as fast to
 * sum as a short one.
 */
import { type SqlBool, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Db, InsightRow, PaymentRow, RecordRow } from "../../book/index.ts";

const { compiledQuery, compiledShapes, compiledUpdate } = queriesOf<Db>();

const COLUMNS = [
  "account",
  "user_id",
  "hour_at",
  "category",
  "currency",
  "amount",
  "count",
] as const satisfies readonly (keyof InsightRow)[];
const KEY = ["account", "user_id", "hour_at", "category", "currency"] as const;
const keyOf = (row: InsightRow): string => KEY.map((column) => row[column]).join(" ");

/** Rows with the same key are merged, because one statement may update a row only once. */
function merged(rows: readonly InsightRow[]): InsightRow[] {
  const byKey = new Map<string, InsightRow>();
  for (const row of rows) {
    const known = byKey.get(keyOf(row));
    if (known)
      byKey.set(keyOf(row), { ...known, amount: known.amount + row.amount, count: known.count + row.count });
    else byKey.set(keyOf(row), row);
  }
  return [...byKey.values()];
}
const add = compiledShapes<never, number>((db, count, values) =>
  db
    .insertInto("bank_insight")
    .values(
      Array.from(
        { length: count },
        (_, row) =>
          Object.fromEntries(
            COLUMNS.map((column, at) => [column, values[row * COLUMNS.length + at]]),
          ) as InsightRow,
      ),
    )
    .onConflict((conflict) =>
      conflict.columns(KEY).doUpdateSet({
        amount: sql`bank_insight.amount + excluded.amount`,
        count: sql`bank_insight.count + excluded.count`,
      }),
    ),
);
/** Adds to the sums. Negative amounts and counts are subtracted. */
export async function addInsights(db: Db, rows: readonly InsightRow[]): Promise<void> {
  const changes = merged(rows);
  if (changes.length === 0) return;
  const values = changes.flatMap((row) => COLUMNS.map((column) => row[column]));
  await add(db, String(changes.length), changes.length, values);
}

/** The key of a sum: category and currency. */
export type InsightSum = Pick<InsightRow, "category" | "currency" | "amount" | "count">;
const sumOf = ({ category, currency, amount, count }: InsightSum): InsightSum => ({
  category,
  currency,
  amount: Number(amount),
  count: Number(count),
});
const selectSums = compiledQuery<InsightSum, [string, number, number, number]>(
  ["", 0, 0, 0],
  (db, account, userId, sinceHour, untilHour) =>
    db
      .selectFrom("bank_insight")
      .select(["category", "currency"])
      .select(({ fn }) => [fn.sum("amount").as("amount"), fn.sum("count").as("count")])
      .where("account", "=", account)
      .where("user_id", "=", userId)
      .where("hour_at", ">=", sinceHour)
      .where("hour_at", "<", untilHour)
      .groupBy(["category", "currency"]),
);
const selectSumsOfPayments = compiledQuery<InsightSum, [string, number, number, number]>(
  ["", 0, 0, 0],
  (db, account, userId, sinceMs, untilMs) =>
    // CROSS JOIN makes SQLite start with the user's few accounts instead of with all entries.
    db
      .selectFrom("bank_ledger as ledger")
      .crossJoin("bank_entry as entry")
      .crossJoin("bank_payment as payment")
      .select(["payment.category", "payment.currency"])
      .select(({ fn }) => [fn.sum("payment.amount").as("amount"), fn.countAll().as("count")])
      .where("ledger.account", "=", account)
      .where("ledger.user_id", "=", userId)
      .whereRef("entry.account", "=", "ledger.account")
      .whereRef("entry.ledger_id", "=", "ledger.id")
      .where("entry.created_at", ">=", sinceMs)
      .where("entry.created_at", "<", untilMs)
      .whereRef("payment.account", "=", "entry.account")
      .whereRef("payment.ledger_id", "=", "entry.ledger_id")
      // The ids of a payment's two sides follow the id of their movement: first the payer's, then the
      // payee's.
      .whereRef("payment.id", ">", "entry.movement_id")
      .where(sql<SqlBool>`payment.id <= entry.movement_id + 2`)
      .groupBy(["payment.category", "payment.currency"]),
);
type Time = { readonly sinceMs: number; readonly untilMs: number };
export const sumHours = async (
  db: Db,
  account: string,
  userId: number,
  { sinceMs, untilMs }: Time,
): Promise<InsightSum[]> => (await selectSums(db, account, userId, sinceMs, untilMs)).map(sumOf);
/** Sums the payments themselves, for periods shorter than an hour. */
export const sumPayments = async (
  db: Db,
  account: string,
  userId: number,
  { sinceMs, untilMs }: Time,
): Promise<InsightSum[]> => (await selectSumsOfPayments(db, account, userId, sinceMs, untilMs)).map(sumOf);

type Kept = Pick<RecordRow, "id" | "user_id" | "body">;
const selectRules = compiledShapes<Kept, number>((db, _count, [account, kind, ...users]) =>
  db
    .selectFrom("bank_record")
    .select(["id", "user_id", "body"])
    .where("account", "=", account)
    .where("kind", "=", kind)
    .where("user_id", "in", users)
    .where("owner_id", "=", 0)
    .where("status", "=", "ACTIVE"),
);
/**
 * Rules of users. They are few and sorted in memory, because with ORDER BY SQLite would scan all records of
 * the account.
 */
export async function listRules(
  db: Db,
  account: string,
  kind: string,
  users: readonly number[],
): Promise<Kept[]> {
  const { rows } = await selectRules(db, String(users.length), users.length, [account, kind, ...users]);
  return rows
    .map(({ id, user_id, body }) => ({ id: Number(id), user_id: Number(user_id), body }))
    .sort((one, other) => one.id - other.id);
}

export const updateCategory = compiledUpdate<
  Pick<PaymentRow, "account" | "id" | "category">,
  "account" | "id"
>("bank_payment", ["account", "id"], ["category"]);
