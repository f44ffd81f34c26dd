/** Tags, tag sets, and the records that have them. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Tables, TagRow, TagSetRow } from "../tables/index.ts";
import { type Counted, type PageNumber, paged } from "./paged.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();
export type TaggedKind = "assignment" | "contribution" | "form";

export type TagFilter = {
  readonly ownedBy?: string | undefined;
  readonly tagSet?: string | undefined;
  readonly urlWords?: string | undefined;
};

// biome-ignore lint/suspicious/noExplicitAny: tags and tag sets are asked for alike; the type of their rows is the caller's.
type AnyDb = Kysely<any>;
function recordsOf<Row extends { readonly id: string }>(
  table: "contributions_tag" | "contributions_tag_set",
) {
  const all = (db: AnyDb, account: string) => db.selectFrom(table).where("account", "=", account);
  return {
    find: async (db: Db, account: string, id: string): Promise<Row | undefined> =>
      (await all(db, account).selectAll().where("id", "=", id).executeTakeFirst()) as Row | undefined,
    async findAll(db: Db, account: string, ids: readonly string[]): Promise<Map<string, Row>> {
      if (ids.length === 0) return new Map();
      const rows = await all(db, account)
        .selectAll()
        .where("id", "in", [...new Set(ids)])
        .execute();
      return new Map((rows as Row[]).map((row) => [row.id, row]));
    },
    insert: (db: AnyDb, row: Row) => db.insertInto(table).values(row).execute(),
    page(
      db: Db,
      account: string,
      { ownedBy, tagSet, urlWords }: TagFilter,
      page: PageNumber,
    ): Promise<Counted<Row>> {
      let query = all(db, account);
      if (ownedBy !== undefined) query = query.where("owner_id", "=", ownedBy);
      if (tagSet !== undefined) query = query.where("tag_set_id", "=", tagSet);
      if (urlWords !== undefined) query = query.where("url_words", "=", urlWords);
      return paged(query, BY_NAME, page);
    },
  };
}
const BY_NAME = [
  ["name", "asc"],
  ["id", "asc"],
] as const;

export const {
  find: findTag,
  findAll: findTags,
  insert: insertTag,
  page: pageOfTags,
} = recordsOf<TagRow>("contributions_tag");
export const {
  find: findTagSet,
  findAll: findTagSets,
  insert: insertTagSet,
  page: pageOfTagSets,
} = recordsOf<TagSetRow>("contributions_tag_set");

export async function countTags(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("contributions_tag")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Replaces the existing ones. */
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
const tagsOnRecords = (db: Db, account: string, kind: string) =>
  db
    .selectFrom("contributions_tagged as tagged")
    .innerJoin("contributions_tag as tag", "tag.id", "tagged.tag_id")
    .selectAll("tag")
    .select("tagged.record_id")
    .where("tagged.account", "=", account)
    .where("tagged.kind", "=", kind)
    .orderBy("tagged.position");
const tagsOnRecord = compiledQuery<TagOfRecord, [string, string, string]>(
  ["", "", ""],
  (db, account, kind, recordId) => tagsOnRecords(db, account, kind).where("tagged.record_id", "=", recordId),
);

/** The tags of records, in order, by record id. */
export async function tagsOf(
  db: Db,
  account: string,
  kind: TaggedKind,
  recordIds: readonly string[],
): Promise<Map<string, TagRow[]>> {
  const found = new Map<string, TagRow[]>();
  const [only, ...more] = recordIds;
  if (only === undefined) return found;
  const rows: TagOfRecord[] =
    more.length === 0
      ? await tagsOnRecord(db, account, kind, only)
      : await tagsOnRecords(db, account, kind).where("tagged.record_id", "in", recordIds).execute();
  for (const { record_id: recordId, ...tag } of rows)
    found.set(recordId, [...(found.get(recordId) ?? []), tag]);
  return found;
}
