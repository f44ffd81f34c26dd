/** GET, HEAD and lists of managed resources. */
import { type Answer, answer } from "../operation/answers.ts";
import type { Context } from "../operation/context.ts";
import { notFound } from "./change.ts";
import { etagHeader } from "./conditions.ts";
import { type ListScope, pageOfResources } from "./pages.ts";
import { requireParent } from "./parents.ts";
import { requireSubscription } from "./place.ts";
import { presentResource } from "./present.ts";
import type { Declared } from "./registry.ts";
import * as store from "./store.ts";
import type { ManagedResource, Place, Properties } from "./types.ts";

export async function getResource(
  context: Context,
  declared: Declared,
  place: Place,
  missing: (place: Place) => Error = (at) => notFound(declared, at),
): Promise<ManagedResource> {
  await requireSubscription(context, place.subscriptionId, declared.provider.says);
  const found = await store.find(context.db, context.account, place.key);
  if (found) return found;
  await requireParent(context, declared, place);
  throw missing(place);
}
export async function answerGet(
  context: Context,
  declared: Declared,
  place: Place,
  query: Properties,
): Promise<Answer> {
  const resource = await getResource(context, declared, place);
  return answer(200, await presentResource(context, resource, query), etagHeader(declared.type, resource));
}
export async function answerHead(context: Context, declared: Declared, place: Place): Promise<Answer> {
  const resource = await getResource(context, declared, place);
  return answer(200, undefined, etagHeader(declared.type, resource));
}

export async function answerList(
  context: Context,
  declared: Declared,
  scope: ListScope,
  query: Properties,
): Promise<Properties> {
  const { type, fullType } = declared;
  const select = await type.lists?.select?.(query, context);
  const { resources, nextLink } = await pageOfResources(context, { scope, type: fullType, select }, query);
  const value: unknown[] = [];
  for (const resource of resources) value.push(await presentResource(context, resource));
  return nextLink === undefined ? { value } : { value, nextLink };
}
