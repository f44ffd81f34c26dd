/** Plans, selections, holds, audits, restore tests and settings over HTTP in the neutral spelling, on both databases. */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { account, Backups, backupArn, folderArn, newRoot, role } from "../../../tests/support/backup.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const root = newRoot();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const rule = { RuleName: "daily", TargetBackupVaultName: "near" };
const archive = { DestinationBackupVaultArn: backupArn("backup-vault:archive") };
const withRule = (change: object) => ({ BackupPlanName: "wrong", Rules: [{ ...rule, ...change }] });
const selection = { SelectionName: "all", IamRoleArn: role, Resources: ["*"] };

onBothDatabases(
  "backup plans",
  (instance, kind) => {
    const backups = new Backups(instance);
    const elsewhere = new Backups(instance, "eu-west-1");
    const others = new Backups(instance, "us-east-1", "second");
    beforeAll(async () => {
      await backups.standAt("2030-01-01T00:00:00Z");
      for (const vault of ["near", "archive"]) await backups.vault(vault);
      await backups.folder(`${root}/${kind}`, "photos", { stage: "production" });
    });
    const createPlan = (BackupPlan: object, more: object = {}) =>
      backups.well("PUT", "/backup/plans", { BackupPlan, ...more });
    const finished = (id: string) =>
      eventually(async () => {
        const job = await backups.well("GET", `/backup-jobs/${id}`);
        return !["CREATED", "PENDING", "RUNNING"].includes(job.State) && job;
      }, "the end of the job");

    describe("plans", () => {
      it.each<[string, object, string]>([
        [
          "no rules",
          { BackupPlanName: "wrong", Rules: [] },
          "InvalidParameterValue: A backup plan has 1 to 10 rules",
        ],
        ["no name", { Rules: [rule] }, "MissingParameterValue: "],
        ["a bad name", { BackupPlanName: "a b", Rules: [rule] }, "InvalidParameterValue: BackupPlanName"],
        [
          "no such vault",
          withRule({ TargetBackupVaultName: "nowhere" }),
          "InvalidParameterValue: There is no backup vault nowhere",
        ],
        [
          "two rules of a name",
          { BackupPlanName: "wrong", Rules: [rule, rule] },
          "InvalidParameterValue: The names",
        ],
        [
          "cold for too short",
          withRule({ Lifecycle: { MoveToColdStorageAfterDays: 30, DeleteAfterDays: 119 } }),
          "InvalidParameterValue: DeleteAfterDays (119) must be at least 90 days after",
        ],
        [
          "deleted at once",
          withRule({ Lifecycle: { DeleteAfterDays: 0 } }),
          "InvalidParameterValue: DeleteAfterDays",
        ],
        [
          "a short start window",
          withRule({ StartWindowMinutes: 59 }),
          "InvalidParameterValue: StartWindowMinutes",
        ],
        [
          "a short completion window",
          withRule({ StartWindowMinutes: 60, CompletionWindowMinutes: 119 }),
          "InvalidParameterValue: CompletionWindowMinutes",
        ],
        [
          "a schedule that is none",
          withRule({ ScheduleExpression: "daily" }),
          "InvalidParameterValue: The schedule expression daily",
        ],
        [
          "a schedule of minutes",
          withRule({ ScheduleExpression: "cron(0/5 * ? * * *)" }),
          "InvalidParameterValue: The schedule",
        ],
        [
          "a zone that is none",
          withRule({ ScheduleExpressionTimezone: "Mars/Base" }),
          "InvalidParameterValue: There is no time zone",
        ],
        [
          "a copy to nowhere",
          withRule({ CopyActions: [{ DestinationBackupVaultArn: "nowhere" }] }),
          "InvalidParameterValue: nowhere is not the ARN",
        ],
        [
          "a copy to a vault that is none",
          withRule({ CopyActions: [{ DestinationBackupVaultArn: backupArn("backup-vault:none") }] }),
          "InvalidParameterValue: There is no backup vault none",
        ],
        [
          "two copies to a vault",
          withRule({ CopyActions: [archive, archive] }),
          "InvalidParameterValue: The rule daily copies",
        ],
        [
          "continuous for ever",
          withRule({ EnableContinuousBackup: true }),
          "InvalidParameterValue: Continuous backups need",
        ],
        [
          "continuous for too long",
          withRule({ EnableContinuousBackup: true, Lifecycle: { DeleteAfterDays: 36 } }),
          "InvalidParameterValue: Continuous backups need",
        ],
        [
          "reserved tags",
          withRule({ RecoveryPointTags: { "aws:x": "y" } }),
          'InvalidParameterValue: The tag key "aws:x"',
        ],
        [
          "options of no kind",
          { ...withRule({}), AdvancedBackupSettings: [{ ResourceType: "Moon", BackupOptions: {} }] },
          "InvalidParameterValue: There are no backup options",
        ],
        [
          "an option that is none",
          {
            ...withRule({}),
            AdvancedBackupSettings: [{ ResourceType: "Folder", BackupOptions: { Fast: "enabled" } }],
          },
          "InvalidParameterValue: Fast is not",
        ],
        [
          "an option half on",
          {
            ...withRule({}),
            AdvancedBackupSettings: [{ ResourceType: "Folder", BackupOptions: { SkipUnreadable: "half" } }],
          },
          "InvalidParameterValue: The option",
        ],
      ])("are refused with %s", async (_what, BackupPlan, why) => {
        expect(await backups.refusal("PUT", "/backup/plans", { BackupPlan })).toContain(why);
        const asJson = await backups.refusal("POST", "/backup/template/json/toPlan", {
          BackupPlanTemplateJson: JSON.stringify(BackupPlan),
        });
        expect(asJson.split(":")[0]).toBe(why.split(":")[0]);
      });
      it("tell the vaults that they fill, and read the same in either spelling", async () => {
        const topic = `arn:vendor:sns:us-east-1:${account}:plans`;
        await backups.well("PUT", "/backup-vaults/near/notification-configuration", {
          SNSTopicArn: topic,
          BackupVaultEvents: ["BACKUP_PLAN_CREATED", "BACKUP_PLAN_MODIFIED"],
        });
        const BackupPlan = { BackupPlanName: "told", Rules: [{ ...rule, CopyActions: [archive] }] };
        const { BackupPlanId } = await createPlan(BackupPlan);
        const at = `/backup/plans/${BackupPlanId}`;
        await backups.well("POST", at, { BackupPlan });
        const { body } = await instance().bearer(
          "GET",
          `/_medley/outbox?kind=topic&target=${encodeURIComponent(topic)}`,
        );
        expect(body.messages.map((one: any) => one.subject)).toEqual([
          "BACKUP_PLAN_MODIFIED",
          "BACKUP_PLAN_CREATED",
        ]);
        const asMaker = { headers: { "amz-sdk-request": "attempt=1" } };
        const exported = (more: object) =>
          instance().signed("backup", "GET", `/backup${at}/toTemplate`, more);
        expect((await exported({})).body.BackupPlanTemplateJson).toContain("arn:vendor:backup:");
        expect((await exported(asMaker)).body.BackupPlanTemplateJson).toContain("arn:aws:backup:");
        const key = (partition: string) => ({
          StringEquals: [{ ConditionKey: `${partition}:ResourceTag/stage`, ConditionValue: "aws:x" }],
        });
        const made = await instance().signed("backup", "PUT", `/backup${at}/selections`, {
          ...asMaker,
          body: { BackupSelection: { ...selection, Resources: ["arn:aws:x:::y"], Conditions: key("aws") } },
        });
        const path = `${at}/selections/${made.body.SelectionId}`;
        expect((await backups.well("GET", path)).BackupSelection).toMatchObject({
          Resources: ["arn:vendor:x:::y"],
          Conditions: key("vendor"),
        });
        const shown = await instance().signed("backup", "GET", `/backup${path}`, asMaker);
        expect(shown.body.BackupSelection.Conditions).toMatchObject(key("aws"));
      });
      it("have defaults, versions with rules that keep their identifiers, and names of their own", async () => {
        const { BackupPlanId, VersionId } = await createPlan({ BackupPlanName: "first", Rules: [rule] });
        const at = `/backup/plans/${BackupPlanId}`;
        const { BackupPlan } = await backups.well("GET", at);
        expect(BackupPlan.Rules).toEqual([
          {
            ...rule,
            RuleId: expect.any(String),
            ScheduleExpression: "cron(0 5 ? * * *)",
            ScheduleExpressionTimezone: "Etc/UTC",
            StartWindowMinutes: 480,
            CompletionWindowMinutes: 10_080,
            Lifecycle: {},
            RecoveryPointTags: {},
            CopyActions: [],
            EnableContinuousBackup: false,
          },
        ]);
        const second = { ...rule, RuleName: "weekly", ScheduleExpression: "cron(0 6 ? * SUN *)" };
        const changed = await backups.well("POST", at, {
          BackupPlan: { BackupPlanName: "renamed", Rules: [second, rule] },
        });
        const now = await backups.well("GET", `${at}/`);
        expect(now.VersionId).toBe(changed.VersionId);
        expect(now.BackupPlan.Rules[1].RuleId).toBe(BackupPlan.Rules[0].RuleId);
        expect((await backups.well("GET", `${at}?versionId=${VersionId}`)).BackupPlan.BackupPlanName).toBe(
          "first",
        );
        expect(await backups.refusal("GET", `${at}?versionId=none`)).toContain("ResourceNotFound: ");
        await createPlan({ BackupPlanName: "first", Rules: [rule] });
        expect(
          await backups.refusal("POST", at, { BackupPlan: { BackupPlanName: "first", Rules: [rule] } }),
        ).toContain("InvalidParameterValue: There is a backup plan first");
        for (const stranger of [elsewhere, others])
          expect(await stranger.refusal("GET", at)).toContain("ResourceNotFound: ");
        expect(await backups.refusal("POST", "/backup/plans/none", { BackupPlan: withRule({}) })).toContain(
          "ResourceNotFound: ",
        );
      });
      it("are listed in pages, and their tokens are good for their list alone", async () => {
        for (const name of ["a", "b", "c"])
          await createPlan({ BackupPlanName: `page-${name}`, Rules: [rule] });
        const whole = await backups.all("/backup/plans", "BackupPlansList");
        const ids = (plans: any[]) => plans.map(({ BackupPlanId }) => BackupPlanId);
        expect(ids(await backups.all("/backup/plans", "BackupPlansList", 2))).toEqual(ids(whole));
        expect(ids(whole)).toEqual([...ids(whole)].sort());
        const { NextToken } = await backups.well("GET", "/backup/plans?maxResults=1");
        for (const path of [
          `/backup/plans?includeDeleted=true&nextToken=${NextToken}`,
          `/legal-holds?nextToken=${NextToken}`,
          "/backup/plans?nextToken=x",
        ])
          expect(await backups.refusal("GET", path)).toContain("InvalidParameterValue: The page token");
        expect(await backups.refusal("GET", "/backup/plans?maxResults=0")).toContain(
          "InvalidParameterValue: ",
        );
      });
      it("can be read from JSON, or not", async () => {
        const refusal = (text: string) =>
          backups.refusal("POST", "/backup/template/json/toPlan", { BackupPlanTemplateJson: text });
        expect(await refusal("{")).toContain("InvalidRequest: ");
        expect(await refusal('{"BackupPlanName":"x"}')).toContain(
          "MissingParameterValue: BackupPlanTemplateJson lacks Rules",
        );
        expect(await refusal('{"BackupPlanName":"x","Rules":1}')).toContain("InvalidParameterValue: ");
        expect(await refusal(`"${"x".repeat(300_000)}"`)).toContain("LimitExceeded: ");
        expect(await backups.refusal("GET", "/backup/template/plans/none/toPlan")).toContain(
          "ResourceNotFound: ",
        );
        const templates = await backups.all("/backup/template/plans", "BackupPlanTemplatesList", 4);
        for (const { BackupPlanTemplateId } of templates)
          expect(
            (await backups.well("GET", `/backup/template/plans/${BackupPlanTemplateId}/toPlan`))
              .BackupPlanDocument.Rules,
          ).not.toEqual([]);
      });
    });

    describe("selections", () => {
      it("are checked, told apart and listed", async () => {
        const { BackupPlanId } = await createPlan({ BackupPlanName: "choosing", Rules: [rule] });
        const at = `/backup/plans/${BackupPlanId}/selections`;
        const refusal = (change: object) =>
          backups.refusal("PUT", at, { BackupSelection: { ...selection, ...change } });
        expect(await refusal({ IamRoleArn: "arn:vendor:iam::222222222222:role/x" })).toContain(
          "must be a role of this account",
        );
        expect(await refusal({ IamRoleArn: "me" })).toContain("InvalidParameterValue: IamRoleArn");
        expect(await refusal({ Resources: ["photos"] })).toContain("neither an ARN");
        expect(
          await refusal({ Resources: Array.from({ length: 501 }, (_, at) => folderArn(`${at}`)) }),
        ).toContain("500 names");
        expect(
          await refusal({ NotResources: Array.from({ length: 31 }, (_, at) => folderArn(`${at}*`)) }),
        ).toContain("30 names with wildcards");
        expect(
          await refusal({ Conditions: { StringLike: [{ ConditionKey: "stage", ConditionValue: "x" }] } }),
        ).toContain("vendor:ResourceTag/");
        expect(await refusal({ SelectionName: "a b" })).toContain("InvalidParameterValue: ");
        const made = await backups.well("PUT", at, { BackupSelection: selection, CreatorRequestId: "1" });
        expect(await backups.well("PUT", at, { BackupSelection: selection, CreatorRequestId: "1" })).toEqual(
          made,
        );
        expect(await refusal({})).toContain("AlreadyExists: ");
        expect(
          await backups.refusal("PUT", "/backup/plans/none/selections", { BackupSelection: selection }),
        ).toContain("ResourceNotFound: ");
        for (let index = 0; index < 3; index += 1)
          await backups.well("PUT", at, { BackupSelection: { ...selection, SelectionName: `s${index}` } });
        expect(await backups.all(at, "BackupSelectionsList", 2)).toHaveLength(4);
        expect(await backups.refusal("GET", `${at}/none`)).toContain("ResourceNotFound: ");
        await backups.well("DELETE", `${at}/${made.SelectionId}`);
        expect(await backups.refusal("DELETE", `${at}/${made.SelectionId}`)).toContain("ResourceNotFound: ");
      });
      it("leave jobs that say what is wrong, and pass over what is opted out", async () => {
        const { BackupPlanId } = await createPlan({
          BackupPlanName: "odd",
          Rules: [{ ...rule, StartWindowMinutes: 60 }],
        });
        const stone = `arn:vendor:moon:us-east-1:${account}:stone/1`;
        await instance().bearer("PUT", "/_medley/resources", {
          body: { arn: stone, type: "Vendor::Moon::Stone", name: "stone", region: "us-east-1" },
        });
        await backups.well("PUT", `/backup/plans/${BackupPlanId}/selections`, {
          BackupSelection: { ...selection, Resources: [stone, folderArn("photos")] },
        });
        await instance().clock.advance("24h");
        const jobsOfPlan = async () =>
          (await backups.all("/backup-jobs", "BackupJobs")).filter(
            ({ CreatedBy }) => CreatedBy.BackupPlanId === BackupPlanId,
          );
        const jobs = await jobsOfPlan();
        expect(jobs.map(({ State, ResourceArn }) => [State, ResourceArn]).sort()).toEqual([
          ["COMPLETED", folderArn("photos")],
          ["FAILED", stone],
        ]);
        await backups.well("PUT", "/account-settings", { ResourceTypeOptInPreference: { Folder: false } });
        await instance().clock.advance("24h");
        const count = async () =>
          (await jobsOfPlan()).filter(({ ResourceArn }) => ResourceArn === folderArn("photos")).length;
        expect(await count()).toBe(1);
        await backups.well("PUT", "/account-settings", { ResourceTypeOptInPreference: { Folder: true } });
        await instance().clock.advance("24h");
        expect(await count()).toBe(2);
      });
    });

    describe("legal holds", () => {
      it("are refused, cancelled once, listed and keep what they select", async () => {
        const hold = { Title: "t", Description: "d" };
        expect(await backups.refusal("POST", "/legal-holds", { Title: "t" })).toContain(
          "MissingParameterValue: ",
        );
        const wrong = (RecoveryPointSelection: object) =>
          backups.refusal("POST", "/legal-holds", { ...hold, RecoveryPointSelection });
        expect(await wrong({ DateRange: { FromDate: 2, ToDate: 1 } })).toContain(
          "InvalidParameterValue: FromDate",
        );
        expect(await wrong({ ResourceIdentifiers: ["photos"] })).toContain(
          "InvalidParameterValue: ResourceIdentifiers",
        );
        const { BackupJobId } = await backups.well("PUT", "/backup-jobs", {
          BackupVaultName: "archive",
          ResourceArn: folderArn("photos"),
          IamRoleArn: role,
          Lifecycle: { DeleteAfterDays: 3 },
        });
        const { RecoveryPointArn } = await finished(BackupJobId);
        const { LegalHoldId } = await backups.well("POST", "/legal-holds", {
          ...hold,
          IdempotencyToken: "x",
          RecoveryPointSelection: { VaultNames: ["archive"] },
        });
        expect(
          (await backups.well("POST", "/legal-holds", { ...hold, IdempotencyToken: "x" })).LegalHoldId,
        ).toBe(LegalHoldId);
        const at = `/backup-vaults/archive/recovery-points/${encodeURIComponent(RecoveryPointArn)}`;
        expect(await backups.refusal("DELETE", at)).toContain("InvalidRequest: ");
        expect(await backups.refusal("POST", `${at}/disassociate`)).toContain("InvalidRequest: ");
        await instance().clock.advance("4d");
        expect((await backups.well("GET", at)).Status).toBe("COMPLETED");
        expect(
          await backups.all(`/legal-holds/${LegalHoldId}/recovery-points`, "RecoveryPoints", 1),
        ).toMatchObject([{ RecoveryPointArn }]);
        expect(await backups.refusal("GET", "/legal-holds/none/recovery-points")).toContain(
          "InvalidParameterValue: ",
        );
        expect(await backups.refusal("DELETE", `/legal-holds/${LegalHoldId}`)).toContain(
          "MissingParameterValue: ",
        );
        expect(
          await backups.refusal(
            "DELETE",
            `/legal-holds/${LegalHoldId}?cancelDescription=x&retainRecordInDays=-1`,
          ),
        ).toContain("InvalidParameterValue: ");
        expect(await backups.refusal("DELETE", "/legal-holds/none?cancelDescription=x")).toContain(
          "ResourceNotFound: ",
        );
        const cancelled = await backups.send("DELETE", `/legal-holds/${LegalHoldId}?cancelDescription=x`);
        expect(cancelled.status).toBe(200);
        expect(await backups.refusal("DELETE", `/legal-holds/${LegalHoldId}?cancelDescription=x`)).toContain(
          "InvalidResourceState: ",
        );
        await eventually(
          async () => (await backups.send("GET", at)).status === 400,
          "the deletion of what was held",
        );
        expect(await backups.all("/legal-holds", "LegalHolds")).toMatchObject([
          { LegalHoldId, Status: "CANCELED" },
        ]);
        expect(await backups.all(`/legal-holds/${LegalHoldId}/recovery-points`, "RecoveryPoints")).toEqual(
          [],
        );
      });
    });

    describe("audits", () => {
      const control = { ControlName: "BACKUP_RECOVERY_POINT_ENCRYPTED" };
      it("refuse controls that are none, and what stands in each other's way", async () => {
        const refusal = (FrameworkControls: object[], FrameworkName = "wrong") =>
          backups.refusal("POST", "/audit/frameworks", { FrameworkName, FrameworkControls });
        expect(await refusal([])).toContain("InvalidParameterValue: A framework needs");
        expect(await refusal([{ ControlName: "BE_GOOD" }])).toContain("There is no control BE_GOOD");
        expect(await refusal([control, control])).toContain("given twice");
        expect(
          await refusal([
            { ...control, ControlInputParameters: [{ ParameterName: "x", ParameterValue: "1" }] },
          ]),
        ).toContain("no parameter x");
        expect(
          await refusal([
            {
              ControlName: "BACKUP_RECOVERY_POINT_MINIMUM_RETENTION_CHECK",
              ControlInputParameters: [{ ParameterName: "requiredRetentionDays", ParameterValue: "0" }],
            },
          ]),
        ).toContain("is no value of the parameter");
        expect(
          await refusal([{ ...control, ControlScope: { ComplianceResourceTypes: ["Moon"] } }]),
        ).toContain("cannot be backed up");
        expect(await refusal([control], "1x")).toContain("InvalidParameterValue: ");
        const made = { FrameworkName: "one", FrameworkControls: [control], IdempotencyToken: "t" };
        await backups.well("POST", "/audit/frameworks", made);
        await backups.well("POST", "/audit/frameworks", made);
        expect(await refusal([control], "one")).toContain("AlreadyExists: There is a framework one");
        expect(await refusal([control], "two")).toContain(
          "AlreadyExists: The framework one has the same controls",
        );
        const many = (count: number) =>
          Array.from({ length: count }, (_, index) => ({
            ControlName: "BACKUP_RECOVERY_POINT_MINIMUM_RETENTION_CHECK",
            ControlInputParameters: [
              { ParameterName: "requiredRetentionDays", ParameterValue: String(index + 1) },
            ],
          }));
        expect(await refusal(many(50), "three")).toContain("LimitExceeded: ");
        for (const [method, path] of [
          ["GET", "none"],
          ["PUT", "none"],
          ["DELETE", "none"],
        ] as const)
          expect(
            await backups.refusal(method, `/audit/frameworks/${path}`, method === "PUT" ? {} : undefined),
          ).toContain("ResourceNotFound: ");
        await eventually(
          async () => (await backups.well("GET", "/audit/frameworks/one")).DeploymentStatus === "COMPLETED",
          "the evaluation",
        );
        await backups.well("PUT", "/audit/frameworks/one", { FrameworkDescription: "new" });
        expect(await backups.well("GET", "/audit/frameworks?MaxResults=1")).toMatchObject({
          Frameworks: [{ FrameworkName: "one", FrameworkDescription: "new", NumberOfControls: 1 }],
        });
      });
      it("refuse reports that cannot be, and write those that can", async () => {
        const ReportDeliveryChannel = { S3BucketName: "reports", Formats: ["JSON"] };
        const refusal = (ReportSetting: object, channel: object = ReportDeliveryChannel) =>
          backups.refusal("POST", "/audit/report-plans", {
            ReportPlanName: "wrong",
            ReportDeliveryChannel: channel,
            ReportSetting,
          });
        const jobs = { ReportTemplate: "BACKUP_JOB_REPORT" };
        expect(await refusal({ ReportTemplate: "NOVEL" })).toContain("InvalidParameterValue: ");
        expect(await refusal({ ReportTemplate: "CONTROL_COMPLIANCE_REPORT" })).toContain(
          "needs FrameworkArns",
        );
        expect(await refusal({ ...jobs, FrameworkArns: [backupArn("framework:one")] })).toContain(
          "takes no FrameworkArns",
        );
        expect(
          await refusal({
            ReportTemplate: "CONTROL_COMPLIANCE_REPORT",
            FrameworkArns: [backupArn("framework:none")],
          }),
        ).toContain("There is no framework");
        expect(await refusal({ ...jobs, Accounts: ["222222222222"] })).toContain("is not managed by");
        expect(await refusal({ ...jobs, OrganizationUnits: ["ou"] })).toContain("organization units");
        expect(await refusal(jobs, { S3BucketName: "No Bucket" })).toContain(
          "InvalidParameterValue: S3BucketName",
        );
        for (const name of ["jobs", "copies", "restores"])
          await backups.well("POST", "/audit/report-plans", {
            ReportPlanName: name,
            ReportDeliveryChannel,
            ReportSetting: {
              ReportTemplate: {
                jobs: "BACKUP_JOB_REPORT",
                copies: "COPY_JOB_REPORT",
                restores: "RESTORE_JOB_REPORT",
              }[name],
              Regions: ["*"],
            },
          });
        expect(
          await backups.refusal("POST", "/audit/report-plans", {
            ReportPlanName: "jobs",
            ReportDeliveryChannel,
            ReportSetting: jobs,
          }),
        ).toContain("AlreadyExists: ");
        expect(await backups.refusal("POST", "/audit/report-jobs/none", {})).toContain("ResourceNotFound: ");
        const { BackupJobId } = await backups.well("PUT", "/backup-jobs", {
          BackupVaultName: "near",
          ResourceArn: folderArn("photos"),
          IamRoleArn: role,
        });
        await finished(BackupJobId);
        const report = async (name: string) => {
          const { ReportJobId } = await backups.well("POST", `/audit/report-jobs/${name}`, {
            IdempotencyToken: "1",
          });
          expect(
            (await backups.well("POST", `/audit/report-jobs/${name}`, { IdempotencyToken: "1" })).ReportJobId,
          ).toBe(ReportJobId);
          await eventually(
            async () =>
              (await backups.well("GET", `/audit/report-jobs/${ReportJobId}`)).ReportJob.Status ===
              "COMPLETED",
            "the report",
          );
          expect(await backups.refusal("GET", `/audit/report-jobs/${ReportJobId}/files/CSV`)).toContain(
            "ResourceNotFound: ",
          );
          return (await backups.well("GET", `/audit/report-jobs/${ReportJobId}/files/JSON`)).reportItems;
        };
        expect(await report("jobs")).toEqual(
          expect.arrayContaining([
            expect.objectContaining({
              backupJobId: BackupJobId,
              jobStatus: "COMPLETED",
              accountId: account,
              backupVaultName: "near",
            }),
          ]),
        );
        expect(await report("copies")).toEqual([]);
        expect(await report("restores")).toEqual([]);
        const sent = await instance().bearer("GET", "/_medley/outbox?kind=file");
        expect(sent.text).toContain("s3://reports/Backup/us-east-1/2030/01/");
        const listed = await backups.well(
          "GET",
          "/audit/report-jobs?MaxResults=1&Status=COMPLETED&CreationAfter=2029-01-01T00:00:00Z",
        );
        expect(listed).toMatchObject({
          ReportJobs: [{ Status: "COMPLETED" }],
          NextToken: expect.any(String),
        });
        expect(
          (await backups.well("GET", "/audit/report-jobs?CreationBefore=2029-01-01T00:00:00Z")).ReportJobs,
        ).toEqual([]);
        expect(await backups.refusal("GET", "/audit/report-jobs/none")).toContain("ResourceNotFound: ");
        for (const method of ["GET", "DELETE"])
          expect(await backups.refusal(method, "/audit/report-plans/none")).toContain("ResourceNotFound: ");
        expect((await backups.well("GET", "/audit/report-plans?MaxResults=2")).NextToken).toEqual(
          expect.any(String),
        );
      });
      it("count jobs by day", async () => {
        const { BackupJobSummaries } = await backups.well(
          "GET",
          "/audit/backup-job-summaries?State=ANY&ResourceType=ANY&MessageCategory=ANY",
        );
        const rows = await backups.all("/backup-jobs", "BackupJobs");
        const total = BackupJobSummaries.reduce((sum: number, { Count }: any) => sum + Count, 0);
        expect(total).toBe(rows.length);
        const failed = BackupJobSummaries.find(({ State }: any) => State === "FAILED");
        expect(failed).toMatchObject({
          MessageCategory: "InvalidParameters",
          EndTime: failed.StartTime + 86_400,
        });
        const sum = await backups.well(
          "GET",
          "/audit/backup-job-summaries?AggregationPeriod=FOURTEEN_DAYS&MaxResults=5",
        );
        expect(sum).toMatchObject({
          AggregationPeriod: "FOURTEEN_DAYS",
          BackupJobSummaries: [{ State: "AGGREGATE_ALL", Count: rows.length }],
        });
        expect(
          (await backups.well("GET", "/audit/backup-job-summaries?AccountId=222222222222"))
            .BackupJobSummaries,
        ).toEqual([]);
        const page = await backups.well("GET", "/audit/backup-job-summaries?State=ANY&MaxResults=1");
        const next = await backups.well(
          "GET",
          `/audit/backup-job-summaries?State=ANY&MaxResults=1&NextToken=${page.NextToken}`,
        );
        expect(next.BackupJobSummaries).not.toEqual(page.BackupJobSummaries);
        expect(await backups.refusal("GET", "/audit/copy-job-summaries?State=LOST")).toContain(
          "InvalidParameterValue: ",
        );
        expect((await backups.well("GET", "/audit/restore-job-summaries")).RestoreJobSummaries).toEqual([]);
      });
    });

    describe("restore tests", () => {
      const plan = {
        RestoreTestingPlanName: "weekly",
        ScheduleExpression: "cron(0 5 ? * * *)",
        RecoveryPointSelection: {
          Algorithm: "RANDOM_WITHIN_WINDOW",
          IncludeVaults: ["*"],
          RecoveryPointTypes: ["SNAPSHOT"],
        },
      };
      const chosen = {
        RestoreTestingSelectionName: "folders",
        IamRoleArn: role,
        ProtectedResourceType: "Folder",
        ProtectedResourceConditions: {
          StringEquals: [{ Key: "vendor:ResourceTag/stage", Value: "production" }],
        },
        ValidationWindowHours: 1,
      };
      it("are refused where they say too much or too little", async () => {
        const refusal = (change: object) =>
          backups.refusal("PUT", "/restore-testing/plans", { RestoreTestingPlan: { ...plan, ...change } });
        expect(await refusal({ RestoreTestingPlanName: "a b" })).toContain(
          "InvalidParameterValue: RestoreTestingPlanName",
        );
        expect(await refusal({ StartWindowHours: 169 })).toContain("InvalidParameterValue: StartWindowHours");
        expect(await refusal({ ScheduleExpression: "x" })).toContain("InvalidParameterValue: ");
        const points = (change: object) =>
          refusal({ RecoveryPointSelection: { ...plan.RecoveryPointSelection, ...change } });
        expect(await points({ SelectionWindowDays: 366 })).toContain("SelectionWindowDays");
        expect(await points({ IncludeVaults: [] })).toContain("IncludeVaults");
        expect(await points({ RecoveryPointTypes: [] })).toContain("RecoveryPointTypes");
        expect(await points({ ExcludeVaults: ["near"] })).toContain("near is neither");
        const made = await backups.send("PUT", "/restore-testing/plans", {
          RestoreTestingPlan: plan,
          CreatorRequestId: "1",
        });
        expect(made.status).toBe(200);
        await backups.well("PUT", "/restore-testing/plans", {
          RestoreTestingPlan: plan,
          CreatorRequestId: "1",
        });
        expect(await refusal({})).toContain("AlreadyExists: ");
        const at = "/restore-testing/plans/weekly/selections";
        const selected = (change: object) =>
          backups.refusal("PUT", at, { RestoreTestingSelection: { ...chosen, ...change } });
        expect(await selected({ ProtectedResourceArns: ["*"] })).toContain("either ProtectedResourceArns or");
        expect(await selected({ ProtectedResourceConditions: undefined })).toContain(
          "either ProtectedResourceArns or",
        );
        expect(await selected({ ProtectedResourceType: "Moon" })).toContain("cannot be backed up");
        expect(
          await selected({
            ProtectedResourceConditions: undefined,
            ProtectedResourceArns: Array.from({ length: 31 }, (_, at) => folderArn(`${at}`)),
          }),
        ).toContain("30 resources");
        expect(await selected({ ValidationWindowHours: 169 })).toContain("ValidationWindowHours");
        expect(
          await backups.refusal("PUT", "/restore-testing/plans/none/selections", {
            RestoreTestingSelection: chosen,
          }),
        ).toContain("ResourceNotFound: ");
        expect((await backups.send("PUT", at, { RestoreTestingSelection: chosen })).status).toBe(200);
        expect(await selected({})).toContain("AlreadyExists: ");
        for (const path of ["/restore-testing/plans/none", `${at}/none`])
          expect(await backups.refusal("GET", path)).toContain("ResourceNotFound: ");
        expect(await backups.refusal("DELETE", "/restore-testing/plans/none")).toContain("InvalidRequest: ");
        expect(await backups.refusal("DELETE", `${at}/none`)).toContain("ResourceNotFound: ");
        expect(
          await backups.refusal("PUT", "/restore-testing/plans/none", { RestoreTestingPlan: {} }),
        ).toContain("ResourceNotFound: ");
        expect(await backups.refusal("PUT", `${at}/none`, { RestoreTestingSelection: {} })).toContain(
          "ResourceNotFound: ",
        );
      });
      it("run out of time when nobody looks, and leave nothing behind", async () => {
        await instance().clock.advance("52h");
        const plans = `/restore-jobs?restoreTestingPlanArn=${encodeURIComponent(backupArn("restore-testing-plan:weekly"))}`;
        const tests = await backups.all(plans, "RestoreJobs");
        expect(tests.length).toBeGreaterThanOrEqual(1);
        const oldest = tests.at(-1);
        expect(oldest).toMatchObject({
          Status: "COMPLETED",
          ValidationStatus: "TIMED_OUT",
          DeletionStatus: "SUCCESSFUL",
        });
        expect(
          await backups.refusal("PUT", `/restore-jobs/${oldest.RestoreJobId}/validations`, {
            ValidationStatus: "SUCCESSFUL",
          }),
        ).toContain("InvalidRequest: ");
        expect(
          await backups.refusal("PUT", "/restore-jobs/none/validations", { ValidationStatus: "FAILED" }),
        ).toContain("ResourceNotFound: ");
        expect(
          await backups.refusal(
            "GET",
            `/restore-testing/inferred-metadata?BackupVaultName=near&RecoveryPointArn=${encodeURIComponent(backupArn("recovery-point:none"))}`,
          ),
        ).toContain("ResourceNotFound: ");
      });
    });

    describe("settings and tags", () => {
      it("are refused where they mean nothing", async () => {
        const region = (body: object) => backups.refusal("PUT", "/account-settings", body);
        expect(await region({ ResourceTypeOptInPreference: { Moon: true } })).toContain(
          "InvalidParameterValue: ",
        );
        expect(await region({ ResourceTypeManagementPreference: { Folder: false } })).toContain(
          "always managed",
        );
        for (const method of ["GET", "PUT"])
          expect(
            await backups.refusal(
              method,
              "/global-settings",
              method === "PUT" ? { GlobalSettings: {} } : undefined,
            ),
          ).toContain("InvalidRequest: The account 111111111111 is not part of an organization");
        const vault = `/tags/${encodeURIComponent(backupArn("backup-vault:near"))}`;
        await backups.well("POST", vault, { Tags: { a: "1", b: "2", c: "3" } });
        const first = await backups.well("GET", `${vault}/?maxResults=2`);
        expect(first.Tags).toEqual({ a: "1", b: "2" });
        expect((await backups.well("GET", `${vault}/?nextToken=${first.NextToken}`)).Tags).toEqual({
          c: "3",
        });
        expect(await backups.refusal("POST", vault, { Tags: { "vendor:x": "1" } })).toContain(
          "InvalidParameterValue: ",
        );
        expect(
          await backups.refusal("POST", vault, {
            Tags: Object.fromEntries(Array.from({ length: 48 }, (_, at) => [`k${at}`, ""])),
          }),
        ).toContain("LimitExceeded: ");
        await backups.well("POST", vault.replace("/tags/", "/untag/"), { TagKeyList: ["a", "b", "c"] });
        expect((await backups.well("GET", vault)).Tags).toEqual({});
        for (const arn of [backupArn("backup-vault:none"), folderArn("photos"), "x"])
          expect(await backups.refusal("GET", `/tags/${encodeURIComponent(arn)}`)).toContain(
            "ResourceNotFound: ",
          );
      });
    });
  },
  { services: ["backup"], backupRoots: root } as never,
);
