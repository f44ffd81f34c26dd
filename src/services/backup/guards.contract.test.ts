/** What keeps jobs and recovery points where they are: policies of vaults, roles, locks, holds, the organisation. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { account, Backups, backupArn, newRoot, pointPath, role } from "../../../tests/support/backup.ts";
import { accounts, type Instance, startInstance } from "../../../tests/support/medley.ts";

const root = newRoot();
const [first, second] = [accounts.first.id, accounts.second.id];
let instance: Instance;
const backups = new Backups(() => instance);
const other = new Backups(() => instance, "us-east-1", "second");
const vaultArn = (name: string) => backupArn(`backup-vault:${name}`);
const othersVault = (name: string) => vaultArn(name).replace(first, second);
const othersRole = role.replace(first, second);
let folder: string;
let point: string;

beforeAll(async () => {
  const options = { services: ["backup"], backupRoots: root, backupOrganization: [first, second] };
  instance = await startInstance(options as never);
  for (const name of ["main", "closed", "locked", "held"]) await backups.vault(name);
  await other.vault("guest");
  folder = await backups.folder(root, "guarded");
  point = await backups.pointOf(folder, "Folder");
});
afterAll(async () => {
  await instance.stop();
  rmSync(root, { recursive: true, force: true });
});

const copyTo = (vault: string, more: object = {}) => ({
  RecoveryPointArn: point,
  SourceBackupVaultName: "main",
  DestinationBackupVaultArn: vault,
  IamRoleArn: role,
  ...more,
});
const backUpTo = (BackupVaultName: string, more: object = {}) => ({
  BackupVaultName,
  ResourceArn: folder,
  IamRoleArn: role,
  ...more,
});

it("the policy of a vault closes it to backups, copies and stops of its own account", async () => {
  const job = await backups.backedUp(folder, { BackupVaultName: "closed" });
  const Action = ["backup:StartBackupJob", "backup:CopyIntoBackupVault", "backup:StopBackupJob"];
  const Statement = [{ Effect: "Deny", Principal: { AWS: "*" }, Action, Resource: "*" }];
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
  await backups.well("PUT", "/backup-vaults/closed/access-policy", { Policy });
  for (const [method, path, body] of [
    ["PUT", "/backup-jobs", backUpTo("closed")],
    ["PUT", "/copy-jobs", copyTo(vaultArn("closed"))],
    ["POST", `/backup-jobs/${job.BackupJobId}`],
  ] as const)
    expect([path, await backups.refusal(method, path, body)]).toEqual([
      path,
      expect.stringContaining("AccessDenied: The access policy"),
    ]);
});

it("jobs work in roles of their own account", async () => {
  const restore = { RecoveryPointArn: point, Metadata: { restorePath: join(root, "new") } };
  for (const [path, body] of [
    ["/backup-jobs", backUpTo("main", { IamRoleArn: othersRole })],
    ["/copy-jobs", copyTo(vaultArn("held"), { IamRoleArn: othersRole })],
    ["/restore-jobs", { ...restore, IamRoleArn: othersRole }],
  ] as const)
    expect(await backups.refusal("PUT", path, body)).toContain(`must be a role of this account, ${account}`);
});

const waysOut = (path: string) =>
  [
    ["DELETE", path],
    ["POST", `${path}/disassociate`],
    ["DELETE", `${path}/parentAssociation`],
  ] as const;
it("a lock refuses lifecycles that are too short, for backups and for copies", async () => {
  await backups.well("PUT", "/backup-vaults/locked/vault-lock", { MinRetentionDays: 30 });
  const Lifecycle = { DeleteAfterDays: 29 };
  for (const [path, body] of [
    ["/backup-jobs", backUpTo("locked", { Lifecycle })],
    ["/copy-jobs", copyTo(vaultArn("locked"), { Lifecycle })],
  ] as const)
    expect(await backups.refusal("PUT", path, body)).toMatch(/^InvalidParameterValue: .*30/);
  const kept = await backups.backedUp(folder, {
    BackupVaultName: "locked",
    Lifecycle: { DeleteAfterDays: 30 },
  });
  const path = pointPath(kept.RecoveryPointArn, "locked");
  for (const [method, place] of waysOut(path))
    expect(await backups.refusal(method, place)).toContain("is locked");
});

it("a legal hold keeps a recovery point from every way out", async () => {
  const { RecoveryPointArn } = await backups.backedUp(folder, { BackupVaultName: "held" });
  const hold = { Title: "t", Description: "d", RecoveryPointSelection: { VaultNames: ["held"] } };
  await backups.well("POST", "/legal-holds", hold);
  const path = pointPath(RecoveryPointArn, "held");
  for (const [method, place] of waysOut(path))
    expect(await backups.refusal(method, place)).toContain("under the legal hold");
});

it("copies into another account need the organisation, whose managing account alone allows them", async () => {
  const Statement = [
    { Effect: "Allow", Principal: "*", Action: "backup:CopyIntoBackupVault", Resource: "*" },
  ];
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
  await other.well("PUT", "/backup-vaults/guest/access-policy", { Policy });
  const copy = () => backups.refusal("PUT", "/copy-jobs", copyTo(othersVault("guest")));
  expect(await copy()).toContain("not enabled in the global settings");
  const GlobalSettings = { isCrossAccountBackupEnabled: "true" };
  expect(await other.refusal("PUT", "/global-settings", { GlobalSettings })).toContain("that manages");
  expect(await copy()).toContain("not enabled in the global settings");
  await backups.well("PUT", "/global-settings", { GlobalSettings });
  const outside = copyTo(othersVault("guest").replace(second, "999999999999"));
  expect(await backups.refusal("PUT", "/copy-jobs", outside)).toContain("not enabled in the global settings");

  const { State, DestinationRecoveryPointArn } = await backups.copied(point, othersVault("guest"));
  expect(State).toBe("COMPLETED");
  // The folder that was backed up is not the other account's.
  const Metadata = { restorePath: join(root, "guarded"), inPlace: "true" };
  const request = { RecoveryPointArn: DestinationRecoveryPointArn, Metadata, IamRoleArn: othersRole };
  const answer = await other.send("PUT", "/restore-jobs", request);
  const told =
    answer.status < 300 ? (await other.restoreEnd(answer.body.RestoreJobId)).StatusMessage : answer.text;
  expect(told).toContain("neither in nor beside a folder of this account");
});
