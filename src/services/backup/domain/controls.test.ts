/** Each published control, with a case that fulfils it and a case that does not. */
import { describe, expect, it } from "vitest";
import {
  type AuditedPoint,
  type AuditedResource,
  type AuditedVault,
  type Control,
  checkControls,
  evaluateControl,
  type Facts,
  frameworkStatusOf,
} from "./controls.ts";
import type { Rule } from "./plan.ts";

const account = "111111111111";
const region = "us-east-1";
const nowMs = Date.parse("2030-06-01T00:00:00Z");
const HOUR_MS = 3_600_000;
const rule = (change: Partial<Rule> = {}): Rule => ({
  id: "r",
  name: "daily",
  vaultName: "locked",
  schedule: { expression: "cron(0 5 ? * * *)", timezone: "Europe/Berlin" },
  startWindowMinutes: 60,
  completionWindowMinutes: 120,
  lifecycle: { deleteAfterDays: 35 },
  recoveryPointTags: {},
  copyActions: [],
  continuous: false,
  ...change,
});
const copyTo = (where: string) => ({
  destinationVaultArn: `arn:vendor:backup:${where}:backup-vault:far`,
  lifecycle: {},
});
const point = (change: Partial<AuditedPoint> = {}): AuditedPoint => ({
  arn: "point",
  type: "Folder",
  tags: {},
  resourceArn: "photos",
  vaultName: "gapped",
  createdAtMs: nowMs - 5 * HOUR_MS,
  lifecycle: { deleteAfterDays: 35 },
  isEncrypted: true,
  ...change,
});
const vault = (change: Partial<AuditedVault> = {}): AuditedVault => ({
  arn: "arn:vendor:backup:us-east-1:111111111111:backup-vault:locked",
  type: "vault",
  tags: {},
  name: "locked",
  isLocked: true,
  isAirGapped: false,
  minDays: 7,
  maxDays: 100,
  policy: null,
  ...change,
});
const resource = (change: Partial<AuditedResource> = {}): AuditedResource => ({
  arn: "photos",
  type: "Folder",
  tags: { stage: "production" },
  rules: [rule()],
  points: [point()],
  restoreMinutes: 10,
  ...change,
});
const gapped = vault({ name: "gapped", isAirGapped: true });
const denial = (condition?: object) =>
  JSON.stringify({
    Statement: [
      {
        Effect: "Deny",
        Principal: "*",
        Action: "backup:DeleteRecoveryPoint",
        Resource: "*",
        ...(condition && { Condition: condition }),
      },
    ],
  });
const admin = `arn:vendor:iam::${account}:role/admin`;
const sparing = denial({ StringNotLike: { "aws:PrincipalArn": admin } });

const facts = (change: Partial<Facts>): Facts => ({
  account,
  region,
  nowMs,
  plans: [],
  vaults: [],
  points: [],
  resources: [],
  ...change,
});
const control = (
  name: string,
  parameters: Record<string, string> = {},
  scope: Partial<Control["scope"]> = {},
): Control => ({
  name,
  parameters: Object.entries(parameters).map(([one, value]) => ({ name: one, value })),
  scope: { resourceIds: [], resourceTypes: [], tags: {}, ...scope },
});
const plan = (...rules: Rule[]) => ({ arn: "plan", type: "plan", tags: {}, rules });

