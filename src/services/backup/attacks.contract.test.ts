/**
 * Attempts to reach data of another account, or files outside the allowed roots. None may read, write,
 * delete or reveal anything.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as sdk from "@aws-sdk/client-backup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backups, backupArn, newRoot, pointPath, role } from "../../../tests/support/backup.ts";
import { everything } from "../../../tests/support/backup-requests.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import { accountWith, allow } from "../../../tests/support/policies.ts";
import service from "./index.ts";
import { removeTree } from "./tree/remove.ts";

const root = newRoot();
const outside = mkdtempSync(join(tmpdir(), "medley-outside-"));
writeFileSync(join(outside, "secret"), "lantern secret");
afterAll(() => {
  for (const folder of [root, outside]) rmSync(folder, { recursive: true, force: true });
});
const SECRET = /lantern/;

onBothDatabases(
  "attacks",
  (instance, kind) => {
    const backups = new Backups(instance);
    const here = join(root, kind);
    const registerFor = async (account: string, name: string, path: string) => {
      const arn = `arn:vendor:files:us-east-1:${account}:folder/${name}`;
      const body = {
        account,
        arn,
        type: "Vendor::Files::Folder",
        name,
        region: "us-east-1",
        details: { path },
      };
      const { status, text } = await instance().bearer("PUT", "/_medley/resources", { body });
      expect(status, text).toBe(200);
      return arn;
    };
    beforeAll(async () => {
      mkdirSync(join(here, "ours"), { recursive: true });
      writeFileSync(join(here, "ours", "file"), "lantern file");
      await backups.vault("main");
    });

    it("with the identifiers of another account reach nothing, operation by operation", async () => {
      const arn = await backups.register(`ours-${kind}`, { path: join(here, "ours") });
      const { BackupJobId, RecoveryPointArn } = await backups.backedUp(arn, { Index: "ENABLED" });
      await backups.well("PUT", "/backup-vaults/other", { BackupVaultTags: { about: "lantern" } });
      const copy = await backups.copied(RecoveryPointArn, backupArn("backup-vault:other"));
      const restore = await backups.restored(RecoveryPointArn, { restorePath: join(here, `lantern-again`) });
      const plan = {
        BackupPlanName: "lantern",
        Rules: [{ RuleName: "lantern", TargetBackupVaultName: "main" }],
      };
      const { BackupPlanId, VersionId } = await backups.well("PUT", "/backup/plans", { BackupPlan: plan });
      const { SelectionId } = await backups.well("PUT", `/backup/plans/${BackupPlanId}/selections`, {
        BackupSelection: { SelectionName: "lantern", IamRoleArn: role, Resources: [arn] },
      });
      const hold = await backups.well("POST", "/legal-holds", {
        Title: "lantern",
        Description: "lantern",
        RecoveryPointSelection: { VaultNames: ["other"] },
      });
      await backups.well("POST", "/audit/frameworks", {
        FrameworkName: "mine",
        FrameworkDescription: "lantern",
        FrameworkControls: [{ ControlName: "BACKUP_RECOVERY_POINT_ENCRYPTED" }],
      });
      await backups.well("POST", "/audit/report-plans", {
        ReportPlanName: "mine",
        ReportPlanDescription: "lantern",
        ReportDeliveryChannel: { S3BucketName: "lantern" },
        ReportSetting: { ReportTemplate: "BACKUP_JOB_REPORT" },
      });
      const { ReportJobId } = await backups.well("POST", "/audit/report-jobs/mine", {});
      await eventually(async () => {
        const { ReportJob } = await backups.well("GET", `/audit/report-jobs/${ReportJobId}`);
        return (
          ReportJob.Status === "COMPLETED" && (await backups.point(RecoveryPointArn)).IndexStatus === "ACTIVE"
        );
      }, "the report and the index");
      const { id, settings } = await accountWith(instance(), "/backup", [allow(["*"])]);
      const theirs = {
        ...everything(accounts.first.id, "main"),
        BackupJobId,
        BackupPlanId,
        BackupVaultAccountId: accounts.first.id,
        CopyJobId: copy.CopyJobId,
        DestinationBackupVaultArn: backupArn("backup-vault:other"),
        FrameworkName: "mine",
        IamRoleArn: `arn:aws:iam::${id}:role/r`,
        LegalHoldId: hold.LegalHoldId,
        RecoveryPointArn,
        ReportJobId,
        ReportPlanName: "mine",
        ResourceArn: arn,
        RestoreJobId: restore.RestoreJobId,
        SelectionId,
        VersionId,
      };
      const everythingOfOurs = async () =>
        Promise.all(
          [
            "/backup-vaults/main",
            "/backup-vaults/other",
            pointPath(RecoveryPointArn),
            `/backup/plans/${BackupPlanId}`,
            `/backup/plans/${BackupPlanId}/selections/${SelectionId}`,
            `/legal-holds/${hold.LegalHoldId}`,
            "/audit/report-plans/mine",
            `/backup-jobs/${BackupJobId}`,
            `/copy-jobs/${copy.CopyJobId}`,
            `/restore-jobs/${restore.RestoreJobId}`,
          ].map((path) => backups.well("GET", path)),
        );
      const before = await everythingOfOurs();
      const client = new sdk.BackupClient(settings);
      const told: string[] = [];
      for (const { id: operation, tags = [] } of service.operations) {
        if (tags.length > 0) continue;
        const Command = (sdk as any)[`${operation.replace("backup.", "")}Command`];
        const said = await client.send(new Command(theirs)).then(JSON.stringify, (error) => error.message);
        if (SECRET.test(said)) told.push(`${operation}: ${said}`);
      }
      client.destroy();
      expect(told).toEqual([]);
      expect(await everythingOfOurs()).toEqual(before);
    });

    it("to restore over what is another account's, or out of the root, fail", async () => {
      for (const name of ["mine", "theirs"]) {
        mkdirSync(join(here, name));
        writeFileSync(join(here, name, "file"), name);
      }
      const { id, settings } = await accountWith(instance(), "/backup", [allow(["*"])]);
      await registerFor(accounts.first.id, `theirs-${kind}`, join(here, "theirs"));
      const ResourceArn = await registerFor(id, `mine-${kind}`, join(here, "mine"));
      const client = new sdk.BackupClient(settings);
      const IamRoleArn = `arn:aws:iam::${id}:role/r`;
      await client.send(new sdk.CreateBackupVaultCommand({ BackupVaultName: "near" }));
      const { BackupJobId } = await client.send(
        new sdk.StartBackupJobCommand({
          BackupVaultName: "near",
          ResourceArn: ResourceArn.replace("vendor", "aws"),
          IamRoleArn,
        }),
      );
      const { RecoveryPointArn } = await eventually(async () => {
        const job = await client.send(new sdk.DescribeBackupJobCommand({ BackupJobId: BackupJobId! }));
        return job.State === "COMPLETED" && job;
      });
      const restored = async (restorePath: string, inPlace: string) => {
        const Metadata = { restorePath, inPlace };
        const { RestoreJobId } = await client.send(
          new sdk.StartRestoreJobCommand({ RecoveryPointArn: RecoveryPointArn!, Metadata, IamRoleArn }),
        );
        return eventually(async () => {
          const job = await client.send(new sdk.DescribeRestoreJobCommand({ RestoreJobId: RestoreJobId! }));
          return ["COMPLETED", "FAILED"].includes(job.Status ?? "") && job;
        });
      };
      for (const [path, inPlace] of [
        [join(here, "theirs"), "true"],
        [join(here, "theirs", "planted"), "false"],
        [`${join(here, "mine")}/../theirs`, "true"],
        [here, "true"],
        [join(outside, "planted"), "false"],
        ["relative", "false"],
      ] as const) {
        const job = await restored(path, inPlace);
        expect([path, job.Status, job.StatusMessage]).toEqual([
          path,
          "FAILED",
          expect.stringContaining(path),
        ]);
      }
      expect([readdirSync(join(here, "theirs")), readFileSync(join(here, "theirs", "file"), "utf8")]).toEqual(
        [["file"], "theirs"],
      );
      expect(readdirSync(outside)).toEqual(["secret"]);
      for (const [path, inPlace] of [
        [join(here, "mine"), "true"],
        [join(here, "mine", "below"), "false"],
        [join(here, `mine-again`), "false"],
      ] as const)
        expect((await restored(path, inPlace)).Status).toBe("COMPLETED");
      client.destroy();
    });

    it("to put what was backed up to another server fail", async () => {
      const asked: string[] = [];
      const serve = async () => {
        const server = createServer((request, response) => {
          asked.push(`${request.method} ${request.headers.host}`);
          request.resume().on("end", () => response.end("page"));
        }).listen(0, "127.0.0.1");
        await new Promise((resolve) => server.once("listening", resolve));
        return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
      };
      const [own, other] = [await serve(), await serve()];
      const arn = await backups.register(
        `page-${kind}`,
        { url: `${own.url}/page` },
        "Vendor::Http::Resource",
      );
      const { RecoveryPointArn } = await backups.backedUp(arn);
      for (const restoreUrl of [
        `${other.url}/page`,
        "file:///etc/passwd",
        "nonsense",
        `${own.url}@${other.url.slice(7)}/`,
      ]) {
        const job = await backups.restored(RecoveryPointArn, { restoreUrl });
        expect([job.Status, job.StatusMessage]).toEqual([
          "FAILED",
          expect.stringContaining("not on the server"),
        ]);
      }
      expect(asked).toEqual([`GET ${own.url.slice(7)}`]);
      expect((await backups.restored(RecoveryPointArn, { restoreUrl: `${own.url}/again` })).Status).toBe(
        "COMPLETED",
      );
      for (const { server } of [own, other]) server.close();
    });

    it("by folders that become links while they are read, written or removed lead nowhere", async () => {
      const tree = join(here, "racing");
      mkdirSync(join(tree, "turning"), { recursive: true });
      for (let at = 0; at < 60; at += 1) writeFileSync(join(tree, "turning", `f${at}`), `${at}`);
      writeFileSync(join(tree, "tool"), "tool");
      chmodSync(join(tree, "tool"), 0o4755);
      const arn = await backups.register(`racing-${kind}`, { path: tree });
      const whole = await backups.backedUp(arn);
      expect(whole.State, whole.StatusMessage).toBe("COMPLETED");
      let turns = 0;
      const turning = setInterval(() => {
        const [folder, aside] = [join(tree, "turning"), join(tree, "aside")];
        try {
          if (existsSync(aside)) {
            // A restore in place may have made the folder anew: a link goes as a link, a folder as a whole.
            rmSync(folder, { recursive: true, force: true });
            renameSync(aside, folder);
          } else {
            renameSync(folder, aside);
            symlinkSync(outside, folder);
          }
          turns += 1;
        } catch {
          // The restore changed the folder between two of these steps. The next attempt starts from the
          // current state.
        }
      }, 1);
      try {
        for (let round = 0; round < 4; round += 1) {
          const { RecoveryPointArn } = await backups.backedUp(arn);
          const restorePath = join(here, `raced-${round}`);
          expect((await backups.restored(RecoveryPointArn, { restorePath })).Status).toBe("COMPLETED");
          // A link is backed up as a link. The files behind it are not.
          for (const name of readdirSync(restorePath))
            if (lstatSync(join(restorePath, name)).isDirectory())
              expect(readdirSync(join(restorePath, name))).not.toContain("secret");
          expect(statSync(join(restorePath, "tool")).mode & 0o7777).toBe(0o755);
          await backups.restored(whole.RecoveryPointArn, { restorePath: tree, inPlace: "true" });
        }
      } finally {
        clearInterval(turning);
      }
      expect(turns).toBeGreaterThan(4);
      expect(readdirSync(outside)).toEqual(["secret"]);
      expect(readFileSync(join(outside, "secret"), "utf8")).toBe("lantern secret");
    });
  },
  { backupRoots: root } as never,
);

describe("removing a restored tree", () => {
  it("removes links and leaves what they lead to", async () => {
    const tree = join(root, "removed");
    mkdirSync(join(tree, "deep", "er"), { recursive: true });
    writeFileSync(join(tree, "deep", "file"), "1");
    symlinkSync(outside, join(tree, "link"));
    symlinkSync(outside, join(tree, "deep", "er", "link"));
    await removeTree([root], tree);
    await removeTree([root], tree);
    expect(existsSync(tree)).toBe(false);
    expect(readdirSync(outside)).toEqual(["secret"]);
    await expect(removeTree([root], root)).rejects.toThrow("root itself");
    await expect(removeTree([root], outside)).rejects.toThrow("below none");
  });
});
