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

const about = (description: string, example: unknown) => ({ description, examples: [example] });
const managedBy = Type.Optional(
  Type.String({
    maxLength: 1024,
    ...about("The resource that manages the group.", "/subscriptions/office/resourceGroups/web-shop"),
  }),
);

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
  properties: Type.Object(
    { provisioningState: Type.String(about("How far the last change has come.", "Succeeded")) },
    { description: "How the group is." },
  ),
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
  id: Type.String(about("The subscription's path.", "/subscriptions/office")),
  subscriptionId: Type.String(about("The subscription's name.", "office")),
  tenantId: Type.String(about("The tenant it belongs to.", "00000000-0000-0000-0000-123456789012")),
  displayName: Type.String(about("What people call it.", "office")),
  state: Type.String(about("Whether it can be used.", "Enabled")),
});
export const presentSubscription = (name: string, tenantId: string) => ({
  id: `/subscriptions/${name}`,
  subscriptionId: name,
  tenantId,
  displayName: name,
  state: "Enabled",
});

export const ProviderAnswer = Type.Object({
  id: Type.Optional(Type.String(about("The provider's path.", "/subscriptions/office/providers/Vendor.Sql"))),
  namespace: Type.String(about("The provider's namespace.", "Vendor.Sql")),
  registrationState: Type.String(about("Whether the subscription may use it.", "Registered")),
  resourceTypes: Type.Array(
    Type.Object({
      resourceType: Type.String(about("The type.", "servers/databases")),
      locations: Type.Array(Type.String(), about("Where alone it can be made.", [])),
      apiVersions: Type.Array(Type.String(), about("Versions that are understood.", ["2017-10-01-preview"])),
    }),
    { description: "What it provides." },
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
  id: Type.String({ description: "The path of the resource." }),
  name: Type.String({ description: "Its name." }),
  type: Type.String({ description: "Its provider and type." }),
  location: Type.Optional(Type.String(about("Where it is.", "westeurope"))),
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
