/** The only SQL. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { RoleRow, SessionRow, Tables } from "./tables.ts";

type Db = Kysely<Tables>;
const { compiledInsert, compiledQuery } = queriesOf<Db>();

const selectRole = compiledQuery<RoleRow, [string, string]>(["", ""], (db, account, name) =>
  db.selectFrom("security_tokens_role").selectAll().where("account", "=", account).where("name", "=", name),
);
export const findRole = async (db: Db, account: string, name: string): Promise<RoleRow | undefined> =>
  (await selectRole(db, account, name))[0];
export async function putRole(db: Db, account: string, role: Omit<RoleRow, "account">): Promise<void> {
  const { name, created_at, ...changing } = role;
  await db
    .insertInto("security_tokens_role")
    .values({ account, name, created_at, ...changing })
    .onConflict((conflict) => conflict.columns(["account", "name"]).doUpdateSet(changing))
    .execute();
}
/** Answers false when there is none of that name. */
export async function deleteRole(db: Db, account: string, name: string): Promise<boolean> {
  const result = await db
    .deleteFrom("security_tokens_role")
    .where("account", "=", account)
    .where("name", "=", name)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
export async function countRoles(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("security_tokens_role")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
/** In the order of their names. */
export const listRoles = (
  db: Db,
  account: string,
  { after = "", limit }: { after?: string | undefined; limit: number },
): Promise<RoleRow[]> =>
  db
    .selectFrom("security_tokens_role")
    .selectAll()
    .where("account", "=", account)
    .where("name", ">", after)
    .orderBy("name")
    .limit(limit)
    .execute();

const selectSession = compiledQuery<SessionRow, [string]>([""], (db, id) =>
  db.selectFrom("security_tokens_session").selectAll().where("id", "=", id),
);
/** Before anybody knows whose it is. */
export const findSession = async (db: Db, _account: undefined, id: string): Promise<SessionRow | undefined> =>
  (await selectSession(db, id))[0];
const insertRow = compiledInsert<SessionRow>("security_tokens_session", [
  "account",
  "id",
  "secret",
  "token",
  "name",
  "scopes",
  "restrictions",
  "issued_to",
  "created_at",
  "expires_at",
]);
export async function insertSession(
  db: Db,
  account: string,
  session: Omit<SessionRow, "account">,
): Promise<void> {
  await insertRow(db, { account, ...session });
}
/** Those that ended before an instant. */
export async function deleteEndedSessions(db: Db, account: string, beforeMs: number): Promise<void> {
  await db
    .deleteFrom("security_tokens_session")
    .where("account", "=", account)
    .where("expires_at", "<=", beforeMs)
    .execute();
}
/** Those that end after an instant. */
export async function countSessions(db: Db, account: string, afterMs: number): Promise<number> {
  const row = await db
    .selectFrom("security_tokens_session")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("expires_at", ">", afterMs)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
/** The last to end come first. */
export const listSessions = (
  db: Db,
  account: string,
  { afterMs, limit }: { afterMs: number; limit: number },
): Promise<SessionRow[]> =>
  db
    .selectFrom("security_tokens_session")
    .selectAll()
    .where("account", "=", account)
    .where("expires_at", ">", afterMs)
    .orderBy("expires_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
