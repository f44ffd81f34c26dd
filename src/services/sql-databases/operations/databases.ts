/** The resource type of databases. */
import { isoOf } from "#kernel/clock";
import { type Context, noBody } from "#kernel/operation";
import {
  changeResource,
  type Desired,
  eachChild,
  findById,
  type ManagedResource,
  type Place,
  type Preparation,
  resourceType,
} from "#kernel/resource-provider";
import { DATABASE_TYPE, type DatabaseProperties } from "../domain/database.ts";
import { historyOf, withHistory } from "../domain/history.ts";
import {
  findObjective,
  isDataWarehouse,
  isMaxSize,
  isServerless,
  isVCore,
  type Objective,
  skuOf,
} from "../domain/objectives.ts";
import { findPairedRegion } from "../domain/regions.ts";
import {
  checkBirth,
  checkChange,
  checkOrigin,
  checkSettings,
  databaseNameProblem,
  maxLogSizeBytesOf,
  refuseForeignMembers,
  retentionDaysOf,
  serverlessSettings,
  withoutForeign,
} from "../domain/settings.ts";
import { errors } from "../errors.ts";
import { stopWaiting, useDatabase, usedNow } from "../jobs/auto-pause.ts";
import { replicasOf } from "../jobs/replicas.ts";
import { insertDropped } from "../store.ts";
import { database, databaseBody, databasePatch, moveBody, type WantedDatabase } from "../wire.ts";
import { pauseDatabase, resumeDatabase, upgradeDataWarehouse } from "./actions.ts";
import { moveDatabase } from "./move.ts";
import { earliestRestoreMs, type Origin, originOf } from "./origins.ts";
import { currentObjective, performanceOf } from "./performance.ts";
import { missingServer, servers } from "./servers.ts";

const DAY_MS = 86_400_000;
const DEFAULT_COLLATION = "SQL_Latin1_General_CP1_CI_AS";
const UNKEPT_MEMBERS = [
  "sampleName",
  "failoverGroupId",
  "maxLogSizeBytes",
  "sourceDatabaseId",
  "sourceDatabaseDeletionDate",
  "restorePointInTime",
  "restorableDroppedDatabaseId",
  "recoverableDatabaseId",
  "recoveryServicesRecoveryPointId",
  "longTermRetentionBackupResourceId",
] as const;

type Database = ManagedResource<DatabaseProperties>;
type Wanted = Desired<DatabaseProperties>;

async function checkFree(
  objective: Objective,
  about: Preparation<DatabaseProperties>,
  context: Context,
): Promise<void> {
  if (objective.tier !== "Free") return;
  for await (const { key, properties } of eachChild<DatabaseProperties>(
    context,
    DATABASE_TYPE,
    about.place.parentKey,
  ))
    if (key !== about.place.key && properties.currentServiceObjectiveName === "Free")
      throw errors.freeExists("The server has its free database already.");
}

function settingsOf(
  wanted: Wanted,
  objective: Objective,
  origin: Origin | undefined,
  { existing, body }: Preparation<DatabaseProperties>,
): DatabaseProperties {
  const given = (body.properties ?? {}) as WantedDatabase;
  const {
    createMode: _mode,
    elasticPoolId: _pool,
    ...rest
  } = wanted.properties as DatabaseProperties & WantedDatabase;
  const settings: Record<string, unknown> = { ...origin?.settings, ...rest };
  for (const name of UNKEPT_MEMBERS) delete settings[name];
  // A size that does not fit the new edition is replaced with its default, unless the request names one.
  const { maxSizeBytes: kept } = { ...origin?.settings, ...existing?.properties };
  const fitting = kept !== undefined && isMaxSize(objective, kept) ? kept : objective.sizeBytesDefault;
  settings.maxSizeBytes = given.maxSizeBytes ?? fitting;
  Object.assign(settings, serverlessSettings(objective, given, existing?.properties ?? {}));
  return withoutForeign(objective, settings as DatabaseProperties, given);
}

