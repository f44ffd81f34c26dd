/** All SQL on people in the credentials file. */
import type { Kysely } from "kysely";
import type { NamedUserRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const FOUND_MAX = 5;

export const findNamedUser = (db: Db, account: string, usernameKey: string) =>
  db
    .selectFrom("identity_named_user")
    .selectAll()
    .where("account", "=", account)
    .where("username_key", "=", usernameKey)
    .executeTakeFirst();
export const findNamedUserById = (db: Db, account: string, userId: string) =>
  db
    .selectFrom("identity_named_user")
    .selectAll()
    .where("account", "=", account)
    .where("user_id", "=", userId)
    .executeTakeFirst();
/** By user name or address; in every account if none is given. */
export function listNamedUsers(db: Db, account: string | undefined, key: string) {
  const query = db
    .selectFrom("identity_named_user")
    .selectAll()
    .where((e) => e.or([e("username_key", "=", key), e("email_key", "=", key)]));
  return (account === undefined ? query : query.where("account", "=", account)).limit(FOUND_MAX).execute();
}
export async function putNamedUser(db: Db, row: NamedUserRow): Promise<void> {
  const { account: _account, username_key: _key, ...changing } = row;
  await db
    .insertInto("identity_named_user")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account", "username_key"]).doUpdateSet(changing))
    .execute();
}
