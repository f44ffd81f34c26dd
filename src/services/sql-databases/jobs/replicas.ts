/** Databases that follow another one. */
import type { Context } from "#kernel/operation";
import { listLinked, type ManagedResource } from "#kernel/resource-provider";
import { DATABASE_TYPE, type DatabaseProperties } from "../wire.ts";

export const REPLICAS_MAX = 4;
type Database = ManagedResource<DatabaseProperties>;

export async function replicasOf(primaryKey: string, context: Context): Promise<Database[]> {
  const linked = await listLinked<DatabaseProperties>(context, DATABASE_TYPE, primaryKey, {
    limit: REPLICAS_MAX + 1,
  });
  return linked.filter(({ properties }) => properties.primaryKey === primaryKey);
}
