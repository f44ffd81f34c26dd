/** Shapes exactly as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import {
  type ManagedResource,
  type ProviderSpec,
  tagChanges,
  tags,
  trackedAnswer,
  trackedBody,
  typePathOf,
} from "#kernel/resource-provider";

const managedBy = Type.Optional(Type.String({ maxLength: 1024 }));

export const GroupBody = trackedBody({ managedBy });
export type GroupBody = Static<typeof GroupBody>;
export const GroupPatch = Type.Object({
  name: Type.Optional(Type.String()),
  tags: Type.Optional(tagChanges),
  managedBy,
});
export type GroupPatch = Static<typeof GroupPatch>;
export const GroupAnswer = trackedAnswer({
  managedBy,
  properties: Type.Object({ provisioningState: Type.String() }),
});
export const presentGroup = (group: ManagedResource) => ({
  id: group.id,
  name: group.name,
  type: group.type,
  location: group.location ?? "",
  tags: group.tags,
  ...group.envelope,
  properties: { provisioningState: group.state },
});

export const SubscriptionAnswer = Type.Object({
  id: Type.String(),
  subscriptionId: Type.String(),
  tenantId: Type.String(),
  displayName: Type.String(),
  state: Type.String(),
});
export const presentSubscription = (name: string, tenantId: string) => ({
  id: `/subscriptions/${name}`,
  subscriptionId: name,
  tenantId,
  displayName: name,
  state: "Enabled",
});

export const ProviderAnswer = Type.Object({
  id: Type.Optional(Type.String()),
  namespace: Type.String(),
  registrationState: Type.String(),
  resourceTypes: Type.Array(
    Type.Object({
      resourceType: Type.String(),
      locations: Type.Array(Type.String()),
      apiVersions: Type.Array(Type.String()),
    }),
  ),
});
export const presentProvider = (
  { namespace, types, apiVersions }: ProviderSpec,
  subscriptionId?: string,
) => ({
  ...(subscriptionId !== undefined && { id: `/subscriptions/${subscriptionId}/providers/${namespace}` }),
  namespace,
  registrationState: "Registered",
  resourceTypes: types.map((type) => ({
    resourceType: typePathOf(type),
    locations: [],
    apiVersions: [...apiVersions],
  })),
});

export const ListedResource = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  location: Type.Optional(Type.String()),
  tags: Type.Optional(tags),
});
export const presentListed = (resource: ManagedResource) => ({
  id: resource.id,
  name: resource.name,
  type: resource.type,
  ...(resource.location !== undefined && { location: resource.location, tags: resource.tags }),
  ...resource.envelope,
});

export const pageMembers = {
  $top: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  $skipToken: Type.Optional(Type.String({ maxLength: 2048 })),
};
