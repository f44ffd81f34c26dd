/** Applications that act for users, and the codes that become their keys. */
import { queriesOf } from "#kernel/db";
import { type Db, type OauthClientRow, type OauthCodeRow, type Slice, sliceOf } from "../../book/index.ts";

const { compiledInsert } = queriesOf<Db>();

const clientOf = (row: OauthClientRow): OauthClientRow => ({
  ...row,
  id: Number(row.id),
  user_id: Number(row.user_id),
  created_at: Number(row.created_at),
  updated_at: Number(row.updated_at),
});
export const insertOauthClient = compiledInsert<OauthClientRow>("bank_oauth_client", [
  "account",
  "id",
  "user_id",
  "client_id",
  "secret",
  "display_name",
  "status",
  "created_at",
  "updated_at",
]);
export async function findOauthClient(
  db: Db,
  account: string,
  userId: number,
  id: number,
): Promise<OauthClientRow | undefined> {
  const client = await findOauthClientById(db, account, id);
  return client?.user_id === userId ? client : undefined;
}
export async function findOauthClientById(
  db: Db,
  account: string,
  id: number,
): Promise<OauthClientRow | undefined> {
  const row = await db
    .selectFrom("bank_oauth_client")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && clientOf(row);
}
/** By the name that it shows itself, before it is known whose it is. */
export async function findOauthClientByName(db: Db, clientId: string): Promise<OauthClientRow | undefined> {
  const row = await db
    .selectFrom("bank_oauth_client")
    .selectAll()
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return row && clientOf(row);
}
export async function updateOauthStatus(
  db: Db,
  account: string,
  id: number,
  { status, atMs }: { readonly status: string; readonly atMs: number },
): Promise<void> {
  await db
    .updateTable("bank_oauth_client")
    .set({ status, updated_at: atMs })
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();
}
export async function pageOfOauthClients(
  db: Db,
  account: string,
  userId: number,
  slice: Slice,
): Promise<OauthClientRow[]> {
  const query = db
    .selectFrom("bank_oauth_client")
    .selectAll()
    .where("account", "=", account)
    .where("user_id", "=", userId);
  return (await sliceOf(query, slice)).map(clientOf);
}

export const insertOauthCode = compiledInsert<OauthCodeRow>("bank_oauth_code", [
  "hash",
  "account",
  "oauth_client_id",
  "user_id",
  "redirect_uri",
  "expires_at",
]);
/** A code is good once. */
export async function takeOauthCode(db: Db, hash: string): Promise<OauthCodeRow | undefined> {
  const row = await db
    .deleteFrom("bank_oauth_code")
    .where("hash", "=", hash)
    .returningAll()
    .executeTakeFirst();
  return (
    row && {
      ...row,
      oauth_client_id: Number(row.oauth_client_id),
      user_id: Number(row.user_id),
      expires_at: Number(row.expires_at),
    }
  );
}
