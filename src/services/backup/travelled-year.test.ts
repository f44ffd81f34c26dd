/** A year of plans, travelled: daily, weekly and monthly rules in named zones, with copies, cold storage, deletion, a hold and a lock. */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backups, backupArn, newRoot, role } from "../../../tests/support/backup.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const DAY_MS = 86_400_000;
const STEP_MS = 1_800_000;
/** Tens of thousands of statements, one after the other. */
const TRAVEL_MS_MAX = 600_000;
const START = Date.parse("2030-01-01T00:00:00Z");
const MIDDLE = Date.parse("2030-08-01T12:00:00Z");
const END = Date.parse("2031-01-01T00:00:00Z");

/**
 * Computed without the cron engine: the first half hour of each local day at which the local time has reached the
 * scheduled time. This also defines the result for a local time that a clock change skips or repeats.
 */
function occurrences(zone: string, hour: number, minute: number, isDay: (day: Date) => boolean): number[] {
  const wall = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  const found = new Map<string, number>();
  for (let at = START - DAY_MS; at < END; at += STEP_MS) {
    const [date = "", time = ""] = wall.format(at).split(", ");
    const isReached = time >= `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
    if (isReached && !found.has(date) && isDay(new Date(`${date}T00:00:00Z`))) found.set(date, at);
  }
  return [...found.values()].filter((at) => at > START && at < END);
}
/** Every day of the two seasons in which clocks change: the year is long enough without the others. */
const daily = occurrences("Europe/Berlin", 2, 30, (day) => [2, 3, 9, 10].includes(day.getUTCMonth()));
const weekly = occurrences("America/New_York", 1, 30, (day) => day.getUTCDay() === 0);
const monthly = occurrences("Europe/Berlin", 4, 0, (day) => day.getUTCDate() === 1);

/** Whether a point is still there, where lifecycles are not held up. */
const isLeft = (days: number, atMs: number) => (createdMs: number) =>
  createdMs < atMs && createdMs + days * DAY_MS > atMs;
const isHeld = (createdMs: number): boolean =>
  createdMs >= Date.parse("2030-03-01T00:00:00Z") && createdMs <= Date.parse("2030-04-01T00:00:00Z");

const root = newRoot();
afterAll(() => rmSync(root, { recursive: true, force: true }));

onBothDatabases(
  "a travelled year",
  (instance, kind) => {
    const backups = new Backups(instance);
    let hold: string;
    beforeAll(async () => {
      await backups.standAt("2030-01-01T00:00:00Z");
      for (const vault of ["near", "archive"]) await backups.vault(vault);
      await backups.folder(root, `photos-${kind}`);
      await backups.well("PUT", "/backup-vaults/archive/vault-lock", {
        MinRetentionDays: 30,
        MaxRetentionDays: 400,
      });
      const { BackupPlanId } = await backups.well("PUT", "/backup/plans", {
        BackupPlan: {
          BackupPlanName: "office",
          Rules: [
            {
              RuleName: "daily",
              TargetBackupVaultName: "near",
              ScheduleExpression: "cron(30 2 ? MAR-APR,OCT-NOV * *)",
              ScheduleExpressionTimezone: "Europe/Berlin",
              Lifecycle: { DeleteAfterDays: 14 },
            },
            {
              RuleName: "weekly",
              TargetBackupVaultName: "near",
              ScheduleExpression: "cron(30 1 ? * SUN *)",
              ScheduleExpressionTimezone: "America/New_York",
              Lifecycle: { DeleteAfterDays: 60 },
              CopyActions: [
                {
                  DestinationBackupVaultArn: backupArn("backup-vault:archive"),
                  Lifecycle: { DeleteAfterDays: 100 },
                },
              ],
            },
            {
              RuleName: "monthly",
              TargetBackupVaultName: "near",
              ScheduleExpression: "cron(0 4 1 * ? *)",
              ScheduleExpressionTimezone: "Europe/Berlin",
              Lifecycle: { MoveToColdStorageAfterDays: 30, DeleteAfterDays: 120 },
              CopyActions: [
                {
                  DestinationBackupVaultArn: backupArn("backup-vault:archive"),
                  Lifecycle: { DeleteAfterDays: 7 },
                },
              ],
            },
          ],
        },
      });
      await backups.well("PUT", `/backup/plans/${BackupPlanId}/selections`, {
        BackupSelection: { SelectionName: "all", IamRoleArn: role, Resources: ["*"] },
      });
      const held = await backups.well("POST", "/legal-holds", {
        Title: "March",
        Description: "Everything of March",
        RecoveryPointSelection: {
          VaultNames: ["near"],
          DateRange: {
            FromDate: Date.parse("2030-03-01T00:00:00Z") / 1000,
            ToDate: Date.parse("2030-04-01T00:00:00Z") / 1000,
          },
        },
      });
      hold = held.LegalHoldId;
    });

    const points = (vault: string) =>
      backups.all(`/backup-vaults/${vault}/recovery-points`, "RecoveryPoints");
    const created = (rows: any[]): number[] =>
      rows.map(({ CreationDate }) => Math.round(CreationDate * 1000)).sort((a, b) => a - b);
    const sorted = (...lists: number[][]) => lists.flat().sort((a, b) => a - b);

    it("has made, kept, moved, copied and deleted exactly what was due, while March is held", {
      timeout: TRAVEL_MS_MAX,
    }, async () => {
      await instance().clock.advance(MIDDLE - instance().clock.nowMs());
      const kept = (list: number[], days: number) =>
        list.filter((at) => isLeft(days, MIDDLE)(at) || (isHeld(at) && at < MIDDLE));
      const near = await points("near");
      expect(created(near)).toEqual(sorted(kept(daily, 14), kept(weekly, 60), kept(monthly, 120)));
      const cold: number[] = [];
      for (const { RecoveryPointArn, CreationDate } of near) {
        const point = await backups.well(
          "GET",
          `/backup-vaults/near/recovery-points/${encodeURIComponent(RecoveryPointArn)}`,
        );
        if (point.StorageClass === "COLD") cold.push(Math.round(CreationDate * 1000));
      }
      const isCold = (at: number) => at + 30 * DAY_MS <= MIDDLE && !isHeld(at);
      expect(sorted(cold)).toEqual(kept(monthly, 120).filter(isCold));
      expect(created(await points("archive"))).toEqual(weekly.filter(isLeft(100, MIDDLE)));
    });

    it("lets March go when the hold is cancelled, and ends the year with exact counts", {
      timeout: TRAVEL_MS_MAX,
    }, async () => {
      await backups.well("DELETE", `/legal-holds/${hold}?cancelDescription=over`);
      await instance().clock.advance(END - instance().clock.nowMs());
      expect(created(await points("near"))).toEqual(
        sorted(
          daily.filter(isLeft(14, END)),
          weekly.filter(isLeft(60, END)),
          monthly.filter(isLeft(120, END)),
        ),
      );
      expect(created(await points("archive"))).toEqual(weekly.filter(isLeft(100, END)));
      const jobs = await backups.all("/backup-jobs", "BackupJobs");
      expect(created(jobs)).toEqual(sorted(daily, weekly, monthly));
      expect(new Set(jobs.map(({ State }) => State))).toEqual(new Set(["COMPLETED"]));
      const copies = await backups.all("/copy-jobs", "CopyJobs");
      const inState = (state: string) => copies.filter(({ State }) => State === state).length;
      expect({ completed: inState("COMPLETED"), failed: inState("FAILED") }).toEqual({
        completed: weekly.length,
        failed: monthly.length,
      });
      const vault = await backups.well("GET", "/backup-vaults/near");
      expect(vault.NumberOfRecoveryPoints).toBe((await points("near")).length);
    });
  },
  { services: ["backup"], backupRoots: root } as never,
);
