/** A year of an office with backup plans, told by the maker's own client, unmodified: plans, holds, audits, restore tests, settings. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as backup from "@aws-sdk/client-backup";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type AccountName, accounts, onBothDatabases } from "../support/medley.ts";

const account = accounts.first.id;
const IamRoleArn = `arn:aws:iam::${account}:role/backup`;
const folderArn = (name: string) => `arn:aws:files:us-east-1:${account}:folder/${name}`;
const arnOf = (resource: string) => `arn:aws:backup:us-east-1:${account}:${resource}`;
const root = mkdtempSync(join(tmpdir(), "medley-plans-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

onBothDatabases(
  "the maker's client and its plans",
  (instance, kind) => {
    const clients: backup.BackupClient[] = [];
    const clientOf = (as: AccountName) => {
      const [key] = accounts[as].accessKeys;
      const client = new backup.BackupClient({
        endpoint: `${instance().url}/backup`,
        region: "us-east-1",
        credentials: { accessKeyId: key!.id, secretAccessKey: key!.secret },
        maxAttempts: 1,
      });
      clients.push(client);
      return client;
    };
    let client: backup.BackupClient;
    const send: backup.BackupClient["send"] = ((command: never) => client.send(command)) as never;
    const folder = join(root, kind);
    const register = async (name: string, tags: Record<string, string>) => {
      const path = join(folder, name);
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, "note.txt"), `This is ${name}.\n`);
      const { status, text } = await instance().bearer("PUT", "/_medley/resources", {
        body: {
          arn: folderArn(name),
          type: "AWS::Files::Folder",
          name,
          region: "us-east-1",
          tags,
          details: { path },
        },
      });
      expect(status, text).toBe(200);
    };
    const jobsDone = (wanted: number) =>
      eventually(async () => {
        const { BackupJobs = [] } = await send(new backup.ListBackupJobsCommand({ ByState: "COMPLETED" }));
        return BackupJobs.length >= wanted && BackupJobs;
      }, "the end of the backup jobs");

    beforeAll(async () => {
      client = clientOf("first");
      await instance().clock.freeze();
      await instance().clock.advance(Date.parse("2030-01-01T00:00:00Z") - instance().clock.nowMs());
      await register("photos", { stage: "production", team: "press" });
      await register("drafts", { stage: "test" });
      for (const BackupVaultName of ["Default", "archive"])
        await send(new backup.CreateBackupVaultCommand({ BackupVaultName }));
    });
    afterAll(() => {
      for (const one of clients) one.destroy();
    });

    let BackupPlanId: string;
    let SelectionId: string;
    const rule: backup.BackupRuleInput = {
      RuleName: "daily",
      TargetBackupVaultName: "Default",
      ScheduleExpression: "cron(30 2 ? * * *)",
      ScheduleExpressionTimezone: "Europe/Berlin",
      StartWindowMinutes: 60,
      CompletionWindowMinutes: 180,
      Lifecycle: { DeleteAfterDays: 10 },
      RecoveryPointTags: { made: "by plan" },
      CopyActions: [
        { DestinationBackupVaultArn: arnOf("backup-vault:archive"), Lifecycle: { DeleteAfterDays: 200 } },
      ],
    };
    const office: backup.BackupPlanInput = {
      BackupPlanName: "office",
      Rules: [rule],
      AdvancedBackupSettings: [{ ResourceType: "Folder", BackupOptions: { SkipUnreadable: "enabled" } }],
    };

    it("begins with a template, exports and imports plans", async () => {
      const { BackupPlanTemplatesList = [] } = await send(new backup.ListBackupPlanTemplatesCommand({}));
      const template = BackupPlanTemplatesList.find(
        ({ BackupPlanTemplateName }) => BackupPlanTemplateName === "Daily-Weekly-Monthly-7yr-Retention",
      );
      const { BackupPlanDocument } = await send(
        new backup.GetBackupPlanFromTemplateCommand({ BackupPlanTemplateId: template!.BackupPlanTemplateId }),
      );
      expect(BackupPlanDocument?.Rules?.map(({ RuleName }) => RuleName)).toEqual([
        "DailyBackups",
        "Weekly",
        "Monthly",
      ]);
      const made = await send(
        new backup.CreateBackupPlanCommand({
          BackupPlan: office,
          BackupPlanTags: { owner: "press" },
          CreatorRequestId: "one",
        }),
      );
      BackupPlanId = made.BackupPlanId!;
      expect(made).toMatchObject({
        BackupPlanArn: arnOf(`backup-plan:${BackupPlanId}`),
        VersionId: expect.any(String),
      });
      const again = await send(
        new backup.CreateBackupPlanCommand({ BackupPlan: office, CreatorRequestId: "one" }),
      );
      expect(again).toMatchObject({ BackupPlanId, VersionId: made.VersionId });
      await expect(send(new backup.CreateBackupPlanCommand({ BackupPlan: office }))).rejects.toMatchObject({
        name: "AlreadyExistsException",
        Arn: made.BackupPlanArn,
        CreatorRequestId: "one",
      });
      const { BackupPlanTemplateJson } = await send(
        new backup.ExportBackupPlanTemplateCommand({ BackupPlanId }),
      );
      const { BackupPlan } = await send(new backup.GetBackupPlanFromJSONCommand({ BackupPlanTemplateJson }));
      expect(BackupPlan?.Rules?.[0]).toMatchObject({ ...rule, EnableContinuousBackup: false });
      expect(BackupPlan?.Rules?.[0]?.RuleId).toBeUndefined();
      const shown = await send(new backup.GetBackupPlanCommand({ BackupPlanId }));
      expect(shown).toMatchObject({
        BackupPlanId,
        CreatorRequestId: "one",
        AdvancedBackupSettings: office.AdvancedBackupSettings,
        BackupPlan: { BackupPlanName: "office", Rules: [rule] },
      });
    });

    it("selects resources by tag and condition, live, and backs them up at their time", async () => {
      const selection: backup.BackupSelection = {
        SelectionName: "production",
        IamRoleArn,
        Resources: [`arn:aws:files:us-east-1:${account}:*`],
        NotResources: [folderArn("secrets")],
        Conditions: {
          StringEquals: [{ ConditionKey: "aws:ResourceTag/stage", ConditionValue: "production" }],
          StringNotLike: [{ ConditionKey: "aws:ResourceTag/team", ConditionValue: "x*" }],
        },
      };
      const made = await send(
        new backup.CreateBackupSelectionCommand({
          BackupPlanId,
          BackupSelection: selection,
          CreatorRequestId: "s",
        }),
      );
      SelectionId = made.SelectionId!;
      expect(await send(new backup.GetBackupSelectionCommand({ BackupPlanId, SelectionId }))).toMatchObject({
        BackupSelection: selection,
        CreatorRequestId: "s",
      });
      await register("secrets", { stage: "production" });
      await instance().clock.advance("12h");
      const [job, ...others] = await jobsDone(1);
      expect(others).toEqual([]);
      expect(job).toMatchObject({
        ResourceArn: folderArn("photos"),
        CreationDate: new Date("2030-01-01T01:30:00Z"),
        CreatedBy: { BackupPlanId, BackupPlanArn: arnOf(`backup-plan:${BackupPlanId}`) },
        BackupOptions: { SkipUnreadable: "enabled" },
      });
      await register("drafts", { stage: "production" });
      await instance().clock.advance("24h");
      expect((await jobsDone(3)).map(({ ResourceName }) => ResourceName).sort()).toEqual([
        "drafts",
        "photos",
        "photos",
      ]);
      const { CopyJobs = [] } = await send(new backup.ListCopyJobsCommand({}));
      expect(CopyJobs.map(({ State }) => State)).toEqual(["COMPLETED", "COMPLETED", "COMPLETED"]);
      const { Tags } = await send(new backup.ListTagsCommand({ ResourceArn: job!.RecoveryPointArn! }));
      expect(Tags).toEqual({ made: "by plan" });
      const { LastExecutionDate } = await send(new backup.GetBackupPlanCommand({ BackupPlanId }));
      expect(LastExecutionDate).toEqual(new Date("2030-01-02T01:30:00Z"));
    });

    it("changes a plan by versions, lists them, and deletes it only without selections", async () => {
      const before = await send(new backup.GetBackupPlanCommand({ BackupPlanId }));
      const updated = await send(
        new backup.UpdateBackupPlanCommand({
          BackupPlanId,
          BackupPlan: {
            BackupPlanName: "office",
            Rules: [{ ...rule, ScheduleExpression: "cron(0 6 ? * MON *)" }],
          },
        }),
      );
      expect(updated.VersionId).not.toBe(before.VersionId);
      const earlier = await send(
        new backup.GetBackupPlanCommand({ BackupPlanId, VersionId: before.VersionId! }),
      );
      expect(earlier.BackupPlan).toEqual(before.BackupPlan);
      const versions: (string | undefined)[] = [];
      for await (const page of backup.paginateListBackupPlanVersions(
        { client, pageSize: 1 },
        { BackupPlanId },
      ))
        versions.push(...(page.BackupPlanVersionsList ?? []).map(({ VersionId }) => VersionId));
      expect(versions).toEqual([updated.VersionId, before.VersionId]);
      await expect(send(new backup.DeleteBackupPlanCommand({ BackupPlanId }))).rejects.toMatchObject({
        name: "InvalidRequestException",
      });
      const { BackupSelectionsList } = await send(new backup.ListBackupSelectionsCommand({ BackupPlanId }));
      expect(BackupSelectionsList).toMatchObject([{ SelectionId, SelectionName: "production", IamRoleArn }]);
      await send(new backup.DeleteBackupSelectionCommand({ BackupPlanId, SelectionId }));
      await send(new backup.DeleteBackupPlanCommand({ BackupPlanId }));
      expect((await send(new backup.ListBackupPlansCommand({}))).BackupPlansList).toEqual([]);
      await instance().clock.advance("48h");
      const { BackupPlansList } = await send(new backup.ListBackupPlansCommand({ IncludeDeleted: true }));
      expect(BackupPlansList).toMatchObject([{ BackupPlanId, DeletionDate: expect.any(Date) }]);
    });

    it("holds recovery points until the hold is cancelled", async () => {
      const { RecoveryPoints = [] } = await send(
        new backup.ListRecoveryPointsByBackupVaultCommand({ BackupVaultName: "Default" }),
      );
      const hold = await send(
        new backup.CreateLegalHoldCommand({
          Title: "Case 12",
          Description: "The accident",
          IdempotencyToken: "hold",
          RecoveryPointSelection: {
            VaultNames: ["Default"],
            ResourceIdentifiers: [folderArn("photos")],
            DateRange: {
              FromDate: new Date("2030-01-01T00:00:00Z"),
              ToDate: new Date("2031-01-01T00:00:00Z"),
            },
          },
        }),
      );
      const LegalHoldId = hold.LegalHoldId!;
      expect(hold).toMatchObject({ Status: "CREATING", LegalHoldArn: arnOf(`legal-hold:${LegalHoldId}`) });
      await eventually(
        async () => (await send(new backup.GetLegalHoldCommand({ LegalHoldId }))).Status === "ACTIVE",
        "the hold",
      );
      expect((await send(new backup.ListLegalHoldsCommand({}))).LegalHolds).toMatchObject([{ LegalHoldId }]);
      const held = await send(new backup.ListRecoveryPointsByLegalHoldCommand({ LegalHoldId }));
      expect(held.RecoveryPoints).toHaveLength(2);
      const photo = RecoveryPoints.find(({ ResourceArn }) => ResourceArn === folderArn("photos"))!;
      const named = { BackupVaultName: "Default", RecoveryPointArn: photo.RecoveryPointArn! };
      for (const Command of [backup.DeleteRecoveryPointCommand, backup.DisassociateRecoveryPointCommand])
        await expect(send(new Command(named))).rejects.toThrow("Case 12");
      await instance().clock.advance("12d");
      const kept = await send(
        new backup.ListRecoveryPointsByBackupVaultCommand({ BackupVaultName: "Default" }),
      );
      expect(kept.RecoveryPoints?.map(({ ResourceArn }) => ResourceArn)).toEqual([
        folderArn("photos"),
        folderArn("photos"),
      ]);
      await send(
        new backup.CancelLegalHoldCommand({
          LegalHoldId,
          CancelDescription: "It is over",
          RetainRecordInDays: 2,
        }),
      );
      await eventually(
        async () => (await send(new backup.GetLegalHoldCommand({ LegalHoldId }))).Status === "CANCELED",
        "the end of the hold",
      );
      expect(await send(new backup.GetLegalHoldCommand({ LegalHoldId }))).toMatchObject({
        CancelDescription: "It is over",
        RetainRecordUntil: expect.any(Date),
      });
      await instance().clock.advance("3d");
      await expect(send(new backup.GetLegalHoldCommand({ LegalHoldId }))).rejects.toMatchObject({
        name: "ResourceNotFoundException",
      });
      const left = await send(
        new backup.ListRecoveryPointsByBackupVaultCommand({ BackupVaultName: "Default" }),
      );
      expect(left.RecoveryPoints).toEqual([]);
      expect(
        (await send(new backup.ListBackupPlansCommand({ IncludeDeleted: true }))).BackupPlansList,
      ).toMatchObject([{ BackupPlanId }]);
    });

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
      await expect(
        clientOf("second").send(new backup.DescribeGlobalSettingsCommand({})),
      ).rejects.toMatchObject({
        name: "InvalidRequestException",
      });
    });
  },
  { services: ["backup"], backupRoots: root, backupOrganization: account } as never,
);
