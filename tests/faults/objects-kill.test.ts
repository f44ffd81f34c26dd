/**
 * A node is killed at every step that it takes with an object store: before and after an object is stored, read or
 * removed. No object that a row names is lost, and none is left over after the next sweeps.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Medley } from "../../src/app/start.ts";
import { Backups, role } from "../support/backup.ts";
import { medley } from "../support/command-line.ts";
import { createDatabase, Instance } from "../support/medley.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";
import { S3Double } from "../support/s3-double.ts";

const FILE_BYTES = 1_200_000;
const TOKEN = "first-token-0001";
const folder = mkdtempSync(join(tmpdir(), "medley-objects-"));
const store = await S3Double.start();
let node: NodeProcess | undefined;
afterEach(async () => {
  store.watch = undefined;
  await node?.kill("SIGKILL");
});
afterAll(async () => {
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(["sqlite", "postgres"] as const)("killed nodes with a store on %s", (kind) => {
  it("lose no object and leave none behind", { timeout: 180_000 }, async () => {
    store.kept.clear();
    const place =
      kind === "sqlite" ? ["--data", join(folder, "data")] : ["--database", await createDatabase()];
    const words = ["--services", "backup", "--log-level", "silent", "--job-lease-seconds", "1"];
    const credentials = ["--credentials", join(import.meta.dirname, "../support/credentials.json")];
    const start = async () => {
      const rest = ["--job-poll-ms", "50", "--backup-roots", folder, "--objects-grace-seconds", "0"];
      node = await startServe(...words, ...credentials, ...rest, ...place, ...store.flags);
    };
    await start();
    const backups = new Backups(() => new Instance({ url: node?.url } as Medley));
    const objects = (verb: string, ...more: string[]) =>
      medley("objects", verb, ...more, "--url", node?.url ?? "", "--token", TOKEN);
    /** The next time that the step is taken, the node dies. It is started again. */
    const killedAt = (step: string) =>
      new Promise<void>((resolve, reject) => {
        store.watch = async (taken) => {
          if (taken !== step) return;
          store.watch = undefined;
          await node?.kill("SIGKILL");
          start().then(resolve, reject);
        };
      });
    /** Nothing is missing, and after two sweeps nothing is left over. */
    const settled = async () => {
      for (const _ of ["noticed", "removed"]) expect((await objects("sweep")).code).toBe(0);
      const { code, output } = await objects("verify");
      expect([code, output]).toEqual([
        0,
        expect.stringMatching(new RegExp(`^${store.kept.size} objects .*\n0 of them`)),
      ]);
    };
    await backups.vault("main");
    const arn = await backups.folder(folder, kind);
    const file = join(folder, kind, "large");

    let point = "";
    for (const step of ["PUT arrived", "PUT done"]) {
      writeFileSync(file, randomBytes(FILE_BYTES));
      const killed = killedAt(step);
      const request = { BackupVaultName: "main", ResourceArn: arn, IamRoleArn: role };
      const { BackupJobId } = await backups.well("PUT", "/backup-jobs", request);
      await killed;
      const job = await backups.backupEnd(BackupJobId);
      expect(job.State, job.StatusMessage).toBe("COMPLETED");
      point = job.RecoveryPointArn;
      await settled();
    }
    for (const step of ["GET arrived", "GET done"]) {
      const killed = killedAt(step);
      const restorePath = join(folder, `${kind}-${step.slice(4)}`);
      const request = { RecoveryPointArn: point, Metadata: { restorePath }, IamRoleArn: role };
      const { RestoreJobId } = await backups.well("PUT", "/restore-jobs", request);
      await killed;
      const job = await backups.restoreEnd(RestoreJobId);
      expect(job.Status, job.StatusMessage).toBe("COMPLETED");
      expect(readFileSync(join(restorePath, "large")).equals(readFileSync(file))).toBe(true);
    }
    for (const [step, to] of [
      ["GET done", "database"],
      ["PUT arrived", "s3"],
      ["PUT done", "s3"],
    ] as const) {
      const killed = killedAt(step);
      expect((await objects("move", "--to", to)).code).toBe(1);
      await killed;
      const again = await objects("move", "--to", to);
      expect([again.code, again.output]).toEqual([0, expect.stringMatching(new RegExp(`moved to ${to}`))]);
      if (to === "s3" && step !== "PUT done")
        expect((await objects("move", "--to", "database")).code).toBe(0);
    }
    for (const step of ["DELETE arrived", "DELETE done"]) {
      for (const to of ["database", "s3"]) await objects("move", "--to", to);
      const killed = killedAt(step);
      await objects("sweep");
      expect((await objects("sweep")).code).toBe(1);
      await killed;
      await settled();
    }
    await settled();
    const restorePath = join(folder, `${kind}-last`);
    const last = await backups.restored(point, { restorePath });
    expect(last.Status, last.StatusMessage).toBe("COMPLETED");
    expect(readFileSync(join(restorePath, "large")).equals(readFileSync(file))).toBe(true);

    await node?.kill("SIGKILL");
    const doctor = async (...more: string[]) =>
      (await medley("doctor", "--services", "backup", "--port", "0", ...place, ...more)).output;
    expect(await doctor(...store.flags)).toContain(`${store.kept.size} objects, 0 of them named by nothing`);
    expect(await doctor()).toMatch(/WRONG object store: \d+ rows name objects of a store/);
    const [lost = ""] = store.kept.keys();
    store.kept.delete(lost);
    expect(await doctor(...store.flags)).toMatch(/WRONG object store .*: 1 names without objects/);
  });
});
