/** PUT, PATCH and DELETE of a managed resource. */
import { type Answer, answer } from "../operation/answers.ts";
import type { Context } from "../operation/context.ts";
import { checkConditions, etagHeader } from "./conditions.ts";
import { checkLocation, desiredOfPatch, desiredOfPut } from "./desired.ts";
import { managementErrors } from "./errors.ts";
import { ensureParent, findLastingParent, newResource, readGroup, requireParent } from "./parents.ts";
import { checkGroupName, checkName, requireSubscription } from "./place.ts";
import { presentResource } from "./present.ts";
import { apiVersionOf } from "./protocol.ts";
import { insertResource, isNameTaken, longRunningOf, newEtag, saveResource } from "./records.ts";
import { type Declared, declarationOf } from "./registry.ts";
import * as store from "./store.ts";
import type { Desired, ManagedResource, Place, Preparation, Properties, ResourceType } from "./types.ts";
import { failedStateOf, pollingHeadersOf, type Started, startWork } from "./work.ts";

export const notFound = ({ type, fullType }: Declared, place: Place) =>
  type.missing?.(place) ??
  managementErrors.resourceNotFound(
    `The Resource '${fullType}/${place.names.join("/")}' under resource group '${place.resourceGroup}' was not found.`,
  );

export function refuseWhileBusy({ provider }: Declared, resource: ManagedResource): void {
  if (resource.operation === undefined) return;
  throw (
    provider.says?.busy?.(resource) ??
    managementErrors.operationInProgress(
      `Another operation is in progress on '${resource.id}' (${resource.state}). Try again when it has ended.`,
    )
  );
}

async function checkNew(context: Context, declared: Declared, place: Place): Promise<void> {
  checkName(declared, place);
  checkGroupName(place.resourceGroup);
  const { type } = declared;
  const name = place.names.at(-1) ?? "";
  if (!type.nameIsGlobal || !(await isNameTaken(context, type, name))) return;
  throw (
    type.nameTaken?.(place) ??
    managementErrors.nameTaken(`The name '${name}' is already in use.`, { target: type.parameter })
  );
}

/** Creates or replaces a resource, like a PUT. For requests, seeds and other operations of a provider. */
export async function putResource(
  context: Context,
  declared: Declared,
  place: Place,
  body: Properties,
  pace: { readonly atOnce?: boolean } = {},
): Promise<Started & { readonly created: boolean }> {
  const { type, provider } = declared;
  await requireSubscription(context, place.subscriptionId, provider.says);
  // Together, so that they take one round trip.
  const [existing, read] = await Promise.all([
    store.find(context.db, context.account, place.key),
    type.parent ? undefined : readGroup(context, place),
  ]);
  checkConditions(context, type, existing);
  if (existing) refuseWhileBusy(declared, existing);
  else await checkNew(context, declared, place);
  if (!type.wire.put) throw new Error(`${declared.fullType} cannot be put`);
  const wanted = desiredOfPut(type.wire.put, body);
  checkLocation(existing, wanted);
  const parent = await ensureParent(context, declared, place, wanted.location, read);
  const about = { mode: "put" as const, existing, parent, place, body };
  const desired = (await type.prepare?.(wanted, about, context)) ?? wanted;
  const written = await write(context, declared, about, desired);
  const started = await startWork(context, written, workAfter(declared, existing), pace);
  return { ...started, created: existing === undefined };
}

/** A PUT or PATCH provisions a failed resource from the beginning. */
function workAfter({ type }: Declared, existing: ManagedResource | undefined): "create" | "update" {
  if (existing === undefined) return "create";
  return existing.state === failedStateOf(type) && type.work?.create ? "create" : "update";
}

async function write(
  context: Context,
  declared: Declared,
  { place, existing, body }: Pick<Preparation, "place" | "existing" | "body">,
  desired: Desired,
): Promise<ManagedResource> {
  const kept = existing
    ? await saveResource(context, replacementOf(context, declared, place, existing, desired), existing)
    : await insertResource(context, newResource(context, declared, place, desired));
  await declared.type.written?.(kept, existing, context, body);
  return kept;
}

