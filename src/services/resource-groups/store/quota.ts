/** How many groups there are, for the limit on them. */
import type { GroupContext } from "./groups.ts";

export async function countGroups({ db, account }: GroupContext, region: string): Promise<number> {
  const { count } = await db
    .selectFrom("resource_groups_group")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("region", "=", region)
    .executeTakeFirstOrThrow();
  return Number(count);
}
