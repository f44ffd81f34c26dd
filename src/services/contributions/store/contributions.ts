/** Contributions with their media. */
import { type Kysely, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import type { StateName } from "../domain/moderation.ts";
import type { ContributionRow, MediaUsageRow, Tables } from "../tables/index.ts";
import { contributionOf } from "./search.ts";

type Db = Kysely<Tables>;
const { compiledInsert, compiledQuery } = queriesOf<Db>();

const selectContribution = compiledQuery<ContributionRow, [string, string]>(["", ""], (db, id, account) =>
  db
    .selectFrom("contributions_contribution")
    .selectAll()
    .where("id", "=", id)
    .where("account", "=", account)
    .where("deleted_at", "is", null),
);
export async function findContribution(
  db: Db,
  account: string,
  id: string,
): Promise<ContributionRow | undefined> {
  const [row] = await selectContribution(db, id, account);
  return row && contributionOf(row);
}

export type AfterPlace = { readonly afterPlace: number; readonly limit: number };
/** Those of an assignment, oldest first. */
export const contributionsAfter = (
  db: Db,
  account: string,
  assignmentId: string,
  { afterPlace, limit }: AfterPlace,
) =>
  db
    .selectFrom("contributions_contribution")
    .selectAll()
    .where("account", "=", account)
    .where("assignment_id", "=", assignmentId)
    .where("place", ">", afterPlace)
    .where("deleted_at", "is", null)
    .orderBy("place")
    .limit(limit);

/** Returns false if the place is taken. */
export const insertContribution = compiledInsert<ContributionRow>("contributions_contribution", [
  "account",
  "place",
  "id",
  "assignment_id",
  "user_id",
  "owner_id",
  "headline",
  "body",
  "attribution",
  "url_words",
  "words",
  "facets",
  "state",
  "is_public",
  "exact_latitude",
  "exact_longitude",
  "latitude",
  "longitude",
  "geohash",
  "x",
  "y",
  "z",
  "country",
  "place_name",
  "place_details",
  "images",
  "videos",
  "likes",
  "flags",
  "form_response_id",
  "external_ids",
  "via",
  "consented_at",
  "deleted_at",
]);

export const setState = (
  db: Db,
  account: string,
  id: string,
  change: { state: StateName; is_public: number; flags?: number },
) =>
  db
    .updateTable("contributions_contribution")
    .set(change)
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();

export async function insertUsages(db: Db, rows: readonly MediaUsageRow[]): Promise<void> {
  if (rows.length > 0) await db.insertInto("contributions_media_usage").values(rows).execute();
}
const usagesOfOne = compiledQuery<MediaUsageRow, [string, string]>(["", ""], (db, account, contributionId) =>
  db
    .selectFrom("contributions_media_usage")
    .selectAll()
    .where("account", "=", account)
    .where("contribution_id", "=", contributionId)
    .orderBy("position"),
);
/** In order, by contribution id. */
export async function usagesOf(
  db: Db,
  account: string,
  contributionIds: readonly string[],
): Promise<MediaUsageRow[]> {
  const [only = "", ...more] = contributionIds;
  if (more.length === 0) return only === "" ? [] : usagesOfOne(db, account, only);
  return db
    .selectFrom("contributions_media_usage")
    .selectAll()
    .where("account", "=", account)
    .where("contribution_id", "in", contributionIds)
    .orderBy("contribution_id")
    .orderBy("position")
    .execute();
}
/** Hides it at once. */
export const markDeleted = (db: Db, account: string, id: string, nowMs: number) =>
  db
    .updateTable("contributions_contribution")
    .set({ deleted_at: nowMs, is_public: 0 })
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();

export async function idsOfAssignment(
  db: Db,
  account: string,
  assignmentId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("contributions_contribution")
    .select("id")
    .where("account", "=", account)
    .where("assignment_id", "=", assignmentId)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

const BELONGINGS = [
  "contributions_like",
  "contributions_flag",
  "contributions_moderation",
  "contributions_edit",
  "contributions_media_usage",
  "contributions_form_response",
] as const;
/** With all dependent rows, in one transaction. Returns the media that are no longer used. */
export async function removeContributions(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const used = (await usagesOf(db, account, ids)).map((usage) => usage.media_id);
  for (const table of BELONGINGS)
    await db.deleteFrom(table).where("account", "=", account).where("contribution_id", "in", ids).execute();
  await db
    .deleteFrom("contributions_tagged")
    .where("account", "=", account)
    .where("kind", "=", "contribution")
    .where("record_id", "in", ids)
    .execute();
  await db
    .deleteFrom("contributions_contribution")
    .where("account", "=", account)
    .where("id", "in", ids)
    .execute();
  return listUnusedAmong(db, account, used);
}
/** The media that neither a contribution nor a cover shows. */
export async function listUnusedAmong(
  db: Db,
  account: string,
  mediaIds: readonly string[],
): Promise<string[]> {
  if (mediaIds.length === 0) return [];
  const still = await db
    .selectFrom("contributions_media_usage")
    .select("media_id")
    .where("account", "=", account)
    .where("media_id", "in", mediaIds)
    .execute();
  const covers = await db
    .selectFrom("contributions_assignment")
    .select("cover_media_id")
    .where("account", "=", account)
    .where("cover_media_id", "in", mediaIds)
    .where("deleted_at", "is", null)
    .execute();
  const kept = new Set([...still.map((row) => row.media_id), ...covers.map((row) => row.cover_media_id)]);
  return [...new Set(mediaIds)].filter((id) => !kept.has(id));
}

export async function countByState(db: Db, account: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`select state, count(*) as count
    from contributions_contribution where account = ${account} and deleted_at is null group by state`.execute(
    db,
  );
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}
