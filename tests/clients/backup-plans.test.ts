/** A year of an office with backup plans, told by the maker's own client, unmodified: plans and holds, then what backup-audits.ts tells. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as backup from "@aws-sdk/client-backup";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { clientOptions } from "../support/maker-client.ts";
import { type AccountName, onBothDatabases } from "../support/medley.ts";
import { account, arnOf, folderArn, IamRoleArn, tellOfAudits } from "./backup-audits.ts";

const root = mkdtempSync(join(tmpdir(), "medley-plans-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

onBothDatabases(
  "the maker's client and its plans",
  (instance, kind) => {
    const clients: backup.BackupClient[] = [];
    const clientOf = (as: AccountName) => {
      const client = new backup.BackupClient(clientOptions(instance(), "backup", as));
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
      expect(Tags).toEqual({ made: "by plan", stage: "production", team: "press" });
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

    tellOfAudits({ instance, send, folder, clientOf });
  },
  { services: ["backup"], backupRoots: root, backupOrganization: account } as never,
);
