/** A journey through hourly backups that is cut short: nothing that was seen is lost, and no hour is backed up twice. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Medley } from "../../src/app/start.ts";
import { Backups, role } from "../support/backup.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase, Instance } from "../support/medley.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";

const HOURS = 60;
const HOUR_MS = 3_600_000;
let folder: string;
let node: NodeProcess;
afterEach(async () => {
  await node.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

describe.each(["sqlite", "postgres"] as const)("killed among backups, on %s", (kind) => {
  it("keeps what was seen, and makes every hour's backup once", async () => {
    folder = mkdtempSync(join(tmpdir(), "medley-backup-"));
    const place =
      kind === "sqlite" ? ["--data", join(folder, "data")] : ["--database", await createDatabase()];
    const credentials = join(import.meta.dirname, "../support/credentials.json");
    const words = ["--services", "backup", "--log-level", "error", "--job-lease-seconds", "2"];
    const start = async () => {
      node = await startServe(...words, "--credentials", credentials, "--backup-roots", folder, ...place);
    };
    await start();
    const instance = () => new Instance({ url: node.url } as Medley);
    const backups = new Backups(instance);
    const arn = await backups.folder(folder, "tree");
    await backups.vault("main");
    const rule = {
      RuleName: "hourly",
      TargetBackupVaultName: "main",
      ScheduleExpression: "cron(0 * ? * * *)",
    };
    const { BackupPlanId } = await backups.well("PUT", "/backup/plans", {
      BackupPlan: { BackupPlanName: "hourly", Rules: [rule] },
    });
    await backups.well("PUT", `/backup/plans/${BackupPlanId}/selections`, {
      BackupSelection: { SelectionName: "all", IamRoleArn: role, Resources: [arn] },
    });
    const advance = (hours: number) =>
      instance().bearer("POST", "/_medley/clock/advance", { body: { by: `${hours}h` } });
    const jobs = () => backups.all("/backup-jobs", "BackupJobs");
    const points = () => backups.all("/backup-vaults/main/recovery-points", "RecoveryPoints");
    const clock = async () => Date.parse((await instance().bearer("GET", "/_medley/clock")).body.now);

    const begunMs = await clock();
    const travelling = advance(10 * HOURS).catch(() => undefined);
    const seen = await eventually(async () => {
      const done = (await jobs()).filter(({ State }) => State === "COMPLETED");
      return done.length >= 5 && done;
    }, "some backups");
    await node.kill("SIGKILL");
    await travelling;
    await start();
    await eventually(async () => (await advance(HOURS)).status === 200, "a journey of its own");

    const all = await jobs();
    expect(all.map(({ State, StatusMessage }) => StatusMessage ?? State)).toEqual(all.map(() => "COMPLETED"));
    const ids = new Set(all.map(({ BackupJobId }) => BackupJobId));
    expect(seen.filter(({ BackupJobId }) => !ids.has(BackupJobId))).toEqual([]);
    const hours = all.map(({ CreationDate }) => Math.floor((CreationDate * 1000) / HOUR_MS));
    const passed = Math.floor((await clock()) / HOUR_MS) - Math.floor(begunMs / HOUR_MS);
    expect([new Set(hours).size, hours.length]).toEqual([passed, passed]);
    const kept = new Set((await points()).map(({ RecoveryPointArn }) => RecoveryPointArn));
    expect(all.filter(({ RecoveryPointArn }) => !kept.has(RecoveryPointArn))).toEqual([]);
    expect(kept.size).toBe(passed);
  });
});
