/** Settings of an instance, prepared for routing and policies. */
import { createHash } from "node:crypto";
import type { Context } from "#kernel/operation";
import { listBelow, type ManagedResource } from "#kernel/resource-provider";
import {
  brokenPolicy,
  type CompiledPolicy,
  compilePolicy,
  type DiagnosticProperties,
  type EffectivePolicy,
  effectiveOf,
  type OperationDetails,
  PolicyError,
  type Routed,
  type RoutedOperation,
  revisionName,
  revisionOf,
  segmentsOf,
  templateSegments,
} from "../domain/index.ts";
import { backendOf, type ServedBackend } from "../operations/backends.ts";
import { credentialsOf, loggerNameOf } from "../operations/loggers.ts";
import { valuesByName } from "../operations/named-values.ts";
import { keysOf, scopedOf } from "../operations/subscriptions.ts";
import type { ApiProperties } from "../wire/apis.ts";
import type { LoggerProperties, LoggerType } from "../wire/loggers.ts";
import type { PolicyProperties } from "../wire/policies.ts";
import type { ProductProperties } from "../wire/products.ts";
import type { SubscriptionProperties } from "../wire/subscriptions.ts";

export type Logger = {
  readonly id: string;
  readonly key: string;
  readonly type: LoggerType;
  readonly isBuffered: boolean;
  readonly credentials: Readonly<Record<string, string>>;
};
/** A diagnostic with its logger. */
export type Watch = {
  readonly name: string;
  readonly of: "instance" | "api";
  readonly settings: DiagnosticProperties;
  readonly logger: Logger;
};
export type ServedApi = Routed & {
  readonly id: string;
  /** Base name without the revision, in lower case. Subscriptions and products refer to it. */
  readonly base: string;
  readonly settings: ApiProperties;
  readonly backend: URL | undefined;
  readonly watches: readonly Watch[];
  policyOf(product: string | undefined, operation: string | undefined): EffectivePolicy | undefined;
  /** Entry for the Via header, by which the gateway detects loops. */
  readonly via: string;
};
/** Scope of a subscription key: one API, the APIs of a product, or all APIs. */
type Admission = {
  readonly subscriptionId: string;
  readonly api: string | undefined;
  readonly product: string | undefined;
};
export type ServedProduct = {
  readonly id: string;
  readonly name: string;
  readonly apis: ReadonlySet<string>;
  /** Whether calls need no key. */
  readonly isOpen: boolean;
};
export type Served = {
  readonly account: string;
  readonly key: string;
  readonly id: string;
  readonly location: string;
  readonly version: string;
  /** Longest path first. */
  readonly apis: readonly ServedApi[];
  /** Diagnostics for calls that match no API. */
  readonly watches: readonly Watch[];
  readonly admissions: ReadonlyMap<string, Admission>;
  /** Keyed by name in lower case, like the backends. */
  readonly products: ReadonlyMap<string, ServedProduct>;
  readonly backends: ReadonlyMap<string, ServedBackend>;
};

const READ_AT_ONCE = 500;
const VIA_LENGTH = 12;

async function readBelow(context: Context, key: string): Promise<ReadonlyMap<string, ManagedResource[]>> {
  const byType = new Map<string, ManagedResource[]>();
  let before: string | undefined;
  for (;;) {
    const below = await listBelow(context, key, { limit: READ_AT_ONCE, before });
    for (const resource of below) {
      const type = resource.type.slice(resource.type.indexOf("/service/") + "/service/".length);
      byType.set(type, [...(byType.get(type) ?? []), resource]);
    }
    if (below.length < READ_AT_ONCE) return byType;
    before = below.at(-1)?.key;
  }
}

function loggersOf(context: Context, resources: readonly ManagedResource[]): ReadonlyMap<string, Logger> {
  return new Map(
    resources.map((resource) => {
      const { loggerType, isBuffered = true } = resource.properties as LoggerProperties;
      const { id, key } = resource;
      const credentials = credentialsOf(context, resource);
      return [resource.name.toLowerCase(), { id, key, type: loggerType, isBuffered, credentials }];
    }),
  );
}
function watchesOf(
  resources: readonly ManagedResource[],
  loggers: ReadonlyMap<string, Logger>,
  of: Watch["of"],
): readonly Watch[] {
  return resources.flatMap(({ name, properties }) => {
    const settings = properties as DiagnosticProperties;
    const logger = loggers.get(loggerNameOf(settings.loggerId)?.toLowerCase() ?? "");
    return logger ? [{ name: name.toLowerCase(), of, settings, logger }] : [];
  });
}
/** A diagnostic of the API overrides the instance's diagnostic with the same name. */
function joined(general: readonly Watch[], own: readonly Watch[]): readonly Watch[] {
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...general.filter(({ name }) => !names.has(name))].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
}
const operationOf = ({ name, properties }: ManagedResource): RoutedOperation => {
  const { method, urlTemplate, displayName } = properties as OperationDetails;
  return { id: name, name: displayName, method, segments: templateSegments(urlTemplate) };
};
function admissionsOf(context: Context, resources: readonly ManagedResource[]): Served["admissions"] {
  const admissions = new Map<string, Admission>();
  for (const resource of resources) {
    const { state, scope } = resource.properties as SubscriptionProperties;
    if (state !== "active") continue;
    for (const key of Object.values(keysOf(context, resource)))
      if (key !== "") admissions.set(key, { subscriptionId: resource.name, ...scopedOf(scope) });
  }
  return admissions;
}

