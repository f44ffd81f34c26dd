/**
 * Creates a recovery point: its row, its catalogue entry, the facts about its resource, and its lifecycle.
 */
import {
  calculateLifecycle,
  type Lifecycle,
  pointArnOf,
  TAGS_MAX,
  type Tags,
  TYPES,
  vaultArnOf,
} from "../domain/index.ts";
import type { BackupContext } from "../state.ts";
import { insertPoint, noteProtected } from "../store/index.ts";
import type { BackupJobRow, PointRow } from "../tables/index.ts";
import { planLifecycle } from "./lifecycle.ts";

export function lifecycleColumns(
  lifecycle: Lifecycle,
  createdAtMs: number,
): Pick<PointRow, "cold_after_days" | "delete_after_days" | "opt_in_archive" | "cold_at" | "delete_at"> {
  const { moveToColdStorageAtMs, deleteAtMs } = calculateLifecycle(lifecycle, createdAtMs);
  const { optInToArchive } = lifecycle;
  return {
    cold_after_days: lifecycle.moveToColdStorageAfterDays ?? null,
    delete_after_days: lifecycle.deleteAfterDays ?? null,
    opt_in_archive: optInToArchive === undefined ? null : Number(optInToArchive),
    cold_at: moveToColdStorageAtMs ?? null,
    delete_at: deleteAtMs ?? null,
  };
}

/** The index columns of a point without an index. */
export const NOT_INDEXED = {
  index_status: null,
  index_message: null,
  index_items: null,
  index_asked_at: null,
  index_made_at: null,
  index_deleted_at: null,
} satisfies Partial<PointRow>;

/** The recovery point of a job, without content. */
export const pointOf = (job: BackupJobRow, vaultId: string, nowMs: number): PointRow => ({
  account: job.account,
  region: job.region,
  id: job.point_id,
  vault: job.vault,
  vault_id: vaultId,
  holder: job.holder ?? "",
  next_holder: null,
  root: null,
  content: "stream",
  kind: "SNAPSHOT",
  resource_arn: job.resource_arn,
  resource_type: job.resource_type,
  resource_name: job.resource_name,
  source_vault_arn: null,
  created_by: job.created_by,
  role_arn: job.role_arn,
  status: "COMPLETED",
  message: null,
  size: 0,
  ...lifecycleColumns(JSON.parse(job.lifecycle) as Lifecycle, job.created_at),
  storage_class: "WARM",
  restore_metadata: "{}",
  restored_at: null,
  parent_id: null,
  member: job.member,
  is_parent: 0,
  known_until: null,
  ...NOT_INDEXED,
  created_at: job.created_at,
  completed_at: nowMs,
});

/** A point has the tags of its resource and the requested tags. Requested tags win. */
export async function inheritedTags(
  { catalog }: BackupContext,
  { resource_arn, tags }: Pick<BackupJobRow, "resource_arn" | "tags">,
): Promise<Tags> {
  const asked = JSON.parse(tags) as Tags;
  const own = Object.entries((await catalog.find(resource_arn))?.tags ?? {});
  const room = TAGS_MAX - Object.keys(asked).length;
  const inherited = own.filter(([key]) => !Object.hasOwn(asked, key)).slice(0, room);
  return { ...Object.fromEntries(inherited), ...asked };
}

/** In a transaction of the point's own account. */
export async function addPoint(context: BackupContext, point: PointRow, tags: Tags): Promise<void> {
  const { db } = context;
  const { account, region, id, vault } = point;
  const arn = pointArnOf(account, region, id);
  await insertPoint(db, point);
  await context.catalog.put({ arn, type: TYPES["recovery-point"], name: point.resource_name, region, tags });
  await noteProtected(db, {
    account,
    region,
    vault,
    arn: point.resource_arn,
    type: point.resource_type,
    name: point.resource_name,
    backed_up_at: point.completed_at ?? point.created_at,
    vault_arn: vaultArnOf(account, region, vault),
    point_arn: arn,
  });
  await planLifecycle(context, point);
}
