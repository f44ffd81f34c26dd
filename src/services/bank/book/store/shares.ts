/** Accounts that are shared with others: one row is the owner's invitation and the other's response. */
import { queriesOf } from "#kernel/db";
import type { ShareRow } from "../tables.ts";
import { type Db, numbersIn } from "./db.ts";
import { type Slice, sliceOf } from "./slices.ts";

const { compiledInsert, compiledQuery, compiledUpdate } = queriesOf<Db>();

const shareOf = numbersIn<ShareRow>(
  "id",
  "ledger_id",
  "owner_id",
  "user_id",
  "starts_at",
  "ends_at",
  "created_at",
  "updated_at",
);
export const insertShare = compiledInsert<ShareRow>("bank_share", [
  "account",
  "id",
  "ledger_id",
  "owner_id",
  "user_id",
  "access",
  "status",
  "starts_at",
  "ends_at",
  "details",
  "created_at",
  "updated_at",
]);
export const updateShare = compiledUpdate<ShareRow, "account" | "id">(
  "bank_share",
  ["account", "id"],
  ["access", "status", "details", "updated_at"],
);
export async function findShare(db: Db, account: string, id: number): Promise<ShareRow | undefined> {
  const row = await db
    .selectFrom("bank_share")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && shareOf(row);
}
const selectActive = compiledQuery<ShareRow, [string, number]>(["", 0], (db, account, userId) =>
  db
    .selectFrom("bank_share")
    .selectAll()
    .where("account", "=", account)
    .where("user_id", "=", userId)
    .where("status", "=", "ACTIVE"),
);
export const listActiveShares = async (db: Db, account: string, userId: number): Promise<ShareRow[]> =>
  (await selectActive(db, account, userId)).map(shareOf);

/** Shares of an account, or shares offered to a user. */
export async function pageOfShares(
  db: Db,
  account: string,
  of: { readonly ledger_id: number } | { readonly user_id: number },
  slice: Slice,
): Promise<ShareRow[]> {
  const all = db.selectFrom("bank_share").selectAll().where("account", "=", account);
  const query =
    "ledger_id" in of ? all.where("ledger_id", "=", of.ledger_id) : all.where("user_id", "=", of.user_id);
  return (await sliceOf(query, slice)).map(shareOf);
}
