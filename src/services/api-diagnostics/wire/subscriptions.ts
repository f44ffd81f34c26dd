/** Request and response shapes of subscriptions, whose keys admit callers. */
import { type TProperties, Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import { oneOf, proxyAnswer } from "#kernel/resource-provider";
import { nameFilter } from "./shared.ts";

const STATES = ["active", "suspended", "submitted", "rejected", "cancelled", "expired"] as const;
const key = (which: string) =>
  Type.String({
    minLength: 1,
    maxLength: 256,
    description: `The ${which} key.`,
    examples: ["4f1c0a2b9d8e47c6a5b3f20e1d9c8b7a"],
  });
const members: TProperties = {
  scope: Type.String({
    minLength: 1,
    maxLength: 1024,
    description: "All interfaces of the instance, one of them, or a product.",
    examples: ["/apis/orders"],
  }),
  displayName: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "What people call it.",
    examples: ["Mobile app"],
  }),
};
const more: TProperties = {
  ownerId: Type.Optional(
    Type.String({ maxLength: 1024, description: "Whose it is.", examples: ["/users/1"] }),
  ),
  state: Type.Optional({
    ...oneOf(...STATES),
    description: "Only an active one lets callers in.",
    examples: ["active"],
  }),
  allowTracing: Type.Optional(
    Type.Boolean({ description: "Whether calls may be traced.", examples: [false] }),
  ),
};
const keys: TProperties = {
  primaryKey: Type.Optional(secret(key("first"))),
  secondaryKey: Type.Optional(secret(key("second"))),
};
const words = { description: "What the subscription opens." };

export const subscriptionBody = Type.Object({
  properties: Type.Object({ ...members, ...more, ...keys }, words),
});
export const subscriptionPatch = Type.Object({
  properties: Type.Optional(
    Type.Object({ ...Type.Partial(Type.Object(members)).properties, ...more, ...keys }, words),
  ),
});
export const subscriptionAnswer = proxyAnswer({
  properties: Type.Object(
    {
      ...members,
      ...more,
      createdDate: Type.Optional(
        Type.String({ description: "When it was made.", examples: ["2026-01-02T03:04:05Z"] }),
      ),
    },
    words,
  ),
});
export const subscriptionKeys = Type.Object({
  primaryKey: secret(key("first")),
  secondaryKey: secret(key("second")),
});
export const subscriptionFilter = nameFilter("subscriptions", "mobile");
export type SubscriptionProperties = {
  readonly scope: string;
  readonly displayName: string;
  readonly state: (typeof STATES)[number];
  readonly ownerId?: string;
};