const CASES: readonly [string, Record<string, string>, Partial<Facts>, Partial<Facts>][] = [
  [
    "BACKUP_RESOURCES_PROTECTED_BY_BACKUP_PLAN",
    {},
    { resources: [resource()] },
    { resources: [resource({ rules: [] })] },
  ],
  [
    "BACKUP_PLAN_MIN_FREQUENCY_AND_MIN_RETENTION_CHECK",
    {},
    { plans: [plan(rule())] },
    { plans: [plan(rule({ lifecycle: { deleteAfterDays: 34 } }))] },
  ],
  [
    "BACKUP_PLAN_MIN_FREQUENCY_AND_MIN_RETENTION_CHECK",
    { requiredFrequencyUnit: "hours", requiredFrequencyValue: "12", requiredRetentionDays: "1" },
    { plans: [plan(rule({ schedule: { expression: "cron(0 5,17 ? * * *)", timezone: "Etc/UTC" } }))] },
    { plans: [plan(rule())] },
  ],
  [
    "BACKUP_RECOVERY_POINT_MANUAL_DELETION_DISABLED",
    {},
    { vaults: [vault({ policy: denial() })] },
    { vaults: [vault({ policy: sparing })] },
  ],
  [
    "BACKUP_RECOVERY_POINT_MANUAL_DELETION_DISABLED",
    { principalArnList: `arn:aws:iam::${account}:role/admin` },
    { vaults: [vault({ policy: sparing })] },
    { vaults: [vault()] },
  ],
  ["BACKUP_RECOVERY_POINT_ENCRYPTED", {}, { points: [point()] }, { points: [point({ isEncrypted: false })] }],
  [
    "BACKUP_RECOVERY_POINT_MINIMUM_RETENTION_CHECK",
    { requiredRetentionDays: "10" },
    { points: [point({ lifecycle: {} })] },
    { points: [point({ lifecycle: { deleteAfterDays: 9 } })] },
  ],
  [
    "BACKUP_RESOURCES_PROTECTED_BY_CROSS_REGION",
    { crossRegionList: "eu-west-1, eu-west-2" },
    { resources: [resource({ rules: [rule({ copyActions: [copyTo(`eu-west-2:${account}`)] })] })] },
    { resources: [resource({ rules: [rule({ copyActions: [copyTo(`us-east-1:${account}`)] })] })] },
  ],
  [
    "BACKUP_RESOURCES_PROTECTED_BY_CROSS_ACCOUNT",
    {},
    { resources: [resource({ rules: [rule({ copyActions: [copyTo("us-east-1:222222222222")] })] })] },
    { resources: [resource({ rules: [rule({ copyActions: [copyTo(`eu-west-1:${account}`)] })] })] },
  ],
  [
    "BACKUP_RESOURCES_PROTECTED_BY_BACKUP_VAULT_LOCK",
    { minRetentionDays: "7", maxRetentionDays: "100" },
    { resources: [resource()], vaults: [vault()] },
    { resources: [resource()], vaults: [vault({ minDays: 6 })] },
  ],
  [
    "BACKUP_LAST_RECOVERY_POINT_CREATED",
    { recoveryPointAgeUnit: "hours", recoveryPointAgeValue: "6" },
    { resources: [resource()] },
    { resources: [resource({ points: [point({ createdAtMs: nowMs - 7 * HOUR_MS })] })] },
  ],
  [
    "RESTORE_TIME_FOR_RESOURCES_MEET_TARGET",
    { maxRestoreTime: "10" },
    { resources: [resource()] },
    { resources: [resource({ restoreMinutes: 11 })] },
  ],
  [
    "RESOURCES_IN_LOGICALLY_AIR_GAPPED_VAULT",
    {},
    { resources: [resource()], vaults: [gapped] },
    { resources: [resource()], vaults: [vault({ name: "gapped" })] },
  ],
];

describe("controls", () => {
  it("are eleven, and all are tried here", () => {
    expect(new Set(CASES.map(([name]) => name)).size).toBe(11);
    expect(() => checkControls([control("SLEEP_WELL")], new Set())).toThrow("SLEEP_WELL");
  });
  it.each(CASES)("%s %j", (name, parameters, good, bad) => {
    const one = control(name, parameters);
    expect(() => checkControls([one], new Set())).not.toThrow();
    const compliance = (change: Partial<Facts>) =>
      evaluateControl(one, facts(change)).map(({ isCompliant }) => isCompliant);
    expect(compliance(good)).toEqual([true]);
    expect(compliance(bad)).toEqual([false]);
  });
  it("look only at what is in their scope", () => {
    const all = facts({
      resources: [resource(), resource({ arn: "store", type: "ConfigurationStore", tags: {} })],
    });
    const arns = (scope: Partial<Control["scope"]>) =>
      evaluateControl(control("BACKUP_RESOURCES_PROTECTED_BY_BACKUP_PLAN", {}, scope), all).map(
        ({ arn }) => arn,
      );
    expect(arns({})).toEqual(["photos", "store"]);
    expect(arns({ resourceIds: ["store"] })).toEqual(["store"]);
    expect(arns({ resourceTypes: ["Folder"] })).toEqual(["photos"]);
    expect(arns({ tags: { stage: "" } })).toEqual(["photos"]);
    expect(arns({ tags: { stage: "test" } })).toEqual([]);
  });
  it("are recorded in full, in part or not at all", () => {
    const [folder, store] = ["Folder", "ConfigurationStore"].map((type) =>
      control("BACKUP_RECOVERY_POINT_ENCRYPTED", {}, { resourceTypes: [type] }),
    ) as [Control, Control];
    const status = (...off: string[]) => frameworkStatusOf([folder, store], (type) => !off.includes(type));
    expect([status(), status("Folder"), status("Folder", "ConfigurationStore")]).toEqual([
      "ACTIVE",
      "PARTIALLY_ACTIVE",
      "INACTIVE",
    ]);
  });
});
