/** Users of the bank, their aliases and their keys. */
import { queriesOf } from "#kernel/db";
import {
  type AliasRow,
  type Db,
  type KeyRow,
  numbersIn,
  type Slice,
  sliceOf,
  type UserRow,
} from "../../book/index.ts";

const { compiledInsert, compiledQuery, compiledUpdate } = queriesOf<Db>();

const USER_COLUMNS = [
  "account",
  "id",
  "kind",
  "public_uuid",
  "is_default",
  "status",
  "display_name",
  "country",
  "session_seconds",
  "certificate",
  "details",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof UserRow)[];
const userOf = numbersIn<UserRow>("id", "is_default", "session_seconds", "created_at", "updated_at");

export const insertUser = compiledInsert<UserRow>("bank_user", USER_COLUMNS);
export const updateUser = compiledUpdate<UserRow, "account" | "id">(
  "bank_user",
  ["account", "id"],
  ["status", "display_name", "country", "session_seconds", "details", "updated_at"],
);
const selectUser = compiledQuery<UserRow, [string, number]>(["", 0], (db, account, id) =>
  db.selectFrom("bank_user").selectAll().where("account", "=", account).where("id", "=", id),
);
export async function findUser(db: Db, account: string, id: number): Promise<UserRow | undefined> {
  const [row] = await selectUser(db, account, id);
  return row && userOf(row);
}
const selectDefault = compiledQuery<{ id: number }, [string]>([""], (db, account) =>
  db
    .selectFrom("bank_user")
    .select("id")
    .where("account", "=", account)
    .where("is_default", "=", 1)
    .orderBy("id")
    .limit(1),
);
export async function findDefaultUser(db: Db, account: string): Promise<number | undefined> {
  const [row] = await selectDefault(db, account);
  return row && Number(row.id);
}
export async function countUsers(db: Db, account: string): Promise<number> {
  const { count } = await db
    .selectFrom("bank_user")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findUserByCertificate(
  db: Db,
  account: string,
  fingerprint: string,
): Promise<UserRow | undefined> {
  const row = await db
    .selectFrom("bank_user")
    .selectAll()
    .where("account", "=", account)
    .where("certificate", "=", fingerprint)
    .executeTakeFirst();
  return row && userOf(row);
}
/** Returns false if another user has this alias. */
export const insertAlias = compiledInsert<AliasRow>("bank_alias", [
  "account",
  "type",
  "value",
  "name",
  "user_id",
  "ledger_id",
]);
const aliasOf = numbersIn<AliasRow>("user_id", "ledger_id");
const selectAlias = compiledQuery<AliasRow, [string, string, string]>(
  ["", "", ""],
  (db, account, type, value) =>
    db
      .selectFrom("bank_alias")
      .selectAll()
      .where("account", "=", account)
      .where("type", "=", type)
      .where("value", "=", value),
);
export async function findAlias(
  db: Db,
  account: string,
  type: string,
  value: string,
): Promise<AliasRow | undefined> {
  const [row] = await selectAlias(db, account, type, value);
  return row && aliasOf(row);
}
const selectAliasesOfUser = compiledQuery<AliasRow, [string, number]>(["", 0], (db, account, userId) =>
  db.selectFrom("bank_alias").selectAll().where("account", "=", account).where("user_id", "=", userId),
);
/** Sorted in memory: with ORDER BY, SQLite would scan all aliases of the account. */
export async function listAliases(db: Db, account: string, userId: number): Promise<AliasRow[]> {
  const rows = await selectAliasesOfUser(db, account, userId);
  const keyOf = ({ type, value }: AliasRow): string => `${type} ${value}`;
  return rows.map(aliasOf).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

export const insertKey = compiledInsert<KeyRow>("bank_key", [
  "hash",
  "account",
  "id",
  "user_id",
  "oauth_client_id",
  "description",
  "permitted_ips",
  "status",
  "created_at",
  "updated_at",
]);
const keyOf = numbersIn<KeyRow>("id", "user_id", "oauth_client_id", "created_at", "updated_at");
const selectKey = compiledQuery<KeyRow, [string]>([""], (db, hash) =>
  db.selectFrom("bank_key").selectAll().where("hash", "=", hash),
);
export async function findKey(db: Db, hash: string): Promise<KeyRow | undefined> {
  const [row] = await selectKey(db, hash);
  return row && keyOf(row);
}
export async function pageOfKeys(db: Db, account: string, userId: number, slice: Slice): Promise<KeyRow[]> {
  const query = db
    .selectFrom("bank_key")
    .selectAll()
    .where("account", "=", account)
    .where("user_id", "=", userId);
  return (await sliceOf(query, slice)).map(keyOf);
}
export async function findKeyById(
  db: Db,
  account: string,
  userId: number,
  id: number,
): Promise<KeyRow | undefined> {
  const [row] = await pageOfKeys(db, account, userId, { olderThan: id + 1, newerThan: id - 1, limit: 1 });
  return row;
}
export async function updatePermittedIps(
  db: Db,
  account: string,
  id: number,
  permittedIps: readonly string[],
): Promise<void> {
  await db
    .updateTable("bank_key")
    .set({ permitted_ips: JSON.stringify(permittedIps) })
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();
}
/** Deletes an application's access: its keys, and the sessions opened with them. */
export async function deleteKeysOfClient(db: Db, account: string, oauthClientId: number): Promise<void> {
  await db
    .deleteFrom("bank_session")
    .where("account", "=", account)
    .where("key_id", "in", (inner) =>
      inner
        .selectFrom("bank_key")
        .select("id")
        .where("account", "=", account)
        .where("oauth_client_id", "=", oauthClientId),
    )
    .execute();
  await db
    .deleteFrom("bank_key")
    .where("account", "=", account)
    .where("oauth_client_id", "=", oauthClientId)
    .execute();
}
