/**
 * The limit on groups, without counting them at every creation: one count allows as many creations as there was
 * room, at most a thousand, before the next. What is refused is always refused on a fresh count.
 */
import type { Config } from "#kernel/config";
import { groupsPerRegionMax } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { GroupContext } from "./groups.ts";

const UNCOUNTED_MAX = 1000;
/** Per running instance, then per account and region. */
const rooms = new WeakMap<Config, Map<string, number>>();

export async function countGroups({ db, account }: GroupContext, region: string): Promise<number> {
  const { count } = await db
    .selectFrom("resource_groups_group")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("region", "=", region)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function checkRoomForGroup(
  context: GroupContext,
  region: string,
  groupsMax = groupsPerRegionMax,
): Promise<void> {
  const known = rooms.get(context.config) ?? new Map<string, number>();
  rooms.set(context.config, known);
  const key = `${context.account}/${region}`;
  let room = known.get(key) ?? 0;
  if (room === 0) room = Math.min(UNCOUNTED_MAX, groupsMax - (await countGroups(context, region)));
  if (room <= 0) throw errors.badRequest(`An account can have ${groupsMax} groups in a region.`);
  known.set(key, room - 1);
}
