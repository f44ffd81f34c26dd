/** Request and response shapes of API management instances. */
import { Type } from "@sinclair/typebox";
import { oneOf, tagChanges, trackedAnswer, trackedBody } from "#kernel/resource-provider";

const TIERS = ["Developer", "Standard", "Premium", "Basic", "Consumption"] as const;
const sku = Type.Object(
  {
    name: Type.Unsafe<(typeof TIERS)[number]>({ ...oneOf(...TIERS), description: "The tier's name." }),
    capacity: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, description: "How many units.", examples: [1] }),
    ),
  },
  { description: "The pricing tier, and how many units of it." },
);
const contact = {
  publisherEmail: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "Where notices go.",
    examples: ["api@example.org"],
  }),
  publisherName: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "Who offers the interfaces.",
    examples: ["Example Shop"],
  }),
};
const contactWords = { description: "Who offers the interfaces, and how to reach them." };
export type InstanceProperties = { readonly publisherEmail: string; readonly publisherName: string };

export const instanceBody = trackedBody({ sku, properties: Type.Object(contact, contactWords) });
export const instancePatch = Type.Object({
  tags: Type.Optional(tagChanges),
  sku: Type.Optional(sku),
  properties: Type.Optional(Type.Partial(Type.Object(contact), contactWords)),
});
export const instanceAnswer = trackedAnswer({
  sku,
  properties: Type.Object(
    {
      ...contact,
      gatewayUrl: Type.String({
        description: "Where the instance's interfaces are reached.",
        examples: ["http://127.0.0.1:4020/gateway/shop"],
      }),
      provisioningState: Type.String({
        description: "How far the last change has come.",
        examples: ["Succeeded"],
      }),
    },
    { description: "Whom the instance belongs to, and where it is reached." },
  ),
});
