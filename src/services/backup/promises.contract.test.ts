/** Tags, categories, spellings and names that clients of the public service rely on. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { account, Backups, newRoot, role } from "../../../tests/support/backup.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const root = newRoot();
afterAll(() => rmSync(root, { recursive: true, force: true }));

onBothDatabases(
  "promises of backups",
  (instance, kind) => {
    const backups = new Backups(instance);
    beforeAll(() => backups.vault("main"));
    const tagsOf = async (arn: string) => {
      const path = `/_medley/resources?arn=${encodeURIComponent(arn)}`;
      const { body } = await instance().bearer("GET", path);
      return body.resources.find((one: { arn: string }) => one.arn === arn)?.tags;
    };

    it("a recovery point has its resource's tags, and those that were asked for", async () => {
      const arn = await backups.folder(root, `tagged-${kind}`, { stage: "live", team: "x" });
      const { RecoveryPointArn } = await backups.backedUp(arn, {
        RecoveryPointTags: { team: "y", why: "z" },
      });
      const { Tags } = await backups.well("GET", `/tags/${encodeURIComponent(RecoveryPointArn)}`);
      expect(Tags).toEqual({ stage: "live", team: "y", why: "z" });
    });
    it("what is restored has tags or none, as the caller says", async () => {
      const name = `shop-${kind}`;
      const made = await instance().signed("resource-groups", "POST", "/resource-groups/groups", {
        body: { Name: name, Tags: { stage: "live" } },
      });
      expect(made.status, made.text).toBe(200);
      const { RecoveryPointArn } = await backups.backedUp(made.body.Group.GroupArn);
      for (const [copied, tags] of [
        [undefined, { stage: "live" }],
        [true, { stage: "live" }],
        [false, {}],
      ] as const) {
        const groupName = `${name}-${copied}`;
        const { RestoreJobId } = await backups.well("PUT", "/restore-jobs", {
          RecoveryPointArn,
          Metadata: { groupName },
          IamRoleArn: role,
          ...(copied !== undefined && { CopySourceTagsToRestoredResource: copied }),
        });
        const job = await backups.restoreEnd(RestoreJobId);
        expect([copied, await tagsOf(job.CreatedResourceArn)]).toEqual([copied, tags]);
      }
    });
    it("a folder that is restored elsewhere has a name of its own", async () => {
      const arn = await backups.folder(root, `moved-${kind}`);
      const { RecoveryPointArn, MessageCategory } = await backups.backedUp(arn);
      expect(MessageCategory).toBe("SUCCESS");
      const restorePath = join(root, `moved-${kind}-elsewhere`);
      const { CreatedResourceArn } = await backups.restored(RecoveryPointArn, { restorePath });
      expect(CreatedResourceArn).toBe(`arn:vendor:files:us-east-1:${account}:folder${restorePath}`);
      expect(await tagsOf(CreatedResourceArn)).toEqual({});
      const again = await backups.restored(RecoveryPointArn, {
        restorePath: join(root, `moved-${kind}`),
        inPlace: "true",
      });
      expect(again.CreatedResourceArn).toBe(arn);
      const listed = async (category: string) =>
        (
          await backups.well(
            "GET",
            `/backup-jobs/?messageCategory=${category}&resourceArn=${encodeURIComponent(arn)}`,
          )
        ).BackupJobs.length;
      expect([await listed("SUCCESS"), await listed("AGGREGATE_ALL"), await listed("AccessDenied")]).toEqual([
        1, 1, 0,
      ]);
    });
    it("notifications name resources as whoever set them up spells them", async () => {
      const BackupVaultName = `told-${kind}`;
      await backups.vault(BackupVaultName);
      const arn = await backups.folder(root, `told-${kind}`);
      for (const partition of ["aws", "vendor"]) {
        const topic = `arn:${partition}:sns:us-east-1:${account}:${partition}-${kind}`;
        await backups.well("PUT", `/backup-vaults/${BackupVaultName}/notification-configuration`, {
          SNSTopicArn: topic,
          BackupVaultEvents: ["BACKUP_JOB_COMPLETED"],
        });
        await backups.backedUp(arn, { BackupVaultName });
        const target = encodeURIComponent(topic.replace("arn:aws:", "arn:vendor:"));
        const { body } = await instance().bearer("GET", `/_medley/outbox?kind=topic&target=${target}`);
        expect(body.messages).toHaveLength(1);
        const { BackupVaultArn, ResourceArn } = body.messages[0].body;
        for (const name of [BackupVaultArn, ResourceArn])
          expect(name).toMatch(new RegExp(`^arn:${partition}:`));
      }
    });
    it("published types may be named, and options for others are refused", async () => {
      const plan = `tests_${kind}`;
      await backups.well("PUT", "/restore-testing/plans", {
        RestoreTestingPlan: {
          RestoreTestingPlanName: plan,
          ScheduleExpression: "cron(0 1 ? * * *)",
          RecoveryPointSelection: {
            Algorithm: "LATEST_WITHIN_WINDOW",
            IncludeVaults: ["*"],
            RecoveryPointTypes: ["SNAPSHOT"],
          },
        },
      });
      const select = (ProtectedResourceType: string) =>
        backups.send("PUT", `/restore-testing/plans/${plan}/selections`, {
          RestoreTestingSelection: {
            RestoreTestingSelectionName: `of_${ProtectedResourceType}`,
            ProtectedResourceType,
            ProtectedResourceArns: ["*"],
            IamRoleArn: role,
          },
        });
      expect([(await select("RDS")).status, (await select("Unheard")).status]).toEqual([200, 400]);
      const framework = (type: string) =>
        backups.send("POST", "/audit/frameworks", {
          FrameworkName: `of_${type}_${kind}`,
          FrameworkControls: [
            {
              ControlName: "BACKUP_RESOURCES_PROTECTED_BY_BACKUP_PLAN",
              ControlScope: { ComplianceResourceTypes: [type] },
            },
          ],
        });
      expect([(await framework("EC2")).status, (await framework("Unheard")).status]).toEqual([200, 400]);
      const ResourceArn = await backups.folder(root, `vss-${kind}`);
      const started = (BackupOptions: object) =>
        backups.send("PUT", "/backup-jobs", {
          BackupVaultName: "main",
          ResourceArn,
          IamRoleArn: role,
          BackupOptions,
        });
      const refused = await started({ WindowsVSS: "enabled" });
      expect([refused.status, refused.body.Message]).toEqual([400, expect.stringContaining("EC2")]);
      expect((await started({ WindowsVSS: "disabled" })).status).toBe(200);
    });
  },
  { services: ["backup", "resource-groups"], backupRoots: root } as never,
);
