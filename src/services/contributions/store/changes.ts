/** The change log, in order. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Caller } from "../domain/access.ts";
import type { ChangeRow, Tables } from "../tables/index.ts";
import { type Counted, type PageNumber, paged } from "./paged.ts";

type Db = Kysely<Tables>;
const { compiledInsert } = queriesOf<Db>();

export const insertChange = compiledInsert<ChangeRow>("contributions_change", [
  "account",
  "id",
  "type",
  "title",
  "description",
  "record_id",
  "assignment_id",
  "owner_id",
  "user_id",
  "changed_at",
]);
export const findChange = (db: Db, account: string, id: string): Promise<ChangeRow | undefined> =>
  db
    .selectFrom("contributions_change")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();

/** Newest first: changes by the caller, and changes of records that the caller owns or moderates. */
export function pageOfChanges(
  db: Db,
  account: string,
  { caller, assignment }: { caller: Caller; assignment: string | undefined },
  page: PageNumber,
): Promise<Counted<ChangeRow>> {
  let query = db.selectFrom("contributions_change").where("account", "=", account);
  if (assignment !== undefined) query = query.where("assignment_id", "=", assignment);
  if (caller.kind !== "account") {
    const me = caller.userId ?? "";
    query = query.where((is) =>
      is.or([
        is("owner_id", "=", me),
        is("user_id", "=", me),
        is(
          "assignment_id",
          "in",
          db
            .selectFrom("contributions_assignment as a")
            .select("a.id")
            .where("a.account", "=", account)
            .where("a.moderator_id", "=", me),
        ),
      ]),
    );
  }
  return paged(query, [["id", "desc"]], page);
}
