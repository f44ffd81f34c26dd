/** Tags, tag sets, and what they are on. */
import type { Kysely } from "kysely";
import { compiledQuery } from "#kernel/db";
import type { Tables, TagRow, TagSetRow } from "../tables/index.ts";
import { type Counted, type PageNumber, paged } from "./paged.ts";

type Db = Kysely<Tables>;
export type TaggedKind = "assignment" | "contribution" | "form";

export const findTag = (db: Db, account: string, id: string): Promise<TagRow | undefined> =>
  db
    .selectFrom("contributions_tag")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
export const findTagSet = (db: Db, account: string, id: string): Promise<TagSetRow | undefined> =>
  db
    .selectFrom("contributions_tag_set")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
export const insertTag = (db: Db, row: TagRow) => db.insertInto("contributions_tag").values(row).execute();
export const insertTagSet = (db: Db, row: TagSetRow) =>
  db.insertInto("contributions_tag_set").values(row).execute();

export async function findTags(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<Map<string, TagRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("contributions_tag")
    .selectAll()
    .where("account", "=", account)
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
export async function findTagSets(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<Map<string, TagSetRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("contributions_tag_set")
    .selectAll()
    .where("account", "=", account)
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
export async function countTags(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("contributions_tag")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export type TagFilter = {
  readonly ownedBy?: string | undefined;
  readonly tagSet?: string | undefined;
  readonly urlWords?: string | undefined;
};
export function pageOfTags(
  db: Db,
  account: string,
  { ownedBy, tagSet, urlWords }: TagFilter,
  page: PageNumber,
): Promise<Counted<TagRow>> {
  let query = db.selectFrom("contributions_tag").where("account", "=", account);
  if (ownedBy !== undefined) query = query.where("owner_id", "=", ownedBy);
  if (tagSet !== undefined) query = query.where("tag_set_id", "=", tagSet);
  if (urlWords !== undefined) query = query.where("url_words", "=", urlWords);
  return paged(
    query,
    [
      ["name", "asc"],
      ["id", "asc"],
    ],
    page,
  );
}
export function pageOfTagSets(
  db: Db,
  account: string,
  { ownedBy, urlWords }: TagFilter,
  page: PageNumber,
): Promise<Counted<TagSetRow>> {
  let query = db.selectFrom("contributions_tag_set").where("account", "=", account);
  if (ownedBy !== undefined) query = query.where("owner_id", "=", ownedBy);
  if (urlWords !== undefined) query = query.where("url_words", "=", urlWords);
  return paged(
    query,
    [
      ["name", "asc"],
      ["id", "asc"],
    ],
    page,
  );
}

/** In the place of those that were there. */
export async function setTags(
  db: Db,
  account: string,
  { kind, recordId }: { kind: TaggedKind; recordId: string },
  tagIds: readonly string[],
): Promise<void> {
  await removeTags(db, account, kind, [recordId]);
  if (tagIds.length === 0) return;
  await db
    .insertInto("contributions_tagged")
    .values(
      [...new Set(tagIds)].map((tag_id, position) => ({
        account,
        kind,
        record_id: recordId,
        position,
        tag_id,
      })),
    )
    .execute();
}
export const removeTags = (db: Db, account: string, kind: TaggedKind, recordIds: readonly string[]) =>
  db
    .deleteFrom("contributions_tagged")
    .where("account", "=", account)
    .where("kind", "=", kind)
    .where("record_id", "in", recordIds)
    .execute();

type TagOfRecord = TagRow & { record_id: string };
const tagsOfRecord = compiledQuery<TagOfRecord, [string, string, string]>(
  ["", "", ""],
  (db, account, kind, recordId) =>
    db
      .selectFrom("contributions_tagged as tagged")
      .innerJoin("contributions_tag as tag", "tag.id", "tagged.tag_id")
      .selectAll("tag")
      .select("tagged.record_id")
      .where("tagged.account", "=", account)
      .where("tagged.kind", "=", kind)
      .where("tagged.record_id", "=", recordId)
      .orderBy("tagged.position"),
);

/** The tags of records, in their order, by the records' ids. */
export async function tagsOf(
  db: Db,
  account: string,
  kind: TaggedKind,
  recordIds: readonly string[],
): Promise<Map<string, TagRow[]>> {
  const found = new Map<string, TagRow[]>();
  if (recordIds.length === 0) return found;
  const [only = ""] = recordIds;
  if (recordIds.length === 1) {
    for (const { record_id: _record, ...tag } of await tagsOfRecord(db, account, kind, only))
      found.set(only, [...(found.get(only) ?? []), tag]);
    return found;
  }
  const rows = await db
    .selectFrom("contributions_tagged as tagged")
    .innerJoin("contributions_tag as tag", "tag.id", "tagged.tag_id")
    .selectAll("tag")
    .select("tagged.record_id")
    .where("tagged.account", "=", account)
    .where("tagged.kind", "=", kind)
    .where("tagged.record_id", "in", recordIds)
    .orderBy("tagged.position")
    .execute();
  for (const { record_id: recordId, ...tag } of rows)
    found.set(recordId, [...(found.get(recordId) ?? []), tag]);
  return found;
}
