/** What the console shows of backups. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView, Context } from "#kernel/operation";
import { pointArnOf } from "./domain/index.ts";
import { type Position, START, verifyNext } from "./jobs/index.ts";
import { listBackupJobsShown, listPointsShown, listVaultsShown, measureVault } from "./store/index.ts";

const timeOf = (ms: number | null): string => (ms === null ? "" : isoOf(ms));
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Rows begin with how far they are, so that whoever follows them goes on from there. */
const positionText = ({ vaultId, chunkId }: Position): string => `${vaultId}:${chunkId}`;
function positionOf(text: string): Position {
  const [vaultId = "", chunkId = ""] = text.split(":");
  return text === "" ? START : { vaultId, chunkId };
}

const vaults: ConsoleView = {
  title: "Vaults",
  columns: ["Region", "Name", "Recovery points", "Content", "Stored", "Lock", "Made", "Id"],
  async rows({ db, account }: Context, limit: number) {
    const rows = [];
    for (const vault of await listVaultsShown(db, account, limit)) {
      const { bytes, stored } = await measureVault(db, { account, vaultId: vault.id });
      const lock =
        vault.locked === 0
          ? ""
          : vault.lock_date === null
            ? "until unlocked"
            : `from ${timeOf(vault.lock_date)}`;
      const { region, name, points, created_at, id } = vault;
      rows.push([region, name, points, megabytes(bytes), megabytes(stored), lock, timeOf(created_at), id]);
    }
    return rows;
  },
};
const points: ConsoleView = {
  title: "Recovery points",
  columns: ["Made", "Vault", "Resource", "Kind", "Size", "Status", "Class", "Kept until", "Message"],
  async rows({ db, account }: Context, limit: number) {
    const found = await listPointsShown(db, account, limit);
    return found.map((point) => [
      timeOf(point.created_at),
      point.vault,
      point.resource_arn,
      point.resource_type,
      megabytes(Number(point.size)),
      point.status,
      point.storage_class,
      timeOf(point.delete_at),
      point.message ?? "",
    ]);
  },
};
const jobs: ConsoleView = {
  title: "Backup jobs",
  columns: ["Made", "Vault", "Resource", "State", "Done", "Message"],
  async rows({ db, account }: Context, limit: number) {
    const found = await listBackupJobsShown(db, account, limit);
    return found.map((job) => [
      timeOf(job.created_at),
      job.vault,
      job.resource_arn,
      job.state,
      `${Number(job.percent).toFixed(0)} %`,
      job.message ?? "",
    ]);
  },
};
/** Nothing is looked at until somebody follows it: `medley backup verify`. */
const verification: ConsoleView = {
  title: "Verification",
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

export const consoleViews: readonly ConsoleView[] = [vaults, points, jobs, verification];