type Named = ReadonlyMap<string, string>;
function compiledOf(
  [document]: readonly ManagedResource[],
  scope: string,
  named: Named,
): CompiledPolicy | undefined {
  if (!document) return undefined;
  try {
    return compilePolicy((document.properties as PolicyProperties).value, scope, { named });
  } catch (error) {
    if (error instanceof PolicyError) return brokenPolicy(scope, error.message);
    throw error;
  }
}

type Policies = {
  find(type: string, parentKey: string, scope: string): CompiledPolicy | undefined;
};
/** Policies of each combination of levels are combined on first use and cached. */
function policyFinder(
  { find }: Policies,
  { key: instanceKey }: ManagedResource,
  { key }: ManagedResource,
): ServedApi["policyOf"] {
  const known = new Map<string, EffectivePolicy | undefined>();
  return (product, operation) => {
    const combination = `${product ?? ""}/${operation ?? ""}`;
    if (!known.has(combination))
      known.set(
        combination,
        effectiveOf([
          find("policies", instanceKey, "service"),
          product === undefined
            ? undefined
            : find("products/policies", `${instanceKey}/products/${product}`, "product"),
          find("apis/policies", key, "api"),
          operation === undefined
            ? undefined
            : find("apis/operations/policies", `${key}/operations/${operation.toLowerCase()}`, "operation"),
        ]),
      );
    return known.get(combination);
  };
}
function productOf({ name, properties }: ManagedResource): ServedProduct {
  const { displayName, apis = [], subscriptionRequired } = properties as ProductProperties;
  return { id: name, name: displayName, apis: new Set(apis), isOpen: !subscriptionRequired };
}
/** The current revision is reachable at the plain path, and each revision at its own path. */
function pathsOf({ name, properties }: ManagedResource): readonly string[] {
  const { path, apiRevision } = properties as ApiProperties;
  const own = revisionName(path, apiRevision);
  return revisionOf(name).revision === undefined ? [path, own] : [own];
}

export async function load(context: Context, instance: ManagedResource, version: string): Promise<Served> {
  const byType = await readBelow(context, instance.key);
  const of = (type: string): readonly ManagedResource[] => byType.get(type) ?? [];
  const loggers = loggersOf(context, of("loggers"));
  const watches = watchesOf(of("diagnostics"), loggers, "instance");
  const named = valuesByName(context, of("namedValues"));
  const find: Policies["find"] = (type, parentKey, scope) =>
    compiledOf(
      of(type).filter((one) => one.parentKey === parentKey),
      scope,
      named,
    );
  const apis = of("apis").flatMap((resource): ServedApi[] => {
    const settings = resource.properties as ApiProperties;
    const below = (type: string) => of(type).filter(({ parentKey }) => parentKey === resource.key);
    const own = {
      id: resource.name,
      base: revisionOf(resource.name).base.toLowerCase(),
      settings,
      backend: settings.serviceUrl === undefined ? undefined : new URL(settings.serviceUrl),
      operations: below("apis/operations").map(operationOf),
      watches: joined(watches, watchesOf(below("apis/diagnostics"), loggers, "api")),
      policyOf: policyFinder({ find }, instance, resource),
      via: `medley-${createHash("sha256").update(`${context.account} ${resource.key}`).digest("hex").slice(0, VIA_LENGTH)}`,
    };
    return pathsOf(resource).map((path) => ({ ...own, segments: segmentsOf(path) }));
  });
  apis.sort((one, other) => other.segments.length - one.segments.length);
  const { id, key, location = "" } = instance;
  const lower = (name: string): string => name.toLowerCase();
  return {
    account: context.account,
    key,
    id,
    location,
    version,
    apis,
    watches,
    admissions: admissionsOf(context, of("subscriptions")),
    products: new Map(of("products").map((one) => [lower(one.name), productOf(one)])),
    backends: new Map(of("backends").map((one) => [lower(one.name), backendOf(context, one, named)])),
  };
}
