/** A kept resource as callers see it. */
import type { Context } from "../operation/context.ts";
import { declarationOf } from "./registry.ts";
import type { ManagedResource, Properties } from "./types.ts";

export async function presentResource(
  context: Context,
  resource: ManagedResource,
  query: Properties = {},
): Promise<Record<string, unknown>> {
  const { type } = declarationOf(context, resource.type);
  const properties = (await type.present?.(resource, context, query)) ?? resource.properties;
  const showsState = type.showsState ?? type.work !== undefined;
  const body: Record<string, unknown> = { id: resource.id, name: resource.name, type: resource.type };
  if (resource.location !== undefined) {
    body.location = resource.location;
    body.tags = resource.tags;
  }
  for (const name in resource.envelope) body[name] = resource.envelope[name];
  body.properties = showsState ? { ...properties, provisioningState: resource.state } : properties;
  return (
    ((await type.presentWhole?.(body, resource, context, query)) as Record<string, unknown> | undefined) ??
    body
  );
}
