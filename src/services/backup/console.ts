/** Console views of the backup service. */
import { sizeText } from "#kernel/bytes";
import { isoOf } from "#kernel/clock";
import type { ConsoleView, Context } from "#kernel/operation";
import { findNextOccurrence, pointArnOf, vaultArnOf } from "./domain/index.ts";
import { coldPlaceOf, type Position, placeOf, START, verifyNext } from "./jobs/index.ts";
import {
  countFindings,
  listBackupJobsShown,
  listCopyJobsShown,
  listFrameworksShown,
  listHoldsShown,
  listPointsShown,
  listRestoreJobsShown,
  listVaultsShown,
  measureChunks,
} from "./store/index.ts";
import { countSelections, listPlansShown } from "./store/plans.ts";

const timeOf = (ms: number | null): string => (ms === null ? "" : isoOf(ms));
const percentText = (percent: number | string): string => `${Number(percent).toFixed(0)} %`;
/** Each row starts with its position, so that a reader can resume from there. */
const positionText = ({ placeId, chunkId }: Position): string => `${placeId}:${chunkId}`;
function positionOf(text: string): Position {
  const [placeId = "", chunkId = ""] = text.split(":");
  return text === "" ? START : { placeId, chunkId };
}

const vaults: ConsoleView = {
  title: "Vaults",
  madeBy: "backup.CreateBackupVault",
  columns: [
    "Region",
    "Name",
    "Recovery points",
    "Content",
    "Stored",
    "Stored cold",
    "Lock",
    "Lock is final from",
    "Made",
    "Id",
    "Resource",
  ],
  links: { Resource: "resource" },
  async rows({ db, account }: Context, limit: number) {
    const rows = [];
    for (const vault of await listVaultsShown(db, account, limit)) {
      const warm = await measureChunks(db, placeOf(vault));
      const cold = await measureChunks(db, coldPlaceOf(vault));
      const lock = vault.locked === 0 ? "" : vault.lock_date === null ? "can be removed" : "becomes final";
      const { region, name, points, created_at, id } = vault;
      rows.push([
        region,
        name,
        points,
        sizeText(warm.bytes + cold.bytes),
        sizeText(warm.stored + cold.stored),
        sizeText(cold.stored),
        lock,
        timeOf(vault.lock_date),
        timeOf(created_at),
        id,
        vaultArnOf(account, region, name),
      ]);
    }
    return rows;
  },
};
const points: ConsoleView = {
  title: "Recovery points",
  madeBy: "backup.StartBackupJob",
  columns: ["Made", "Vault", "Resource", "Kind", "Size", "Status", "Class", "Kept until", "Message", "Point"],
  links: { Resource: "resource", Point: "resource" },
  async rows({ db, account }: Context, limit: number) {
    const found = await listPointsShown(db, account, limit);
    return found.map((point) => [
      timeOf(point.created_at),
      point.vault,
      point.resource_arn,
      point.resource_type,
      sizeText(Number(point.size)),
      point.status,
      point.storage_class,
      timeOf(point.delete_at),
      point.message ?? "",
      pointArnOf(account, point.region, point.id),
    ]);
  },
};
const TIMELINE_MAX = 100;
/** The last part of an ARN: the name that users know. */
const nameIn = (arn: string): string => arn.split(/[/:]/).at(-1) ?? arn;
const jobs: ConsoleView = {
  title: "Backup jobs",
  madeBy: "backup.StartBackupJob",
  columns: ["Made", "Vault", "Resource", "State", "Done", "Message"],
  links: { Resource: "resource" },
  async rows({ db, account }: Context, limit: number) {
    const found = await listBackupJobsShown(db, account, limit);
    return found.map((job) => [
      timeOf(job.created_at),
      job.vault,
      job.resource_arn,
      job.state,
      percentText(job.percent),
      job.message ?? "",
    ]);
  },
  async widgets({ db, account }: Context) {
    const found = await listBackupJobsShown(db, account, TIMELINE_MAX);
    const events = found
      .map((job) => ({ at: timeOf(job.created_at), text: nameIn(job.resource_arn), state: job.state }))
      .sort((a, b) => (a.at < b.at ? -1 : 1));
    return events.length === 0 ? [] : [{ kind: "timeline", title: "Backups by the time they began", events }];
  },
};
const restores: ConsoleView = {
  title: "Restore jobs",
  madeBy: "backup.StartRestoreJob",
  columns: ["Made", "Resource", "State", "Done", "Message"],
  links: { Resource: "resource" },
  async rows({ db, account }: Context, limit: number) {
    const found = await listRestoreJobsShown(db, account, limit);
    return found.map((job) => [
      timeOf(job.created_at),
      job.resource_arn,
      job.state,
      percentText(job.percent),
      job.message ?? "",
    ]);
  },
};
const copies: ConsoleView = {
  title: "Copy jobs",
  madeBy: "backup.StartCopyJob",
  columns: ["Made", "Resource", "To", "State", "Done", "Message"],
  links: { Resource: "resource", To: "resource" },
  async rows({ db, account }: Context, limit: number) {
    const found = await listCopyJobsShown(db, account, limit);
    return found.map((job) => [
      timeOf(job.created_at),
      job.resource_arn,
      job.destination_vault_arn,
      job.state,
      percentText(job.percent),
      job.message ?? "",
    ]);
  },
};
/** The check runs only while a client follows the view, as `medley backup verify` does. */
const verification: ConsoleView = {
  title: "Verification",
  isShownEmpty: false,
  columns: ["Position", "Region", "Vault", "Chunks", "Damaged chunk", "Recovery points"],
  rows: async () => [],
  async rowsAfter(context: Context, after: string) {
    const verified = await verifyNext(context, context.account, positionOf(after));
    if (!verified) return [];
    const { vault, position, chunks, damages } = verified;
    const head = [positionText(position), vault.region, vault.name];
    const damaged = damages.map(({ chunkId, points: hit }) => [
      ...head,
      0,
      chunkId,
      hit.map((point) => pointArnOf(point.account, point.region, point.id)).join(" "),
    ]);
    return [...damaged, [...head, chunks, "", ""]];
  },
};

