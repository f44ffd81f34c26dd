/** Valid settings of each edition, and valid changes. */
import { errors } from "../errors.ts";
import { checkMaxSize, isDataWarehouse, isServerless, isVCore, type Objective } from "./objectives.ts";

export type Settings = {
  readonly collation?: string;
  readonly maxSizeBytes?: number;
  readonly zoneRedundant?: boolean;
  readonly readScale?: string;
  readonly readReplicaCount?: number;
  readonly licenseType?: string;
  readonly autoPauseDelay?: number;
  readonly minCapacity?: number;
};

const RESERVED = new Set([
  "master",
  "tempdb",
  "model",
  "msdb",
  "resource",
  "mssqlsystemresource",
  "windowsazuresystemresource",
]);
const NAME_LENGTH_MAX = 128;
const COLLATION =
  /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*_(?:BIN2?|C[IS]_A[IS](?:_KS)?(?:_WS)?(?:_SC)?(?:_UTF8)?)$/;
const READ_REPLICAS_MAX = 4;
const AUTO_PAUSE_MINUTES_MIN = 15;
const AUTO_PAUSE_MINUTES_MAX = 10_080;
const AUTO_PAUSE_MINUTES_DEFAULT = 60;
const NO_AUTO_PAUSE = -1;
const MINUTE_MS = 60_000;

export function databaseNameProblem(name: string): ReturnType<(typeof errors)["reservedName"]> | undefined {
  if (/\s$/.test(name)) return errors.trailingWhitespace("A database's name must not end in white space.");
  if (name.length > NAME_LENGTH_MAX)
    return errors.tokenTooLong(`A database's name has at most ${NAME_LENGTH_MAX} characters.`);
  if (RESERVED.has(name.toLowerCase())) return errors.reservedName(`The name '${name}' is reserved.`);
  return undefined;
}

type Rule = readonly [applies: boolean, fits: boolean, error: () => Error];
function check(rules: readonly Rule[]): void {
  for (const [applies, fits, error] of rules) if (applies && !fits) throw error();
}
/** Zone redundancy and read scale-out need an edition with replicas. */
const keepsReplicas = ({ tier }: Objective): boolean =>
  ["Premium", "BusinessCritical", "Hyperscale"].includes(tier);

/** Settings that only some editions support. */
const EDITIONS_WITH = {
  licenseType: isVCore,
  readScale: keepsReplicas,
  readReplicaCount: ({ tier }: Objective) => tier === "Hyperscale",
  zoneRedundant: (objective: Objective) => keepsReplicas(objective) && objective.tier !== "Hyperscale",
} as const;
/**
 * Drops settings that the new edition lacks, unless the request names them, so that a database can scale to
 * any edition.
 */
export function withoutForeign<Some extends Settings>(
  objective: Objective,
  settings: Some,
  asked: Settings,
): Some {
  const foreign = Object.entries(EDITIONS_WITH)
    .filter(([name, has]) => asked[name as keyof Settings] === undefined && !has(objective))
    .map(([name]) => name);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !foreign.includes(name))) as Some;
}

export function checkSettings(objective: Objective, settings: Settings): void {
  const { tier, capacity } = objective;
  if (settings.maxSizeBytes !== undefined) checkMaxSize(objective, settings.maxSizeBytes);
  check([
    [
      settings.collation !== undefined,
      COLLATION.test(settings.collation ?? ""),
      () =>
        errors.collation(`'${settings.collation}' is not a collation.`, { target: "properties.collation" }),
    ],
    [
      settings.zoneRedundant === true,
      EDITIONS_WITH.zoneRedundant(objective),
      () =>
        errors.featureDisabled(`Zone redundancy is not there for the tier ${tier}.`, {
          target: "properties.zoneRedundant",
        }),
    ],
    [
      settings.readScale === "Enabled",
      EDITIONS_WITH.readScale(objective),
      () =>
        errors.readScaleEdition(`Read scale is not there for the tier ${tier}.`, {
          target: "properties.readScale",
        }),
    ],
    [
      (settings.readReplicaCount ?? 0) > 0,
      EDITIONS_WITH.readReplicaCount(objective) && (settings.readReplicaCount ?? 0) <= READ_REPLICAS_MAX,
      () =>
        errors.readScaleUnits(`Up to ${READ_REPLICAS_MAX} read replicas are there for the tier Hyperscale.`, {
          target: "properties.readReplicaCount",
        }),
    ],
    [
      settings.licenseType !== undefined,
      EDITIONS_WITH.licenseType(objective),
      () =>
        errors.licenseType(`A licence type is not there for the tier ${tier}.`, {
          target: "properties.licenseType",
        }),
    ],
    [
      settings.autoPauseDelay !== undefined,
      isServerless(objective) && isAutoPauseDelay(settings.autoPauseDelay ?? 0),
      () =>
        errors.featureDisabled(
          `An automatic pause is ${NO_AUTO_PAUSE}, or ${AUTO_PAUSE_MINUTES_MIN} to ${AUTO_PAUSE_MINUTES_MAX} minutes, for serverless databases.`,
          { target: "properties.autoPauseDelay" },
        ),
    ],
    [
      settings.minCapacity !== undefined,
      isServerless(objective) &&
        (settings.minCapacity ?? 0) <= capacity &&
        (settings.minCapacity ?? 0) >= 0.5,
      () =>
        errors.capacity("A least capacity is 0.5 up to the capacity, for serverless databases.", {
          target: "properties.minCapacity",
        }),
    ],
  ]);
}
const isAutoPauseDelay = (minutes: number): boolean =>
  minutes === NO_AUTO_PAUSE || (minutes >= AUTO_PAUSE_MINUTES_MIN && minutes <= AUTO_PAUSE_MINUTES_MAX);

