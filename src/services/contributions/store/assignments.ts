/** Assignments. */
import { type Kysely, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Caller } from "../domain/access.ts";
import { fold, wordsOf } from "../domain/words.ts";
import type { AssignmentRow, Tables } from "../tables/index.ts";
import { type Counted, type PageNumber, paged } from "./paged.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();

const selectAssignment = compiledQuery<AssignmentRow, [string, string]>(["", ""], (db, account, id) =>
  db
    .selectFrom("contributions_assignment")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .where("deleted_at", "is", null),
);
export async function findAssignment(
  db: Db,
  account: string,
  id: string,
): Promise<AssignmentRow | undefined> {
  return (await selectAssignment(db, account, id))[0];
}
/** An assignment as needed for a contribution. */
export type Destination = AssignmentRow & {
  /** The contributor's, if they are known. */
  display_name: string | null;
  tags_count: number;
};
/** One statement: a contribution should need few round trips to the database. */
const selectDestination = compiledQuery<Destination, [string, string, string]>(
  ["", "", ""],
  (db, account, id, userId) =>
    db
      .selectFrom("contributions_assignment as assignment")
      .leftJoin("contributions_user as user", (join) =>
        join.onRef("user.account", "=", "assignment.account").on("user.id", "=", userId),
      )
      .selectAll("assignment")
      .select("user.display_name")
      .select((build) =>
        build
          .selectFrom("contributions_tagged as tagged")
          .select(({ fn }) => fn.countAll().as("count"))
          .whereRef("tagged.account", "=", "assignment.account")
          .where("tagged.kind", "=", sql.lit("assignment"))
          .whereRef("tagged.record_id", "=", "assignment.id")
          .as("tags_count"),
      )
      .where("assignment.account", "=", account)
      .where("assignment.id", "=", id)
      .where("assignment.deleted_at", "is", null),
);
export async function findDestination(
  db: Db,
  account: string,
  id: string,
  userId: string | undefined,
): Promise<Destination | undefined> {
  return (await selectDestination(db, account, id, userId ?? ""))[0];
}
export async function findAssignments(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<Map<string, AssignmentRow>> {
  const [only = "", ...more] = new Set(ids);
  if (more.length === 0) {
    const row = await findAssignment(db, account, only);
    return new Map(row ? [[row.id, row]] : []);
  }
  const rows = await db
    .selectFrom("contributions_assignment")
    .selectAll()
    .where("account", "=", account)
    .where("id", "in", [only, ...more])
    .where("deleted_at", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export const insertAssignment = (db: Db, row: AssignmentRow) =>
  db.insertInto("contributions_assignment").values(row).execute();
export const updateAssignment = (db: Db, account: string, id: string, change: Partial<AssignmentRow>) =>
  db
    .updateTable("contributions_assignment")
    .set(change)
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();
export const removeAssignment = (db: Db, account: string, id: string) =>
  db.deleteFrom("contributions_assignment").where("account", "=", account).where("id", "=", id).execute();

export async function countAssignments(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("contributions_assignment")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Addresses of an owner with this prefix, to find a free one. */
export async function takenUrlWords(
  db: Db,
  account: string,
  table: "contributions_assignment" | "contributions_tag" | "contributions_tag_set",
  { ownerId, urlWords, exceptId = "" }: { ownerId: string; urlWords: string; exceptId?: string },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom(table)
    .select("url_words")
    .where("account", "=", account)
    .where("owner_id", "=", ownerId)
    .where("url_words", ">=", urlWords)
    .where("url_words", "<", `${urlWords}.`)
    .where("id", "!=", exceptId)
    .execute();
  return new Set(rows.map((row) => row.url_words));
}

/** Search form: each word with a space before it. */
export const searchWordsOf = (name: string, description: string): string =>
  ` ${wordsOf(`${name} ${description}`).join(" ")} `;

export type AssignmentFilter = {
  readonly ownedBy?: string | undefined;
  readonly q?: string | undefined;
  readonly urlWords?: string | undefined;
  readonly open?: boolean | undefined;
  readonly alwaysOpen?: boolean | undefined;
  readonly tag?: string | undefined;
  readonly name?: string | undefined;
  readonly featured?: boolean | undefined;
};
const LIKE_SIGNS = /[\\%_]/g;

/** By their properties. Words and permissions are added by the caller. */
function chosenAssignments(
  db: Db,
  account: string,
  { ownedBy, urlWords, open, alwaysOpen, featured, tag, name }: AssignmentFilter,
  nowMs: number,
) {
  const isOpen = sql<boolean>`((starts_at is null or starts_at <= ${nowMs}) and (ends_at is null or ends_at > ${nowMs}))`;
  let query = db
    .selectFrom("contributions_assignment")
    .where("account", "=", account)
    .where("deleted_at", "is", null);
  if (ownedBy !== undefined) query = query.where("owner_id", "=", ownedBy);
  if (urlWords !== undefined) query = query.where("url_words", "=", urlWords);
  if (name !== undefined) query = query.where("name", "=", name);
  if (open !== undefined) query = query.where(open ? isOpen : sql<boolean>`not ${isOpen}`);
  if (featured !== undefined) query = query.where("featured", "=", featured ? 1 : 0);
  if (alwaysOpen !== undefined) query = query.where("ends_at", alwaysOpen ? "is" : "is not", null);
  if (tag !== undefined)
    query = query.where(
      sql<boolean>`exists (select 1 from contributions_tagged t where t.account = ${account} and t.kind = 'assignment'
        and t.record_id = contributions_assignment.id and t.tag_id = ${tag})`,
    );
  return query;
}

/** Featured first, then newest first. Assignments under an embargo are listed only for those who may see them. */
export function pageOfAssignments(
  db: Db,
  account: string,
  { filter, caller, nowMs }: { filter: AssignmentFilter; caller: Caller; nowMs: number },
  page: PageNumber,
): Promise<Counted<AssignmentRow>> {
  let query = chosenAssignments(db, account, filter, nowMs);
  for (const word of wordsOf(filter.q ?? ""))
    query = query.where("search_words", "like", `% ${word.replace(LIKE_SIGNS, "")}%`);
  if (filter.q !== undefined && fold(filter.q).trim() !== "" && wordsOf(filter.q).length === 0)
    query = query.where(sql<boolean>`1 = 0`);
  if (caller.kind !== "account")
    query = query.where((is) =>
      is.or([
        is("embargo_at", "is", null),
        is("embargo_at", "<=", nowMs),
        is("owner_id", "=", caller.userId ?? ""),
        is("moderator_id", "=", caller.userId ?? ""),
      ]),
    );
  return paged(
    query,
    [
      ["featured", "desc"],
      ["created_at", "desc"],
      ["id", "desc"],
    ],
    page,
  );
}

/** The lists that decide which contributions are visible. All three are short. */
export async function listSightOfAssignments(
  db: Db,
  account: string,
  userId: string | undefined,
  nowMs: number,
): Promise<{ gone: string[]; embargoed: string[]; moderated: string[] }> {
  const rows = await db
    .selectFrom("contributions_assignment")
    .select(["id", "deleted_at", "embargo_at", "moderator_id", "owner_id"])
    .where("account", "=", account)
    .where((is) =>
      is.or([
        is("deleted_at", "is not", null),
        is("embargo_at", ">", nowMs),
        is("moderator_id", "=", userId ?? ""),
      ]),
    )
    .execute();
  const idsWhere = (fits: (row: (typeof rows)[number]) => boolean): string[] =>
    rows.filter(fits).map(({ id }) => id);
  return {
    gone: idsWhere((row) => row.deleted_at !== null),
    embargoed: idsWhere((row) => row.embargo_at !== null && Number(row.embargo_at) > nowMs),
    moderated: idsWhere((row) => userId !== undefined && row.moderator_id === userId),
  };
}
