/**
 * Every operation requires its own permission, and no other, on its own resource. Roles have the rights that
 * their policies grant.
 */
import { rmSync } from "node:fs";
import * as sdk from "@aws-sdk/client-backup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backups, newRoot } from "../../../tests/support/backup.ts";
import { everything } from "../../../tests/support/backup-requests.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { accountWith, allow, deny, outcomeOf, type Policy } from "../../../tests/support/policies.ts";
import service from "./index.ts";

const names = service.operations
  .filter(({ tags = [] }) => tags.length === 0)
  .map(({ id }) => id.replace("backup.", ""));
describe("permissions", () => {
  const root = newRoot();
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ services: ["backup"], backupRoots: root } as never);
  });
  afterAll(async () => {
    await instance.stop();
    rmSync(root, { recursive: true, force: true });
  });
  const ask = async (operation: string, policies: readonly Policy[], name = "mine") => {
    const { id, settings } = await accountWith(instance, "/backup", policies);
    const client = new sdk.BackupClient(settings);
    const Command = (sdk as any)[`${operation}Command`];
    return outcomeOf(client, () => client.send(new Command(everything(id, name))));
  };

  it("of all 94 operations of the client is asked for, and no other", async () => {
    expect(names).toHaveLength(94);
    const nobody = await accountWith(instance, "/backup", []);
    const refused: string[] = [];
    const allowed: string[] = [];
    for (const name of names) {
      const client = new sdk.BackupClient(nobody.settings);
      const Command = (sdk as any)[`${name}Command`];
      const send = () => client.send(new Command(everything(nobody.id, "mine")));
      if ((await outcomeOf(client, send)) === `backup:${name}`) refused.push(name);
      if ((await ask(name, [allow([`backup:${name}`, "iam:PassRole"])])) === "allowed") allowed.push(name);
    }
    expect(refused).toEqual(names);
    expect(allowed).toEqual(names);
  });
  it.each([
    ["GetBackupPlan", "backup-plan"],
    ["DeleteBackupPlan", "backup-plan"],
    ["CreateBackupSelection", "backup-plan"],
    ["CancelLegalHold", "legal-hold"],
    ["CreateFramework", "framework"],
    ["DescribeFramework", "framework"],
    ["StartReportJob", "report-plan"],
    ["CreateReportPlan", "report-plan"],
    ["CreateRestoreTestingPlan", "restore-testing-plan"],
    ["UpdateRestoreTestingSelection", "restore-testing-plan"],
    ["DescribeBackupVault", "backup-vault"],
    ["ListTags", "backup-vault"],
  ])("%s can be allowed for one thing alone, in either spelling", async (name, kind) => {
    const action = `backup:${name}`;
    for (const partition of ["vendor", "aws"]) {
      const one = `arn:${partition}:backup:us-east-1:ACCOUNT:${kind}:mine`;
      expect(await ask(name, [allow([action], [one]), allow(["iam:PassRole"])])).toBe("allowed");
      expect(await ask(name, [allow([action], [one])], "other")).toBe(action);
    }
  });
  it("roles are passed on only by whom is allowed to", async () => {
    const backups = new Backups(() => instance);
    await backups.vault("near");
    const { settings, id } = await accountWith(instance, "/backup", [allow(["*"]), deny(["iam:PassRole"])]);
    const client = new sdk.BackupClient(settings);
    await client.send(new sdk.CreateBackupVaultCommand({ BackupVaultName: "near" }));
    const { BackupPlanId } = await client.send(
      new sdk.CreateBackupPlanCommand({ BackupPlan: everything(id, "p").BackupPlan }),
    );
    const selection = new sdk.CreateBackupSelectionCommand({
      BackupPlanId,
      BackupSelection: everything(id, "s").BackupSelection,
    });
    expect(await outcomeOf(client, () => client.send(selection))).toBe("iam:PassRole");
  });
  it("a role that may not back up or restore fails, and one that may not delete leaves an expired point", async () => {
    const { id, settings } = await accountWith(instance, "/backup", [
      allow(["*"]),
      { effect: "Deny", actions: ["backup:StartBackupJob"], resources: ["arn:aws:iam::ACCOUNT:role/idle"] },
      {
        effect: "Deny",
        actions: ["backup:DeleteRecoveryPoint", "backup:StartRestoreJob"],
        resources: ["arn:vendor:iam::ACCOUNT:role/weak"],
      },
    ]);
    const client = new sdk.BackupClient(settings);
    const backups = new Backups(() => instance);
    const path = (await backups.folder(root, "shared")) && `${root}/shared`;
    const ResourceArn = `arn:aws:files:us-east-1:${id}:folder/shared`;
    const registered = await instance.bearer("PUT", "/_medley/resources", {
      body: {
        account: id,
        arn: ResourceArn,
        type: "AWS::Files::Folder",
        name: "shared",
        region: "us-east-1",
        details: { path },
      },
    });
    expect(registered.status, registered.text).toBe(200);
    await client.send(new sdk.CreateBackupVaultCommand({ BackupVaultName: "near" }));
    const backUp = async (role: string) => {
      const { BackupJobId } = await client.send(
        new sdk.StartBackupJobCommand({
          BackupVaultName: "near",
          ResourceArn,
          IamRoleArn: `arn:aws:iam::${id}:role/${role}`,
        }),
      );
      return eventually(async () => {
        const job = await client.send(new sdk.DescribeBackupJobCommand({ BackupJobId: BackupJobId! }));
        return !["CREATED", "PENDING", "RUNNING"].includes(job.State ?? "") && job;
      }, "the end of the job");
    };
    const idle = await backUp("idle");
    expect(idle.State).toBe("FAILED");
    expect(idle.StatusMessage).toContain("role/idle");
    const weak = await backUp("weak");
    expect(weak.State, weak.StatusMessage).toBe("COMPLETED");
    const point = { BackupVaultName: "near", RecoveryPointArn: weak.RecoveryPointArn! };
    const { RestoreJobId } = await client.send(
      new sdk.StartRestoreJobCommand({
        RecoveryPointArn: point.RecoveryPointArn,
        Metadata: { restorePath: `${root}/restored` },
        IamRoleArn: `arn:aws:iam::${id}:role/weak`,
      }),
    );
    const restored = await eventually(async () => {
      const job = await client.send(new sdk.DescribeRestoreJobCommand({ RestoreJobId: RestoreJobId! }));
      return !["PENDING", "RUNNING"].includes(job.Status ?? "") && job;
    }, "the end of the restore");
    expect([restored.Status, restored.StatusMessage]).toEqual([
      "FAILED",
      expect.stringContaining("role/weak may not restore"),
    ]);
    await client.send(new sdk.DeleteRecoveryPointCommand(point));
    expect((await client.send(new sdk.DescribeRecoveryPointCommand(point))).Status).toBe("EXPIRED");
    client.destroy();
  });
});
