/** Jobs counted by the day of their creation. */
import { type Kysely, sql } from "kysely";
import { type CountedJobs, DAY_MS } from "../domain/index.ts";
import type { Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;
type JobTable = "backup_job" | "backup_copy_job" | "backup_restore_job";

/** Restore jobs have no message category. */
const NO_CATEGORY = "";

export async function countJobsByDay(
  db: Db,
  account: string,
  region: string,
  table: JobTable,
  fromDay: number,
): Promise<CountedJobs[]> {
  const day = sql<number>`created_at / ${sql.lit(DAY_MS)}`;
  const hasCategory = table !== "backup_restore_job";
  const rows = await db
    .selectFrom(table)
    .select([day.as("day"), "state", "resource_type", sql<number>`count(*)`.as("count")])
    .$if(hasCategory, (query) => query.select(sql<string | null>`message_category`.as("category")))
    .where("account", "=", account)
    .where("region", "=", region)
    .where("created_at", ">=", fromDay * DAY_MS)
    .groupBy([day, "state", "resource_type"])
    .$if(hasCategory, (query) => query.groupBy(sql`message_category`))
    .execute();
  return rows.map((row) => ({
    day: Math.floor(Number(row.day)),
    state: row.state,
    resourceType: row.resource_type,
    messageCategory: row.category ?? NO_CATEGORY,
    count: Number(row.count),
  }));
}
