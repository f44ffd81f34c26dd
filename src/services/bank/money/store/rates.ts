/** Exchange rates that an operator has set. */
import { queriesOf } from "#kernel/db";
import type { Db, RateRow } from "../../book/index.ts";

const { compiledQuery } = queriesOf<Db>();

const selectRate = compiledQuery<RateRow, [string, string]>(["", ""], (db, account, currency) =>
  db.selectFrom("bank_rate").selectAll().where("account", "=", account).where("currency", "=", currency),
);
export async function findRate(db: Db, account: string, currency: string): Promise<string | undefined> {
  const [row] = await selectRate(db, account, currency);
  return row?.rate;
}
export async function upsertRate(db: Db, row: RateRow): Promise<void> {
  const { rate, updated_at } = row;
  await db
    .insertInto("bank_rate")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account", "currency"]).doUpdateSet({ rate, updated_at }))
    .execute();
}
