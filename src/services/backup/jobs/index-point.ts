/**
 * Indexes a tree: once its manifest has been read completely, its items can be searched. The manifest serves
 * as the index.
 */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { errors } from "../errors.ts";
import type { BackupContext, State } from "../state.ts";
import { StorageError } from "../storage/engine.ts";
import type { Item } from "../storage/work.ts";
import { findPoint, getVault, updatePoint } from "../store/index.ts";
import type { PointRow, Tables } from "../tables/index.ts";
import { chunkSourceOf, keyMaterialOf, Mutex, placeOfPoint } from "./vault-storage.ts";

export const canBeIndexed = ({ content, root, status }: PointRow): boolean =>
  content === "tree" && root !== null && status !== "DELETING";
const keyOf = ({ region, id }: PointRow): string => `index:${region}:${id}`;

/** In a transaction. */
export async function askForIndex(context: BackupContext, point: PointRow): Promise<PointRow> {
  if (!canBeIndexed(point))
    throw errors.invalidRequest("Items can be searched in recovery points of folders and files alone.");
  if (point.index_status === "ACTIVE" || point.index_status === "PENDING") return point;
  const asked = {
    index_status: "PENDING",
    index_message: null,
    index_items: null,
    index_asked_at: context.clock.nowMs(),
    index_made_at: null,
    index_deleted_at: null,
  };
  await updatePoint(context.db, point, asked);
  await enqueue(context, point);
  return { ...point, ...asked };
}
/** In a transaction. */
export async function dropIndex(context: BackupContext, point: PointRow): Promise<PointRow> {
  if (point.index_status === null || point.index_deleted_at !== null) return point;
  const dropped = { index_status: "DELETING", index_deleted_at: context.clock.nowMs() };
  await updatePoint(context.db, point, dropped);
  await enqueue(context, point);
  return { ...point, ...dropped };
}
const enqueue = (context: BackupContext, point: PointRow): Promise<string> =>
  context.enqueue(indexPoint, { region: point.region, pointId: point.id }, { key: keyOf(point) });

const storageOf = async (context: BackupContext, point: PointRow) => {
  const vault = await getVault(context.db, point.account, point.region, point.vault);
  return {
    keys: keyMaterialOf(context, vault),
    source: chunkSourceOf(context, new Mutex(), placeOfPoint(point)),
    root: point.root as string,
  };
};
async function read(context: BackupContext, point: PointRow): Promise<Partial<PointRow>> {
  try {
    const { keys, source, root } = await storageOf(context, point);
    const index_items = await context.state.engine.count({ keys, root }, source);
    return { index_status: "ACTIVE", index_items, index_made_at: context.clock.nowMs() };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { index_status: "FAILED", index_message: error.message };
  }
}

export const indexPoint = jobsFor<Tables, State>()({
  name: "backup.index-point",
  transaction: "manual",
  payload: Type.Object({ region: Type.String(), pointId: Type.String() }),
  async run({ region, pointId }, context) {
    const { account } = context;
    const point = await findPoint(context.db, account, region, pointId);
    if (point?.index_status !== "PENDING" && point?.index_status !== "DELETING") return;
    const changes =
      point.index_status === "PENDING"
        ? await read(context, point)
        : { index_status: null, index_items: null };
    await context.transact(async ({ db }) => {
      const now = await findPoint(db, account, region, pointId);
      // The index status changed during this run. The next run handles it.
      if (now?.index_status === point.index_status) await updatePoint(db, point, changes);
    });
  },
});

export async function searchItems(
  context: BackupContext,
  point: PointRow,
  wanted: { readonly pattern: string; readonly after: string | undefined; readonly limit: number },
): Promise<readonly Item[]> {
  if (point.index_status !== "ACTIVE")
    throw errors.invalidRequest("The recovery point has no index: its items cannot be searched.");
  try {
    const { keys, source, root } = await storageOf(context, point);
    return await context.state.engine.search({ keys, root, ...wanted }, source);
  } catch (error) {
    if (error instanceof StorageError) throw errors.invalidResourceState(error.message);
    throw error;
  }
}
