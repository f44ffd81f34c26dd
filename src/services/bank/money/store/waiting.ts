/** Payments that wait for an alias that nobody has registered yet. */
import { queriesOf } from "#kernel/db";
import type { Db, WaitingRow } from "../../book/index.ts";

const { compiledInsert } = queriesOf<Db>();

export const insertWaiting = compiledInsert<WaitingRow>("bank_waiting", [
  "account",
  "type",
  "value",
  "payment_id",
]);
type Waited = Pick<WaitingRow, "account" | "type" | "value">;
/** The oldest first. */
export async function listWaiting(
  db: Db,
  { account, type, value }: Waited,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom("bank_waiting")
    .select("payment_id")
    .where("account", "=", account)
    .where("type", "=", type)
    .where("value", "=", value)
    .where("payment_id", ">", after)
    .orderBy("payment_id")
    .limit(limit)
    .execute();
  return rows.map(({ payment_id }) => Number(payment_id));
}
export async function deleteWaiting(db: Db, { account, type, value, payment_id }: WaitingRow): Promise<void> {
  await db
    .deleteFrom("bank_waiting")
    .where("account", "=", account)
    .where("type", "=", type)
    .where("value", "=", value)
    .where("payment_id", "=", payment_id)
    .execute();
}
