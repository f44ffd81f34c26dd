/** All SQL on users. Names and proven addresses are unique within an account. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Tables, UserRow } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();
const SAME_MAILBOX_MAX = 3;
const SAME_NAME_MAX = 5;

const selectUser = compiledQuery<UserRow, [string]>([""], (db, id) =>
  db.selectFrom("identity_user").selectAll().where("id", "=", id),
);
export const findUser = async (db: Db, id: string): Promise<UserRow | undefined> =>
  (await selectUser(db, id))[0];
export const findUserByUsernameKey = (db: Db, account: string, key: string) =>
  db
    .selectFrom("identity_user")
    .selectAll()
    .where("account", "=", account)
    .where("username_key", "=", key)
    .executeTakeFirst();
export const findUserByProvenEmailKey = (db: Db, account: string, key: string) =>
  db
    .selectFrom("identity_user")
    .selectAll()
    .where("account", "=", account)
    .where("proven_email_key", "=", key)
    .executeTakeFirst();
/** Where no account is known: the few that have this name. */
export const listUsersByUsernameKey = (db: Db, key: string) =>
  db
    .selectFrom("identity_user")
    .selectAll()
    .where("username_key", "=", key)
    .orderBy("account")
    .limit(SAME_NAME_MAX)
    .execute();
export const listUsersByProvenEmailKey = (db: Db, key: string) =>
  db
    .selectFrom("identity_user")
    .selectAll()
    .where("proven_email_key", "=", key)
    .orderBy("account")
    .limit(SAME_NAME_MAX)
    .execute();
/** The newest few: until it is proven, several people may have written the same address. */
export const listUsersByEmailKey = (db: Db, key: string) =>
  db
    .selectFrom("identity_user")
    .selectAll()
    .where("email_key", "=", key)
    .orderBy("id", "desc")
    .limit(SAME_MAILBOX_MAX)
    .execute();

/** Returns false if the user name is taken. */
export async function insertUser(db: Db, row: UserRow): Promise<boolean> {
  const result = await db
    .insertInto("identity_user")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
export const updateUser = (db: Db, id: string, change: Partial<UserRow>) =>
  db.updateTable("identity_user").set(change).where("id", "=", id).execute();

/** Everything that belongs to the person, the person last. */
export async function deleteUser(db: Db, id: string): Promise<void> {
  for (const table of [
    "identity_session",
    "identity_mail_token",
    "identity_passkey",
    "identity_consent",
    "identity_named_user",
  ] as const)
    await db.deleteFrom(table).where("user_id", "=", id).execute();
  await db.deleteFrom("identity_user").where("id", "=", id).execute();
}
