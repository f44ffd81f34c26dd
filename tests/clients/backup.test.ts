/** A night with backups, told by the maker's own client, unmodified: vaults, a folder of the machine, jobs, restores. */
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as backup from "@aws-sdk/client-backup";
import { afterAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { clientOptions } from "../support/maker-client.ts";
import { type AccountName, accounts, onBothDatabases } from "../support/medley.ts";

const account = accounts.first.id;
const IamRoleArn = `arn:aws:iam::${account}:role/backup`;
const folderArn = (name: string) => `arn:aws:files:us-east-1:${account}:folder/${name}`;
const vaultArn = (name: string, owner = account) => `arn:aws:backup:us-east-1:${owner}:backup-vault:${name}`;
const root = mkdtempSync(join(tmpdir(), "medley-backup-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What a tree is made of, in one text. */
function printOf(folder: string): string {
  const lines = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
    return `${path.slice(folder.length)} ${entry.isDirectory()} ${content}`;
  });
  return lines.sort().join("\n");
}

onBothDatabases(
  "the maker's client",
  (instance, kind) => {
    const clients: backup.BackupClient[] = [];
    const clientOf = (as: AccountName) => {
      const client = new backup.BackupClient(clientOptions(instance(), "backup", as));
      clients.push(client);
      return client;
    };
    afterAll(() => {
      for (const client of clients) client.destroy();
    });
    const send: backup.BackupClient["send"] = ((command: never) => clientOf("first").send(command)) as never;
    const photos = join(root, `photos-${kind}`);
    const ended = async (BackupJobId: string) => {
      let job: backup.DescribeBackupJobCommandOutput | undefined;
      await eventually(async () => {
        job = await send(new backup.DescribeBackupJobCommand({ BackupJobId }));
        return !["CREATED", "PENDING", "RUNNING", "ABORTING"].includes(job.State ?? "");
      }, "the end of the backup job");
      return job as backup.DescribeBackupJobCommandOutput;
    };
    const restored = async (RestoreJobId: string) => {
      let job: backup.DescribeRestoreJobCommandOutput | undefined;
      await eventually(async () => {
        job = await send(new backup.DescribeRestoreJobCommand({ RestoreJobId }));
        return !["PENDING", "RUNNING"].includes(job.Status ?? "");
      }, "the end of the restore job");
      return job as backup.DescribeRestoreJobCommandOutput;
    };
    let point: string;

    it("makes vaults, tells who may come, whom to tell, and locks them", async () => {
      const made = await send(
        new backup.CreateBackupVaultCommand({ BackupVaultName: "nightly", CreatorRequestId: "1" }),
      );
      expect(made.BackupVaultArn).toBe(vaultArn("nightly"));
      const again = await send(
        new backup.CreateBackupVaultCommand({ BackupVaultName: "nightly", CreatorRequestId: "1" }),
      );
      expect(again).toMatchObject({ BackupVaultArn: made.BackupVaultArn, CreationDate: made.CreationDate });
      await expect(
        send(new backup.CreateBackupVaultCommand({ BackupVaultName: "nightly", CreatorRequestId: "2" })),
      ).rejects.toMatchObject({
        name: "AlreadyExistsException",
        Arn: vaultArn("nightly"),
        CreatorRequestId: "1",
      });
      await send(new backup.CreateBackupVaultCommand({ BackupVaultName: "archive" }));
      const gapped = await send(
        new backup.CreateLogicallyAirGappedBackupVaultCommand({
          BackupVaultName: "bunker",
          MinRetentionDays: 7,
          MaxRetentionDays: 100,
        }),
      );
      expect(gapped.VaultState).toBe("AVAILABLE");
      const vault = await send(new backup.DescribeBackupVaultCommand({ BackupVaultName: "bunker" }));
      expect(vault).toMatchObject({
        VaultType: "LOGICALLY_AIR_GAPPED_BACKUP_VAULT",
        Locked: true,
        MinRetentionDays: 7,
      });
      const Policy = JSON.stringify({
        Version: "2012-10-17",
        Statement: [{ Effect: "Deny", Principal: "*", Action: "backup:DeleteBackupVault", Resource: "*" }],
      });
      await send(new backup.PutBackupVaultAccessPolicyCommand({ BackupVaultName: "archive", Policy }));
      expect(
        (await send(new backup.GetBackupVaultAccessPolicyCommand({ BackupVaultName: "archive" }))).Policy,
      ).toBe(Policy);
      await expect(
        send(new backup.DeleteBackupVaultCommand({ BackupVaultName: "archive" })),
      ).rejects.toMatchObject({
        name: "AccessDeniedException",
      });
      await send(new backup.DeleteBackupVaultAccessPolicyCommand({ BackupVaultName: "archive" }));
      await send(
        new backup.PutBackupVaultLockConfigurationCommand({
          BackupVaultName: "archive",
          MinRetentionDays: 1,
        }),
      );
      await send(new backup.DeleteBackupVaultLockConfigurationCommand({ BackupVaultName: "archive" }));
      const SNSTopicArn = `arn:aws:sns:us-east-1:${account}:backups`;
      const BackupVaultEvents: backup.BackupVaultEvent[] = [
        "BACKUP_JOB_SUCCESSFUL",
        "RESTORE_JOB_SUCCESSFUL",
        "COPY_JOB_SUCCESSFUL",
      ];
      await send(
        new backup.PutBackupVaultNotificationsCommand({
          BackupVaultName: "nightly",
          SNSTopicArn,
          BackupVaultEvents,
        }),
      );
      expect(
        await send(new backup.GetBackupVaultNotificationsCommand({ BackupVaultName: "nightly" })),
      ).toMatchObject({
        SNSTopicArn,
        BackupVaultEvents,
      });
      const names: string[] = [];
      for await (const page of backup.paginateListBackupVaults(
        { client: clientOf("first"), pageSize: 2 },
        {},
      ))
        names.push(...(page.BackupVaultList ?? []).map(({ BackupVaultName }) => BackupVaultName ?? ""));
      expect(names).toEqual(["archive", "bunker", "nightly"]);
      const { ResourceTypes } = await send(new backup.GetSupportedResourceTypesCommand({}));
      expect(ResourceTypes).toEqual(
        expect.arrayContaining(["ConfigurationStore", "Folder", "Function", "HttpResource"]),
      );
    });

    it("backs up a folder of the machine, twice, and restores it elsewhere and in place", async () => {
      mkdirSync(join(photos, "2030", "may"), { recursive: true });
      for (let at = 0; at < 40; at += 1)
        writeFileSync(join(photos, "2030", "may", `${at}.txt`), `${at}\n`.repeat(at * 100));
      writeFileSync(join(photos, "large.bin"), Buffer.alloc(3_000_000, "photograph "));
      symlinkSync("large.bin", join(photos, "link"));
      const print = printOf(photos);
      const { status, text } = await instance().bearer("PUT", "/_medley/resources", {
        body: {
          arn: folderArn("photos"),
          type: "AWS::Files::Folder",
          name: "photos",
          region: "us-east-1",
          details: { path: photos },
        },
      });
      expect(status, text).toBe(200);
      const start = { BackupVaultName: "nightly", ResourceArn: folderArn("photos"), IamRoleArn };
      const first = await send(
        new backup.StartBackupJobCommand({
          ...start,
          RecoveryPointTags: { kind: "first" },
          Lifecycle: { DeleteAfterDays: 200, MoveToColdStorageAfterDays: 30 },
        }),
      );
      const job = await ended(first.BackupJobId!);
      expect(job).toMatchObject({
        State: "COMPLETED",
        PercentDone: "100.0",
        ResourceType: "Folder",
        ResourceName: "photos",
      });
      point = job.RecoveryPointArn!;
      expect(first.RecoveryPointArn).toBe(point);
      const made = await send(
        new backup.DescribeRecoveryPointCommand({ BackupVaultName: "nightly", RecoveryPointArn: point }),
      );
      expect(made).toMatchObject({
        Status: "COMPLETED",
        StorageClass: "WARM",
        BackupSizeInBytes: job.BackupSizeInBytes,
      });
      expect(made.CalculatedLifecycle!.DeleteAt!.getTime() - made.CreationDate!.getTime()).toBe(
        200 * 86_400_000,
      );
      const second = await ended((await send(new backup.StartBackupJobCommand(start))).BackupJobId!);
      expect(second.State).toBe("COMPLETED");
      const elsewhere = join(root, `restored-${kind}`);
      const { RestoreJobId } = await send(
        new backup.StartRestoreJobCommand({
          RecoveryPointArn: point,
          IamRoleArn,
          Metadata: { restorePath: elsewhere },
        }),
      );
      expect(await restored(RestoreJobId!)).toMatchObject({ Status: "COMPLETED", PercentDone: "100.0" });
      expect(printOf(elsewhere)).toBe(print);
      expect((await send(new backup.GetRestoreJobMetadataCommand({ RestoreJobId }))).Metadata).toEqual({
        restorePath: elsewhere,
      });
      writeFileSync(join(photos, "large.bin"), "overwritten");
      rmSync(join(photos, "2030", "may", "3.txt"));
      const { RestoreMetadata } = await send(
        new backup.GetRecoveryPointRestoreMetadataCommand({
          BackupVaultName: "nightly",
          RecoveryPointArn: second.RecoveryPointArn,
        }),
      );
      const inPlace = await send(
        new backup.StartRestoreJobCommand({
          RecoveryPointArn: second.RecoveryPointArn,
          Metadata: RestoreMetadata,
        }),
      );
      expect(await restored(inPlace.RestoreJobId!)).toMatchObject({ Status: "COMPLETED" });
      expect(printOf(photos)).toBe(print);
      const topic = await instance().bearer("GET", "/_medley/outbox?service=backup&kind=topic");
      expect(topic.body.messages.map(({ subject }: { subject: string }) => subject).sort()).toEqual([
        "BACKUP_JOB_SUCCESSFUL",
        "BACKUP_JOB_SUCCESSFUL",
        "RESTORE_JOB_SUCCESSFUL",
        "RESTORE_JOB_SUCCESSFUL",
      ]);
    });

    it("copies a recovery point, changes its lifecycle, lists and deletes it", async () => {
      const { CopyJobId } = await send(
        new backup.StartCopyJobCommand({
          RecoveryPointArn: point,
          SourceBackupVaultName: "nightly",
          DestinationBackupVaultArn: vaultArn("archive"),
          IamRoleArn,
        }),
      );
      let copy: backup.CopyJob | undefined;
      await eventually(async () => {
        copy = (await send(new backup.DescribeCopyJobCommand({ CopyJobId }))).CopyJob;
        return copy?.State === "COMPLETED";
      }, "the copy");
      const elsewhere = join(root, `copied-${kind}`);
      const { RestoreJobId } = await send(
        new backup.StartRestoreJobCommand({
          RecoveryPointArn: copy!.DestinationRecoveryPointArn,
          Metadata: { restorePath: elsewhere },
        }),
      );
      expect(await restored(RestoreJobId!)).toMatchObject({ Status: "COMPLETED" });
      expect(printOf(elsewhere)).toBe(printOf(photos));
      const changed = await send(
        new backup.UpdateRecoveryPointLifecycleCommand({
          BackupVaultName: "nightly",
          RecoveryPointArn: point,
          Lifecycle: { DeleteAfterDays: 10 },
        }),
      );
      expect(changed.CalculatedLifecycle?.MoveToColdStorageAt).toBeUndefined();
      const points: string[] = [];
      const pages = backup.paginateListRecoveryPointsByBackupVault(
        { client: clientOf("first"), pageSize: 1 },
        { BackupVaultName: "nightly", ByResourceArn: folderArn("photos") },
      );
      for await (const page of pages)
        points.push(...(page.RecoveryPoints ?? []).map(({ RecoveryPointArn }) => RecoveryPointArn!));
      expect(points).toHaveLength(2);
      const byResource = await send(
        new backup.ListRecoveryPointsByResourceCommand({ ResourceArn: folderArn("photos") }),
      );
      expect(byResource.RecoveryPoints).toHaveLength(3);
      const { Results } = await send(new backup.ListProtectedResourcesCommand({}));
      expect(Results).toMatchObject([{ ResourceArn: folderArn("photos"), ResourceType: "Folder" }]);
      const inVault = await send(
        new backup.ListProtectedResourcesByBackupVaultCommand({ BackupVaultName: "archive" }),
      );
      expect(inVault.Results).toHaveLength(1);
      const known = await send(
        new backup.DescribeProtectedResourceCommand({ ResourceArn: folderArn("photos") }),
      );
      expect(known.LatestRestoreJobCreationDate).toBeInstanceOf(Date);
      expect(
        (await send(new backup.ListBackupJobsCommand({ ByState: "COMPLETED", ByResourceType: "Folder" })))
          .BackupJobs,
      ).toHaveLength(2);
      expect(
        (await send(new backup.ListCopyJobsCommand({ ByDestinationVaultArn: vaultArn("archive") }))).CopyJobs,
      ).toHaveLength(1);
      expect(
        (await send(new backup.ListRestoreJobsCommand({ ByStatus: "COMPLETED" }))).RestoreJobs,
      ).toHaveLength(3);
      const ofResource = await send(
        new backup.ListRestoreJobsByProtectedResourceCommand({ ResourceArn: folderArn("photos") }),
      );
      expect(ofResource.RestoreJobs).toHaveLength(3);
      await expect(
        send(new backup.DeleteBackupVaultCommand({ BackupVaultName: "nightly" })),
      ).rejects.toMatchObject({
        name: "InvalidRequestException",
      });
      await send(
        new backup.DeleteRecoveryPointCommand({ BackupVaultName: "nightly", RecoveryPointArn: point }),
      );
      await eventually(async () => {
        const { NumberOfRecoveryPoints } = await send(
          new backup.DescribeBackupVaultCommand({ BackupVaultName: "nightly" }),
        );
        return NumberOfRecoveryPoints === 1;
      }, "the deletion");
      await send(new backup.DeleteBackupVaultNotificationsCommand({ BackupVaultName: "nightly" }));
    });

    it("keeps accounts apart", async () => {
      await expect(
        clientOf("second").send(new backup.DescribeBackupVaultCommand({ BackupVaultName: "nightly" })),
      ).rejects.toMatchObject({ name: "ResourceNotFoundException" });
    });
  },
  { backupRoots: root } as never,
);
