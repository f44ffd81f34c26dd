/** Likes, flags and moderators' decisions. */
import { type Kysely, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import type { FlagRow, LikeRow, ModerationRow, Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;
const { compiledInsert, compiledQuery } = queriesOf<Db>();

/** Returns false if they already like it. */
export const insertLike = compiledInsert<LikeRow>("contributions_like", [
  "account",
  "contribution_id",
  "user_id",
  "liked_at",
]);
/** Returns the new count. */
export async function addToCount(
  db: Db,
  account: string,
  contributionId: string,
  what: "likes" | "flags",
  by: number,
): Promise<number> {
  const row = await db
    .updateTable("contributions_contribution")
    .set({ [what]: sql`${sql.ref(what)} + ${by}` })
    .where("account", "=", account)
    .where("id", "=", contributionId)
    .returning(what)
    .executeTakeFirst();
  return Number(row?.[what] ?? 0);
}
const LIKES_LISTED_MAX = 10_000;
/** Oldest first. */
export async function listLikes(db: Db, account: string, contributionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("contributions_like")
    .select("user_id")
    .where("account", "=", account)
    .where("contribution_id", "=", contributionId)
    .orderBy("liked_at")
    .orderBy("user_id")
    .limit(LIKES_LISTED_MAX)
    .execute();
  return rows.map((row) => row.user_id);
}

/** Returns false if the same user or network flagged it before. */
export const insertFlag = compiledInsert<FlagRow>("contributions_flag", [
  "account",
  "id",
  "contribution_id",
  "flagged_by",
  "type",
  "notes",
  "email",
  "flagged_at",
]);
export const findFlag = (
  db: Db,
  account: string,
  contributionId: string,
  flaggedBy: string,
): Promise<FlagRow | undefined> =>
  db
    .selectFrom("contributions_flag")
    .selectAll()
    .where("account", "=", account)
    .where("contribution_id", "=", contributionId)
    .where("flagged_by", "=", flaggedBy)
    .executeTakeFirst();
const FLAGS_SHOWN_MAX = 20;
/** The latest of each, by contribution id. */
export async function flagsOf(
  db: Db,
  account: string,
  contributionIds: readonly string[],
): Promise<Map<string, FlagRow[]>> {
  const found = new Map<string, FlagRow[]>();
  if (contributionIds.length === 0) return found;
  const { rows } = await sql<FlagRow>`select * from (
    select contributions_flag.*, row_number() over (partition by contribution_id order by flagged_at desc, id desc) as number
    from contributions_flag where account = ${account} and contribution_id in (${sql.join(contributionIds)})) as numbered
    where number <= ${FLAGS_SHOWN_MAX} order by number`.execute(db);
  for (const row of rows) found.set(row.contribution_id, [...(found.get(row.contribution_id) ?? []), row]);
  return found;
}
/** Clears the flags after a moderator's decision: the same users may flag again. */
export const forgetFlags = (db: Db, account: string, contributionId: string) =>
  db
    .deleteFrom("contributions_flag")
    .where("account", "=", account)
    .where("contribution_id", "=", contributionId)
    .execute();

export const insertModeration = compiledInsert<ModerationRow>("contributions_moderation", [
  "account",
  "contribution_id",
  "id",
  "action",
  "notes",
  "user_id",
  "moderated_at",
]);
const moderationsOfOne = compiledQuery<ModerationRow, [string, string]>(
  ["", ""],
  (db, account, contributionId) =>
    db
      .selectFrom("contributions_moderation")
      .selectAll()
      .where("account", "=", account)
      .where("contribution_id", "=", contributionId)
      .orderBy("id"),
);
/** In order, by contribution id. */
export async function moderationsOf(
  db: Db,
  account: string,
  contributionIds: readonly string[],
): Promise<Map<string, ModerationRow[]>> {
  const found = new Map<string, ModerationRow[]>();
  const [only = "", ...more] = contributionIds;
  if (more.length === 0) {
    const rows = only === "" ? [] : await moderationsOfOne(db, account, only);
    return rows.length === 0 ? found : found.set(only, rows);
  }
  const rows = await db
    .selectFrom("contributions_moderation")
    .selectAll()
    .where("account", "=", account)
    .where("contribution_id", "in", contributionIds)
    .orderBy("id")
    .execute();
  for (const row of rows) found.set(row.contribution_id, [...(found.get(row.contribution_id) ?? []), row]);
  return found;
}
