/** The limit on groups of an account in a region. */
import { GROUPS_PER_REGION_MAX } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { GroupContext } from "../state.ts";
import { countGroups } from "../store/index.ts";

/** A rejection is always based on a fresh count. */
export async function requireRoomForGroup(
  context: GroupContext,
  region: string,
  groupsMax = GROUPS_PER_REGION_MAX,
): Promise<void> {
  const { rooms } = context.state;
  const place = `${context.account}/${region}`;
  if (rooms.mayCreateUncounted(place)) {
    context.afterCommit(() => rooms.noteCreated(place));
    return;
  }
  const room = groupsMax - (await countGroups(context.db, context.account, region));
  if (room <= 0) throw errors.badRequest(`An account can have ${groupsMax} groups in a region.`);
  context.afterCommit(() => rooms.noteCounted(place, room));
}
