/** Lists groups by name, filtered by the types in their queries and configurations. */
import type { Kysely } from "kysely";
import { listByName } from "#kernel/db";
import type { Group } from "../domain/index.ts";
import type { Tables } from "../tables.ts";
import { groupOf } from "./groups.ts";

type Db = Kysely<Tables>;

type GroupFilter = { readonly filter: string; readonly types: readonly string[] };
type Position = { readonly after: string; readonly limit: number };

export async function listGroups(
  db: Db,
  account: string,
  region: string,
  filters: readonly GroupFilter[],
  position: Position,
): Promise<Group[]> {
  const [leading, ...others] = filters;
  if (!leading) return listAll(db, account, region, position);
  const names = await listNames(db, account, region, leading, others, position);
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom("resource_groups_group")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "in", names)
    .orderBy("name")
    .execute();
  return rows.map(groupOf);
}

async function listAll(db: Db, account: string, region: string, position: Position): Promise<Group[]> {
  const rows = await listByName(db, "resource_groups_group", { account, region, ...position });
  return rows.map(groupOf);
}

/**
 * The index returns names in order for each type of the leading filter. The other filters are checked by
 * name.
 */
async function listNames(
  db: Db,
  account: string,
  region: string,
  leading: GroupFilter,
  others: readonly GroupFilter[],
  { after, limit }: Position,
): Promise<string[]> {
  const names = new Set<string>();
  for (const type of new Set(leading.types)) {
    let query = db
      .selectFrom("resource_groups_group_type as t")
      .select("t.name")
      .where("t.account", "=", account)
      .where("t.region", "=", region)
      .where("t.filter", "=", leading.filter)
      .where("t.type", "=", type)
      .where("t.name", ">", after);
    for (const { filter, types } of others)
      query = query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("resource_groups_group_type as o")
            .select("o.name")
            .where("o.account", "=", account)
            .where("o.region", "=", region)
            .whereRef("o.name", "=", "t.name")
            .where("o.filter", "=", filter)
            .where("o.type", "in", types),
        ),
      );
    for (const { name } of await query.orderBy("t.name").limit(limit).execute()) names.add(name);
  }
  return [...names].sort((a, b) => (a < b ? -1 : 1)).slice(0, limit);
}
