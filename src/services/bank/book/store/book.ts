/** The whole bank of an account, as the console's book shows it. */
import type { LedgerRow, PaymentRow, RecordRow } from "../tables.ts";
import type { Db } from "./db.ts";

export async function listBookLedgers(db: Db, account: string, limit: number): Promise<LedgerRow[]> {
  return db
    .selectFrom("bank_ledger")
    .selectAll()
    .where("account", "=", account)
    .orderBy("user_id")
    .orderBy("id")
    .limit(limit)
    .execute();
}
/** The first accounts of users on which more happened than the first deposit. */
export async function listMovedLedgers(db: Db, account: string, limit: number): Promise<LedgerRow[]> {
  return db
    .selectFrom("bank_ledger")
    .selectAll()
    .where("account", "=", account)
    .where("user_id", ">", 0)
    .where("serial", ">", 1)
    .orderBy("user_id")
    .orderBy("id")
    .limit(limit)
    .execute();
}
export async function listBookPayments(db: Db, account: string, limit: number): Promise<PaymentRow[]> {
  return db
    .selectFrom("bank_payment")
    .selectAll()
    .where("account", "=", account)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
export async function listBookRecords(
  db: Db,
  account: string,
  kind: string,
  limit: number,
): Promise<RecordRow[]> {
  return db
    .selectFrom("bank_record")
    .selectAll()
    .where("account", "=", account)
    .where("kind", "=", kind)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
