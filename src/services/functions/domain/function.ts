/** A function: its definition, its states, and its validation. */
import { errors } from "../errors.ts";
import { cpusOf, memoryBytesOf } from "./amounts.ts";
import type { FunctionName } from "./names.ts";
import type { Traffic } from "./traffic.ts";

export type State = "ACTIVE" | "FAILED" | "DEPLOYING" | "DELETING" | "UNKNOWN";
export type StateMessage = {
  readonly severity: "ERROR" | "WARNING" | "INFO";
  readonly type: string;
  readonly message: string;
};
/** Denotes the newest generation of an object. */
export const NEWEST_GENERATION = "0";
export type StorageSource = {
  readonly bucket: string;
  readonly object: string;
  readonly generation: string;
};
export type BuildConfig = {
  readonly runtime?: string;
  readonly entryPoint?: string;
  readonly source?: { readonly storageSource?: Partial<StorageSource>; readonly repoSource?: object };
  readonly environmentVariables?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
};
type SecretVersion = { readonly path?: string; readonly version?: string };
export type ServiceConfig = {
  readonly availableMemory?: string;
  readonly availableCpu?: string;
  readonly timeoutSeconds?: number;
  readonly maxInstanceCount?: number;
  readonly minInstanceCount?: number;
  readonly maxInstanceRequestConcurrency?: number;
  readonly environmentVariables?: Readonly<Record<string, string>>;
  readonly secretEnvironmentVariables?: readonly {
    readonly key: string;
    readonly secret: string;
    readonly version?: string;
  }[];
  readonly secretVolumes?: readonly {
    readonly mountPath: string;
    readonly secret: string;
    readonly versions?: readonly SecretVersion[];
  }[];
  readonly ingressSettings?: string;
  readonly securityLevel?: string;
  readonly serviceAccountEmail?: string;
  /** Whether the next revision gets all requests once it has come up. */
  readonly allTrafficOnLatestRevision?: boolean;
  readonly [member: string]: unknown;
};
export type EventFilter = { readonly attribute: string; readonly value: string; readonly operator?: string };
export type EventTrigger = {
  readonly eventType?: string;
  readonly eventFilters?: readonly EventFilter[];
  readonly pubsubTopic?: string;
  readonly channel?: string;
  readonly retryPolicy?: string;
  readonly [member: string]: unknown;
};
/** The part of a function that its owner decides on. */
export type Definition = {
  readonly description?: string;
  readonly environment: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly kmsKeyName?: string;
  readonly buildConfig: BuildConfig;
  readonly serviceConfig: ServiceConfig;
  readonly eventTrigger?: EventTrigger;
};
export type Upgrade = { readonly state: string; readonly revision?: string };

