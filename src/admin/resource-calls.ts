/**
 * Calls that change a resource from the console: operations of its service. Services declare them by
 * resource type. Resources of the resource manager are found by their path. External resources use the admin
 * API.
 */
import type { CatalogEntry } from "#kernel/catalog";
import type { Context, Method, Operation, OwnCall, Service, TagChange } from "#kernel/operation";

export type ResourceCall = { readonly method: Method; readonly path: string; readonly body?: unknown };
/** Available changes. Missing members are not supported. */
export type ResourceWays = {
  readonly tag?: ((change: TagChange) => readonly ResourceCall[]) | undefined;
  /** The service has no tags, so the tags are only in the catalogue. */
  readonly isTaggedInCatalog?: boolean;
  readonly delete?: (() => Promise<ResourceCall>) | undefined;
};

/** Prefix of resource manager IDs. */
const MANAGED = "/subscriptions/";
const OUTSIDE_PATH = "/_medley/resources";
const encoded = (value: string): string => value.split("/").map(encodeURIComponent).join("/");

function queryOf(query: OwnCall["query"] = {}): string {
  const words = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) words.append(name, value);
  const text = words.toString();
  return text === "" ? "" : `?${text}`;
}

function callOf({ name, mount, operations }: Service, { operation: id, params = {}, query, body }: OwnCall) {
  const operation = operations.find((one) => one.id === id);
  if (!operation) throw new Error(`${name} declares a way by ${id}, which it does not have`);
  const hasSlashes = (parameter: string): boolean => operation.segments?.[parameter] !== undefined;
  const path = operation.path.replace(/\{(\w+)\}/g, (_whole, parameter: string) => {
    const value = params[parameter] ?? "";
    return hasSlashes(parameter) ? encoded(value) : encodeURIComponent(value);
  });
  return { method: operation.method, path: `${mount}${path}${queryOf(query)}`, body };
}

function declaredWays(service: Service, resource: CatalogEntry, context: Context): ResourceWays {
  const kind = service.resourceKinds?.find(({ type }) => type === resource.type);
  if (!kind) return {};
  const { tag, delete: remove } = kind;
  return {
    tag: tag && ((change) => tag(resource, change).map((call) => callOf(service, call))),
    isTaggedInCatalog: tag === undefined,
    delete: remove && (async () => callOf(service, await remove(resource, context))),
  };
}

/** Compares segment by segment. Parameters in braces match any segment. */
function answersAt({ path }: Operation, address: string): boolean {
  const wanted = address.toLowerCase().split("/");
  const segments = path.toLowerCase().split("/");
  return (
    segments.length === wanted.length &&
    segments.every((segment, at) => segment.startsWith("{") || segment === wanted[at])
  );
}
function managedWays(service: Service, { nativeId = "" }: CatalogEntry): ResourceWays {
  const { example: version } = service.protocol.sharedWords?.["api-version"] ?? {};
  const has = (method: Method): boolean =>
    service.operations.some((one) => one.method === method && answersAt(one, nativeId));
  const path = `${service.mount}${encodeURI(nativeId)}?api-version=${version}`;
  return {
    // Null removes a tag.
    tag: has("PATCH")
      ? ({ set, removed }) => {
          const gone = Object.fromEntries(removed.map((key) => [key, null]));
          return [{ method: "PATCH", path, body: { tags: { ...set, ...gone } } }];
        }
      : undefined,
    delete: has("DELETE") ? async () => ({ method: "DELETE", path }) : undefined,
  };
}

function outsideWays({ arn, type, name, region, details = {} }: CatalogEntry): ResourceWays {
  return {
    tag: ({ all: tags }) => [
      { method: "PUT", path: OUTSIDE_PATH, body: { arn, type, name, region, details, tags } },
    ],
    delete: async () => ({ method: "DELETE", path: OUTSIDE_PATH + queryOf({ arn }) }),
  };
}

export function waysOf(services: readonly Service[], resource: CatalogEntry, context: Context): ResourceWays {
  if (resource.external) return outsideWays(resource);
  const service = services.find(({ name }) => name === resource.service);
  if (!service) return {};
  return resource.nativeId?.startsWith(MANAGED)
    ? managedWays(service, resource)
    : declaredWays(service, resource, context);
}
