/** Turns events of groups on or off. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { countGroups, type GroupContext, getSettings, type Settings, saveSettings } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { catalogueChanged } from "./catalogue-changed.ts";

const GROUPS_WITH_EVENTS_MAX = 2000;

export const settingsKeyOf = (account: string, region: string): string =>
  `resource-groups.settings:${account}:${region}`;

async function turnOn(context: GroupContext, settings: Settings): Promise<void> {
  const count = await countGroups(context, settings.region);
  if (count > GROUPS_WITH_EVENTS_MAX) {
    const message = `Events are for accounts with ${GROUPS_WITH_EVENTS_MAX} groups at most; there are ${count}.`;
    await saveSettings(context, { ...settings, status: "ERROR", message });
    return;
  }
  await context.catalog.watch(settings.region, catalogueChanged);
  await saveSettings(context, { ...settings, status: "ACTIVE", publishing: true });
}
async function turnOff(context: GroupContext, settings: Settings): Promise<void> {
  await context.catalog.unwatch(settings.region);
  await saveSettings(context, { ...settings, status: "INACTIVE", publishing: false });
}

export const applySettings = jobsFor<Tables>()({
  name: "resource-groups.apply-settings",
  payload: Type.Object({ region: Type.String() }),
  async run({ region }, context) {
    const settings = await getSettings(context, region);
    if (settings.status !== "IN_PROGRESS") return;
    if (settings.desired === "ACTIVE") await turnOn(context, settings);
    else await turnOff(context, settings);
  },
});