export type CloudFunction = FunctionName & {
  /** Names it in addresses: unique on the whole installation. */
  readonly slug: string;
  readonly definition: Definition;
  readonly state: State;
  readonly stateMessages: readonly StateMessage[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** How many revisions were begun. */
  readonly generation: number;
  /** The newest that came up; none before the first. */
  readonly revision: string | undefined;
  /** The operation that changes it at present. */
  readonly busyWith: string | undefined;
  readonly upgrade: Upgrade | undefined;
  /** Undefined: the newest revision gets all requests. */
  readonly traffic: Traffic | undefined;
};

/** Of an account in one location. */
export const FUNCTIONS_MAX = 1000;
const VARIABLES_BYTES_MAX = 32 * 1024;
const KMS_KEY =
  /^projects\/[^/]{1,100}\/locations\/[^/]{1,63}\/keyRings\/[^/]{1,63}\/cryptoKeys\/[^/]{1,63}$/;
const LABEL_KEY = /^[a-z][a-z0-9_-]{0,62}$/;
const LABEL_VALUE = /^[a-z0-9_-]{0,63}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const RESERVED = new Set(["FUNCTION_TARGET", "FUNCTION_SIGNATURE_TYPE", "K_SERVICE", "K_REVISION", "PORT"]);

const defaultService: ServiceConfig = {
  availableMemory: "256M",
  availableCpu: "1",
  timeoutSeconds: 60,
  maxInstanceCount: 100,
  maxInstanceRequestConcurrency: 1,
  ingressSettings: "ALLOW_ALL",
  allTrafficOnLatestRevision: true,
};
/** Only the service sets these, whatever callers send. */
const OUTPUT_ONLY: Readonly<Record<string, readonly string[]>> = {
  buildConfig: ["build", "sourceProvenance"],
  serviceConfig: ["uri", "revision", "service"],
  eventTrigger: ["trigger"],
};
const without = <T extends object>(part: T, members: readonly string[]): T =>
  Object.fromEntries(Object.entries(part).filter(([name]) => !members.includes(name))) as T;

/** A complete definition from a request body. Null and "unspecified" values count as absent. */
export function definitionOf(said: Readonly<Record<string, unknown>>): Definition {
  const { buildConfig = {}, serviceConfig = {}, eventTrigger } = said as Partial<Definition>;
  const { description, kmsKeyName, labels = {} } = said as Partial<Definition>;
  const environment = said.environment ?? "GEN_2";
  return {
    ...(description !== undefined && { description }),
    environment: environment === "ENVIRONMENT_UNSPECIFIED" ? "GEN_2" : String(environment),
    labels,
    ...(kmsKeyName !== undefined && kmsKeyName !== "" && { kmsKeyName }),
    buildConfig: without(specified(buildConfig), OUTPUT_ONLY.buildConfig ?? []),
    serviceConfig: {
      ...defaultService,
      ...without(specified(serviceConfig), OUTPUT_ONLY.serviceConfig ?? []),
    },
    ...(eventTrigger && { eventTrigger: without(specified(eventTrigger), OUTPUT_ONLY.eventTrigger ?? []) }),
  };
}
/** Some clients send zero or an empty text for an absent member. */
const specified = <T extends object>(part: T): T =>
  Object.fromEntries(
    Object.entries(part).filter(
      ([, value]) =>
        value !== "" && value !== 0 && !(typeof value === "string" && value.endsWith("_UNSPECIFIED")),
    ),
  ) as T;

/** Some clients send an empty text for an absent key. */
export function checkKmsKey(name: string | undefined): void {
  if (name !== undefined && name !== "" && !KMS_KEY.test(name))
    throw errors.invalidArgument("kmsKeyName must be projects/*/locations/*/keyRings/*/cryptoKeys/*.");
}
export function checkDefinition(definition: Definition): void {
  const { labels, kmsKeyName, buildConfig, serviceConfig, eventTrigger } = definition;
  checkKmsKey(kmsKeyName);
  for (const [key, value] of Object.entries(labels))
    if (!LABEL_KEY.test(key) || !LABEL_VALUE.test(value))
      throw errors.invalidArgument(`labels.${key} is not a label: lower-case letters, digits, _ and -.`);
  checkBuild(buildConfig);
  checkService(serviceConfig);
  if (eventTrigger) checkTrigger(eventTrigger);
}
function checkBuild({ runtime, entryPoint, source }: BuildConfig): void {
  if (!runtime) throw errors.invalidArgument("buildConfig.runtime is required, such as nodejs20.");
  if (!entryPoint) throw errors.invalidArgument("buildConfig.entryPoint is required.");
  if (source?.repoSource)
    throw errors.invalidArgument(
      "buildConfig.source.repoSource is not possible here: upload an archive and name it as storageSource.",
    );
  const { bucket, object } = source?.storageSource ?? {};
  if (!bucket || !object)
    throw errors.invalidArgument("buildConfig.source.storageSource must name a bucket and an object.");
}
function checkService(config: ServiceConfig): void {
  memoryBytesOf(config.availableMemory ?? "");
  cpusOf(config.availableCpu ?? "");
  const { minInstanceCount = 0, maxInstanceCount = 0 } = config;
  if (minInstanceCount > maxInstanceCount)
    throw errors.invalidArgument("serviceConfig.minInstanceCount must not be greater than maxInstanceCount.");
  checkVariables(config);
  for (const { mountPath, versions = [] } of config.secretVolumes ?? []) {
    if (!mountPath.startsWith("/") || !isPlainPath(mountPath.slice(1)))
      throw errors.invalidArgument(`"${mountPath}" is not an absolute path.`);
    for (const { path } of versions)
      if (path !== undefined && !isPlainPath(path))
        throw errors.invalidArgument(`"${path}" is not the path of a file below ${mountPath}.`);
  }
}
/** Leads downwards only. */
const isPlainPath = (path: string): boolean =>
  path !== "" &&
  !path.startsWith("/") &&
  !path.includes("\0") &&
  !path.split("/").some((part) => part === ".." || part === ".");

function checkVariables(config: ServiceConfig): void {
  const names = [
    ...Object.keys(config.environmentVariables ?? {}),
    ...(config.secretEnvironmentVariables ?? []).map(({ key }) => key),
  ];
  for (const name of names)
    if (!VARIABLE.test(name) || RESERVED.has(name) || name.startsWith("X_GOOGLE_"))
      throw errors.invalidArgument(`"${name}" cannot be the name of a variable.`);
  if (new Set(names).size < names.length)
    throw errors.invalidArgument("A variable is set twice: by value and by secret.");
  if (Buffer.byteLength(JSON.stringify(config.environmentVariables ?? {})) > VARIABLES_BYTES_MAX)
    throw errors.invalidArgument(`Variables take ${VARIABLES_BYTES_MAX} bytes at the most.`);
}
function checkTrigger({ eventType, eventFilters = [], pubsubTopic }: EventTrigger): void {
  if (!eventType) throw errors.invalidArgument("eventTrigger.eventType is required.");
  for (const { attribute, operator } of eventFilters) {
    if (attribute === "type") throw errors.invalidArgument("eventTrigger.eventType says the type of events.");
    if (operator && operator !== "match-path-pattern")
      throw errors.invalidArgument(`There is no operator "${operator}", only match-path-pattern.`);
  }
  if (pubsubTopic && !/^projects\/[^/]{1,100}\/topics\/[^/]{1,255}$/.test(pubsubTopic))
    throw errors.invalidArgument("eventTrigger.pubsubTopic must be projects/*/topics/*.");
}

export const revisionOf = (functionId: string, generation: number): string =>
  `${functionId}-${String(generation).padStart(5, "0")}`;
