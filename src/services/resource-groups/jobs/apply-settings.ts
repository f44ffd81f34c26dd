/** Turns group events on or off. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { GroupContext, State } from "../state.ts";
import {
  clearAnnouncedMembers,
  countGroups,
  getSettings,
  type Settings,
  saveSettings,
} from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { catalogueChanged } from "./catalogue-changed.ts";
import { recordMembers } from "./record-members.ts";

const GROUPS_WITH_EVENTS_MAX = 2000;

export const settingsKeyOf = (account: string, region: string): string =>
  `resource-groups.settings:${account}:${region}`;

/** Changes are stored from now on. They are published after the members before the change are recorded. */
async function turnOn(context: GroupContext, settings: Settings): Promise<void> {
  const { region } = settings;
  const count = await countGroups(context.db, context.account, region);
  if (count > GROUPS_WITH_EVENTS_MAX) {
    const message = `Events are for accounts with ${GROUPS_WITH_EVENTS_MAX} groups at most; there are ${count}.`;
    await saveSettings(context.db, context.account, { ...settings, status: "ERROR", message });
    return;
  }
  await context.catalog.watch(region, catalogueChanged);
  await context.enqueue(recordMembers, { region, after: "", name: "", position: "" });
}
async function turnOff(context: GroupContext, settings: Settings): Promise<void> {
  await context.catalog.unwatch(settings.region);
  await clearAnnouncedMembers(context.db, context.account, settings.region);
  await saveSettings(context.db, context.account, { ...settings, status: "INACTIVE", publishing: false });
}

export const applySettings = jobsFor<Tables, State>()({
  name: "resource-groups.apply-settings",
  payload: Type.Object({ region: Type.String() }),
  async run({ region }, context) {
    const settings = await getSettings(context.db, context.account, region);
    if (settings.status !== "IN_PROGRESS") return;
    if (settings.desired === "ACTIVE") await turnOn(context, settings);
    else await turnOff(context, settings);
  },
});
