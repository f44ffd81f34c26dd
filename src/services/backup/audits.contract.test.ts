/** Legal holds, frameworks, reports, summaries, settings and tags over HTTP, on both databases. */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { account, Backups, backupArn, folderArn, newRoot, role } from "../../../tests/support/backup.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const root = newRoot();
afterAll(() => rmSync(root, { recursive: true, force: true }));

onBothDatabases(
  "backup audits",
  (instance, kind) => {
    const backups = new Backups(instance);
    beforeAll(() => backups.setUpOffice(`${root}/${kind}`));
    const finished = (id: string) =>
      eventually(async () => {
        const job = await backups.well("GET", `/backup-jobs/${id}`);
        return !["CREATED", "PENDING", "RUNNING"].includes(job.State) && job;
      }, "the end of the job");

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
        await backups.well("POST", "/audit/frameworks", {
          FrameworkName: "three",
          FrameworkControls: many(49),
        });
        await eventually(
          async () => (await backups.well("GET", "/audit/frameworks/three")).DeploymentStatus === "COMPLETED",
          "the evaluation of many controls",
        );
        await backups.well("DELETE", "/audit/frameworks/three");
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
        const unreachable = await backups.register("unreachable", { path: "/unreachable" });
        expect((await backups.backedUp(unreachable, { BackupVaultName: "near" })).State).toBe("FAILED");
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