async function prepare(
  wanted: Wanted,
  about: Preparation<DatabaseProperties>,
  context: Context,
): Promise<Wanted> {
  const { existing, place } = about;
  const given = (about.body.properties ?? {}) as WantedDatabase;
  const before = existing && currentObjective(existing);
  // A change resumes a paused serverless database.
  if (existing?.state === "Paused" && !(before && isServerless(before)))
    throw errors.pausedUpdate("The database is paused; resume it first.");
  if (existing) checkBirth(existing.properties, given);
  refuseForeignMembers(given, existing && maxLogSizeOf(existing));
  const origin = existing ? undefined : await originOf(given, place, context);
  const { objective, pool } = await performanceOf(about, origin, context);
  if (before) checkChange(before, objective);
  else checkOrigin(given.createMode ?? "Default", origin?.objective, objective);
  await checkFree(objective, about, context);
  const settings = settingsOf(wanted, objective, origin, about);
  checkSettings(objective, settings);
  const primaryKey = existing?.properties.primaryKey ?? origin?.primaryKey;
  return {
    ...wanted,
    envelope: { sku: skuOf(objective) },
    link: pool?.key ?? primaryKey,
    properties: {
      ...identityOf(existing, given, objective, context),
      zoneRedundant: false,
      ...settings,
      ...(pool && { elasticPoolId: pool.id }),
      requestedServiceObjectiveName: objective.name,
      ...(primaryKey !== undefined && { primaryKey }),
    },
  };
}
/** Members that are fixed at creation. */
function identityOf(
  existing: Database | undefined,
  given: WantedDatabase,
  objective: Objective,
  { ids, clock }: Context,
) {
  const born = {
    collation: DEFAULT_COLLATION,
    catalogCollation: "SQL_Latin1_General_CP1_CI_AS" as const,
    databaseId: ids.uuid(),
    createdAtMs: clock.nowMs(),
    createMode: given.createMode ?? "Default",
    currentServiceObjectiveName: objective.name,
  };
  if (!existing) return born;
  const { collation, catalogCollation, pausedDate, resumedDate, usedAtMs, replicaKeys } = existing.properties;
  const { databaseId, createdAtMs, createMode, currentServiceObjectiveName } = existing.properties;
  return {
    ...born,
    ...(collation && { collation }),
    ...(catalogCollation && { catalogCollation }),
    ...(pausedDate && { pausedDate }),
    ...(resumedDate && { resumedDate }),
    ...(usedAtMs !== undefined && { usedAtMs }),
    ...(replicaKeys && { replicaKeys }),
    history: historyOf(existing.properties),
    databaseId,
    createdAtMs,
    createMode,
    currentServiceObjectiveName,
  };
}

/** After creation or scaling, the requested objective becomes the current one. */
async function reachRequested(resource: Database, context: Context) {
  const { properties } = resource;
  const reached = withHistory(
    { ...properties, currentServiceObjectiveName: properties.requestedServiceObjectiveName },
    context.clock.nowMs(),
  );
  return { properties: await usedNow(resource, reached, context) };
}
const beOnline = async (resource: Database, context: Context) => ({
  properties: await usedNow(resource, resource.properties, context),
});
function bePaused({ properties: { resumedDate: _resumed, ...properties } }: Database, { clock }: Context) {
  return { properties: { ...properties, pausedDate: clock.nowIso() } };
}

const CREATING_WORDS: Readonly<Record<string, string>> = {
  Copy: "Copying",
  Secondary: "Creating",
  PointInTimeRestore: "Restoring",
  Restore: "Restoring",
  Recovery: "Recovering",
};
function statusOf(resource: Database): string {
  if (resource.state === "Creating") return CREATING_WORDS[resource.properties.createMode] ?? "Creating";
  return resource.state === "Failed" || resource.state === "Deleting" ? "Offline" : resource.state;
}
const maxLogSizeOf = (resource: Database): number | undefined =>
  maxLogSizeBytesOf(currentObjective(resource), resource.properties);
function present(resource: Database, context: Context) {
  const {
    createMode: _mode,
    primaryKey: _primary,
    usedAtMs: _used,
    replicaKeys: _replicas,
    history: _history,
    createdAtMs,
    ...properties
  } = resource.properties;
  const objective = currentObjective(resource);
  const defaultSecondaryLocation = findPairedRegion(resource.location ?? "");
  const maxLogSizeBytes = maxLogSizeOf(resource);
  return {
    readScale: "Disabled",
    ...(isVCore(objective) && { licenseType: "LicenseIncluded" }),
    ...(defaultSecondaryLocation !== undefined && { defaultSecondaryLocation }),
    ...(maxLogSizeBytes !== undefined && { maxLogSizeBytes }),
    ...properties,
    currentSku: skuOf(objective),
    status: statusOf(resource),
    creationDate: isoOf(createdAtMs),
    earliestRestoreDate: isoOf(earliestRestoreMs(resource, context.clock.nowMs())),
  };
}
function kindOf({ properties: { currentServiceObjectiveName: name } }: Database): string {
  const objective = findObjective(name);
  if (objective && isDataWarehouse(objective)) return "v12.0,user,datawarehouse";
  if (!objective) return "v12.0,user,pool";
  return objective.family === undefined
    ? "v12.0,user"
    : `v12.0,user,vcore${objective.skuName.startsWith("GP_S") ? ",serverless" : ""}`;
}

/**
 * Removes the database from its primary, turns its replicas into independent databases, and keeps it
 * restorable for a while.
 */
async function removed(resource: Database, context: Context): Promise<void> {
  await stopWaiting(resource.properties, context);
  for (const replica of await replicasOf(resource, context)) {
    const { primaryKey: _gone, ...properties } = replica.properties;
    const link = replica.link === resource.key ? undefined : replica.link;
    await useDatabase(await changeResource(context, replica, { properties, link }), context);
  }
  const { primaryKey } = resource.properties;
  const primary = primaryKey && (await findById<DatabaseProperties>(context, primaryKey));
  if (primary) await useDatabase(primary, context);
  const nowMs = context.clock.nowMs();
  const { tier } = currentObjective(resource);
  await insertDropped(
    context.db,
    {
      account: context.account,
      server: resource.parentKey,
      name_key: resource.name.toLowerCase(),
      name: resource.name,
      deleted_at: nowMs,
      expires_at: nowMs + retentionDaysOf({ tier }) * DAY_MS,
      location: resource.location ?? "",
      properties: JSON.stringify({ ...resource.properties, tier }),
    },
    nowMs,
  );
}

