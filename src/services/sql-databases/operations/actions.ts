/** Pausing, resuming and upgrading: only data warehouses know these. */
import { answer, type Context } from "#kernel/operation";
import {
  changeResource,
  type ManagedResource,
  presentResource,
  startedAnswer,
  startWork,
} from "#kernel/resource-provider";
import { findObjective, isDataWarehouse, skuOf, upgradedWarehouse } from "../domain/objectives.ts";
import { errors } from "../errors.ts";
import type { DatabaseProperties } from "../wire.ts";

type Database = ManagedResource<DatabaseProperties>;

function requireWarehouse(resource: Database): void {
  const objective = findObjective(resource.properties.currentServiceObjectiveName);
  if (objective && isDataWarehouse(objective)) return;
  throw errors.featureDisabled("Only data warehouses can be paused and resumed.");
}
const settled = async (resource: Database, context: Context) =>
  answer(200, await presentResource(context, resource as unknown as ManagedResource));

export async function pauseDatabase(resource: Database, context: Context) {
  requireWarehouse(resource);
  if (resource.state === "Pausing") throw errors.pausing("The database is being paused already.");
  if (resource.state === "Paused") return settled(resource, context);
  if (resource.operation !== undefined) throw errors.busy("Another operation is under way on the database.");
  return startedAnswer(context, await startWork(context, resource, "pause"));
}
export async function resumeDatabase(resource: Database, context: Context) {
  requireWarehouse(resource);
  if (resource.state !== "Paused") return settled(resource, context);
  return startedAnswer(context, await startWork(context, resource, "resume"));
}
export async function upgradeDataWarehouse(resource: Database, context: Context) {
  const objective = findObjective(resource.properties.currentServiceObjectiveName);
  const better = objective && upgradedWarehouse(objective.name);
  if (!better) throw errors.upgradeOnly("Only data warehouses of the first generation can be upgraded.");
  const properties = { ...resource.properties, requestedServiceObjectiveName: better.name };
  const asked = await changeResource(context, resource, { properties, envelope: { sku: skuOf(better) } });
  const { status, headers } = await startedAnswer(context, await startWork(context, asked, "upgrade"));
  return answer(status, undefined, headers);
}
