/** Continuous recovery points: restored to any second, disassociated, and jobs that are stopped. */
import { rmSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { Backups, newRoot, role } from "../../../tests/support/backup.ts";
import { makeStore } from "../../../tests/support/configuration-stores.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const root = newRoot();
afterAll(() => rmSync(root, { recursive: true, force: true }));

onBothDatabases(
  "continuous backups",
  (instance, kind) => {
    const backups = new Backups(instance);
    const store = `settings-${kind}`;
    const data = (name: string, method: string, path: string, body?: object) =>
      instance().bearer(method, `/configuration/${name}${path}?api-version=2023-11-01`, { body });
    const titleOf = async (name: string) => (await data(name, "GET", "/kv/title")).body.value;
    const points = () => backups.all("/backup-vaults/kept/recovery-points/", "RecoveryPoints");

    it("are restored to any second that they know, and end when they are let go", async () => {
      await makeStore(instance(), store);
      await eventually(
        async () => (await data(store, "PUT", "/kv/title", { value: "first" })).status === 200,
      );
      await backups.vault("kept");
      const { BackupPlanId } = await backups.well("PUT", "/backup/plans/", {
        BackupPlan: {
          BackupPlanName: "always",
          Rules: [
            {
              RuleName: "daily",
              TargetBackupVaultName: "kept",
              ScheduleExpression: "cron(0 5 * * ? *)",
              Lifecycle: { DeleteAfterDays: 3 },
              EnableContinuousBackup: true,
            },
          ],
        },
      });
      const { body } = await instance().bearer(
        "GET",
        "/_medley/resources?type=Vendor::AppConfiguration::ConfigurationStore",
      );
      const arn = body.resources.find(({ name }: { name: string }) => name === store).arn;
      await backups.well("PUT", `/backup/plans/${BackupPlanId}/selections/`, {
        BackupSelection: { SelectionName: "stores", IamRoleArn: role, Resources: [arn] },
      });
      await instance().clock.freeze();
      await instance().clock.advance("5d");
      const [point] = await eventually(async () => {
        const found = await points();
        return found.length > 0 && found;
      });
      expect((await points()).length).toBe(1);
      const at = instance().clock.nowMs();
      await instance().clock.advance("10m");
      await data(store, "PUT", "/kv/title", { value: "second" });
      await instance().clock.advance("3h");
      const restoreAt = async (ms: number, name: string) => {
        const { RestoreJobId } = await backups.well("PUT", "/restore-jobs", {
          RecoveryPointArn: point.RecoveryPointArn,
          IamRoleArn: role,
          Metadata: { storeName: name, restoreTime: String(ms / 1000) },
        });
        return eventually(async () => {
          const job = await backups.well("GET", `/restore-jobs/${RestoreJobId}`);
          return ["COMPLETED", "FAILED"].includes(job.Status) && job;
        });
      };
      expect((await restoreAt(at + 60_000, `early-${kind}`)).Status).toBe("COMPLETED");
      expect(await titleOf(`early-${kind}`)).toBe("first");
      expect((await restoreAt(at + 3_600_000, `late-${kind}`)).Status).toBe("COMPLETED");
      expect(await titleOf(`late-${kind}`)).toBe("second");
      for (const ms of [at - 4 * 86_400_000, at + 864_000_000])
        expect(
          await backups.refusal("PUT", "/restore-jobs", {
            RecoveryPointArn: point.RecoveryPointArn,
            IamRoleArn: role,
            Metadata: { restoreTime: String(ms / 1000) },
          }),
        ).toContain("restoreTime must lie between");
      await instance().clock.advance("24h");
      expect(await points()).toHaveLength(1);
      const path = `/backup-vaults/kept/recovery-points/${encodeURIComponent(point.RecoveryPointArn)}`;
      await backups.well("POST", `${path}/disassociate`);
      await eventually(async () => (await points()).length === 0);
      await instance().clock.advance("24h");
      const [ordinary] = await points();
      expect(
        await backups.refusal(
          "POST",
          `/backup-vaults/kept/recovery-points/${encodeURIComponent(ordinary.RecoveryPointArn)}/disassociate`,
        ),
      ).toContain("InvalidRequest");
      await instance().clock.resume();
    });

    it("a job that is stopped says so, and one that has ended cannot be", async () => {
      const arn = await backups.folder(root, `stopped-${kind}`);
      await instance().clock.freeze();
      const { BackupJobId } = await backups.well("PUT", "/backup-jobs", {
        BackupVaultName: "kept",
        ResourceArn: arn,
        IamRoleArn: role,
      });
      const stopped = await backups.send("POST", `/backup-jobs/${BackupJobId}`);
      const { State } = await eventually(async () => {
        const job = await backups.well("GET", `/backup-jobs/${BackupJobId}`);
        return ["ABORTED", "COMPLETED"].includes(job.State) && job;
      });
      expect(State).toBe(stopped.status === 200 ? "ABORTED" : "COMPLETED");
      expect(await backups.refusal("POST", `/backup-jobs/${BackupJobId}`)).toContain("InvalidRequest");
    });
  },
  { backupRoots: root } as never,
);
