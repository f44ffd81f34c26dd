/** How much an account may have in a region, over HTTP: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { account, Backups } from "../../../tests/support/backup.ts";
import { copyRow } from "../../../tests/support/copied-rows.ts";
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
])("%s: %i at the most", async (table, most, before, asked) => {
  await backups.well(...asked("first"));
  copyRow(data, { table, count: most - 2 - before, changed });
  await backups.well(...asked("last"));
  expect(await backups.refusal(...asked("beyond"))).toContain("LimitExceeded");
});
