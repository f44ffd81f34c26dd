/** Lookups of rows that another row refers to. They throw if the row is missing. */
import { type Db, findLedger, type LedgerRow, type UserRow } from "../../book/index.ts";
import { findUser } from "./users.ts";

export async function getKnownLedger(db: Db, account: string, id: number): Promise<LedgerRow> {
  const ledger = await findLedger(db, account, id);
  if (!ledger) throw new Error(`the account ${id} is gone`);
  return ledger;
}
export async function getKnownUser(db: Db, account: string, id: number): Promise<UserRow> {
  const user = await findUser(db, account, id);
  if (!user) throw new Error(`the user ${id} is gone`);
  return user;
}