const noSuchDatabase = ({ names }: Place) =>
  errors.databaseNotFound(`There is no database '${names.at(-1)}' on the server '${names.at(-2)}'.`);

export const databases = resourceType<DatabaseProperties>({
  name: "databases",
  title: "database",
  parent: servers,
  parameter: "databaseName",
  idWords: "databases",
  nameRule: {
    pattern: /^[^<>*%&:\\/?\p{Cc}]{0,127}[^<>*%&:\\/?\p{Cc}.]$/u,
    says: "it has 1 to 128 characters, none of < > * % & : \\ / ?, and no full stop or space at the end",
    example: "orders",
    problem: databaseNameProblem,
  },
  catalogType: "Database",
  descriptions: {
    get: "`currentServiceObjectiveName` follows `requestedServiceObjectiveName` when scaling has ended. Reading does not wake a paused serverless database.",
    put: "`createMode` copies, restores or replicates another database. A database has at most 4 secondaries, which have its name on other servers. A point in time within the last 35 days (Basic, Free, DataWarehouse: 7) can be restored. A paused data warehouse must be resumed first; a change wakes a serverless database.",
    patch:
      "A new SKU or pool scales the database. A paused data warehouse must be resumed first; a change wakes a serverless database.",
    delete:
      "Secondaries become independent databases. The database can be restored for 35 days (Basic, Free, DataWarehouse: 7) while its server exists.",
  },
  wire: { put: databaseBody, patch: databasePatch, answer: database },
  statuses: { put: { acceptedCreate: 202, acceptedUpdate: 202 }, patch: { accepted: 202 } },
  settledState: "Online",
  showsState: false,
  errors: Object.values(errors),
  missingParent: missingServer,
  prepare,
  present,
  presentWhole: (body, resource) => ({
    ...body,
    kind: kindOf(resource),
    ...(resource.properties.elasticPoolId !== undefined && { managedBy: resource.properties.elasticPoolId }),
  }),
  removed,
  work: {
    create: { states: ["Creating"], finish: reachRequested },
    update: { states: ["Scaling"], finish: reachRequested },
    delete: { states: ["Deleting"] },
    pause: {
      states: ["Pausing"],
      done: "Paused",
      finish: bePaused,
    },
    resume: { states: ["Resuming"], finish: beOnline },
    upgrade: { states: ["OnlineChangingDwPerformanceTiers"], finish: reachRequested },
  },
  actions: [
    {
      name: "pause",
      summary: "Pauses a data warehouse.",
      description:
        "Only data warehouses can be paused by request; serverless databases pause after their `autoPauseDelay`. A paused database gives 200 and stays paused. Continue with `sql-databases.databases.resume`.",
      answers: { 200: database, 202: noBody },
      errors: [errors.pausing, errors.featureDisabled, errors.databaseNotFound],
      exclusive: false,
      missing: noSuchDatabase,
      handle: ({ resource }, context) => pauseDatabase(resource, context),
    },
    {
      name: "resume",
      summary: "Resumes a data warehouse or a serverless database.",
      description:
        "A database that is not paused gives 200 and does not change. For a serverless database the delay until the next pause starts again.",
      answers: { 200: database, 202: noBody },
      errors: [errors.featureDisabled, errors.databaseNotFound],
      missing: noSuchDatabase,
      handle: ({ resource }, context) => resumeDatabase(resource, context),
    },
    {
      name: "upgradeDataWarehouse",
      summary: "Upgrades a data warehouse to the second generation.",
      description:
        "Chooses the comparable second-generation objective. A paused data warehouse must be resumed first. This cannot be undone.",
      answers: { 200: noBody, 202: noBody },
      errors: [errors.upgradeOnly],
      handle: ({ resource }, context) => upgradeDataWarehouse(resource, context),
    },
    {
      name: "move",
      summary: "Renames a database.",
      description:
        "The target must be a free name on the same server. Takes effect immediately. Refused for databases with a primary or secondaries. Tags, settings and restore history stay.",
      body: moveBody,
      answers: { 200: noBody },
      errors: [
        errors.invalidMove,
        errors.invalidMoveTarget,
        errors.mismatchingSubscription,
        errors.mismatchingGroup,
        errors.mismatchingServer,
        errors.nameInUse,
        errors.inReplication,
        errors.reservedName,
        errors.tokenTooLong,
        errors.trailingWhitespace,
        errors.invalidIdentifier,
        errors.databaseNotFound,
      ],
      missing: noSuchDatabase,
      handle: ({ resource, body }, context) => moveDatabase(resource, body.id, context),
    },
  ],
});