type ServerlessSettings = Pick<Settings, "autoPauseDelay" | "minCapacity">;
/**
 * Settings of serverless databases: requested, existing or default. They are dropped when a database becomes
 * provisioned.
 */
export function serverlessSettings(
  objective: Objective,
  asked: ServerlessSettings,
  before: ServerlessSettings,
): { -readonly [Name in keyof ServerlessSettings]: number | undefined } {
  const kept = isServerless(objective)
    ? { autoPauseDelay: AUTO_PAUSE_MINUTES_DEFAULT, minCapacity: undefined, ...before }
    : { autoPauseDelay: undefined, minCapacity: undefined };
  return {
    autoPauseDelay: asked.autoPauseDelay ?? kept.autoPauseDelay,
    minCapacity: asked.minCapacity ?? kept.minCapacity,
  };
}
/** Undefined for databases without auto-pause. */
export function autoPauseMsOf(objective: Objective, { autoPauseDelay }: Settings): number | undefined {
  if (!isServerless(objective) || autoPauseDelay === undefined || autoPauseDelay === NO_AUTO_PAUSE)
    return undefined;
  return autoPauseDelay * MINUTE_MS;
}

/** In vCore editions, the log may take 30% of the data size. For other editions no value is published. */
export const maxLogSizeBytesOf = (objective: Objective, { maxSizeBytes }: Settings): number | undefined =>
  isVCore(objective) && maxSizeBytes !== undefined ? Math.floor(maxSizeBytes * 0.3) : undefined;

/** Rejects unsupported and read-only members. Values that were read before may be sent back. */
export function refuseForeignMembers(
  asked: {
    readonly sampleName?: string;
    readonly failoverGroupId?: string;
    readonly maxLogSizeBytes?: number;
  },
  maxLogSizeBytes: number | undefined,
): void {
  check([
    [
      asked.sampleName !== undefined,
      false,
      () =>
        errors.noSamples("Databases have no tables here, so there are no samples to put into one.", {
          target: "properties.sampleName",
        }),
    ],
    [
      asked.failoverGroupId !== undefined,
      false,
      () =>
        errors.changeUnsupported(
          "A database is put into a failover group by the group, and there are none here.",
          {
            target: "properties.failoverGroupId",
          },
        ),
    ],
    [
      asked.maxLogSizeBytes !== undefined,
      asked.maxLogSizeBytes === maxLogSizeBytes,
      () =>
        errors.changeUnsupported("The size of the log follows from the size of the data.", {
          target: "properties.maxLogSizeBytes",
        }),
    ],
  ]);
}

/** Settings that are fixed at creation. */
export type Birth = {
  readonly collation?: string;
  readonly catalogCollation?: string;
  readonly createMode?: string;
};
/** Values that were read before may be sent back, and so may the original create mode. */
export function checkBirth(born: Birth, asked: Birth): void {
  const mode = asked.createMode === "Default" ? undefined : asked.createMode;
  const members = { collation: asked.collation, catalogCollation: asked.catalogCollation, createMode: mode };
  for (const [name, value] of Object.entries(members)) {
    const was = born[name as keyof Birth];
    if (value === undefined || was === undefined || was === value) continue;
    throw errors.changeUnsupported(`The ${name} of a database that exists cannot be changed.`, {
      target: `properties.${name}`,
    });
  }
}
const RESTORING = ["PointInTimeRestore", "Restore", "Recovery"];
const NOT_FOR_WAREHOUSES = ["Copy", "Secondary", "OnlineSecondary"];
/** Checks the edition of a new database against its create mode and source. */
export function checkOrigin(createMode: string, source: Objective | undefined, wanted: Objective): void {
  const editions = source ? [source, wanted] : [wanted];
  check([
    [
      NOT_FOR_WAREHOUSES.includes(createMode),
      !editions.some(isDataWarehouse),
      () => errors.featureDisabled("A data warehouse is neither copied nor has it secondaries."),
    ],
    [
      RESTORING.includes(createMode),
      wanted.tier !== "Free",
      () => errors.restoreToFree("A database cannot be restored to the free edition.", { target: "sku" }),
    ],
  ]);
  if (source) checkWarehouse(source, wanted);
}
function checkWarehouse(before: Objective, after: Objective): void {
  if (isDataWarehouse(before) === isDataWarehouse(after)) return;
  throw errors.dataWarehouseTier("A database cannot become a data warehouse, nor the other way round.", {
    target: "sku",
  });
}
export function checkChange(before: Objective, after: Objective): void {
  checkWarehouse(before, after);
  check([
    [
      after.tier === "Free" && before.tier !== "Free",
      false,
      () => errors.toFree("A database cannot be made free.", { target: "sku" }),
    ],
    [
      before.tier === "Hyperscale" && after.tier !== "Hyperscale",
      false,
      () => errors.changeUnsupported("A database cannot leave the tier Hyperscale.", { target: "sku" }),
    ],
  ]);
}
/** Days of point-in-time retention. */
export const retentionDaysOf = ({ tier }: { readonly tier: string }): number =>
  tier === "Basic" || tier === "Free" || tier === "DataWarehouse" ? 7 : 35;
