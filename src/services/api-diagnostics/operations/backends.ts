/** Backends: services that policies route calls to, with credentials and circuit breakers. */
import type { Context } from "#kernel/operation";
import { OutboundError, parseTargetUrl } from "#kernel/outbound";
import {
  listChildren,
  type ManagedResource,
  openSecret,
  type Properties,
  resourceType,
} from "#kernel/resource-provider";
import { type BreakerRule, durationMsOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import {
  type BackendCredentials,
  type BackendProperties,
  backendAnswer,
  backendBody,
  backendFilter,
  backendPatch,
} from "../wire/backends.ts";
import { childFurniture, fullTypeBelow, invalid, listsBy, requireRoom } from "./child.ts";
import { instances } from "./instances.ts";

const BACKENDS_MAX = 100;
const DAY_MS = 86_400_000;
const TYPE = fullTypeBelow("instance", "backends");
const UNSUPPORTED = ["pool", "proxy", "tls", "properties"] as const;
const NAMED = /\{\{([\w.-]{1,256})\}\}/g;
const HEADER = /^[!#$%&'*+\-.^_`|~\w]{1,256}$/;

export type ServedBackend = {
  readonly id: string;
  /** Version of its settings. */
  readonly version: string;
  readonly url: URL;
  readonly headers: readonly (readonly [string, string])[];
  readonly query: readonly (readonly [string, string])[];
  readonly rules: readonly BreakerRule[];
};
const pairsOf = (
  values: Readonly<Record<string, readonly string[]>> | undefined,
): readonly (readonly [string, string])[] =>
  Object.entries(values ?? {}).flatMap(([name, all]) => all.map((value) => [name, value] as const));
/** `named`: values of `{{name}}` in credentials. */
export function backendOf(
  context: Pick<Context, "secrets">,
  resource: ManagedResource,
  named: ReadonlyMap<string, string>,
): ServedBackend {
  const { url, circuitBreaker } = resource.properties as BackendProperties;
  const filled = (text: string): string =>
    text.replace(NAMED, (whole, name: string) => named.get(name) ?? whole);
  const opened = filled(openSecret(context, resource, "credentials") ?? "{}");
  const { header, query, authorization } = JSON.parse(opened) as BackendCredentials;
  const shown = authorization && `${authorization.scheme} ${authorization.parameter}`;
  return {
    id: resource.name,
    version: resource.etag,
    url: new URL(url),
    headers: pairsOf({ ...header, ...(shown && { authorization: [shown] }) }),
    query: pairsOf(query),
    rules: circuitBreaker?.rules ?? [],
  };
}
export const listBackendNames = async (context: Context, instanceKey: string): Promise<ReadonlySet<string>> =>
  new Set(
    (await listChildren(context, TYPE, instanceKey, { limit: BACKENDS_MAX })).map(({ name }) =>
      name.toLowerCase(),
    ),
  );

function checkUrl(url: string): void {
  try {
    if (parseTargetUrl(url).search !== "") throw invalid("url must not have a query.", "properties.url");
  } catch (error) {
    if (error instanceof OutboundError) throw invalid(`url: ${error.message}`, "properties.url");
    throw error;
  }
}
function checkRules(rules: readonly BreakerRule[]): void {
  for (const [index, { failureCondition, tripDuration }] of rules.entries()) {
    const at = `properties.circuitBreaker.rules[${index}]`;
    const { interval, statusCodeRanges = [], errorReasons = [] } = failureCondition;
    for (const [name, text] of Object.entries({ "failureCondition.interval": interval, tripDuration })) {
      const ms = durationMsOf(text);
      if (ms === undefined || ms > DAY_MS)
        throw invalid(`${name} must be a duration up to a day, such as PT1M.`, `${at}.${name}`);
    }
    if (statusCodeRanges.length + errorReasons.length === 0)
      throw invalid("A rule needs statusCodeRanges or errorReasons.", `${at}.failureCondition`);
    if (statusCodeRanges.some(({ min, max }) => min > max))
      throw invalid("A range begins with the lower status.", `${at}.failureCondition.statusCodeRanges`);
  }
}
function checkCredentials({ header }: BackendCredentials): void {
  const wrong = Object.keys(header ?? {}).find((name) => !HEADER.test(name));
  if (wrong !== undefined)
    throw invalid(`'${wrong}' cannot be the name of a header.`, "properties.credentials.header");
}
/** Rejects settings that have no effect here. */
function refuseUnsupported(given: Properties): void {
  const found = UNSUPPORTED.find((name) => given[name] !== undefined && given[name] !== null);
  if (found) throw invalid(`${found} is not supported here.`, `properties.${found}`);
  const { certificate, certificateIds } = (given.credentials ?? {}) as Properties;
  if (certificate !== undefined || certificateIds !== undefined)
    throw invalid("Certificates are not supported here.", "properties.credentials");
  const { rules = [] } = (given.circuitBreaker ?? {}) as { rules?: readonly Properties[] };
  if (
    rules.some(
      ({ failureCondition }) => (failureCondition as Properties | undefined)?.percentage !== undefined,
    )
  )
    throw invalid("percentage is not supported here: give count.", "properties.circuitBreaker.rules");
}

export const backends = resourceType<BackendProperties>({
  ...childFurniture("orders"),
  name: "backends",
  title: "backend",
  parent: instances,
  parameter: "backendId",
  idWords: "backends",
  descriptions: {
    get: "Credentials are never returned.",
    put: `Policies route calls to it by \`set-backend-service\`. Credentials are stored encrypted and may contain \`{{name}}\` of named values. A tripped circuit breaker refuses calls for \`tripDuration\`, on each node separately. An instance may have ${BACKENDS_MAX} backends. Pools, proxies, TLS settings and certificates are refused.`,
    patch: "Gateways of all nodes use the change at their next call.",
    delete: "Policies that name it are not checked; their calls fail.",
  },
  wire: { put: backendBody, patch: backendPatch, answer: backendAnswer },
  lists: listsBy(backendFilter),
  errors: [errors.validation],
  async prepare(wanted, about, context) {
    await requireRoom(context, about, { type: TYPE, max: BACKENDS_MAX, things: "backends" });
    refuseUnsupported((about.body.properties ?? {}) as Properties);
    const { credentials, ...properties } = wanted.properties;
    checkUrl(properties.url);
    checkRules(properties.circuitBreaker?.rules ?? []);
    checkCredentials(credentials ?? {});
    // The engine encrypts the credentials as one string.
    const sealed = credentials && { credentials: JSON.stringify(credentials) as never };
    return { ...wanted, properties: { ...properties, ...sealed } };
  },
});
