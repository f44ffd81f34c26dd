/** Finds, writes, changes and removes resources, always together with the catalogue. */
import { Catalog, EVERY_REGION } from "../catalog/catalog.ts";
import { LongRunning } from "../longrunning/longrunning.ts";
import type { Context } from "../operation/context.ts";
import { kernelErrors } from "../operation/errors.ts";
import { keyOf, locationKeyOf, parseResourceId, RESOURCE_GROUP_TYPE } from "./identifiers.ts";
import { declaredOf, findDeclared, ownContextOf } from "./registry.ts";
import { withSecretsSealed } from "./secrets.ts";
import * as store from "./store.ts";
import type { Change, ManagedResource, Properties, ResourceType } from "./types.ts";

/** Limits every statement and every step of a deletion. */
const REMOVED_AT_ONCE = 250;
const RULED_AT_ONCE = 50;
/** Resource groups have this owner, also if that service is not mounted. */
export const RESOURCE_MANAGER = "resource-manager";

const serviceOf = (context: Context, fullType: string): string =>
  findDeclared(context, fullType)?.provider.name ?? RESOURCE_MANAGER;
const scopeOf = (context: Context, fullType: string) => ({
  account: context.account,
  service: serviceOf(context, fullType),
  clock: context.clock,
  ids: context.ids,
  db: context.db,
  enqueue: context.enqueue.bind(context),
  note: context.note?.bind(context),
});
/** Long-running records of the service that owns the type, also if another service calls. */
export const longRunningOf = (context: Context, fullType: string): LongRunning =>
  new LongRunning(scopeOf(context, fullType));

function catalogTypeOf(context: Context, fullType: string): string | undefined {
  if (fullType === RESOURCE_GROUP_TYPE) return "Vendor::Resources::ResourceGroup";
  const declared = findDeclared(context, fullType);
  if (!declared || declared.type.catalogType === false) return undefined;
  return `${declared.provider.namespace.replace(".", "::")}::${declared.type.catalogType}`;
}
/** The ARN of a resource, for other services. */
export function arnOf(context: Context, { type, id, location }: ManagedResource): string {
  const area = type.slice(type.indexOf(".") + 1, type.indexOf("/")).toLowerCase();
  return `arn:vendor:${area}:${location === undefined ? "" : locationKeyOf(location)}:${context.account}:${id}`;
}
async function enterInCatalog(
  context: Context,
  resource: ManagedResource,
  options: { readonly isNew: boolean },
): Promise<void> {
  const type = catalogTypeOf(context, resource.type);
  if (type === undefined) return;
  const entry = {
    arn: arnOf(context, resource),
    type,
    name: resource.name,
    region: EVERY_REGION,
    tags: resource.tags,
    nativeId: resource.id,
    details: { location: resource.location ?? null, resourceGroup: resource.resourceGroup },
  };
  await new Catalog(scopeOf(context, resource.type)).put(entry, options);
}

/** By any spelling of an identifier. */
export function findById<P = Properties>(
  context: Context,
  id: string,
): Promise<ManagedResource<P> | undefined> {
  return store.find(context.db, context.account, keyOf(id)) as Promise<ManagedResource<P> | undefined>;
}
/** A type may also be given by its full name, if two types would import each other. */
const fullTypeOf = (type: ResourceType | string): string =>
  typeof type === "string" ? type : declaredOf(type).fullType;

