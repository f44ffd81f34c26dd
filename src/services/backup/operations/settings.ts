/** Settings of an account: in a region, and everywhere. */
import { Type } from "@sinclair/typebox";
import { errors } from "../errors.ts";
import { sourcesOf } from "../jobs/index.ts";
import { findManager } from "../settings.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { operation } from "./operation.ts";

const Preferences = (description: string) =>
  Type.Record(Type.String({ pattern: "^[a-zA-Z0-9_.-]{1,50}$" }), Type.Boolean(), {
    description,
    examples: [{ ConfigurationStore: true }],
  });
const OptIn = Preferences("Kinds of resources that plans and on-demand jobs back up, or do not.");
const Management = Preferences("Kinds of resources whose backups are managed here in full.");
const typesOf = (context: BackupContext): string[] =>
  sourcesOf(context).all.map(({ resourceType }) => resourceType);

const describeRegionSettings = operation({
  id: "backup.DescribeRegionSettings",
  summary: "Returns the resource types that are backed up in this region",
  description: "Types are opted in until they are opted out.",
  method: "GET",
  path: "/account-settings",
  permission: "backup:DescribeRegionSettings",
  answers: {
    200: Type.Object({ ResourceTypeOptInPreference: OptIn, ResourceTypeManagementPreference: Management }),
  },
  async handle(_input, context) {
    const { optIn } = await store.getRegionSettings(context.db, context.account, context.request.region);
    const types = typesOf(context);
    return {
      ResourceTypeOptInPreference: Object.fromEntries(types.map((type) => [type, optIn[type] ?? true])),
      ResourceTypeManagementPreference: Object.fromEntries(types.map((type) => [type, true])),
    };
  },
});

const updateRegionSettings = operation({
  id: "backup.UpdateRegionSettings",
  summary: "Sets the resource types that are backed up in this region",
  description:
    "Types that are not given stay. Plans skip types that are opted out, and `backup.StartBackupJob` refuses them. Recovery points that exist stay. Unknown types are refused.",
  method: "PUT",
  path: "/account-settings",
  permission: "backup:UpdateRegionSettings",
  body: Type.Object({
    ResourceTypeOptInPreference: Type.Optional(OptIn),
    ResourceTypeManagementPreference: Type.Optional(Management),
  }),
  answers: { 200: wire.Nothing },
  errors: [errors.invalidParameterValue],
  async handle({ body }, context) {
    const { db, account, request, clock } = context;
    const optIn = body.ResourceTypeOptInPreference ?? {};
    const management = body.ResourceTypeManagementPreference ?? {};
    const known = new Set(typesOf(context));
    for (const type of [...Object.keys(optIn), ...Object.keys(management)])
      if (!known.has(type))
        throw errors.invalidParameterValue(`Resources of type ${type} cannot be backed up.`);
    for (const [type, isManaged] of Object.entries(management))
      if (!isManaged)
        throw errors.invalidParameterValue(
          `Backups of ${type} are always managed in full; they cannot be less.`,
        );
    const before = await store.getRegionSettings(db, account, request.region);
    await store.putRegionSettings(
      db,
      account,
      request.region,
      { optIn: { ...before.optIn, ...optIn } },
      clock.nowMs(),
    );
    return {};
  },
});

const CROSS_ACCOUNT = "isCrossAccountBackupEnabled";
function getManager({ config, account }: BackupContext): string {
  const manager = findManager(config, account);
  if (manager === undefined)
    throw errors.invalidRequest(`The account ${account} is not part of an organization.`);
  return manager;
}
const GlobalSettings = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 100 }), {
  description: "Settings of all regions.",
  examples: [{ isCrossAccountBackupEnabled: "true" }],
});

const describeGlobalSettings = operation({
  id: "backup.DescribeGlobalSettings",
  summary: "Returns whether the organization may copy backups between its accounts",
  description: "Refused for accounts outside an organization.",
  method: "GET",
  path: "/global-settings",
  permission: "backup:DescribeGlobalSettings",
  answers: { 200: Type.Object({ GlobalSettings, LastUpdateTime: Type.Optional(wire.Time) }) },
  errors: [errors.invalidRequest],
  async handle(_input, context) {
    const manager = getManager(context);
    const { isCrossAccountBackupEnabled, updatedAtMs } = await store.getGlobalSettings(context.db, manager);
    return {
      GlobalSettings: { [CROSS_ACCOUNT]: String(isCrossAccountBackupEnabled) },
      ...(updatedAtMs !== undefined && { LastUpdateTime: wire.timeOf(updatedAtMs) }),
    };
  },
});

const updateGlobalSettings = operation({
  id: "backup.UpdateGlobalSettings",
  summary: "Sets whether the organization may copy backups between its accounts",
  description: "Only the managing account of the organization may do so. Copies that exist stay.",
  method: "PUT",
  path: "/global-settings",
  permission: "backup:UpdateGlobalSettings",
  body: Type.Object({ GlobalSettings: Type.Optional(GlobalSettings) }),
  answers: { 200: wire.Nothing },
  errors: [errors.invalidParameterValue, errors.invalidRequest],
  async handle({ body }, context) {
    const { db, account, clock } = context;
    if (getManager(context) !== account)
      throw errors.invalidRequest("Global settings belong to the account that manages the organization.");
    for (const [name, value] of Object.entries(body.GlobalSettings ?? {})) {
      if (name !== CROSS_ACCOUNT) throw errors.invalidParameterValue(`There is no global setting ${name}.`);
      if (value !== "true" && value !== "false")
        throw errors.invalidParameterValue(`${CROSS_ACCOUNT} is "true" or "false", not "${value}".`);
      await store.putCrossAccountBackup(db, account, value === "true", clock.nowMs());
    }
    return {};
  },
});

export const settingsOperations = [
  describeRegionSettings,
  updateRegionSettings,
  describeGlobalSettings,
  updateGlobalSettings,
];
