/** Counts groups for the limit. */
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export async function countGroups(db: Db, account: string, region: string): Promise<number> {
  const { count } = await db
    .selectFrom("resource_groups_group")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("region", "=", region)
    .executeTakeFirstOrThrow();
  return Number(count);
}
