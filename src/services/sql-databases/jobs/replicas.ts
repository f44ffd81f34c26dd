/** Replicas of databases. */
import type { Context } from "#kernel/operation";
import { changeResource, findById, listLinked, type ManagedResource } from "#kernel/resource-provider";
import { DATABASE_TYPE, type DatabaseProperties } from "../domain/database.ts";

export const REPLICAS_MAX = 4;
type Database = ManagedResource<DatabaseProperties>;

/** A replica in an elastic pool is linked to its pool, so its primary stores its key. */
export async function replicasOf({ key, properties }: Database, context: Context): Promise<Database[]> {
  const linked = await listLinked<DatabaseProperties>(context, DATABASE_TYPE, key, {
    limit: REPLICAS_MAX + 1,
  });
  const found = new Map(linked.map((one) => [one.key, one]));
  for (const replicaKey of properties.replicaKeys ?? []) {
    const replica = found.get(replicaKey) ?? (await findById<DatabaseProperties>(context, replicaKey));
    if (replica) found.set(replicaKey, replica);
  }
  return [...found.values()].filter((one) => one.properties.primaryKey === key);
}
/** Returns the changed primary. */
export async function addReplica(
  primary: Database,
  replicas: readonly Database[],
  replicaKey: string,
  context: Context,
): Promise<Database> {
  const replicaKeys = [...replicas.map(({ key }) => key), replicaKey];
  return changeResource(context, primary, { properties: { ...primary.properties, replicaKeys } });
}
