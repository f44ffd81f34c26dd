/** The second half of the office's year (backup-plans.test.ts), on the same instance: audits, restore tests, sums and settings. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as backup from "@aws-sdk/client-backup";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type AccountName, accounts, type Instance } from "../support/medley.ts";

export const account = accounts.first.id;
export const IamRoleArn = `arn:aws:iam::${account}:role/backup`;
export const folderArn = (name: string) => `arn:aws:files:us-east-1:${account}:folder/${name}`;
export const arnOf = (resource: string) => `arn:aws:backup:us-east-1:${account}:${resource}`;

type Office = {
  readonly instance: () => Instance;
  readonly send: backup.BackupClient["send"];
  /** Where its folders lie. */
  readonly folder: string;
  clientOf(as: AccountName): backup.BackupClient;
};

export function tellOfAudits({ instance, send, folder, clientOf }: Office): void {
  it("holds controls against what there is, and reports on it", async () => {
    const FrameworkName = "office_rules";
    const FrameworkControls: backup.FrameworkControl[] = [
      { ControlName: "BACKUP_RECOVERY_POINT_ENCRYPTED" },
      {
        ControlName: "BACKUP_RESOURCES_PROTECTED_BY_BACKUP_PLAN",
        ControlScope: { ComplianceResourceTypes: ["Folder"] },
      },
    ];
    const { FrameworkArn } = await send(
      new backup.CreateFrameworkCommand({
        FrameworkName,
        FrameworkControls,
        FrameworkDescription: "Rules",
      }),
    );
    expect(FrameworkArn).toBe(arnOf(`framework:${FrameworkName}`));
    const rested = () =>
      eventually(async () => {
        const framework = await send(new backup.DescribeFrameworkCommand({ FrameworkName }));
        return framework.DeploymentStatus === "COMPLETED" && framework;
      }, "the evaluation");
    expect(await rested()).toMatchObject({ FrameworkArn, FrameworkStatus: "ACTIVE", FrameworkControls });
    await send(new backup.UpdateFrameworkCommand({ FrameworkName, FrameworkDescription: "Better rules" }));
    await rested();
    expect((await send(new backup.ListFrameworksCommand({}))).Frameworks).toMatchObject([
      { FrameworkName, NumberOfControls: 2, FrameworkDescription: "Better rules" },
    ]);
    const ReportPlanName = "controls";
    await send(
      new backup.CreateReportPlanCommand({
        ReportPlanName,
        ReportDeliveryChannel: { S3BucketName: "reports", S3KeyPrefix: "audit", Formats: ["CSV", "JSON"] },
        ReportSetting: { ReportTemplate: "RESOURCE_COMPLIANCE_REPORT", FrameworkArns: [FrameworkArn!] },
      }),
    );
    await expect(send(new backup.DeleteFrameworkCommand({ FrameworkName }))).rejects.toMatchObject({
      name: "ConflictException",
    });
    const { ReportJobId } = await send(new backup.StartReportJobCommand({ ReportPlanName }));
    const job = await eventually(async () => {
      const { ReportJob } = await send(new backup.DescribeReportJobCommand({ ReportJobId: ReportJobId! }));
      return ReportJob?.Status === "COMPLETED" && ReportJob;
    }, "the report");
    expect(job.ReportDestination?.S3Keys?.[0]).toMatch(
      /^audit\/Backup\/us-east-1\/2030\/\d\d\/\d\d\/controls\/.*\.csv$/,
    );
    const download = async (format: string) =>
      instance().signed("backup", "GET", `/backup/audit/report-jobs/${ReportJobId}/files/${format}`);
    const { reportItems } = JSON.parse((await download("JSON")).text);
    const plain = reportItems.filter(({ resourceType }: any) => resourceType === "Folder");
    expect(plain.filter(({ controlName }: any) => controlName.endsWith("BACKUP_PLAN"))).toMatchObject([
      { resourceComplianceStatus: "NON_COMPLIANT" },
      { resourceComplianceStatus: "NON_COMPLIANT" },
      { resourceComplianceStatus: "NON_COMPLIANT" },
    ]);
    const csv = (await download("CSV")).text.trim().split("\r\n");
    expect(csv).toHaveLength(reportItems.length + 1);
    await send(
      new backup.UpdateReportPlanCommand({
        ReportPlanName,
        ReportSetting: { ReportTemplate: "BACKUP_JOB_REPORT" },
      }),
    );
    const { ReportPlan } = await send(new backup.DescribeReportPlanCommand({ ReportPlanName }));
    expect(ReportPlan).toMatchObject({
      ReportSetting: { ReportTemplate: "BACKUP_JOB_REPORT" },
      LastSuccessfulExecutionTime: expect.any(Date),
    });
    expect((await send(new backup.ListReportPlansCommand({}))).ReportPlans).toHaveLength(1);
    await instance().clock.advance("1d");
    const { ReportJobs } = await send(
      new backup.ListReportJobsCommand({ ByReportPlanName: ReportPlanName, ByStatus: "COMPLETED" }),
    );
    expect(ReportJobs?.map(({ ReportTemplate }) => ReportTemplate)).toEqual([
      "BACKUP_JOB_REPORT",
      "RESOURCE_COMPLIANCE_REPORT",
    ]);
    await send(new backup.DeleteReportPlanCommand({ ReportPlanName }));
    await send(new backup.DeleteFrameworkCommand({ FrameworkName }));
  });

  it("tests restores under scratch names, and removes them", async () => {
    const started = await send(
      new backup.StartBackupJobCommand({
        BackupVaultName: "Default",
        ResourceArn: folderArn("photos"),
        IamRoleArn,
      }),
    );
    const job = await eventually(async () => {
      const one = await send(new backup.DescribeBackupJobCommand({ BackupJobId: started.BackupJobId! }));
      return one.State === "COMPLETED" && one;
    }, "the backup");
    const inferred = await send(
      new backup.GetRestoreTestingInferredMetadataCommand({
        BackupVaultName: "Default",
        RecoveryPointArn: job.RecoveryPointArn!,
      }),
    );
    expect(inferred.InferredMetadata?.restorePath).toMatch(/\/restore-test-[0-9a-f]{10}$/);
    const RestoreTestingPlanName = "weekly";
    const plan = await send(
      new backup.CreateRestoreTestingPlanCommand({
        RestoreTestingPlan: {
          RestoreTestingPlanName,
          ScheduleExpression: "cron(0 5 ? * * *)",
          StartWindowHours: 1,
          RecoveryPointSelection: {
            Algorithm: "LATEST_WITHIN_WINDOW",
            IncludeVaults: [arnOf("backup-vault:Default")],
            RecoveryPointTypes: ["SNAPSHOT"],
          },
        },
      }),
    );
    expect(plan.RestoreTestingPlanArn).toBe(arnOf(`restore-testing-plan:${RestoreTestingPlanName}`));
    const RestoreTestingSelectionName = "folders";
    await send(
      new backup.CreateRestoreTestingSelectionCommand({
        RestoreTestingPlanName,
        RestoreTestingSelection: {
          RestoreTestingSelectionName,
          IamRoleArn,
          ProtectedResourceType: "Folder",
          ProtectedResourceArns: ["*"],
          ValidationWindowHours: 4,
        },
      }),
    );
    const named = { RestoreTestingPlanName, RestoreTestingSelectionName };
    expect(
      (await send(new backup.GetRestoreTestingSelectionCommand(named))).RestoreTestingSelection,
    ).toMatchObject({
      ProtectedResourceArns: ["*"],
      ValidationWindowHours: 4,
    });
    const next = new Date(instance().clock.nowMs());
    const wait = (24 + 5 - next.getUTCHours()) % 24 || 24;
    await instance().clock.advance(`${wait + 1}h`);
    const test = await eventually(async () => {
      const { RestoreJobs = [] } = await send(
        new backup.ListRestoreJobsCommand({ ByRestoreTestingPlanArn: plan.RestoreTestingPlanArn! }),
      );
      return RestoreJobs[0]?.Status === "COMPLETED" && RestoreJobs[0];
    }, "the restore test");
    expect(test).toMatchObject({
      ValidationStatus: "VALIDATING",
      CreatedBy: { RestoreTestingPlanArn: plan.RestoreTestingPlanArn },
    });
    const scratch = () => readdirSync(folder).filter((name) => name.startsWith("restore-test-"));
    expect(scratch()).toHaveLength(1);
    expect(existsSync(join(folder, scratch()[0]!, "note.txt"))).toBe(true);
    await send(
      new backup.PutRestoreValidationResultCommand({
        RestoreJobId: test.RestoreJobId!,
        ValidationStatus: "SUCCESSFUL",
        ValidationStatusMessage: "All there",
      }),
    );
    await eventually(async () => {
      const one = await send(new backup.DescribeRestoreJobCommand({ RestoreJobId: test.RestoreJobId! }));
      expect(one).toMatchObject({ ValidationStatus: "SUCCESSFUL", ValidationStatusMessage: "All there" });
      return one.DeletionStatus === "SUCCESSFUL";
    }, "the removal");
    expect(scratch()).toEqual([]);
    await send(
      new backup.UpdateRestoreTestingSelectionCommand({
        ...named,
        RestoreTestingSelection: {
          ProtectedResourceConditions: { StringEquals: [{ Key: "aws:ResourceTag/stage", Value: "none" }] },
        },
      }),
    );
    await send(
      new backup.UpdateRestoreTestingPlanCommand({
        RestoreTestingPlanName,
        RestoreTestingPlan: { StartWindowHours: 2 },
      }),
    );
    expect(
      (await send(new backup.GetRestoreTestingPlanCommand({ RestoreTestingPlanName }))).RestoreTestingPlan,
    ).toMatchObject({
      StartWindowHours: 2,
      LastExecutionTime: expect.any(Date),
    });
    expect((await send(new backup.ListRestoreTestingPlansCommand({}))).RestoreTestingPlans).toHaveLength(1);
    expect(
      (await send(new backup.ListRestoreTestingSelectionsCommand({ RestoreTestingPlanName })))
        .RestoreTestingSelections,
    ).toHaveLength(1);
    await expect(
      send(new backup.DeleteRestoreTestingPlanCommand({ RestoreTestingPlanName })),
    ).rejects.toMatchObject({
      name: "InvalidRequestException",
    });
    await send(new backup.DeleteRestoreTestingSelectionCommand(named));
    await send(new backup.DeleteRestoreTestingPlanCommand({ RestoreTestingPlanName }));
  });

  it("sums jobs up, tags what it keeps, and has settings", async () => {
    const day = await send(
      new backup.ListBackupJobSummariesCommand({ State: "COMPLETED", AggregationPeriod: "ONE_DAY" }),
    );
    expect(day.BackupJobSummaries).toMatchObject([
      { AccountId: account, State: "COMPLETED", ResourceType: "AGGREGATE_ALL", Count: 1 },
    ]);
    const restores = await send(
      new backup.ListRestoreJobSummariesCommand({ State: "ANY", ResourceType: "ANY" }),
    );
    expect(restores.RestoreJobSummaries).toMatchObject([
      { State: "COMPLETED", ResourceType: "Folder", Count: 1 },
    ]);
    expect((await send(new backup.ListCopyJobSummariesCommand({}))).CopyJobSummaries).toEqual([]);
    const ResourceArn = arnOf("backup-vault:Default");
    await send(new backup.TagResourceCommand({ ResourceArn, Tags: { a: "1", b: "2" } }));
    await send(new backup.UntagResourceCommand({ ResourceArn, TagKeyList: ["a"] }));
    expect((await send(new backup.ListTagsCommand({ ResourceArn }))).Tags).toEqual({ b: "2" });
    await send(new backup.UpdateRegionSettingsCommand({ ResourceTypeOptInPreference: { Folder: false } }));
    const region = await send(new backup.DescribeRegionSettingsCommand({}));
    expect(region.ResourceTypeOptInPreference).toMatchObject({ Folder: false, HttpResource: true });
    await send(
      new backup.UpdateGlobalSettingsCommand({ GlobalSettings: { isCrossAccountBackupEnabled: "true" } }),
    );
    expect((await send(new backup.DescribeGlobalSettingsCommand({}))).GlobalSettings).toEqual({
      isCrossAccountBackupEnabled: "true",
    });
    await expect(clientOf("second").send(new backup.DescribeGlobalSettingsCommand({}))).rejects.toMatchObject(
      {
        name: "InvalidRequestException",
      },
    );
  });
}
