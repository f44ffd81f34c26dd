/**
 * Pause, resume and upgrade of data warehouses. Serverless databases pause automatically and can be resumed.
 */
import { answer, type Context } from "#kernel/operation";
import {
  changeResource,
  type ManagedResource,
  presentResource,
  startedAnswer,
  startWork,
} from "#kernel/resource-provider";
import type { DatabaseProperties } from "../domain/database.ts";
import {
  findObjective,
  isDataWarehouse,
  isServerless,
  type Objective,
  skuOf,
  upgradedWarehouse,
} from "../domain/objectives.ts";
import { errors } from "../errors.ts";

type Database = ManagedResource<DatabaseProperties>;

function requireEdition(
  resource: Database,
  isFitting: (objective: Objective) => boolean,
  rule: string,
): void {
  const objective = findObjective(resource.properties.currentServiceObjectiveName);
  if (!objective || !isFitting(objective)) throw errors.featureDisabled(rule);
}
const settled = async (resource: Database, context: Context) =>
  answer(200, await presentResource(context, resource as ManagedResource));

export async function pauseDatabase(resource: Database, context: Context) {
  requireEdition(resource, isDataWarehouse, "Only data warehouses can be paused.");
  if (resource.state === "Pausing") throw errors.pausing("The database is being paused already.");
  if (resource.state === "Paused") return settled(resource, context);
  if (resource.operation !== undefined) throw errors.busy("Another operation is under way on the database.");
  return startedAnswer(context, await startWork(context, resource, "pause"));
}
export async function resumeDatabase(resource: Database, context: Context) {
  const mayBePaused = (objective: Objective) => isDataWarehouse(objective) || isServerless(objective);
  requireEdition(resource, mayBePaused, "Only data warehouses and serverless databases can be resumed.");
  if (resource.state !== "Paused") return settled(resource, context);
  return startedAnswer(context, await startWork(context, resource, "resume"));
}
export async function upgradeDataWarehouse(resource: Database, context: Context) {
  const objective = findObjective(resource.properties.currentServiceObjectiveName);
  const better = objective && upgradedWarehouse(objective.name);
  if (!better) throw errors.upgradeOnly("Only data warehouses of the first generation can be upgraded.");
  if (resource.state === "Paused") throw errors.pausedUpdate("The database is paused; resume it first.");
  const properties = { ...resource.properties, requestedServiceObjectiveName: better.name };
  const asked = await changeResource(context, resource, { properties, envelope: { sku: skuOf(better) } });
  const { status, headers } = await startedAnswer(context, await startWork(context, asked, "upgrade"));
  return answer(status, undefined, headers);
}
