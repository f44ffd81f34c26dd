/** Request and response shapes of configuration stores as managed resources. */
import { type TSchema, Type } from "@sinclair/typebox";
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

const described = <T extends TSchema>(schema: T, words: object): T => ({ ...schema, ...words });
const about = (description: string, example: unknown) => ({ description, examples: [example] });
const instant = (description: string) => Type.String(about(description, "2030-01-31T08:00:00Z"));
const PRINCIPAL = "2f9e1c5d-7a2e-4b3c-8d61-0c2f5a9b1e77";
const TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47";
const GROUP = "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop/providers";
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
const identityType = described(
  oneOf("None", "SystemAssigned", "UserAssigned", "SystemAssigned, UserAssigned"),
  about("Of its own, of others, both or none.", "SystemAssigned"),
);
const IdentityBody = Type.Object(
  {
    type: Type.Optional(identityType),
    userAssignedIdentities: optionalOrNull(
      Type.Record(Type.String({ maxLength: 1024 }), Type.Union([Type.Object({}), Type.Null()]), {
        ...about("Identities of others by their ids; null takes one away.", {
          [`${GROUP}/Vendor.ManagedIdentity/userAssignedIdentities/shop`]: {},
        }),
      }),
    ),
  },
  {
    description: "The identities that the store signs in with elsewhere.",
    examples: [{ type: "SystemAssigned" }],
  },
);
const KEY = about("The key in its vault.", "https://vault.example/keys/shop");
const KEY_CLIENT = about("The identity that opens the vault.", PRINCIPAL);
const ENCRYPTION = { description: "The key that the store is to be encrypted with." };
const VAULT = { description: "Where the key is." };
const EncryptionBody = Type.Object(
  {
    keyVaultProperties: optionalOrNull(
      Type.Object(
        {
          keyIdentifier: optionalOrNull(Type.String({ maxLength: 2048, ...KEY })),
          identityClientId: optionalOrNull(Type.String({ maxLength: 128, ...KEY_CLIENT })),
        },
        VAULT,
      ),
    ),
  },
  ENCRYPTION,
);
/** Members of later API versions. */
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
      examples: [7],
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
      Type.Unsafe<"Default" | "Recover">(
        described(oneOf("Default", "Recover"), {
          description: "Only Default: no deleted store is kept that could be recovered.",
        }),
      ),
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
const provisioningState = described(
  oneOf("Creating", "Updating", "Deleting", "Succeeded", "Failed", "Canceled"),
  about("How far the last change has come.", "Succeeded"),
);
const principalId = Type.String(about("The identity.", PRINCIPAL));
const Identity = Type.Object(
  {
    type: identityType,
    principalId: Type.Optional(principalId),
    tenantId: Type.Optional(Type.String(about("The tenant it belongs to.", TENANT))),
    userAssignedIdentities: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({ clientId: Type.String(about("What it signs in as.", PRINCIPAL)), principalId }),
        {
          description: "Identities of others by their ids.",
          examples: [
            {
              [`${GROUP}/Vendor.ManagedIdentity/userAssignedIdentities/shop`]: {
                clientId: PRINCIPAL,
                principalId: PRINCIPAL,
              },
            },
          ],
        },
      ),
    ),
  },
  { description: "The identities that the store signs in with elsewhere." },
);
export const StoreAnswer = trackedAnswer({
  sku: Sku,
  identity: Type.Optional(Identity),
  properties: Type.Object(
    {
      creationDate: instant("When the store was made."),
      endpoint: Type.String(about("Where its data is.", "https://shop-settings.example.net")),
      provisioningState,
      disableLocalAuth: settings.disableLocalAuth,
      publicNetworkAccess: Type.Optional(
        described(
          oneOf(...NETWORK_ACCESS),
          about("Whether callers on public networks are let in.", NETWORK_ACCESS[0]),
        ),
      ),
      enablePurgeProtection: Type.Optional(Type.Boolean(about("Always false.", false))),
      softDeleteRetentionInDays: Type.Optional(Type.Integer(about("Always 0.", 0))),
      encryption: Type.Optional(
        Type.Object(
          {
            keyVaultProperties: Type.Object(
              {
                keyIdentifier: Type.String(KEY),
                identityClientId: Type.Optional(Type.String(KEY_CLIENT)),
              },
              VAULT,
            ),
          },
          ENCRYPTION,
        ),
      ),
    },
    { description: "Where the store's data is, and who may speak to it." },
  ),
});

