/** Limits that declarations do not name: the last that fits is accepted, and the first beyond it is refused. */
import { expect, it } from "vitest";
import { type Control, checkControls } from "./controls.ts";
import { checkHoldSelection, type HoldSelection, retainUntilMs } from "./hold.ts";
import { checkContinuous, checkLifecycle } from "./lifecycle.ts";
import { checkReportSetting, type ReportSetting } from "./report.ts";
import {
  checkTestingPlan,
  checkTestingSelection,
  type TestingPlan,
  type TestingSelection,
} from "./restore-testing.ts";
import { checkSelection, type Selection } from "./selection.ts";
import { checkTags, mergeTags } from "./tags.ts";

const nowMs = Date.parse("2030-06-01T00:00:00Z");
const names = (count: number, name = (at: number) => `arn:vendor:s3:::b${at}`): string[] =>
  Array.from({ length: count }, (_, at) => name(at));
const members = (count: number): Record<string, string> =>
  Object.fromEntries(names(count, (at) => `k${at}`).map((key) => [key, "v"]));
const vaults = (count: number) =>
  names(count, (at) => `arn:vendor:backup:us-east-1:111111111111:backup-vault:v${at}`);

const hold = (change: Partial<HoldSelection>) =>
  checkHoldSelection({ vaultNames: [], resourceArns: [], ...change });
const selection = (change: Partial<Selection>) =>
  checkSelection({
    name: "s",
    roleArn: "arn:vendor:iam::111111111111:role/r",
    resources: ["*"],
    notResources: [],
    tags: [],
    conditions: { equals: [], notEquals: [], like: [], notLike: [] },
    ...change,
  } as Selection);
const report = (change: Partial<ReportSetting>) =>
  checkReportSetting({
    template: "BACKUP_JOB_REPORT",
    frameworkArns: [],
    accounts: [],
    organizationUnits: [],
    regions: [],
    ...change,
  } as ReportSetting);
const plan = (change: Partial<TestingPlan["points"]>, startWindowHours = 1) =>
  checkTestingPlan(
    {
      name: "p",
      schedule: { expression: "cron(0 5 ? * * *)", timezone: "Etc/UTC" },
      startWindowHours,
      points: {
        algorithm: "LATEST_WITHIN_WINDOW",
        includeVaults: ["*"],
        excludeVaults: [],
        kinds: ["SNAPSHOT"],
        windowDays: 1,
        ...change,
      },
    },
    nowMs,
  );
const tested = (change: Partial<TestingSelection>) =>
  checkTestingSelection({
    name: "s",
    roleArn: "arn:vendor:iam::111111111111:role/r",
    resourceType: "S3",
    resourceArns: [],
    equals: [],
    notEquals: [],
    overrides: {},
    validationWindowHours: 1,
    ...change,
  });
const conditions = (count: number) => names(count, (at) => `k${at}`).map((key) => ({ key, value: "v" }));
const scope = (change: Partial<Control["scope"]>) =>
  checkControls(
    [
      {
        name: "BACKUP_RECOVERY_POINT_ENCRYPTED",
        parameters: [],
        scope: { resourceIds: [], resourceTypes: ["S3"], tags: {}, ...change },
      },
    ],
    new Set(["S3"]),
  );

it.each<[string, number, (size: number) => unknown]>([
  ["tags", 50, (size) => checkTags(members(size))],
  ["tags added to others", 50, (size) => mergeTags(members(1), members(size))],
  ["letters of a tag's key", 128, (size) => checkTags({ ["k".repeat(size)]: "v" })],
  ["letters of a tag's value", 256, (size) => checkTags({ k: "v".repeat(size) })],
  ["vaults of a hold", 500, (size) => hold({ vaultNames: names(size) })],
  ["resources of a hold", 500, (size) => hold({ resourceArns: names(size) })],
  ["days that a cancelled hold is kept", 36_500, (size) => retainUntilMs(size, nowMs)],
  ["resources of a selection", 500, (size) => selection({ resources: names(size) })],
  ["resources that a selection leaves out", 500, (size) => selection({ notResources: names(size) })],
  ["wildcards of a selection", 30, (size) => selection({ resources: names(size, (at) => `arn:a:${at}*`) })],
  ["accounts of a report", 100, (size) => report({ accounts: names(size) })],
  ["regions of a report", 100, (size) => report({ regions: names(size) })],
  ["vaults of a test", 100, (size) => plan({ includeVaults: vaults(size) })],
  ["vaults that a test leaves out", 100, (size) => plan({ excludeVaults: vaults(size) })],
  ["days that a test looks back", 365, (size) => plan({ windowDays: size })],
  ["hours in which a test begins", 168, (size) => plan({}, size)],
  ["resources of a test", 30, (size) => tested({ resourceArns: names(size) })],
  ["conditions of a test", 30, (size) => tested({ equals: conditions(size) })],
  [
    "conditions of a test together",
    30,
    (size) => tested({ equals: conditions(1), notEquals: conditions(size - 1) }),
  ],
  ["settings of a test", 50, (size) => tested({ resourceArns: ["*"], overrides: members(size) })],
  [
    "hours in which a test is judged",
    168,
    (size) => tested({ resourceArns: ["*"], validationWindowHours: size }),
  ],
  ["resources of a control", 100, (size) => scope({ resourceIds: names(size) })],
  ["tags of a control", 1, (size) => scope({ tags: members(size) })],
  ["days until deletion", 36_500, (size) => checkLifecycle({ deleteAfterDays: size })],
  ["days until cold storage", 36_500, (size) => checkLifecycle({ moveToColdStorageAfterDays: size })],
  ["days of continuous backups", 35, (size) => checkContinuous({ deleteAfterDays: size })],
])("%s: %i at the most", (_what, most, check) => {
  expect(() => check(most)).not.toThrow();
  expect(() => check(most + 1)).toThrow();
});
