/** Reads and writes the whole content of a store. */
import { queriesOf } from "#kernel/db";
import type { ContentRow, Db, RevisionRow, SnapshotItemRow, SnapshotRow, ValueRow } from "../tables.ts";
import { CONTENT_COLUMNS } from "./rows.ts";

const { compiledInsertAll } = queriesOf<Db>();

type Placeless<Row> = Omit<Row, "account" | "store">;
export type StoreContent = {
  readonly values: readonly ContentRow[];
  readonly revisions: readonly Placeless<RevisionRow>[];
  readonly snapshots: readonly Placeless<SnapshotRow>[];
  readonly items: readonly Placeless<SnapshotItemRow>[];
};

const placeless = <Row extends { account: string; store: string }>(rows: readonly Row[]): Placeless<Row>[] =>
  rows.map(({ account: _account, store: _store, ...rest }) => rest);

export async function readContent(db: Db, store: string): Promise<StoreContent> {
  const values = await db.selectFrom("configuration_value").selectAll().where("store", "=", store).execute();
  const revisions = await db
    .selectFrom("configuration_revision")
    .selectAll()
    .where("store", "=", store)
    .orderBy("last_modified")
    .orderBy("id")
    .execute();
  const snapshots = await db
    .selectFrom("configuration_snapshot")
    .selectAll()
    .where("store", "=", store)
    .execute();
  const items = await db
    .selectFrom("configuration_snapshot_item")
    .selectAll()
    .where("store", "=", store)
    .execute();
  return {
    values: placeless(values),
    revisions: placeless(revisions),
    snapshots: placeless(snapshots),
    items: placeless(items),
  };
}

/** Content at an earlier instant: the last revision of each key-value, unless it is a deletion. */
export function contentAt({ revisions, snapshots, items }: StoreContent, atMs: number): StoreContent {
  const before = revisions.filter(({ last_modified }) => last_modified <= atMs);
  const latest = new Map(before.map((row) => [JSON.stringify([row.key, row.label]), row]));
  const values = [...latest.values()]
    .filter(({ deleted }) => deleted === 0)
    .map(({ id: _id, deleted: _deleted, ...content }) => content);
  const kept = snapshots.filter(({ created_at }) => created_at <= atMs);
  const names = new Set(kept.map(({ name }) => name));
  return {
    values,
    revisions: before,
    snapshots: kept,
    items: items.filter(({ snapshot }) => names.has(snapshot)),
  };
}

const insertValues = compiledInsertAll<ValueRow>("configuration_value", [
  "account",
  "store",
  ...CONTENT_COLUMNS,
]);
const insertRevisions = compiledInsertAll<RevisionRow>("configuration_revision", [
  "account",
  "store",
  "id",
  "deleted",
  ...CONTENT_COLUMNS,
]);
const insertItems = compiledInsertAll<SnapshotItemRow>("configuration_snapshot_item", [
  "account",
  "store",
  "snapshot",
  ...CONTENT_COLUMNS,
]);
/** Replaces the store's content. */
export async function replaceContent(
  db: Db,
  account: string,
  store: string,
  content: StoreContent,
): Promise<void> {
  for (const table of [
    "configuration_value",
    "configuration_revision",
    "configuration_snapshot",
    "configuration_snapshot_item",
  ] as const)
    await db.deleteFrom(table).where("store", "=", store).execute();
  const placed = <Row>(rows: readonly Row[]) => rows.map((row) => ({ ...row, account, store }));
  await insertValues(db, placed(content.values));
  await insertRevisions(db, placed(content.revisions));
  for (const row of placed(content.snapshots))
    await db.insertInto("configuration_snapshot").values(row).execute();
  await insertItems(db, placed(content.items));
}