const plans: ConsoleView = {
  title: "Backup plans",
  madeBy: "backup.CreateBackupPlan",
  columns: ["Region", "Name", "Rule", "Schedule", "Vault", "Selections", "Last run", "Next run"],
  async rows({ db, account, clock }: Context, limit: number) {
    const rows: unknown[][] = [];
    for (const plan of await listPlansShown(db, account, limit)) {
      const selections = await countSelections(db, account, plan.region, plan.id);
      for (const { name, schedule, vaultName } of plan.document.rules)
        rows.push([
          plan.region,
          plan.name,
          name,
          `${schedule.expression} ${schedule.timezone}`,
          vaultName,
          selections,
          timeOf(plan.last_run_at),
          timeOf(findNextOccurrence(schedule, clock.nowMs()) ?? null),
        ]);
    }
    return rows.slice(0, limit);
  },
};
const holds: ConsoleView = {
  title: "Legal holds",
  madeBy: "backup.CreateLegalHold",
  columns: ["Region", "Title", "Status", "Vaults", "Resources", "Made", "Cancelled"],
  async rows({ db, account }: Context, limit: number) {
    const found = await listHoldsShown(db, account, limit);
    return found.map(({ region, title, status, selection, created_at, canceled_at }) => [
      region,
      title,
      status,
      selection.vaultNames.join(", ") || "all",
      selection.resourceArns.join(", ") || "all",
      timeOf(created_at),
      timeOf(canceled_at),
    ]);
  },
};
const frameworks: ConsoleView = {
  title: "Audit frameworks",
  madeBy: "backup.CreateFramework",
  columns: ["Region", "Name", "Control", "Compliant", "Not compliant", "Looked at"],
  async rows({ db, account }: Context, limit: number) {
    const rows: unknown[][] = [];
    for (const framework of await listFrameworksShown(db, account, limit)) {
      const counts = await countFindings(db, account, framework.region, framework.name);
      for (const [control, { name }] of framework.controls.entries()) {
        const count = (isCompliant: boolean) =>
          counts.find((one) => one.control === control && one.isCompliant === isCompliant)?.count ?? 0;
        rows.push([
          framework.region,
          framework.name,
          name,
          count(true),
          count(false),
          timeOf(framework.evaluated_at),
        ]);
      }
    }
    return rows.slice(0, limit);
  },
};

export const consoleViews: readonly ConsoleView[] = [
  vaults,
  points,
  jobs,
  restores,
  copies,
  plans,
  holds,
  frameworks,
  verification,
];