export const ApiKey = Type.Object({
  id: Type.String(about("The access key's id.", "0-l9-s0:abc")),
  name: Type.String(about("What it is for.", "Primary")),
  value: secret(Type.String(about("The key.", "a-long-key"))),
  connectionString: secret(
    Type.String(
      about(
        "Address, id and key in one.",
        "Endpoint=https://shop-settings.example.net;Id=0-l9-s0:abc;Secret=a-long-key",
      ),
    ),
  ),
  lastModified: instant("When it was made."),
  readOnly: Type.Boolean(about("Whether it opens the store for reading alone.", false)),
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
const orNull = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], about(description, example));
export const KeyValueAnswer = Type.Object({
  key: Type.String(about("The key.", "shop/currency")),
  label: orNull("Its label; null when it has none.", "test"),
  value: orNull("The value.", "EUR"),
  contentType: orNull("What kind of value it is.", "text/plain"),
  eTag: Type.String(about("Changes with the value.", "4f6dd610dd5e4deebc7fbaef685fb903")),
  lastModified: instant("When it was last changed."),
  locked: Type.Boolean(about("Whether it cannot be changed.", false)),
  tags: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
    ...about("Texts by name.", { stage: "test" }),
  }),
});

export const NameRequest = Type.Object({
  name: Type.String({ maxLength: 1024, description: "The name to ask about.", examples: ["shop-settings"] }),
  type: Type.String({
    description: "What is to have the name.",
    examples: ["Vendor.AppConfiguration/configurationStores"],
  }),
});
export const NameAnswer = Type.Object({
  nameAvailable: Type.Boolean(about("Whether the name is free.", true)),
  message: Type.String(about("Why it is not, in words.", "The name is already in use.")),
  reason: Type.Optional(Type.String(about("Why it is not.", "AlreadyExists"))),
});

const ENDPOINT = { description: "The private endpoint." };
const ENDPOINT_ID = about("Its id.", `${GROUP}/Vendor.Network/privateEndpoints/shop`);
const STATE = { description: "Whether the connection is approved." };
const STATUS = about("Who may pass.", "Approved");
const NOTE = about("Why, for people.", "Asked for by the shop.");
export const ConnectionBody = Type.Object({
  properties: Type.Object(
    {
      privateEndpoint: optionalOrNull(
        Type.Object({ id: optionalOrNull(Type.String({ maxLength: 1024, ...ENDPOINT_ID })) }, ENDPOINT),
      ),
      privateLinkServiceConnectionState: Type.Object(
        {
          status: optionalOrNull(described(oneOf(...CONNECTION_STATUSES), STATUS)),
          description: optionalOrNull(Type.String({ maxLength: 1024, ...NOTE })),
        },
        STATE,
      ),
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
  properties: Type.Object(
    {
      provisioningState,
      privateEndpoint: Type.Optional(Type.Object({ id: Type.String(ENDPOINT_ID) }, ENDPOINT)),
      privateLinkServiceConnectionState: Type.Object(
        {
          status: described(oneOf(...CONNECTION_STATUSES), STATUS),
          description: Type.String(NOTE),
          actionsRequired: described(oneOf("None", "Recreate"), about("What is left to be done.", "None")),
        },
        STATE,
      ),
    },
    { description: "The private endpoint, and whether its connection is approved." },
  ),
});

export const LinkAnswer = proxyAnswer({
  properties: Type.Object(
    {
      groupId: Type.String(about("What can be linked to.", "configurationStores")),
      requiredMembers: Type.Array(Type.String(), about("Its parts.", ["configurationStores"])),
    },
    { description: "What private endpoints can be linked to." },
  ),
});
export const LinksAnswer = listOf(LinkAnswer);
