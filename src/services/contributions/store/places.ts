/** Positions of contributions, when the blurring changes. */
import type { Kysely } from "kysely";
import type { ContributionRow, Tables } from "../tables/index.ts";
import { insertContribution } from "./contributions.ts";
import { contributionOf } from "./search.ts";

type Db = Kysely<Tables>;

/** Contributions of an assignment that have a position, in order of place. */
export async function listLocated(
  db: Db,
  account: string,
  assignmentId: string,
  { afterPlace, limit }: { afterPlace: number; limit: number },
): Promise<ContributionRow[]> {
  const rows = await db
    .selectFrom("contributions_contribution")
    .selectAll()
    .where("account", "=", account)
    .where("assignment_id", "=", assignmentId)
    .where("place", ">", afterPlace)
    .where("exact_latitude", "is not", null)
    .where("deleted_at", "is", null)
    .orderBy("place")
    .limit(limit)
    .execute();
  return rows.map(contributionOf);
}

/** Deletes and inserts the row, because indexes of immutable columns follow only inserts and deletes. */
export async function replaceContribution(db: Db, row: ContributionRow): Promise<void> {
  await db
    .deleteFrom("contributions_contribution")
    .where("account", "=", row.account)
    .where("id", "=", row.id)
    .execute();
  await insertContribution(db, row);
}
