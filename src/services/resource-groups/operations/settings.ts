/** Operations that turn group events on and off. */
import { Type } from "@sinclair/typebox";
import { applySettings, settingsKeyOf } from "../jobs/index.ts";
import { getSettings, type Settings, saveSettings } from "../store/index.ts";
import * as wire from "../wire.ts";
import { operation } from "./operation.ts";

const answers = { 200: Type.Object({ AccountSettings: wire.AccountSettings }) };

const getAccountSettingsOperation = operation({
  id: "resource-groups.GetAccountSettings",
  summary: "Returns whether group events are published",
  description: "IN_PROGRESS while a change is being applied, or ERROR with the reason.",
  method: "POST",
  path: "/get-account-settings",
  permission: "resource-groups:GetAccountSettings",
  transaction: "read",
  answers,
  async handle(_input, context) {
    const settings = await getSettings(context.db, context.account, context.request.region);
    return { AccountSettings: wire.settingsViewOf(settings) };
  },
});

const updateAccountSettingsOperation = operation({
  id: "resource-groups.UpdateAccountSettings",
  summary: "Turns group events on or off",
  description:
    "A job applies it after `--provisioning-seconds`, and records the present members first, so only later changes are published. Fails for more than 2000 groups in the region. A request for the present setting changes nothing.",
  method: "POST",
  path: "/update-account-settings",
  permission: "resource-groups:UpdateAccountSettings",
  body: wire.SettingsChange,
  answers,
  examples: { body: { GroupLifecycleEventsDesiredStatus: "ACTIVE" } },
  async handle({ body }, context) {
    const { account, clock, config, request } = context;
    const { message: _past, ...settings } = await getSettings(context.db, context.account, request.region);
    const desired = body.GroupLifecycleEventsDesiredStatus ?? settings.desired;
    const isSettled = desired === settings.desired && settings.status !== "ERROR";
    if (isSettled) return { AccountSettings: wire.settingsViewOf(settings) };
    const { dialect: spelling } = request;
    const changed: Settings = {
      ...settings,
      desired,
      status: "IN_PROGRESS",
      ...(desired === "ACTIVE" && { spelling }),
    };
    await saveSettings(context.db, context.account, changed);
    await context.enqueue(
      applySettings,
      { region: request.region },
      {
        key: settingsKeyOf(account, request.region),
        runAtMs: clock.nowMs() + config.provisioningSeconds * 1000,
      },
    );
    return { AccountSettings: wire.settingsViewOf(changed) };
  },
});

export const settingsOperations = [getAccountSettingsOperation, updateAccountSettingsOperation];
