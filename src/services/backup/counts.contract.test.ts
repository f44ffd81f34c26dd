/** How much an account may have in a region, over HTTP: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { account, Backups } from "../../../tests/support/backup.ts";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const data = mkdtempSync(join(tmpdir(), "medley-counts-"));
const role = `arn:aws:iam::${account}:role/r`;
let instance: Instance;
let planId = "";
const backups = new Backups(() => instance);
const rule = { RuleName: "r", TargetBackupVaultName: "near" };
const planOf = (name: string) => ({ BackupPlan: { BackupPlanName: name, Rules: [rule] } });
beforeAll(async () => {
  instance = await startInstance({ services: ["backup"], data });
  await backups.vault("near");
  planId = (await backups.well("PUT", "/backup/plans", planOf("kept"))).BackupPlanId;
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

type Asked = readonly [method: string, path: string, body: object];
const changed = { id: "copied.id || '-' || n", name: "copied.name || '-' || n" };
it.each<[string, number, number, (name: string) => Asked]>([
  ["backup_vault", 100, 1, (name) => ["PUT", `/backup-vaults/${name}`, {}]],
  ["backup_plan", 300, 1, (name) => ["PUT", "/backup/plans", planOf(name)]],
  [
    "backup_selection",
    100,
    0,
    (name) => [
      "PUT",
      `/backup/plans/${planId}/selections`,
      { BackupSelection: { SelectionName: name, IamRoleArn: role, Resources: ["*"] } },
    ],
  ],
  ["backup_hold", 50, 0, (name) => ["POST", "/legal-holds", { Title: name, Description: name }]],
  [
    "backup_report_plan",
    20,
    0,
    (name) => [
      "POST",
      "/audit/report-plans",
      {
        ReportPlanName: name,
        ReportDeliveryChannel: { S3BucketName: "reports" },
        ReportSetting: { ReportTemplate: "BACKUP_JOB_REPORT" },
      },
    ],
  ],
  [
    "backup_testing_plan",
    100,
    0,
    (name) => [
      "PUT",
      "/restore-testing/plans",
      {
        RestoreTestingPlan: {
          RestoreTestingPlanName: name,
          ScheduleExpression: "cron(0 5 ? * * *)",
          RecoveryPointSelection: {
            Algorithm: "LATEST_WITHIN_WINDOW",
            IncludeVaults: ["*"],
            RecoveryPointTypes: ["SNAPSHOT"],
          },
        },
      },
    ],
  ],
  [
    "backup_framework",
    15,
    0,
    (name) => [
      "POST",
      "/audit/frameworks",
      {
        FrameworkName: name,
        FrameworkControls: [
          {
            ControlName: "BACKUP_RECOVERY_POINT_MINIMUM_RETENTION_CHECK",
            ControlInputParameters: [
              { ParameterName: "requiredRetentionDays", ParameterValue: String(name.length) },
            ],
          },
        ],
      },
    ],
  ],
  [
    "backup_testing_selection",
    30,
    0,
    (name) => [
      "PUT",
      "/restore-testing/plans/first/selections",
      {
        RestoreTestingSelection: {
          RestoreTestingSelectionName: name,
          ProtectedResourceType: "Folder",
          IamRoleArn: role,
          ProtectedResourceArns: ["*"],
        },
      },
    ],
  ],
])("%s: %i at the most", async (table, most, before, asked) => {
  await backups.well(...asked("first"));
  copyRow(data, { table, count: most - 2 - before, changed });
  await backups.well(...asked("last"));
  expect(await backups.refusal(...asked("beyond"))).toContain("LimitExceeded");
});

it("two thousand versions of a plan", async () => {
  const change = ["POST", `/backup/plans/${planId}`, planOf("kept")] as const;
  changeRows(data, (database) => database.exec("update backup_plan_version set sequence = 1999"));
  await backups.well(...change);
  expect(await backups.refusal(...change)).toContain("A backup plan can have 2000 versions");
});

it("locks of 36,500 days, which can be changed for three at the least", async () => {
  const lock = (body: object) => ["PUT", "/backup-vaults/near/vault-lock", body] as const;
  for (const body of [{ MaxRetentionDays: 36_501 }, { ChangeableForDays: 2 }, { ChangeableForDays: 36_501 }])
    expect(await backups.refusal(...lock(body))).toContain("must lie between");
  await backups.well(...lock({ MaxRetentionDays: 36_500, ChangeableForDays: 36_500 }));
  await backups.well(...lock({ ChangeableForDays: 3 }));
  const isolated = (name: string, MaxRetentionDays: number) =>
    [
      "PUT",
      `/logically-air-gapped-backup-vaults/${name}`,
      { MinRetentionDays: 1, MaxRetentionDays },
    ] as const;
  expect(await backups.refusal(...isolated("beyond", 36_501))).toContain("36500 at most");
  changeRows(data, (database) => database.exec("delete from backup_vault where name <> 'near'"));
  await backups.well(...isolated("apart", 36_500));
});
