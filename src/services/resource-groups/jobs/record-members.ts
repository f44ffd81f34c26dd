/** Records the members of every group before events are turned on, so that later changes can be detected. */
import { type Static, Type } from "@sinclair/typebox";
import { type Job, jobsFor } from "#kernel/operation";
import { type Group, parseQuery } from "../domain/index.ts";
import type { GroupContext, State } from "../state.ts";
import { evaluate, getSettings, listGroups, putAnnouncedMembers, saveSettings } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { catalogueChanged } from "./catalogue-changed.ts";

const GROUPS_AT_ONCE = 50;
const MEMBERS_AT_ONCE = 200;
const MEMBERS_PER_RUN_MAX = 2000;

/** Groups up to `after` are done; of the group `name`, members up to `position`. */
const Progress = Type.Object({
  region: Type.String(),
  after: Type.String(),
  name: Type.String(),
  position: Type.String(),
});
type Progress = Static<typeof Progress>;

/** Records members up to the limit of a run. Returns where it stopped, or undefined if the group is done. */
async function note(
  context: GroupContext,
  group: Group,
  start: string,
  room: { members: number },
): Promise<string | undefined> {
  if (!group.query) return undefined;
  const { selection } = await evaluate(context.catalog, parseQuery(group.query), group.region, group.arn);
  let position: string | undefined = start;
  while (selection && position !== undefined) {
    if (room.members <= 0) return position;
    const page = await context.catalog.pageOf(selection, { after: position, limit: MEMBERS_AT_ONCE });
    await putAnnouncedMembers(context.db, context.account, group, page.resources);
    room.members -= MEMBERS_AT_ONCE;
    position = page.next;
  }
  return undefined;
}

async function run({ region, after, name, position }: Progress, context: GroupContext): Promise<void> {
  const settings = await getSettings(context.db, context.account, region);
  if (settings.desired !== "ACTIVE" || settings.status !== "IN_PROGRESS") return;
  const room = { members: MEMBERS_PER_RUN_MAX };
  const groups = await listGroups(context.db, context.account, region, [], { after, limit: GROUPS_AT_ONCE });
  let done = after;
  for (const group of groups) {
    const stopped = await note(context, group, group.name === name ? position : "", room);
    if (stopped !== undefined) {
      await context.enqueue(recordMembers, { region, after: done, name: group.name, position: stopped });
      return;
    }
    done = group.name;
  }
  if (groups.length === GROUPS_AT_ONCE) {
    await context.enqueue(recordMembers, { region, after: done, name: "", position: "" });
    return;
  }
  await saveSettings(context.db, context.account, { ...settings, status: "ACTIVE", publishing: true });
  // Publishes the changes that were made meanwhile.
  await context.enqueue(catalogueChanged, { region });
}

export const recordMembers: Job<Progress> = jobsFor<Tables, State>()({
  name: "resource-groups.take-stock",
  payload: Progress,
  run,
});
