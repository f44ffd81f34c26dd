/** Snapshots and their key-values. */
import type { TextFilter } from "../domain/filters.ts";
import type { SnapshotStatus } from "../domain/snapshots.ts";
import type { ContentRow, Db, SnapshotItemRow, SnapshotRow } from "../tables.ts";
import { afterPosition, textConditions, type ValueFilter, valueConditions } from "./conditions.ts";
import type { ListOptions } from "./key-values.ts";
import { CONTENT_COLUMNS } from "./rows.ts";

const ITEMS_AT_ONCE = 100;

export const findSnapshot = (db: Db, store: string, name: string): Promise<SnapshotRow | undefined> =>
  db
    .selectFrom("configuration_snapshot")
    .selectAll()
    .where("store", "=", store)
    .where("name", "=", name)
    .executeTakeFirst();

export async function insertSnapshot(
  db: Db,
  row: SnapshotRow,
  items: readonly SnapshotItemRow[],
): Promise<void> {
  await db.insertInto("configuration_snapshot").values(row).execute();
  for (let start = 0; start < items.length; start += ITEMS_AT_ONCE)
    await db
      .insertInto("configuration_snapshot_item")
      .values(items.slice(start, start + ITEMS_AT_ONCE))
      .execute();
}

export async function updateSnapshot(
  db: Db,
  store: string,
  name: string,
  change: Partial<SnapshotRow>,
): Promise<void> {
  await db
    .updateTable("configuration_snapshot")
    .set(change)
    .where("store", "=", store)
    .where("name", "=", name)
    .execute();
}

export async function deleteSnapshot(db: Db, store: string, name: string): Promise<void> {
  await db
    .deleteFrom("configuration_snapshot_item")
    .where("store", "=", store)
    .where("snapshot", "=", name)
    .execute();
  await db.deleteFrom("configuration_snapshot").where("store", "=", store).where("name", "=", name).execute();
}

export async function snapshotUsage(db: Db, store: string): Promise<{ bytes: number; count: number }> {
  const { bytes, count } = await db
    .selectFrom("configuration_snapshot")
    .select((e) => [e.fn.sum<number | null>("size").as("bytes"), e.fn.countAll<number>().as("count")])
    .where("store", "=", store)
    .executeTakeFirstOrThrow();
  return { bytes: Number(bytes ?? 0), count: Number(count) };
}

export async function listSnapshots(
  db: Db,
  store: string,
  options: {
    readonly filter: TextFilter;
    readonly statuses: readonly SnapshotStatus[] | undefined;
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<SnapshotRow[]> {
  const { filter, statuses, after, limit } = options;
  let query = db.selectFrom("configuration_snapshot").selectAll().where("store", "=", store);
  for (const condition of textConditions("name", filter)) query = query.where(condition);
  if (statuses) query = query.where("status", "in", statuses);
  if (after !== undefined) query = query.where("name", ">", after);
  return query.orderBy("name").limit(limit).execute();
}

export async function listSnapshotItems(
  db: Db,
  store: string,
  snapshot: string,
  filter: ValueFilter,
  { after, limit }: ListOptions,
): Promise<ContentRow[]> {
  let query = db
    .selectFrom("configuration_snapshot_item")
    .select(CONTENT_COLUMNS)
    .where("store", "=", store)
    .where("snapshot", "=", snapshot);
  for (const condition of valueConditions(filter)) query = query.where(condition);
  if (after) query = query.where(afterPosition(after));
  return query.orderBy("key").orderBy("label").limit(limit).execute();
}
