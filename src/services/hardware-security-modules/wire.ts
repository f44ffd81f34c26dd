/** Request and response shapes of dedicated HSMs. */
import { type Static, Type } from "@sinclair/typebox";
import { oneOf, tagChanges, trackedAnswer, trackedBody } from "#kernel/resource-provider";
import { SKUS } from "./domain.ts";

const ID_LENGTH_MAX = 1024;
const INTERFACES_MAX = 8;
const ZONES_MAX = 8;
const SUBNET_EXAMPLE =
  "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop/providers/Vendor.Network/virtualNetworks/net/subnets/hsm";

/** The handler validates the name, so that the error can list the valid ones. */
const sku = Type.Object(
  { name: Type.String({ maxLength: 64, description: "The model's name.", examples: [SKUS[0]] }) },
  { description: "The model of the module." },
);
const zones = Type.Optional(
  Type.Array(Type.String({ maxLength: 16 }), {
    maxItems: ZONES_MAX,
    description: "The availability zones it stands in.",
    examples: [["1"]],
  }),
);
const subnet = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        maxLength: ID_LENGTH_MAX,
        description: "The subnet's identifier.",
        examples: [SUBNET_EXAMPLE],
      }),
    ),
  },
  { description: "The subnet that it is reached in." },
);
const privateIpAddress = Type.Optional(
  Type.String({ maxLength: 45, description: "Its address in the subnet.", examples: ["10.0.0.4"] }),
);
const profileOf = <T extends Parameters<typeof Type.Object>[0]>(networkInterface: T) =>
  Type.Object(
    {
      subnet: Type.Optional(subnet),
      networkInterfaces: Type.Optional(
        Type.Array(Type.Object(networkInterface), {
          maxItems: INTERFACES_MAX,
          description: "The interfaces by which it is reached.",
        }),
      ),
    },
    { description: "The network that it is reached in." },
  );
const wantedProfile = Type.Optional(profileOf({ privateIpAddress }));
const shownProfile = Type.Optional(
  profileOf({
    id: Type.Optional(Type.String({ description: "The network interface." })),
    privateIpAddress,
  }),
);
const stampId = Type.Optional(
  Type.String({ maxLength: 64, description: "The rack it stands in.", examples: ["stamp1"] }),
);

export const dedicatedHsmBody = trackedBody({
  sku,
  zones,
  properties: Type.Object(
    { networkProfile: wantedProfile, managementNetworkProfile: wantedProfile, stampId },
    {
      description: "How the module is connected.",
      // Two interfaces cannot have the same address in one subnet.
      examples: [
        {
          networkProfile: {
            subnet: { id: SUBNET_EXAMPLE },
            networkInterfaces: [{ privateIpAddress: "10.0.0.4" }],
          },
          stampId: "stamp1",
        },
      ],
    },
  ),
});
/** Only tags can change. Other members must match their current values. */
export const dedicatedHsmPatch = Type.Object({
  tags: Type.Optional(tagChanges),
  sku: Type.Optional(sku),
  zones,
  properties: Type.Optional(dedicatedHsmBody.properties.properties),
});

const kept = Type.Object({
  networkProfile: shownProfile,
  managementNetworkProfile: shownProfile,
  stampId,
  statusMessage: Type.Optional(Type.String({ description: "More about how it is." })),
});
export type HsmProperties = Static<typeof kept>;

export const dedicatedHsm = trackedAnswer({
  sku,
  zones,
  properties: Type.Object({
    ...kept.properties,
    provisioningState: oneOf(
      "Succeeded",
      "Provisioning",
      "Allocating",
      "Connecting",
      "Failed",
      "CheckingQuota",
      "Deleting",
    ),
  }),
});