/** Ordered by key; pass the last key seen as `after`. */
export function listLinked<P = Properties>(
  context: Context,
  type: ResourceType | string,
  linkKey: string,
  { after, limit = 100 }: { readonly after?: string; readonly limit?: number } = {},
): Promise<ManagedResource<P>[]> {
  const range = { account: context.account, type: fullTypeOf(type), link: linkKey, limit };
  return store.list(context.db, after === undefined ? range : { ...range, after }) as Promise<
    ManagedResource<P>[]
  >;
}
export const countLinked = (
  { db, account }: Context,
  type: ResourceType | string,
  linkKey: string,
): Promise<number> => store.count(db, { account, type: fullTypeOf(type), link: linkKey });
export const countChildren = (
  { db, account }: Context,
  type: ResourceType | string,
  parentKey: string,
): Promise<number> => store.count(db, { account, type: fullTypeOf(type), parentKey });
/** At any depth, the innermost first. Pass the last key seen as `before`. */
export const listBelow = (
  { db, account }: Context,
  key: string,
  range: { readonly limit: number; readonly before?: string | undefined },
): Promise<ManagedResource[]> => store.listBelow(db, account, key, range);
/** Of one type and name, so many of each account, the oldest first. */
export const listNamed = (
  { db }: Context,
  type: ResourceType,
  name: string,
  limit: number,
): Promise<store.OwnedResource[]> => store.listNamed(db, declaredOf(type).fullType, name, limit);
export function listChildren<P = Properties>(
  context: Context,
  type: ResourceType | string,
  parentKey: string,
  { after, limit = 100 }: { readonly after?: string; readonly limit?: number } = {},
): Promise<ManagedResource<P>[]> {
  const range = { account: context.account, type: fullTypeOf(type), parentKey, limit };
  return store.list(context.db, after === undefined ? range : { ...range, after }) as Promise<
    ManagedResource<P>[]
  >;
}
/** All children of one type, read in pages. */
export async function* eachChild<P = Properties>(
  context: Context,
  type: ResourceType | string,
  parentKey: string,
): AsyncGenerator<ManagedResource<P>> {
  const limit = 100;
  let after = "";
  for (;;) {
    const some = await listChildren<P>(context, type, parentKey, { after, limit });
    yield* some;
    if (some.length < limit) return;
    after = some.at(-1)?.key ?? after;
  }
}
/** Is there one of that name, in any account? */
export const isNameTaken = (context: Context, type: ResourceType, name: string): Promise<boolean> =>
  store.isNameTaken(context.db, declaredOf(type).fullType, name);

export const newEtag = (context: Context): string => `"${context.ids.sortable()}"`;

/** The maximum size of an index entry, with some margin. */
const LINK_BYTES_MAX = 1500;
function checkLink({ link }: ManagedResource): void {
  if (link !== undefined && Buffer.byteLength(link) > LINK_BYTES_MAX)
    throw kernelErrors.invalidInput(`An identifier is longer than the ${LINK_BYTES_MAX} bytes allowed here.`);
}
/** Returns the resource as stored: without secret properties. */
export async function insertResource(context: Context, resource: ManagedResource): Promise<ManagedResource> {
  checkLink(resource);
  const kept = withSecretsSealed(context, resource);
  const owner = { account: context.account, service: serviceOf(context, resource.type) };
  await store.insert(context.db, owner, kept);
  await enterInCatalog(context, kept, { isNew: true });
  return kept;
}
/** Whether the catalogue shows both alike. Only this file writes what it shows of managed resources. */
const isShownAlike = (one: ManagedResource, other: ManagedResource): boolean =>
  one.id === other.id &&
  one.name === other.name &&
  one.location === other.location &&
  one.resourceGroup === other.resourceGroup &&
  JSON.stringify(one.tags) === JSON.stringify(other.tags);

/** Writes the current resource, which was `before`. Returns it as stored. */
export async function saveResource(
  context: Context,
  resource: ManagedResource,
  before: ManagedResource,
): Promise<ManagedResource> {
  checkLink(resource);
  const kept = withSecretsSealed(context, resource);
  await store.update(context.db, context.account, kept, before);
  if (!isShownAlike(before, kept)) await enterInCatalog(context, kept, { isNew: false });
  return kept;
}
/** Changes members of a resource, and its entity tag. Returns the new resource. */
export async function changeResource<P>(
  context: Context,
  resource: ManagedResource<P>,
  change: Change<P> & { readonly operation?: string | undefined },
): Promise<ManagedResource<P>> {
  const changed = withSecretsSealed<P>(context, {
    ...resource,
    ...change,
    etag: newEtag(context),
    updatedAtMs: context.clock.nowMs(),
  });
  if (change.tags) await saveResource(context, changed as ManagedResource, resource as ManagedResource);
  else await store.update(context.db, context.account, changed as ManagedResource, resource);
  return changed;
}

