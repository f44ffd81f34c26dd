/** A few rows of everything, for the console. */
import type { Group } from "../domain/index.ts";
import type { MemberRow, SettingRow } from "../tables.ts";
import { type GroupContext, groupOf } from "./groups.ts";

export async function listGroupsShown({ db, account }: GroupContext, limit: number): Promise<Group[]> {
  const rows = await db
    .selectFrom("resource_groups_group")
    .selectAll()
    .where("account", "=", account)
    .orderBy("region")
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map(groupOf);
}
export const listMembersShown = ({ db, account }: GroupContext, limit: number): Promise<MemberRow[]> =>
  db
    .selectFrom("resource_groups_member")
    .selectAll()
    .where("account", "=", account)
    .orderBy("region")
    .orderBy("name")
    .orderBy("arn")
    .limit(limit)
    .execute();
export const listSettingsShown = ({ db, account }: GroupContext, limit: number): Promise<SettingRow[]> =>
  db
    .selectFrom("resource_groups_setting")
    .selectAll()
    .where("account", "=", account)
    .orderBy("region")
    .limit(limit)
    .execute();
