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

export async function proveBooks(db: Db, account: string): Promise<Proof> {
  const sums = await db
    .selectFrom("bank_entry as entry")
    .innerJoin("bank_ledger as ledger", (join) =>
      join.onRef("ledger.account", "=", "entry.account").onRef("ledger.id", "=", "entry.ledger_id"),
    )
    .select(["ledger.currency", ({ fn }) => fn.sum<number>("entry.amount").as("sum")])
    .select(({ fn }) => fn.countAll<number>().as("entries"))
    .where("entry.account", "=", account)
    .groupBy("ledger.currency")
    .orderBy("ledger.currency")
    .execute();
  const total = sql<number>`coalesce(sum(${sql.ref("entry.amount")}), 0)`;
  const wrong = await db
    .selectFrom("bank_ledger as ledger")
    .leftJoin("bank_entry as entry", (join) =>
      join.onRef("ledger.account", "=", "entry.account").onRef("ledger.id", "=", "entry.ledger_id"),
    )
    .select(["ledger.id", "ledger.balance", total.as("sum")])
    .where("ledger.account", "=", account)
    .groupBy(["ledger.id", "ledger.balance", "ledger.serial"])
    .having(({ eb, or, fn }) =>
      or([eb("ledger.balance", "<>", total), eb("ledger.serial", "<>", fn.count<number>("entry.serial"))]),
    )
    .limit(WRONG_MAX)
    .execute();
  const known = sums.map(({ currency, sum, entries }) => ({
    currency,
    sum: Number(sum),
    entries: Number(entries),
  }));
  return {
    isSound: wrong.length === 0 && known.every(({ sum }) => sum === 0),
    entries: known.reduce((count, { entries }) => count + entries, 0),
    sums: known,
    wrong: wrong.map(({ id, balance, sum }) => ({
      ledgerId: Number(id),
      balance: Number(balance),
      sum: Number(sum),
    })),
  };
}

/** Accounts that have books at all. */
export async function listBookkeepers(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("bank_sequence").select("account").orderBy("account").execute();
  return rows.map(({ account }) => account);
}
