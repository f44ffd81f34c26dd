/** Named snapshots of state. They are in the database beside the state, but not part of it. */
import type { Kysely } from "kysely";
import { TemporaryFile } from "../blobs/temporary-file.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Kernel } from "../runtime/kernel.ts";
import type { KernelTables, SnapshotRow } from "../runtime/tables.ts";
import { exportState } from "./export.ts";
import type { StateFilter } from "./tables.ts";

const SNAPSHOTS_MAX = 20;
const ALL_BYTES_MAX = 1024 * 1024 * 1024;
/** Leftovers of a dead process are deleted after this time. */
const ABANDONED_MS = 3_600_000;
const NEWLINE = 10;
type Db = Kysely<KernelTables>;

export const listSnapshots = (db: Db): Promise<SnapshotRow[]> =>
  db.selectFrom("medley_snapshot").selectAll().orderBy("created_at", "desc").orderBy("name").execute();
export const findSnapshot = (db: Db, name: string): Promise<SnapshotRow | undefined> =>
  db.selectFrom("medley_snapshot").selectAll().where("name", "=", name).executeTakeFirst();

/** From the first line of an export. */
function rowsOf(first: Buffer): number {
  const { check } = JSON.parse(first.subarray(0, first.indexOf(NEWLINE)).toString("utf8"));
  return Number(check?.rows ?? 0);
}

async function clearAbandoned(db: Db, beforeMs: number): Promise<void> {
  await db
    .deleteFrom("medley_snapshot_chunk")
    .where("created_at", "<", beforeMs)
    .where("id", "not in", db.selectFrom("medley_snapshot").select("id"))
    .execute();
}
async function roomFor(db: Db, name: string): Promise<number> {
  const others = (await listSnapshots(db)).filter((one) => one.name !== name);
  if (others.length >= SNAPSHOTS_MAX)
    throw kernelErrors.conflict(`There are ${SNAPSHOTS_MAX} snapshots already: delete one of them.`);
  return ALL_BYTES_MAX - others.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Replaces a snapshot of the same name. */
export async function takeSnapshot(kernel: Kernel, name: string, filter: StateFilter): Promise<SnapshotRow> {
  const { clock, database, ids } = kernel;
  const room = await roomFor(database.read, name);
  const id = ids.next("snapshot");
  const createdAt = clock.machineNowMs();
  let [bytes, rows, position] = [0, 0, 0];
  try {
    for await (const piece of await exportState(kernel, filter)) {
      if (position === 0) rows = rowsOf(piece);
      bytes += piece.length;
      if (bytes > room)
        throw kernelErrors.conflict(
          `All snapshots together may take ${ALL_BYTES_MAX} bytes: delete one of them.`,
        );
      const row = { id, position, created_at: createdAt, bytes: piece };
      await database.transact((db: Db) => db.insertInto("medley_snapshot_chunk").values(row).execute());
      position += 1;
    }
    const row: SnapshotRow = {
      name,
      id,
      service: filter.service ?? null,
      account: filter.account ?? null,
      bytes,
      rows,
      created_at: createdAt,
    };
    await database.transact(async (db: Db) => {
      await deleteSnapshot(db, name);
      await clearAbandoned(db, createdAt - ABANDONED_MS);
      await db.insertInto("medley_snapshot").values(row).execute();
    });
    return row;
  } catch (error) {
    await database.transact((db: Db) =>
      db.deleteFrom("medley_snapshot_chunk").where("id", "=", id).execute(),
    );
    throw error;
  }
}

/** Returns whether there was one. Joins the transaction of `db`. */
export async function deleteSnapshot(db: Db, name: string): Promise<boolean> {
  const row = await findSnapshot(db, name);
  if (!row) return false;
  await db.deleteFrom("medley_snapshot_chunk").where("id", "=", row.id).execute();
  await db.deleteFrom("medley_snapshot").where("name", "=", name).execute();
  return true;
}

/** As an export that can be read several times while `work` runs. */
export async function withSnapshot<T>(
  kernel: Kernel,
  { id }: SnapshotRow,
  work: (file: TemporaryFile) => Promise<T>,
): Promise<T> {
  const file = await TemporaryFile.open(kernel.temporaryFolder, kernel.bytesOnDisk);
  try {
    for (let position = 0; ; position += 1) {
      const chunk = await (kernel.database.read as Db)
        .selectFrom("medley_snapshot_chunk")
        .select("bytes")
        .where("id", "=", id)
        .where("position", "=", position)
        .executeTakeFirst();
      if (!chunk) break;
      await file.append(chunk.bytes);
    }
    return await work(file);
  } finally {
    await file.close();
  }
}
