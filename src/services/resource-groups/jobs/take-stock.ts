/** Before events begin: notes who is a member of what, so that from then on every difference can be told. */
import { type Static, Type } from "@sinclair/typebox";
import { type Job, jobsFor } from "#kernel/operation";
import { type Group, parseQuery } from "../domain/index.ts";
import type { GroupContext, State } from "../state.ts";
import { evaluate, getSettings, listGroups, putTold, saveSettings } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { catalogueChanged } from "./catalogue-changed.ts";

const GROUPS_AT_ONCE = 50;
const MEMBERS_AT_ONCE = 200;
const MEMBERS_PER_RUN_MAX = 2000;

/** Groups up to `after` are done; of the group `name`, members up to `position`. */
const Stock = Type.Object({
  region: Type.String(),
  after: Type.String(),
  name: Type.String(),
  position: Type.String(),
});
type Stock = Static<typeof Stock>;

/** Notes members until there is no room; answers where it stopped, or undefined when the group is done. */
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
    await putTold(context.db, context.account, group, page.resources);
    room.members -= MEMBERS_AT_ONCE;
    position = page.next;
  }
  return undefined;
}

async function run({ region, after, name, position }: Stock, context: GroupContext): Promise<void> {
  const settings = await getSettings(context.db, context.account, region);
  if (settings.desired !== "ACTIVE" || settings.status !== "IN_PROGRESS") return;
  const room = { members: MEMBERS_PER_RUN_MAX };
  const groups = await listGroups(context.db, context.account, region, [], { after, limit: GROUPS_AT_ONCE });
  let done = after;
  for (const group of groups) {
    const stopped = await note(context, group, group.name === name ? position : "", room);
    if (stopped !== undefined) {
      await context.enqueue(takeStock, { region, after: done, name: group.name, position: stopped });
      return;
    }
    done = group.name;
  }
  if (groups.length === GROUPS_AT_ONCE) {
    await context.enqueue(takeStock, { region, after: done, name: "", position: "" });
    return;
  }
  await saveSettings(context.db, context.account, { ...settings, status: "ACTIVE", publishing: true });
  // What changed meanwhile has been waiting.
  await context.enqueue(catalogueChanged, { region });
}

export const takeStock: Job<Stock> = jobsFor<Tables, State>()({
  name: "resource-groups.take-stock",
  payload: Stock,
  run,
});
