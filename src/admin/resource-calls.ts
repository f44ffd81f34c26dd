/**
 * How a resource is changed from the console: by the operations of its service, as if a program had called them. A service
 * declares them by kind; those of the resource manager are found by the resource's address, outside ones are the console's own.
 */
import type { CatalogEntry } from "#kernel/catalog";
import type { Context, Method, Operation, OwnCall, Service, TagChange } from "#kernel/operation";

export type ResourceCall = { readonly method: Method; readonly path: string; readonly body?: unknown };
/** Without what there is no way to. */
export type ResourceWays = {
  readonly tag?: ((change: TagChange) => readonly ResourceCall[]) | undefined;
  /** Its service knows no tags: those of the catalogue are all there are. */
  readonly isTaggedInCatalog?: boolean;
  readonly delete?: (() => Promise<ResourceCall>) | undefined;
};

/** What the resource manager calls its resources. */
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

/** Segment by segment; what is in braces stands for any. */
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
    // What is given as null is taken away.
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
