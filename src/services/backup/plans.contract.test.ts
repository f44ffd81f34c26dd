/** Plans and selections over HTTP in the neutral spelling, on both databases. */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { account, Backups, backupArn, folderArn, newRoot, role } from "../../../tests/support/backup.ts";
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
  },
  { services: ["backup"], backupRoots: root } as never,
);