/** Identity, place and state stay. All members are listed, because spreading a whole resource is slow. */
const replacementOf = (
  context: Context,
  { fullType }: Declared,
  { key, parentKey }: Place,
  existing: ManagedResource,
  desired: Desired,
): ManagedResource => ({
  key,
  id: existing.id,
  name: existing.name,
  type: fullType,
  subscriptionId: existing.subscriptionId,
  resourceGroup: existing.resourceGroup,
  parentKey,
  link: desired.link,
  location: existing.location ?? desired.location,
  tags: desired.tags ?? {},
  envelope: desired.envelope ?? {},
  properties: desired.properties,
  secrets: desired.secrets ?? existing.secrets,
  state: existing.state,
  operation: undefined,
  etag: newEtag(context),
  createdAtMs: existing.createdAtMs,
  updatedAtMs: context.clock.nowMs(),
});

export async function answerPut(
  context: Context,
  declared: Declared,
  place: Place,
  body: Properties,
): Promise<Answer> {
  const { resource, operationId, created } = await putResource(context, declared, place, body);
  const {
    created: createdStatus = 201,
    updated = 200,
    acceptedCreate,
    acceptedUpdate,
  } = declared.type.statuses?.put ?? {};
  const done = created ? createdStatus : updated;
  const accepted = created ? (acceptedCreate ?? createdStatus) : (acceptedUpdate ?? updated);
  return answerWith(context, declared, resource, operationId, operationId ? accepted : done);
}

async function answerWith(
  context: Context,
  { type }: Declared,
  resource: ManagedResource,
  operationId: string | undefined,
  status: number,
): Promise<Answer> {
  const headers = {
    ...etagHeader(type, resource),
    ...(operationId && (await pollingHeadersOf(context, resource, operationId))),
  };
  const bodiless = status === 202 || status === 204;
  return answer(status, bodiless ? undefined : await presentResource(context, resource), headers);
}

export async function answerPatch(
  context: Context,
  declared: Declared,
  place: Place,
  body: Properties,
): Promise<Answer> {
  const { type, provider } = declared;
  await requireSubscription(context, place.subscriptionId, provider.says);
  const existing = await store.find(context.db, context.account, place.key);
  checkConditions(context, type, existing);
  if (!existing) {
    await requireParent(context, declared, place);
    throw notFound(declared, place);
  }
  refuseWhileBusy(declared, existing);
  const parent = await findLastingParent(context, declared, place);
  if (!type.wire.patch) throw new Error(`${declared.fullType} cannot be patched`);
  const wanted = desiredOfPatch(type.wire.patch, body, existing);
  const about = { mode: "patch" as const, existing, parent, place, body };
  const desired = (await type.prepare?.(wanted, about, context)) ?? wanted;
  const written = await write(context, declared, about, desired);
  const { resource, operationId } = await startWork(context, written, workAfter(declared, existing));
  return answerWith(context, declared, resource, operationId, patchStatusOf(context, type, operationId));
}
function patchStatusOf(
  context: Context,
  { statuses }: ResourceType,
  operationId: string | undefined,
): number {
  const { done = 200, accepted = done, bodySince } = statuses?.patch ?? {};
  if (operationId !== undefined) return accepted;
  return bodySince !== undefined && apiVersionOf(context) >= bodySince ? 200 : done;
}

export async function answerDelete(
  context: Context,
  declared: Declared,
  place: Place,
  query: Properties,
): Promise<Answer> {
  const { type, provider } = declared;
  const { done = 200, accepted = 202, absent = 204 } = type.statuses?.delete ?? {};
  await requireSubscription(context, place.subscriptionId, provider.says);
  const existing = await store.find(context.db, context.account, place.key);
  checkConditions(context, type, existing);
  if (!existing) {
    const problem = type.nameRule.problem?.(place.names.at(-1) ?? "");
    if (problem) throw problem;
    if (absent === 404) throw notFound(declared, place);
    return answer(absent);
  }
  const running =
    existing.operation && (await longRunningOf(context, existing.type).find(existing.operation));
  if (running && running.kind === "delete")
    return answer(accepted, undefined, await pollingHeadersOf(context, existing, running.id));
  refuseWhileBusy(declared, existing);
  await type.mayDelete?.(existing, context, query);
  const { resource, operationId } = await startWork(context, existing, "delete");
  if (!operationId) return answer(done);
  return answer(accepted, undefined, await pollingHeadersOf(context, resource, operationId));
}

/** The answer of an action that started work: the resource if done, otherwise 202 with polling headers. */
export async function startedAnswer(
  context: Context,
  { resource, operationId }: Started,
  { done = 200, accepted = 202 }: { readonly done?: number; readonly accepted?: number } = {},
): Promise<Answer> {
  return answerWith(
    context,
    declarationOf(context, resource.type),
    resource,
    operationId,
    operationId ? accepted : done,
  );
}
