/** What moto's own tests of backup send, told with the maker's client. */
import * as backup from "@aws-sdk/client-backup";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientOptions, refusalOf } from "../support/maker-client.ts";
import { onBothDatabases } from "../support/medley.ts";

const rule = (RuleName: string, TargetBackupVaultName = "backupvault-foobar") => ({
  RuleName,
  TargetBackupVaultName,
});

onBothDatabases(
  "what moto's tests of backup send",
  (instance) => {
    let client: backup.BackupClient;
    const send: backup.BackupClient["send"] = ((command: never) => client.send(command)) as never;
    const plan = (
      BackupPlanName: string,
      Rules: backup.BackupRuleInput[],
      BackupPlanTags?: Record<string, string>,
    ) => send(new backup.CreateBackupPlanCommand({ BackupPlan: { BackupPlanName, Rules }, BackupPlanTags }));
    beforeAll(() => {
      client = new backup.BackupClient(clientOptions(instance(), "backup", "first", "eu-west-1"));
    });
    afterAll(() => client.destroy());

    it("vaults: made once, listed by name, with tags", async () => {
      const made = await send(
        new backup.CreateBackupVaultCommand({
          BackupVaultName: "backupvault-foobar",
          BackupVaultTags: { key1: "value1" },
        }),
      );
      expect(made).toMatchObject({ BackupVaultName: "backupvault-foobar", CreationDate: expect.any(Date) });
      const again = new backup.CreateBackupVaultCommand({ BackupVaultName: "backupvault-foobar" });
      expect(await refusalOf(send(again))).toBe("AlreadyExistsException");
      await send(new backup.CreateBackupVaultCommand({ BackupVaultName: "backup_vault_2" }));
      const { BackupVaultList } = await send(new backup.ListBackupVaultsCommand({}));
      expect(BackupVaultList?.map(({ BackupVaultName }) => BackupVaultName)).toEqual([
        "backup_vault_2",
        "backupvault-foobar",
      ]);
      const ResourceArn = made.BackupVaultArn;
      await send(new backup.TagResourceCommand({ ResourceArn, Tags: { key2: "value2", key3: "value3" } }));
      await send(new backup.UntagResourceCommand({ ResourceArn, TagKeyList: ["key2"] }));
      const { Tags } = await send(new backup.ListTagsCommand({ ResourceArn }));
      expect(Tags).toEqual({ key1: "value1", key3: "value3" });
    });

    it("plans: made once, read by version, listed, deleted and still known", async () => {
      const made = await plan("backupplan-foobar", [rule("foobar")], { key1: "value1", key2: "value2" });
      expect(made).toMatchObject({
        BackupPlanId: expect.any(String),
        BackupPlanArn: expect.any(String),
        CreationDate: expect.any(Date),
        VersionId: expect.any(String),
      });
      const { BackupPlanId, VersionId } = made;
      expect(await refusalOf(plan("backupplan-foobar", [rule("foobar")]))).toBe("AlreadyExistsException");
      // Unlike there, the vault must exist.
      expect(await refusalOf(plan("no-vault", [rule("foobar", "nowhere")]))).toBe(
        "InvalidParameterValueException",
      );
      expect((await send(new backup.ListTagsCommand({ ResourceArn: made.BackupPlanArn }))).Tags).toEqual({
        key1: "value1",
        key2: "value2",
      });
      expect(await send(new backup.GetBackupPlanCommand({ BackupPlanId, VersionId }))).toHaveProperty(
        "BackupPlan",
      );
      for (const wrong of [{ BackupPlanId: "foobar" }, { BackupPlanId, VersionId: "foobar" }])
        expect(await refusalOf(send(new backup.GetBackupPlanCommand(wrong)))).toBe(
          "ResourceNotFoundException",
        );
      expect(await refusalOf(send(new backup.DeleteBackupPlanCommand({ BackupPlanId: "foobar" })))).toBe(
        "ResourceNotFoundException",
      );
      const several = await plan("several", [
        {
          ...rule("rule1"),
          ScheduleExpression: "cron(0 1 ? * * *)",
          StartWindowMinutes: 60,
          CompletionWindowMinutes: 120,
        },
        rule("rule2"),
      ]);
      const { BackupPlan } = await send(
        new backup.GetBackupPlanCommand({ BackupPlanId: several.BackupPlanId }),
      );
      for (const one of BackupPlan?.Rules ?? [])
        expect(one).toMatchObject({
          ScheduleExpression: expect.any(String),
          StartWindowMinutes: expect.any(Number),
          CompletionWindowMinutes: expect.any(Number),
          RuleId: expect.any(String),
        });
      expect(await send(new backup.DeleteBackupPlanCommand({ BackupPlanId }))).toMatchObject({
        BackupPlanId,
        BackupPlanArn: made.BackupPlanArn,
        DeletionDate: expect.any(Date),
        VersionId,
      });
      expect(await send(new backup.GetBackupPlanCommand({ BackupPlanId, VersionId }))).toMatchObject({
        DeletionDate: expect.any(Date),
      });
      const names = async (IncludeDeleted?: boolean) =>
        (await send(new backup.ListBackupPlansCommand({ IncludeDeleted }))).BackupPlansList?.map(
          ({ BackupPlanName }) => BackupPlanName,
        ).sort();
      expect([await names(), await names(true)]).toEqual([["several"], ["backupplan-foobar", "several"]]);
    });

    it("report plans: made, read and deleted", async () => {
      expect((await send(new backup.ListReportPlansCommand({}))).ReportPlans).toEqual([]);
      const ReportPlanName = "RP_of_moto";
      const ReportDeliveryChannel = { S3BucketName: "mybucket" };
      const ReportSetting = { ReportTemplate: "RESOURCE_COMPLIANCE_REPORT" };
      const given = { ReportPlanName, ReportDeliveryChannel, ReportSetting };
      expect(await send(new backup.CreateReportPlanCommand(given))).toMatchObject({ ReportPlanName });
      const { ReportPlan } = await send(new backup.DescribeReportPlanCommand({ ReportPlanName }));
      expect(ReportPlan).toMatchObject({ ReportDeliveryChannel, ReportSetting });
      await send(new backup.DeleteReportPlanCommand({ ReportPlanName }));
      expect(await refusalOf(send(new backup.DescribeReportPlanCommand({ ReportPlanName })))).toBe(
        "ResourceNotFoundException",
      );
    });
  },
  { services: ["backup"] },
);
