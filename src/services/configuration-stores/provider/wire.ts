/** Shapes of configuration stores as managed resources. */
import { Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import {
  listOf,
  oneOf,
  proxyAnswer,
  tagChanges,
  trackedAnswer,
  trackedBody,
} from "#kernel/resource-provider";
import { CONNECTION_STATUSES } from "../domain/connections.ts";
import { NETWORK_ACCESS, type NetworkAccess } from "../domain/network.ts";

const text = Type.Optional(Type.String());
const optionalOrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

const Sku = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Free or Standard.",
      examples: ["Standard"],
    }),
  },
  { description: "The pricing tier." },
);
const identityType = oneOf("None", "SystemAssigned", "UserAssigned", "SystemAssigned, UserAssigned");
const IdentityBody = Type.Object(
  {
    type: Type.Optional(identityType),
    userAssignedIdentities: optionalOrNull(
      Type.Record(Type.String({ maxLength: 1024 }), Type.Union([Type.Object({}), Type.Null()])),
    ),
  },
  {
    description: "The identities that the store signs in with elsewhere.",
    examples: [{ type: "SystemAssigned" }],
  },
);
const EncryptionBody = Type.Object({
  keyVaultProperties: optionalOrNull(
    Type.Object({
      keyIdentifier: optionalOrNull(Type.String({ maxLength: 2048 })),
      identityClientId: optionalOrNull(Type.String({ maxLength: 128 })),
    }),
  ),
});
/** What later versions added. */
const settings = {
  disableLocalAuth: Type.Optional(
    Type.Boolean({ description: "Whether the store has no access keys, so that tokens alone open it." }),
  ),
  publicNetworkAccess: optionalOrNull(
    Type.Unsafe<NetworkAccess>({
      ...oneOf(...NETWORK_ACCESS),
      description:
        "Whether callers on public networks are let in. Disabled, those on private ones are, once a private endpoint connection is approved; left out, the approval of one closes the store to public networks.",
    }),
  ),
  enablePurgeProtection: Type.Optional(
    Type.Boolean({ description: "Only false: a deleted store is gone at once." }),
  ),
  softDeleteRetentionInDays: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 7,
      description:
        "Taken from clients that always send it; a deleted store is gone at once, so it is answered as 0.",
    }),
  ),
};
const PropertiesBody = Type.Object(
  { encryption: optionalOrNull(EncryptionBody), ...settings },
  {
    description:
      "Who may speak to the store. The key of a vault is noted and shown; nothing is encrypted with it here.",
    examples: [{ disableLocalAuth: true, publicNetworkAccess: "Disabled" }],
  },
);
const NewPropertiesBody = Type.Object(
  {
    ...PropertiesBody.properties,
    createMode: Type.Optional(
      Type.Unsafe<"Default" | "Recover">({
        ...oneOf("Default", "Recover"),
        description: "Only Default: no deleted store is kept that could be recovered.",
      }),
    ),
  },
  { description: PropertiesBody.description ?? "", examples: PropertiesBody.examples as unknown[] },
);

export const StoreBody = trackedBody({
  sku: Sku,
  identity: optionalOrNull(IdentityBody),
  properties: optionalOrNull(NewPropertiesBody),
});
export const StoreChange = Type.Object({
  sku: Type.Optional(Sku),
  identity: optionalOrNull(IdentityBody),
  tags: Type.Optional(tagChanges),
  properties: optionalOrNull(PropertiesBody),
});
const provisioningState = oneOf("Creating", "Updating", "Deleting", "Succeeded", "Failed", "Canceled");
const Identity = Type.Object({
  type: identityType,
  principalId: text,
  tenantId: text,
  userAssignedIdentities: Type.Optional(
    Type.Record(Type.String(), Type.Object({ clientId: Type.String(), principalId: Type.String() })),
  ),
});
export const StoreAnswer = trackedAnswer({
  sku: Sku,
  identity: Type.Optional(Identity),
  properties: Type.Object({
    creationDate: Type.String(),
    endpoint: Type.String(),
    provisioningState,
    disableLocalAuth: Type.Optional(Type.Boolean()),
    publicNetworkAccess: Type.Optional(oneOf(...NETWORK_ACCESS)),
    enablePurgeProtection: Type.Optional(Type.Boolean()),
    softDeleteRetentionInDays: Type.Optional(Type.Integer()),
    encryption: Type.Optional(
      Type.Object({
        keyVaultProperties: Type.Object({ keyIdentifier: Type.String(), identityClientId: text }),
      }),
    ),
  }),
});

export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  value: secret(Type.String()),
  connectionString: secret(Type.String()),
  lastModified: Type.String(),
  readOnly: Type.Boolean(),
});
export const ApiKeys = listOf(ApiKey);
export const RegenerateBody = Type.Object({
  id: Type.Optional(
    Type.String({
      description: "The id of the access key, as the list of keys has it.",
      examples: ["0-l9-s0:abc"],
    }),
  ),
});

export const KeyValueRequest = Type.Object({
  key: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: "The key to read.",
    examples: ["shop/currency"],
  }),
  label: optionalOrNull(
    Type.String({ maxLength: 4096, description: "Its label; none when left out.", examples: ["test"] }),
  ),
});
export const KeyValueAnswer = Type.Object({
  key: Type.String(),
  label: Type.Union([Type.String(), Type.Null()]),
  value: Type.Union([Type.String(), Type.Null()]),
  contentType: Type.Union([Type.String(), Type.Null()]),
  eTag: Type.String(),
  lastModified: Type.String(),
  locked: Type.Boolean(),
  tags: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
});

export const NameRequest = Type.Object({
  name: Type.String({ maxLength: 1024, description: "The name to ask about.", examples: ["shop-settings"] }),
  type: Type.String({
    description: "What is to have the name.",
    examples: ["Vendor.AppConfiguration/configurationStores"],
  }),
});
export const NameAnswer = Type.Object({
  nameAvailable: Type.Boolean(),
  message: Type.String(),
  reason: text,
});

export const ConnectionBody = Type.Object({
  properties: Type.Object(
    {
      privateEndpoint: optionalOrNull(Type.Object({ id: optionalOrNull(Type.String({ maxLength: 1024 })) })),
      privateLinkServiceConnectionState: Type.Object({
        status: optionalOrNull(oneOf(...CONNECTION_STATUSES)),
        description: optionalOrNull(Type.String({ maxLength: 1024 })),
      }),
    },
    {
      description: "The private endpoint, and whether its connection is approved.",
      examples: [
        { privateLinkServiceConnectionState: { status: "Approved", description: "Asked for by the shop." } },
      ],
    },
  ),
});
export const ConnectionAnswer = proxyAnswer({
  properties: Type.Object({
    provisioningState,
    privateEndpoint: Type.Optional(Type.Object({ id: Type.String() })),
    privateLinkServiceConnectionState: Type.Object({
      status: oneOf(...CONNECTION_STATUSES),
      description: Type.String(),
      actionsRequired: oneOf("None", "Recreate"),
    }),
  }),
});

export const LinkAnswer = proxyAnswer({
  properties: Type.Object({ groupId: Type.String(), requiredMembers: Type.Array(Type.String()) }),
});
export const LinksAnswer = listOf(LinkAnswer);