export const workJobNameOf = (service: string): string => `${service}.carry-on-work`;
export const workJobKeyOf = (operationId: string): string => `resource-provider:${operationId}`;

async function abandonWork(context: Context, resource: ManagedResource): Promise<void> {
  if (resource.operation === undefined) return;
  const job = { name: workJobNameOf(serviceOf(context, resource.type)) };
  await context.cancelJob(job, workJobKeyOf(resource.operation));
  await longRunningOf(context, resource.type).cancel(resource.operation, {
    code: "OperationCanceled",
    message: `${resource.id} was deleted together with what it belongs to.`,
  });
}
async function removeAll(context: Context, resources: readonly ManagedResource[]): Promise<void> {
  const keys = resources.map(({ key }) => key);
  await store.remove(context.db, context.account, keys);
  for (const resource of resources) {
    const declared = findDeclared(context, resource.type);
    // If a resource group is deleted, another service runs this rule, so it needs the provider's own context.
    await declared?.type.removed?.(resource, ownContextOf(context, declared.provider));
  }
  const catalog = new Catalog(scopeOf(context, RESOURCE_GROUP_TYPE));
  await catalog.removeMany(resources.map((resource) => arnOf(context, resource)));
}
/** How much one transaction should remove: types with their own rules take longer. */
function oneStepOf(context: Context, resources: readonly ManagedResource[]): readonly ManagedResource[] {
  let ruled = 0;
  const end = resources.findIndex(({ type }) => {
    if (findDeclared(context, type)?.type.removed) ruled += 1;
    return ruled > RULED_AT_ONCE;
  });
  return end < 0 ? resources : resources.slice(0, end);
}
/** Removes some resources below, the innermost first. Returns whether there may be more. */
export async function removeSomeBelow(context: Context, key: string): Promise<boolean> {
  const below = await store.listBelow(context.db, context.account, key, { limit: REMOVED_AT_ONCE });
  const step = oneStepOf(context, below);
  for (const resource of step) await abandonWork(context, resource);
  if (step.length > 0) await removeAll(context, step);
  return step.length < below.length || below.length === REMOVED_AT_ONCE;
}
/** Gives resources other identifiers, each by itself. Rules for removal do not run. */
export async function moveResources(
  context: Context,
  moves: readonly (readonly [resource: ManagedResource, id: string])[],
): Promise<void> {
  const keys = moves.map(([{ key }]) => key);
  await store.remove(context.db, context.account, keys);
  for (const [resource] of moves)
    await new Catalog(scopeOf(context, resource.type)).remove(arnOf(context, resource));
  for (const [resource, id] of moves) {
    const words = id.split("/");
    const isChild = parseResourceId(id)?.type.includes("/") ?? false;
    const parentKey = isChild ? keyOf(words.slice(0, -2).join("/")) : resource.parentKey;
    await insertResource(context, { ...resource, id, key: keyOf(id), name: words.at(-1) ?? "", parentKey });
  }
}
/** Renames a resource without children. Everything else stays. */
export async function renameResource(
  context: Context,
  resource: ManagedResource,
  name: string,
): Promise<ManagedResource> {
  const id = `${resource.id.slice(0, resource.id.lastIndexOf("/"))}/${name}`;
  const renamed = { ...resource, etag: newEtag(context), updatedAtMs: context.clock.nowMs() };
  await moveResources(context, [[renamed, id]]);
  return { ...renamed, id, key: keyOf(id), name };
}
/** Removes a resource with everything below it. Running work below is cancelled. */
export async function removeResource(context: Context, resource: ManagedResource): Promise<void> {
  while (await removeSomeBelow(context, resource.key));
  await removeAll(context, [resource]);
}
