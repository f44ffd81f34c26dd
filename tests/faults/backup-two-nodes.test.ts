/** Two nodes, one schedule: each occurrence of a backup plan happens once, whoever comes first, also when a node goes away. */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backups, newRoot, role } from "../support/backup.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase, type Instance, startInstance } from "../support/medley.ts";

const HOUR_MS = 3_600_000;
const PLANS = 4;
const root = newRoot();
let nodes: Instance[] = [];
const backups = new Backups(() => nodes[0]!);

beforeAll(async () => {
  const database = await createDatabase();
  const start = () =>
    startInstance({
      on: "postgres",
      database,
      services: ["backup"],
      backupRoots: root,
      jobPollMs: 20,
    } as never);
  nodes = [await start(), await start()];
  await backups.vault("near");
  await backups.folder(root, "photos");
  for (let index = 0; index < PLANS; index += 1) {
    const { BackupPlanId } = await backups.well("PUT", "/backup/plans", {
      BackupPlan: {
        BackupPlanName: `plan-${index}`,
        Rules: [
          { RuleName: "hourly", TargetBackupVaultName: "near", ScheduleExpression: "cron(0 * ? * * *)" },
        ],
      },
    });
    await backups.well("PUT", `/backup/plans/${BackupPlanId}/selections`, {
      BackupSelection: { SelectionName: "all", IamRoleArn: role, Resources: ["*"] },
    });
  }
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  rmSync(root, { recursive: true, force: true });
});

/** Jobs by the plan that made them: when they were due. */
async function dueTimes(): Promise<Map<string, number[]>> {
  const jobs = await backups.all("/backup-jobs?state=COMPLETED", "BackupJobs");
  const times = new Map<string, number[]>();
  for (const { CreatedBy, CreationDate } of jobs)
    times.set(CreatedBy.BackupPlanId, [...(times.get(CreatedBy.BackupPlanId) ?? []), CreationDate]);
  return times;
}
/** Shortly before the next hour, from where on time passes by itself and both nodes look for work. */
async function comeToNextHour(): Promise<number> {
  const { clock } = nodes[0]!;
  const dueMs = (Math.floor(clock.nowMs() / HOUR_MS) + 1) * HOUR_MS;
  const ms = dueMs - clock.nowMs() - 500;
  if (ms > 0) await clock.advance(ms);
  return dueMs / 1000;
}

it("backs up once per plan and hour", async () => {
  const due: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    due.push(await comeToNextHour());
    await eventually(async () => {
      const times = [...(await dueTimes()).values()];
      return times.length === PLANS && times.every((list) => list.length >= round);
    }, `the backups of round ${round}`);
    // The other node goes away before the last round.
    if (round === 2) await nodes.pop()?.stop();
  }
  for (const times of (await dueTimes()).values()) expect(times.toSorted()).toEqual(due);
  const jobs = await backups.all("/backup-jobs", "BackupJobs");
  expect(jobs).toHaveLength(PLANS * due.length);
});
