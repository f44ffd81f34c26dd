/** Queries for the console. */
import type { Kysely } from "kysely";
import { listOfAllRegions } from "#kernel/db";
import type { Group } from "../domain/index.ts";
import type { MemberRow, SettingRow, Tables } from "../tables.ts";
import { groupOf } from "./groups.ts";

type Db = Kysely<Tables>;

export async function listGroupsShown(db: Db, account: string, limit: number): Promise<Group[]> {
  const rows = await listOfAllRegions(db, "resource_groups_group", account, limit);
  return rows.map(groupOf);
}
export const listMembersShown = (db: Db, account: string, limit: number): Promise<MemberRow[]> =>
  db
    .selectFrom("resource_groups_member")
    .selectAll()
    .where("account", "=", account)
    .orderBy("region")
    .orderBy("name")
    .orderBy("arn")
    .limit(limit)
    .execute();
export const listSettingsShown = (db: Db, account: string, limit: number): Promise<SettingRow[]> =>
  db
    .selectFrom("resource_groups_setting")
    .selectAll()
    .where("account", "=", account)
    .orderBy("region")
    .limit(limit)
    .execute();
