/** Earlier texts of contributions. */
import type { Kysely } from "kysely";
import type { EditRow, Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;

export async function insertEdit(db: Db, row: EditRow): Promise<void> {
  await db.insertInto("contributions_edit").values(row).execute();
}
/** The latest first. */
export const listEdits = (db: Db, account: string, contributionId: string): Promise<EditRow[]> =>
  db
    .selectFrom("contributions_edit")
    .selectAll()
    .where("account", "=", account)
    .where("contribution_id", "=", contributionId)
    .orderBy("id", "desc")
    .execute();
