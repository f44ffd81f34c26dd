/** Positions of contributions, when the blurring changes. */
import type { Kysely } from "kysely";
import type { ContributionRow, Tables } from "../tables/index.ts";
import { type AfterPlace, contributionsAfter, insertContribution } from "./contributions.ts";
import { contributionOf } from "./search.ts";

type Db = Kysely<Tables>;

/** Contributions of an assignment that have a position, in order of place. */
export async function listLocated(
  db: Db,
  account: string,
  assignmentId: string,
  after: AfterPlace,
): Promise<ContributionRow[]> {
  const rows = await contributionsAfter(db, account, assignmentId, after)
    .where("exact_latitude", "is not", null)
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
