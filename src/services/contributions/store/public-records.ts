/** The account of a public record. Anonymous readers are routed to an account by it. */
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/index.ts";
import { findPublicMediaAccount } from "./media-sight.ts";

// biome-ignore lint/suspicious/noExplicitAny: the kernel's reading handle knows no service's tables.
type AnyDb = Kysely<any>;
type Finder = (db: Kysely<Tables>, id: string, nowMs: number) => Promise<{ account: string } | undefined>;

const visibleAssignment: Finder = (db, id, nowMs) =>
  db
    .selectFrom("contributions_assignment")
    .select("account")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .where((is) => is.or([is("embargo_at", "is", null), is("embargo_at", "<=", nowMs)]))
    .executeTakeFirst();

const visibleContribution: Finder = (db, id, nowMs) =>
  db
    .selectFrom("contributions_contribution as c")
    .innerJoin("contributions_assignment as a", "a.id", "c.assignment_id")
    .select("c.account")
    .where("c.id", "=", id)
    .where("c.is_public", "=", 1)
    .where("c.deleted_at", "is", null)
    .where("a.deleted_at", "is", null)
    .where((is) => is.or([is("a.embargo_at", "is", null), is("a.embargo_at", "<=", nowMs)]))
    .executeTakeFirst();

/** A user who owns an assignment or has a public contribution. */
const visibleUser: Finder = async (db, id, nowMs) => {
  const owned = await db
    .selectFrom("contributions_assignment")
    .select("account")
    .where("owner_id", "=", id)
    .where("deleted_at", "is", null)
    .where((is) => is.or([is("embargo_at", "is", null), is("embargo_at", "<=", nowMs)]))
    .executeTakeFirst();
  if (owned) return owned;
  return db
    .selectFrom("contributions_user as u")
    .select("u.account")
    .where("u.id", "=", id)
    .where(
      sql<boolean>`exists (select 1 from contributions_contribution c join contributions_assignment a on a.id = c.assignment_id
        where c.account = u.account and c.user_id = u.id and c.is_public = 1 and c.deleted_at is null
        and a.deleted_at is null and (a.embargo_at is null or a.embargo_at <= ${nowMs}))`,
    )
    .executeTakeFirst();
};

const anyOf =
  (table: "contributions_tag" | "contributions_tag_set" | "contributions_form"): Finder =>
  (db, id) =>
    db.selectFrom(table).select("account").where("id", "=", id).executeTakeFirst();

/** By the first path segment. */
const finders: Readonly<Record<string, Finder>> = {
  assignments: visibleAssignment,
  pages: visibleAssignment,
  contributions: visibleContribution,
  users: visibleUser,
  media: findPublicMediaAccount,
  tags: anyOf("contributions_tag"),
  tagsets: anyOf("contributions_tag_set"),
  forms: anyOf("contributions_form"),
};

const ID_LENGTH_MAX = 64;
export async function findPublicAccount(
  db: AnyDb,
  kind: string,
  id: string,
  nowMs: number,
): Promise<string | undefined> {
  const find = Object.hasOwn(finders, kind) ? finders[kind] : undefined;
  if (!find || id.length > ID_LENGTH_MAX || id.includes("\0")) return undefined;
  return (await find(db, id, nowMs))?.account;
}
