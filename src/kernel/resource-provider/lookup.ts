/** Finding a resource by the path parameters of an operation that a provider writes itself. */
import type { Context } from "../operation/context.ts";
import { itemPlaceOf, type PathParams } from "./place.ts";
import { getResource } from "./read.ts";
import { declaredOf } from "./registry.ts";
import type { ManagedResource, Properties, ResourceType } from "./types.ts";

/** Throws the type's "not found"; checks the subscription as well. */
export function getResourceAt<P = Properties>(
  context: Context,
  type: ResourceType,
  params: PathParams,
): Promise<ManagedResource<P>> {
  const declared = declaredOf(type);
  return getResource(context, declared, itemPlaceOf(declared, params)) as Promise<ManagedResource<P>>;
}
