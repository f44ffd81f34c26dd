/** Source of a new database: another database, an earlier state of it, or a dropped one. */
import { isoOf, parseInstant } from "#kernel/clock";
import type { Context } from "#kernel/operation";
import {
  findById,
  isIdOfType,
  keyOf,
  type ManagedResource,
  type Place,
  parseResourceId,
} from "#kernel/resource-provider";
import { DATABASE_TYPE, type DatabaseProperties } from "../domain/database.ts";
import { propertiesAt } from "../domain/history.ts";
import { findObjective, type Objective } from "../domain/objectives.ts";
import { retentionDaysOf } from "../domain/settings.ts";
import { errors } from "../errors.ts";
import { useDatabase } from "../jobs/auto-pause.ts";
import { addReplica, REPLICAS_MAX, replicasOf } from "../jobs/replicas.ts";
import { findDropped } from "../store.ts";
import type { WantedDatabase } from "../wire.ts";

const DAY_MS = 86_400_000;
type Database = ManagedResource<DatabaseProperties>;
/** Settings that a new database takes over. */
export type Origin = {
  readonly settings: Partial<DatabaseProperties>;
  readonly objective: Objective | undefined;
  /** Elastic pool of the source, if it is on the same server. */
  readonly poolId?: string;
  readonly primaryKey?: string;
};

const objectiveNamed = (name: string | undefined): Objective | undefined =>
  name === undefined ? undefined : findObjective(name);
function takenOver(properties: DatabaseProperties, place: Place): Origin {
  const { collation, catalogCollation, maxSizeBytes, elasticPoolId } = properties;
  const settings = {
    ...(collation !== undefined && { collation }),
    ...(catalogCollation !== undefined && { catalogCollation }),
    ...(maxSizeBytes !== undefined && { maxSizeBytes }),
  };
  const isNear = elasticPoolId && keyOf(elasticPoolId).startsWith(`${place.parentKey}/elasticpools/`);
  return {
    settings,
    objective: objectiveNamed(properties.currentServiceObjectiveName),
    ...(isNear && { poolId: elasticPoolId }),
  };
}
function refuseFree(properties: DatabaseProperties): void {
  if (objectiveNamed(properties.currentServiceObjectiveName)?.tier === "Free")
    throw errors.restoreOfFree("A free database cannot be restored.");
}
export const earliestRestoreMs = (database: Database, nowMs: number): number => {
  const { tier = "" } = (objectiveNamed(database.properties.currentServiceObjectiveName) ??
    database.envelope.sku ??
    {}) as Partial<Objective>;
  return Math.max(database.properties.createdAtMs, nowMs - retentionDaysOf({ tier }) * DAY_MS);
};

async function getSource(id: string | undefined, context: Context): Promise<Database> {
  if (id === undefined)
    throw errors.missingSource("sourceDatabaseId is needed.", { target: "properties.sourceDatabaseId" });
  if (!isIdOfType(id, DATABASE_TYPE))
    throw errors.invalidSource(`'${id.slice(0, 200)}' is not the identifier of a database.`, {
      target: "properties.sourceDatabaseId",
    });
  const found = await findById<DatabaseProperties>(context, id);
  if (!found)
    throw errors.sourceNotFound(`There is no database ${id}.`, { target: "properties.sourceDatabaseId" });
  return found;
}

async function copyOf({ sourceDatabaseId }: WantedDatabase, place: Place, context: Context): Promise<Origin> {
  const source = await getSource(sourceDatabaseId, context);
  await useDatabase(source, context);
  return takenOver(source.properties, place);
}
/** A secondary has the name of its primary, on another server. */
async function secondaryOf(
  { sourceDatabaseId }: WantedDatabase,
  place: Place,
  context: Context,
): Promise<Origin> {
  const source = await getSource(sourceDatabaseId, context);
  if (source.parentKey === place.parentKey)
    throw errors.otherServer("A secondary lies on another server than its primary.");
  if (source.name.toLowerCase() !== place.names.at(-1)?.toLowerCase())
    throw errors.sameName("A secondary has the name of its primary.");
  const replicas = await replicasOf(source, context);
  if (replicas.length >= REPLICAS_MAX)
    throw errors.replicaLimit(`A database has at most ${REPLICAS_MAX} secondaries.`);
  await useDatabase(await addReplica(source, replicas, place.key, context), context);
  return { ...takenOver(source.properties, place), primaryKey: source.key };
}
async function pointInTimeOf(wanted: WantedDatabase, place: Place, context: Context): Promise<Origin> {
  const source = await getSource(wanted.sourceDatabaseId, context);
  if (wanted.restorePointInTime === undefined)
    throw errors.missingRestorePoint("restorePointInTime is needed.", {
      target: "properties.restorePointInTime",
    });
  if (source.parentKey !== place.parentKey)
    throw errors.invalidLive("A point in time is restored to the same server.");
  refuseFree(source.properties);
  const nowMs = context.clock.nowMs();
  const pointMs = restorePointOf(wanted.restorePointInTime, earliestRestoreMs(source, nowMs), nowMs);
  return takenOver(propertiesAt(source.properties, pointMs), place);
}
function restorePointOf(point: string, earliestMs: number, latestMs: number): number {
  const pointMs = parseInstant(point) ?? Number.NaN;
  if (pointMs >= earliestMs && pointMs <= latestMs) return pointMs;
  throw errors.invalidLive(`The restore point lies between ${isoOf(earliestMs)} and ${isoOf(latestMs)}.`, {
    target: "properties.restorePointInTime",
  });
}

function findDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
/** The number has at most as many digits as the ticks of any date. */
const DROPPED_ID = /^(.+)\/restorableDroppedDatabases\/([^/,]+)(?:,(\d{1,19}))?$/i;
function droppedIdOf(id: string): { server: string; name: string; deletedAtMs?: number } {
  const [, server = "", spelt = "", ticks] = DROPPED_ID.exec(id) ?? [];
  const name = findDecoded(spelt);
  if (server === "" || !name)
    throw errors.invalidDroppedId("This is not the identifier of a dropped database.", {
      target: "properties.restorableDroppedDatabaseId",
    });
  return { server: keyOf(server), name, ...(ticks !== undefined && { deletedAtMs: ticksToMs(ticks) }) };
}
/**
 * `…/servers/s/restorableDroppedDatabases/name,131403269876900000`, or the ID of the dropped database with
 * its deletion date.
 */
function droppedNameOf(wanted: WantedDatabase): { server: string; name: string; deletedAtMs?: number } {
  if (wanted.restorableDroppedDatabaseId !== undefined)
    return droppedIdOf(wanted.restorableDroppedDatabaseId);
  if (wanted.sourceDatabaseId === undefined)
    throw errors.missingDropped("restorableDroppedDatabaseId is needed.", {
      target: "properties.restorableDroppedDatabaseId",
    });
  if (!isIdOfType(wanted.sourceDatabaseId, DATABASE_TYPE))
    throw errors.invalidSource("sourceDatabaseId is not the identifier of a database.", {
      target: "properties.sourceDatabaseId",
    });
  if (wanted.sourceDatabaseDeletionDate === undefined)
    throw errors.missingDeletionDate("sourceDatabaseDeletionDate is needed.", {
      target: "properties.sourceDatabaseDeletionDate",
    });
  const deletedAtMs = parseInstant(wanted.sourceDatabaseDeletionDate) ?? Number.NaN;
  const key = keyOf(wanted.sourceDatabaseId);
  return {
    server: key.slice(0, key.lastIndexOf("/databases/")),
    name: key.slice(key.lastIndexOf("/") + 1),
    deletedAtMs,
  };
}
/** IDs of dropped databases contain the deletion time in ticks: 100 ns since the year 1. */
const TICKS_AT_EPOCH = 621_355_968_000_000_000n;
const ticksToMs = (ticks: string): number => Number((BigInt(ticks) - TICKS_AT_EPOCH) / 10_000n);
export const msToTicks = (ms: number): string => String(BigInt(ms) * 10_000n + TICKS_AT_EPOCH);

async function droppedOf(wanted: WantedDatabase, place: Place, context: Context): Promise<Origin> {
  const { server, name, deletedAtMs } = droppedNameOf(wanted);
  if (server !== place.parentKey)
    throw errors.invalidDropped("A dropped database is restored to its own server.");
  const row = await findDropped(context.db, context.account, {
    server,
    name,
    nowMs: context.clock.nowMs(),
    ...(deletedAtMs !== undefined && { deletedAtMs }),
  });
  if (!row && wanted.sourceDatabaseDeletionDate !== undefined)
    throw errors.invalidDeletionDate(`No database '${name}' that could be restored was dropped then.`, {
      target: "properties.sourceDatabaseDeletionDate",
    });
  if (!row) throw errors.invalidDropped(`There is no dropped database '${name}' that could be restored.`);
  const properties: DatabaseProperties = JSON.parse(row.properties);
  refuseFree(properties);
  const { restorePointInTime: point } = wanted;
  if (point === undefined) return takenOver(properties, place);
  const pointMs = restorePointOf(point, properties.createdAtMs, row.deleted_at);
  return takenOver(propertiesAt(properties, pointMs), place);
}
async function recoveryOf(
  { recoverableDatabaseId: id }: WantedDatabase,
  place: Place,
  context: Context,
): Promise<Origin> {
  if (id === undefined)
    throw errors.missingRecoverable("recoverableDatabaseId is needed.", {
      target: "properties.recoverableDatabaseId",
    });
  const source =
    /\/recoverableDatabases\/[^/]+$/i.test(id) && parseResourceId(id)
      ? await findById<DatabaseProperties>(context, id.replace(/\/recoverableDatabases\//i, "/databases/"))
      : undefined;
  if (!source)
    throw errors.invalidRecoverable(`'${id.slice(0, 200)}' is no database that could be recovered.`, {
      target: "properties.recoverableDatabaseId",
    });
  refuseFree(source.properties);
  return takenOver(source.properties, place);
}
function retentionBackupOf({
  recoveryServicesRecoveryPointId,
  longTermRetentionBackupResourceId,
}: WantedDatabase): never {
  if (recoveryServicesRecoveryPointId === undefined && longTermRetentionBackupResourceId === undefined)
    throw errors.missingRecoveryPoint("recoveryServicesRecoveryPointId is needed.", {
      target: "properties.recoveryServicesRecoveryPointId",
    });
  throw errors.invalidRecoveryPoint("There is no such backup of long-term retention.");
}

/** Undefined for a new, empty database. */
export async function originOf(
  wanted: WantedDatabase,
  place: Place,
  context: Context,
): Promise<Origin | undefined> {
  switch (wanted.createMode ?? "Default") {
    case "Copy":
      return copyOf(wanted, place, context);
    case "Secondary":
    case "OnlineSecondary":
      return secondaryOf(wanted, place, context);
    case "PointInTimeRestore":
      return pointInTimeOf(wanted, place, context);
    case "Restore":
      return droppedOf(wanted, place, context);
    case "Recovery":
      return recoveryOf(wanted, place, context);
    case "RestoreLongTermRetentionBackup":
      return retentionBackupOf(wanted);
    case "RestoreExternalBackup":
    case "RestoreExternalBackupSecondary":
      throw errors.missingContainer(
        "An external backup needs the address of its storage container, which this version has no member for.",
      );
    default:
      return undefined;
  }
}
