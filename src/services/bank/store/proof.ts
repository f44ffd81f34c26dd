/** Whether the books balance: every currency sums to nothing, every balance is the sum of its entries. */
import { sql } from "kysely";
import type { Db } from "./db.ts";

const WRONG_MAX = 100;
export type Proof = {
  readonly isSound: boolean;
  readonly entries: number;
  /** By currency: the sum of all entries, which must be nothing. */
  readonly sums: readonly { readonly currency: string; readonly sum: number; readonly entries: number }[];
  /** Accounts whose balance or count is not what their entries say. */
  readonly wrong: readonly { readonly ledgerId: number; readonly balance: number; readonly sum: number }[];
};

/** Accounts with the sums and counts of their entries, which are read once for both questions. */
const totalled = (db: Db, account: string) =>
  db
    .selectFrom("bank_ledger as ledger")
    .leftJoin(
      db
        .selectFrom("bank_entry")
        .select(["ledger_id", ({ fn }) => fn.sum<number>("amount").as("sum")])
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("account", "=", account)
        .groupBy("ledger_id")
        .as("total"),
      (join) => join.onRef("total.ledger_id", "=", "ledger.id"),
    )
    .where("ledger.account", "=", account);
const sum = sql<number>`coalesce(total.sum, 0)`;
const count = sql<number>`coalesce(total.count, 0)`;
const isWrong = sql<boolean>`(ledger.balance <> ${sum} or ledger.serial <> ${count})`;

export async function proveBooks(db: Db, account: string): Promise<Proof> {
  const currencies = await totalled(db, account)
    .select("ledger.currency")
    .select([
      sql<number>`sum(${sum})`.as("sum"),
      sql<number>`sum(${count})`.as("entries"),
      sql<number>`sum(case when ${isWrong} then 1 else 0 end)`.as("wrong"),
    ])
    .groupBy("ledger.currency")
    .orderBy("ledger.currency")
    .execute();
  const sums = currencies
    .map(({ currency, ...one }) => ({ currency, sum: Number(one.sum), entries: Number(one.entries) }))
    .filter(({ entries }) => entries > 0);
  const isEachRight = currencies.every(({ wrong }) => Number(wrong) === 0);
  return {
    isSound: isEachRight && sums.every((one) => one.sum === 0),
    entries: sums.reduce((all, { entries }) => all + entries, 0),
    sums,
    wrong: isEachRight ? [] : await listWrong(db, account),
  };
}
async function listWrong(db: Db, account: string): Promise<Proof["wrong"]> {
  const rows = await totalled(db, account)
    .select(["ledger.id", "ledger.balance", sum.as("sum")])
    .where(isWrong)
    .limit(WRONG_MAX)
    .execute();
  return rows.map((row) => ({
    ledgerId: Number(row.id),
    balance: Number(row.balance),
    sum: Number(row.sum),
  }));
}

/** Accounts that have books at all. */
export async function listBookkeepers(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("bank_sequence").select("account").orderBy("account").execute();
  return rows.map(({ account }) => account);
}
