/**
 * Nodes are killed in the middle of backups, copies, restores and deletions: what was acknowledged is readable, nothing is left over.
 * `BACKUP_KILLS=20 npx vitest run tests/faults/backup-kill.test.ts` kills each of them so many times on each database.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Medley } from "../../src/app/start.ts";
import { Backups, backupArn, role } from "../support/backup.ts";
import { eventually, pause } from "../support/eventually.ts";
import { createDatabase, Instance } from "../support/medley.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";
import { databasesHere } from "../support/test-part.ts";

const FILES = 12;
const FILE_BYTES = 2_000_000;
const ROUNDS = Number(process.env.BACKUP_KILLS ?? 1);
const ROUND_MS_MAX = 120_000;

let folder: string;
let node: NodeProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "medley-backup-"));
  mkdirSync(join(folder, "tree"));
  for (let at = 0; at < FILES; at += 1) writeFileSync(join(folder, "tree", `${at}`), randomBytes(FILE_BYTES));
});
afterEach(async () => {
  await node.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
const printOf = (path: string): string[] =>
  readdirSync(path)
    .sort()
    .map((name) =>
      createHash("sha256")
        .update(readFileSync(join(path, name)))
        .digest("hex"),
    );

describe.each(databasesHere())("killed nodes on %s", (kind) => {
  it("lose no point, leave no chunk behind, and end their jobs truthfully", {
    timeout: ROUNDS * ROUND_MS_MAX,
  }, async () => {
    const place =
      kind === "sqlite" ? ["--data", join(folder, "data")] : ["--database", await createDatabase()];
    const start = async () => {
      node = await startServe(
        ...[
          "--services",
          "backup",
          "--log-level",
          "error",
          "--job-lease-seconds",
          "2",
          "--job-poll-ms",
          "50",
        ],
        ...[
          "--credentials",
          join(import.meta.dirname, "../support/credentials.json"),
          "--backup-roots",
          folder,
        ],
        ...place,
      );
    };
    await start();
    const backups = new Backups(() => new Instance({ url: node.url } as Medley));
    const arn = await backups.folder(folder, "tree");
    rmSync(join(folder, "tree", "note.txt"));
    const print = printOf(join(folder, "tree"));
    for (const name of ["first", "second"]) await backups.vault(name);
    let underWay = 0;
    /** The job goes on after the node was killed at some instant of it. */
    const killed = async (path: string, ended: readonly unknown[], member = "State") => {
      await pause(Math.random() * 400);
      const { CopyJob, ...before } = await backups.well("GET", path);
      if (!ended.includes((CopyJob ?? before)[member])) underWay += 1;
      await node.kill("SIGKILL");
      await start();
      return eventually(async () => {
        const { CopyJob, ...job } = await backups.well("GET", path);
        return ended.includes((CopyJob ?? job)[member]) && (CopyJob ?? job);
      }, path);
    };

    for (let round = 1; round <= ROUNDS; round += 1) {
      const request = { BackupVaultName: "first", ResourceArn: arn, IamRoleArn: role };
      const { BackupJobId } = await backups.well("PUT", "/backup-jobs", request);
      const job = await killed(`/backup-jobs/${BackupJobId}`, ["COMPLETED", "FAILED", "PARTIAL"]);
      expect(job.State, job.StatusMessage).toBe("COMPLETED");

      const { CopyJobId } = await backups.well("PUT", "/copy-jobs", {
        RecoveryPointArn: job.RecoveryPointArn,
        SourceBackupVaultName: "first",
        DestinationBackupVaultArn: backupArn("backup-vault:second"),
        IamRoleArn: role,
      });
      const copy = await killed(`/copy-jobs/${CopyJobId}`, ["COMPLETED", "FAILED"]);
      expect(copy.State, copy.StatusMessage).toBe("COMPLETED");

      const restorePath = join(folder, `restored-${round}`);
      const { RestoreJobId } = await backups.well("PUT", "/restore-jobs", {
        RecoveryPointArn: copy.DestinationRecoveryPointArn,
        Metadata: { restorePath },
        IamRoleArn: role,
      });
      const restore = await killed(`/restore-jobs/${RestoreJobId}`, ["COMPLETED", "FAILED"], "Status");
      expect(restore.Status, restore.StatusMessage).toBe("COMPLETED");
      expect(printOf(restorePath)).toEqual(print);
      expect(readdirSync(folder).filter((name) => name.startsWith(".medley"))).toEqual([]);

      for (const [vault, point] of [
        ["first", job.RecoveryPointArn],
        ["second", copy.DestinationRecoveryPointArn],
      ]) {
        await backups.well("DELETE", `/backup-vaults/${vault}/recovery-points/${encodeURIComponent(point)}`);
        await killed(`/backup-vaults/${vault}`, [0], "NumberOfRecoveryPoints");
      }
      // Nothing holds a chunk any more, be it of an attempt that was killed.
      await eventually(async () => {
        const { body } = await backups.instance().bearer("GET", "/_medley/views/backup?view=Vaults");
        return body.views[0].rows.every(([, , , content]: string[]) => content === "0 B");
      }, "vaults without content");
    }
    if (ROUNDS > 1) process.stdout.write(`${kind}: ${underWay} of ${5 * ROUNDS} kills met work under way\n`);
  });
});
