/** The parents of a resource: its resource group and, for a child, its parent resource. */
import type { Context } from "../operation/context.ts";
import { managementErrors } from "./errors.ts";
import { groupIdOf, keyOf, RESOURCE_GROUP_TYPE, subscriptionKeyOf } from "./identifiers.ts";
import { checkGroupName, checkName, parentPlaceOf } from "./place.ts";
import { insertResource, newEtag } from "./records.ts";
import { type Declared, declaredOf, findDeclared } from "./registry.ts";
import * as store from "./store.ts";
import type { Desired, ManagedResource, Place } from "./types.ts";

export const SETTLED = "Succeeded";
export const DELETING = "Deleting";

/** Whether it is being deleted. The states of a type's `work.delete` say so; a resource group has one such state. */
export function isGoingAway(
  context: Context,
  { type, state }: Pick<ManagedResource, "type" | "state">,
): boolean {
  const states =
    type === RESOURCE_GROUP_TYPE ? [DELETING] : findDeclared(context, type)?.type.work?.delete?.states;
  return states?.includes(state) ?? false;
}

export const groupNotFound = (name: string) =>
  managementErrors.groupNotFound(`Resource group '${name}' could not be found.`);

export function newGroup(
  context: Context,
  subscriptionId: string,
  name: string,
  wanted: {
    readonly location: string;
    readonly tags?: Readonly<Record<string, string>>;
    readonly managedBy?: string;
  },
): ManagedResource {
  const id = groupIdOf(subscriptionId, name);
  const nowMs = context.clock.nowMs();
  return {
    key: keyOf(id),
    id,
    name,
    type: RESOURCE_GROUP_TYPE,
    subscriptionId,
    resourceGroup: name,
    parentKey: subscriptionKeyOf(subscriptionId),
    link: undefined,
    location: wanted.location,
    tags: wanted.tags ?? {},
    envelope: wanted.managedBy === undefined ? {} : { managedBy: wanted.managedBy },
    properties: {},
    secrets: {},
    state: SETTLED,
    operation: undefined,
    etag: newEtag(context),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/** The resource group as it was read, if there is one. */
type ReadGroup = { readonly group: Awaited<ReturnType<typeof store.findState>> };
export async function readGroup({ db, account }: Context, place: Place): Promise<ReadGroup> {
  const key = keyOf(groupIdOf(place.subscriptionId, place.resourceGroup));
  return { group: await store.findState(db, account, key) };
}
/** Returns whether there is one. */
async function hasLastingGroup(context: Context, place: Place, read?: ReadGroup): Promise<boolean> {
  const { group } = read ?? (await readGroup(context, place));
  if (group && isGoingAway(context, group))
    throw managementErrors.groupBeingDeleted(
      `The resource group '${group.name}' is being deleted; nothing can be made or changed in it.`,
    );
  return group !== undefined;
}

/** With strict parents the resource group must exist. Otherwise its first resource creates it. */
export async function ensureGroup(
  context: Context,
  place: Place,
  location: string | undefined,
  read?: ReadGroup,
): Promise<void> {
  if (await hasLastingGroup(context, place, read)) return;
  if (context.config.strictParents) throw groupNotFound(place.resourceGroup);
  checkGroupName(place.resourceGroup);
  const made = newGroup(context, place.subscriptionId, place.resourceGroup, {
    location: location ?? "global",
  });
  await insertResource(context, made);
}

export function newResource(
  context: Context,
  { type, fullType }: Declared,
  place: Place,
  desired: Desired,
): ManagedResource {
  const nowMs = context.clock.nowMs();
  return {
    key: place.key,
    id: place.id,
    name: place.names.at(-1) ?? "",
    type: fullType,
    subscriptionId: place.subscriptionId,
    resourceGroup: place.resourceGroup,
    parentKey: place.parentKey,
    link: desired.link,
    location: desired.location,
    tags: desired.tags ?? {},
    envelope: desired.envelope ?? {},
    properties: desired.properties,
    secrets: desired.secrets ?? {},
    state: type.settledState ?? SETTLED,
    operation: undefined,
    etag: newEtag(context),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

const missingParent = (declared: Declared, parent: Place) =>
  declared.type.missingParent?.(parent) ??
  managementErrors.parentNotFound(
    `Can not perform the requested operation on a nested resource. Parent resource '${parent.names.join("/")}' not found.`,
  );

/** For reads: below a resource that does not exist there is nothing, even if a child could create it. */
export async function requireParent(context: Context, declared: Declared, place: Place): Promise<void> {
  if (!declared.type.parent) return;
  const at = parentPlaceOf(place, declaredOf(declared.type.parent));
  if (!(await store.find(context.db, context.account, at.key))) throw missingParent(declared, at);
}

/**
 * For changes: nothing changes inside a resource that is being deleted, at any depth. Undefined if a parent may be
 * implied.
 */
export async function findLastingParent(
  context: Context,
  declared: Declared,
  place: Place,
): Promise<ManagedResource | undefined> {
  if (!declared.type.parent) {
    await hasLastingGroup(context, place);
    return undefined;
  }
  const parent = declaredOf(declared.type.parent);
  const at = parentPlaceOf(place, parent);
  const found = await store.find(context.db, context.account, at.key);
  if (!found && (!parent.type.implied || context.config.strictParents)) throw missingParent(declared, at);
  if (!found) return undefined;
  if (isGoingAway(context, found)) throw beingDeleted(parent, found);
  await findLastingParent(context, parent, at);
  return found;
}
const beingDeleted = ({ provider }: Declared, parent: ManagedResource) =>
  provider.says?.busy?.(parent) ?? managementErrors.operationInProgress(`'${parent.id}' is being deleted.`);

/** For creation: creates implied parents, from the resource group downwards. `read`: if the caller read the group. */
export async function ensureParent(
  context: Context,
  declared: Declared,
  place: Place,
  location: string | undefined,
  read?: ReadGroup,
): Promise<ManagedResource | undefined> {
  if (!declared.type.parent) {
    await ensureGroup(context, place, location, read);
    return undefined;
  }
  const found = await findLastingParent(context, declared, place);
  if (found) return found;
  const parent = declaredOf(declared.type.parent);
  const at = parentPlaceOf(place, parent);
  checkName(parent, at);
  const desired = parent.type.implied?.(at, context) ?? { properties: {} };
  await ensureParent(context, parent, at, desired.location ?? location);
  const made = newResource(context, parent, at, { ...desired, location: desired.location ?? location });
  await insertResource(context, made);
  await parent.type.written?.(made, undefined, context, {});
  return made;
}
