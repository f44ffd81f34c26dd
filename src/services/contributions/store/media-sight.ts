/** Who may see a picture or film: everybody if a public record shows it, otherwise those who may see such a record. */
import { type Kysely, type SqlBool, sql } from "kysely";
import type { Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;

const usedBy = (condition: ReturnType<typeof sql<SqlBool>>) =>
  sql<SqlBool>`exists (select 1 from contributions_media_usage u
    join contributions_contribution c on c.id = u.contribution_id
    join contributions_assignment a on a.id = c.assignment_id
    where u.account = m.account and u.media_id = m.id and c.deleted_at is null and a.deleted_at is null and ${condition})`;
const coverOf = (condition: ReturnType<typeof sql<SqlBool>>) =>
  sql<SqlBool>`exists (select 1 from contributions_assignment a
    where a.account = m.account and a.cover_media_id = m.id and a.deleted_at is null and ${condition})`;

const isOpenToAll = (nowMs: number) => sql<SqlBool>`(a.embargo_at is null or a.embargo_at <= ${nowMs})`;
const isShownToAll = (nowMs: number) =>
  sql<SqlBool>`(${usedBy(sql`c.is_public = 1 and ${isOpenToAll(nowMs)}`)} or ${coverOf(isOpenToAll(nowMs))})`;

/** The ids that a public record shows. */
export async function listPublicMedia(
  db: Db,
  account: string,
  ids: readonly string[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("contributions_media as m")
    .select("m.id")
    .where("m.account", "=", account)
    .where("m.id", "in", ids)
    .where("m.state", "!=", "receiving")
    .where(isShownToAll(nowMs))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Its account, if it is public. */
export const findPublicMediaAccount = (
  db: Db,
  id: string,
  nowMs: number,
): Promise<{ account: string } | undefined> =>
  db
    .selectFrom("contributions_media as m")
    .select("m.account")
    .where("m.id", "=", id)
    .where("m.state", "!=", "receiving")
    .where(isShownToAll(nowMs))
    .executeTakeFirst();

/** Whether this user sent it, or owns or moderates a record that shows it. */
export async function isMediaOf(db: Db, account: string, id: string, userId: string): Promise<boolean> {
  const isTheirs = sql<SqlBool>`(a.owner_id = ${userId} or a.moderator_id = ${userId})`;
  const found = await db
    .selectFrom("contributions_media as m")
    .select("m.id")
    .where("m.account", "=", account)
    .where("m.id", "=", id)
    .where(
      sql<SqlBool>`(m.user_id = ${userId} or ${usedBy(sql`(c.user_id = ${userId} or ${isTheirs})`)} or ${coverOf(isTheirs)})`,
    )
    .executeTakeFirst();
  return found !== undefined;
}
