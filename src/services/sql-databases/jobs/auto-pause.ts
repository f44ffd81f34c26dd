/**
 * Auto-pause of serverless databases. Each has one job, which every use reschedules. The database also
 * stores its last use, so that a job that is being claimed at that moment does not pause it early.
 */
import { Type } from "@sinclair/typebox";
import { type Context, jobsFor } from "#kernel/operation";
import { changeResource, findById, type ManagedResource, startWork } from "#kernel/resource-provider";
import type { DatabaseProperties } from "../domain/database.ts";
import { findObjective, isServerless } from "../domain/objectives.ts";
import { autoPauseMsOf } from "../domain/settings.ts";
import { replicasOf } from "./replicas.ts";

type Database = ManagedResource<DatabaseProperties>;

const timerKeyOf = ({ databaseId }: DatabaseProperties): string => `sql-databases.auto-pause:${databaseId}`;
function pauseAfterMs(properties: DatabaseProperties): number | undefined {
  const objective = findObjective(properties.currentServiceObjectiveName);
  return objective && autoPauseMsOf(objective, properties);
}

/** `usedAtMs` is set only while a job is scheduled. */
export async function stopWaiting(properties: DatabaseProperties, context: Context): Promise<void> {
  if (properties.usedAtMs !== undefined) await context.cancelJob(autoPauseJob, timerKeyOf(properties));
}
/** Properties of a database in use. It restarts the auto-pause delay. */
export async function usedNow(
  { key }: Pick<Database, "key">,
  properties: DatabaseProperties,
  context: Context,
): Promise<DatabaseProperties> {
  const { pausedDate, usedAtMs: _before, ...rest } = properties;
  const awake = { ...rest, ...(pausedDate !== undefined && { resumedDate: context.clock.nowIso() }) };
  const waitMs = pauseAfterMs(properties);
  if (waitMs === undefined) {
    await stopWaiting(properties, context);
    return awake;
  }
  const usedAtMs = context.clock.nowMs();
  const timer = { runAtMs: usedAtMs + waitMs, key: timerKeyOf(properties) };
  await context.enqueue(autoPauseJob, { databaseKey: key }, timer);
  return { ...awake, usedAtMs };
}

/** Counts as use from outside, such as a copy. It resumes a paused serverless database. */
export async function useDatabase(database: Database, context: Context): Promise<void> {
  const objective = findObjective(database.properties.currentServiceObjectiveName);
  if (!objective || !isServerless(objective)) return;
  if (database.state === "Paused") await startWork(context, database as ManagedResource, "resume");
  else if (database.state === "Online")
    await changeResource(context, database, {
      properties: await usedNow(database, database.properties, context),
    });
}

/** Replicated databases never pause. */
async function isIdle(database: Database, context: Context): Promise<boolean> {
  const { properties, state, operation } = database;
  const waitMs = pauseAfterMs(properties);
  if (state !== "Online" || operation !== undefined || waitMs === undefined) return false;
  if (properties.usedAtMs === undefined || context.clock.nowMs() < properties.usedAtMs + waitMs) return false;
  return properties.primaryKey === undefined && (await replicasOf(database, context)).length === 0;
}

export const autoPauseJob = jobsFor<unknown>()({
  name: "sql-databases.auto-pause",
  payload: Type.Object({ databaseKey: Type.String() }),
  async run({ databaseKey }, context) {
    const database = await findById<DatabaseProperties>(context, databaseKey);
    if (database && (await isIdle(database, context)))
      await startWork(context, database as ManagedResource, "pause");
  },
});
