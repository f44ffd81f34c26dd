/** Users, and what they contributed. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Sight } from "../domain/access.ts";
import type { Filter } from "../domain/filter.ts";
import type { Tables, UserRow } from "../tables/index.ts";
import type { Counted, PageNumber } from "./paged.ts";
import { conditionsOf } from "./search-conditions.ts";

type Db = Kysely<Tables>;
const { compiledInsert, compiledQuery } = queriesOf<Db>();

const selectUser = compiledQuery<UserRow, [string, string]>(["", ""], (db, account, id) =>
  db.selectFrom("contributions_user").selectAll().where("account", "=", account).where("id", "=", id),
);
export async function findUser(db: Db, account: string, id: string): Promise<UserRow | undefined> {
  return (await selectUser(db, account, id))[0];
}
export const insertUser = compiledInsert<UserRow>("contributions_user", [
  "account",
  "id",
  "username",
  "username_key",
  "display_name",
  "bio",
  "registered_at",
]);

type Names = Pick<UserRow, "username" | "username_key" | "display_name">;
export const renameUser = (db: Db, account: string, id: string, names: Names) =>
  db
    .updateTable("contributions_user")
    .set(names)
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();

export type UserFilter = {
  readonly usernameKey?: string | undefined;
  readonly linkedProfile?: "account" | "identity" | undefined;
  readonly contributionsMin: number;
  /** Only contributions that match, and that the caller may see, count. */
  readonly contributions: Filter;
};
/** Most contributions first. Without a filter and with full permission, all users are listed. */
export async function pageOfUsers(
  db: Db,
  account: string,
  { usernameKey, linkedProfile, contributionsMin, contributions }: UserFilter,
  sight: Sight,
  { page, pageSize }: PageNumber,
): Promise<Counted<UserRow>> {
  const counts = sql`(select user_id, count(*) as count from contributions_contribution c
    where ${sql.join(conditionsOf(db, account, contributions, sight), sql` and `)} and user_id is not null group by user_id)`;
  const isEverybody = sight.everything && contributionsMin === 0 && Object.keys(contributions).length === 0;
  const wanted: RawBuilder<unknown>[] = [sql`u.account = ${account}`];
  if (usernameKey !== undefined) wanted.push(sql`u.username_key = ${usernameKey}`);
  if (linkedProfile !== undefined)
    wanted.push(linkedProfile === "account" ? sql`u.id = u.account` : sql`u.id <> u.account`);
  const own = sight.everything ? sql`1 = 0` : sql`u.id = ${sight.userId ?? ""} and ${contributionsMin} = 0`;
  wanted.push(isEverybody ? sql`1 = 1` : sql`(n.count >= ${Math.max(1, contributionsMin)} or (${own}))`);
  const from = sql`from contributions_user u left join ${counts} n on n.user_id = u.id where ${sql.join(wanted, sql` and `)}`;
  const { rows: counted } = await sql<{ count: number }>`select count(*) as count ${from}`.execute(db);
  const { rows } = await sql<UserRow>`select u.* ${from}
    order by coalesce(n.count, 0) desc, u.id limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
  return { rows, total: Number(counted[0]?.count ?? 0) };
}

/** Whether a user has contributed anything that the caller may see. */
export async function hasContributed(
  db: Db,
  account: string,
  userId: string,
  sight: Sight,
): Promise<boolean> {
  const { rows } = await sql`select 1 from contributions_contribution c
    where ${sql.join(conditionsOf(db, account, { user: userId }, sight), sql` and `)} limit 1`.execute(db);
  return rows.length > 0;
}
