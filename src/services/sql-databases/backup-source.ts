/** Backups of databases: their settings, as the resource manager stores them. */
import { BackupSourceError } from "#kernel/backups";
import type { Context, OwnContext } from "#kernel/operation";
import { findById, type ManagedResource, treeSource } from "#kernel/resource-provider";
import type { BackupSource } from "#ports/backup-sources";
import type { DatabaseProperties } from "./domain/database.ts";
import { usedNow } from "./jobs/auto-pause.ts";

type Kept = Pick<ManagedResource, "properties" | "link">;
/**
 * Replication is not a setting. An overwritten database keeps its replicas, and a copy starts without any.
 */
async function adapt(saved: Kept, existing: ManagedResource | undefined, context: Context): Promise<Kept> {
  const {
    primaryKey: _primary,
    replicaKeys: _replicas,
    usedAtMs: _used,
    ...settings
  } = saved.properties as DatabaseProperties;
  const before = existing?.properties as DatabaseProperties | undefined;
  const pool =
    settings.elasticPoolId === undefined ? undefined : await findById(context, settings.elasticPoolId);
  if (settings.elasticPoolId !== undefined && !pool)
    throw new BackupSourceError(`There is no elastic pool ${settings.elasticPoolId} any more.`);
  const properties: DatabaseProperties = {
    ...settings,
    databaseId: before?.databaseId ?? context.ids.uuid(),
    ...(before?.primaryKey !== undefined && { primaryKey: before.primaryKey }),
    ...(before?.replicaKeys && { replicaKeys: before.replicaKeys }),
  };
  const link = pool?.key ?? before?.primaryKey;
  if (!existing) return { properties, link };
  return { properties: await usedNow(existing, properties, context), link };
}

export const backupSource = (own: OwnContext): BackupSource =>
  treeSource(own, {
    resourceType: "SqlDatabase",
    type: "Vendor::Sql::Database",
    nameMember: "databaseName",
    adapt,
  });
