/** What an instance's settings come to, ready to decide calls with; read again only when one of them has changed. */
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
  PolicyError,
  type Routed,
  type RoutedOperation,
  segmentsOf,
  templateSegments,
} from "../domain/index.ts";
import { findInstance } from "../operations/instances.ts";
import { credentialsOf, loggerNameOf } from "../operations/loggers.ts";
import { valuesByName } from "../operations/named-values.ts";
import { keysOf, scopedApiOf } from "../operations/subscriptions.ts";
import { findVersion, saveVersion } from "../store.ts";
import type { ApiOperationProperties, ApiProperties } from "../wire/apis.ts";
import type { LoggerProperties, LoggerType } from "../wire/loggers.ts";
import type { PolicyProperties } from "../wire/policies.ts";
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
  readonly settings: ApiProperties;
  readonly backend: URL | undefined;
  readonly watches: readonly Watch[];
  /** Of calls that belong to none of its operations, or to one without policies of its own. */
  readonly policy: EffectivePolicy | undefined;
  readonly operationPolicies: ReadonlyMap<string, EffectivePolicy>;
  /** Names it among those that a call has come through. */
  readonly via: string;
};
type Admission = { readonly subscriptionId: string; readonly api: string | undefined };
export type Served = {
  readonly account: string;
  readonly key: string;
  readonly id: string;
  readonly location: string;
  readonly version: string;
  /** The longest path first. */
  readonly apis: readonly ServedApi[];
  /** For calls that belong to none of them. */
  readonly watches: readonly Watch[];
  readonly admissions: ReadonlyMap<string, Admission>;
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
/** An interface's own diagnostic takes the place of the instance's of the same name. */
function joined(general: readonly Watch[], own: readonly Watch[]): readonly Watch[] {
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...general.filter(({ name }) => !names.has(name))].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
}
const operationOf = ({ name, properties }: ManagedResource): RoutedOperation => {
  const { method, urlTemplate, displayName } = properties as ApiOperationProperties;
  return { id: name, name: displayName, method, segments: templateSegments(urlTemplate) };
};
function admissionsOf(context: Context, resources: readonly ManagedResource[]): Served["admissions"] {
  const admissions = new Map<string, Admission>();
  for (const resource of resources) {
    const { state, scope } = resource.properties as SubscriptionProperties;
    if (state !== "active") continue;
    for (const key of Object.values(keysOf(context, resource)))
      if (key !== "") admissions.set(key, { subscriptionId: resource.name, api: scopedApiOf(scope) });
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
    return compilePolicy((document.properties as PolicyProperties).value, scope, named);
  } catch (error) {
    if (error instanceof PolicyError) return brokenPolicy(scope, error.message);
    throw error;
  }
}

async function load(context: Context, instance: ManagedResource, version: string): Promise<Served> {
  const byType = await readBelow(context, instance.key);
  const of = (type: string): readonly ManagedResource[] => byType.get(type) ?? [];
  const loggers = loggersOf(context, of("loggers"));
  const watches = watchesOf(of("diagnostics"), loggers, "instance");
  const named = valuesByName(context, of("namedValues"));
  const general = compiledOf(of("policies"), "service", named);
  const apis = of("apis").map((resource): ServedApi => {
    const settings = resource.properties as ApiProperties;
    const below = (type: string) => of(type).filter(({ parentKey }) => parentKey === resource.key);
    const own = compiledOf(below("apis/policies"), "api", named);
    const operationPolicies = new Map<string, EffectivePolicy>();
    for (const { key, name } of below("apis/operations")) {
      const documents = of("apis/operations/policies").filter(({ parentKey }) => parentKey === key);
      const effective = effectiveOf([general, own, compiledOf(documents, "operation", named)]);
      if (documents.length > 0 && effective) operationPolicies.set(name, effective);
    }
    return {
      id: resource.name,
      settings,
      segments: segmentsOf(settings.path),
      backend: settings.serviceUrl === undefined ? undefined : new URL(settings.serviceUrl),
      operations: below("apis/operations").map(operationOf),
      watches: joined(watches, watchesOf(below("apis/diagnostics"), loggers, "api")),
      policy: effectiveOf([general, own]),
      operationPolicies,
      via: `medley-${createHash("sha256").update(`${context.account} ${resource.key}`).digest("hex").slice(0, VIA_LENGTH)}`,
    };
  });
  apis.sort((one, other) => other.segments.length - one.segments.length);
  const { id, key, location = "" } = instance;
  const admissions = admissionsOf(context, of("subscriptions"));
  return { account: context.account, key, id, location, version, apis, watches, admissions };
}

const KNOWN_MAX = 1000;
type Versions = Map<string, Promise<string | undefined>>;

/** The instances that were called lately. */
export class ServedInstances {
  readonly #known = new Map<string, Served>();
  /** Asked for in this very moment: calls that come together ask together. */
  #asked: Versions | undefined;
  /** For the account that an instance belongs to. */
  readonly #workAs: (account: string) => Context;
  constructor(workAs: (account: string) => Context) {
    this.#workAs = workAs;
  }

  async find(address: string): Promise<Served | undefined> {
    const known = this.#known.get(address);
    if (known && (await this.#versionOf(known)) === known.version) return known;
    const found = await findInstance(this.#workAs(""), address);
    if (!found) {
      this.#known.delete(address);
      return undefined;
    }
    const context = this.#workAs(found.account);
    // The version first: what changes while it is read counts with the next call.
    const version = await this.#ensureVersion(context, found.resource.key);
    const served = await load(context, found.resource, version);
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(address, served);
    return served;
  }
  forget(): void {
    this.#known.clear();
  }
  #versionOf({ account, key }: Served): Promise<string | undefined> {
    if (!this.#asked) {
      this.#asked = new Map();
      setImmediate(() => {
        this.#asked = undefined;
      });
    }
    const asked = this.#asked.get(key) ?? findVersion(this.#workAs(account).db, account, key);
    this.#asked.set(key, asked);
    return asked;
  }
  /** One that is older than the versions gets its first. */
  async #ensureVersion(context: Context, key: string): Promise<string> {
    const known = await findVersion(context.db, context.account, key);
    if (known !== undefined) return known;
    const version = context.ids.sortable();
    await context.transact(({ db, account }) => saveVersion(db, account, key, version));
    return version;
  }
}
