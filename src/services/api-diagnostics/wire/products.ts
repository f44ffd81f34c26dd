/** Request and response shapes of products, which group APIs. */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { oneOf, proxyAnswer } from "#kernel/resource-provider";
import { nameFilter, removable } from "./shared.ts";

const displayName = Type.String({
  minLength: 1,
  maxLength: 300,
  description: "What people call it.",
  examples: ["Shop for partners"],
});
const text = (maxLength: number, description: string, example: string): TSchema =>
  Type.String({ maxLength, description, examples: [example] });
const flag = (description: string, example: boolean): TSchema =>
  Type.Boolean({ description, examples: [example] });

const settingsWith = (optional: (schema: TSchema) => TSchema): TProperties => ({
  description: optional(text(1000, "What it is for.", "Everything that partners need.")),
  terms: optional(text(8000, "What whoever subscribes agrees to.", "Be fair.")),
  subscriptionRequired: optional(flag("Whether callers need the key of a subscription.", true)),
  approvalRequired: optional(flag("Whether a new subscription has to be approved first.", false)),
  subscriptionsLimit: optional(
    Type.Integer({
      minimum: 0,
      maximum: 500,
      description: "How many subscriptions one owner may have.",
      examples: [3],
    }),
  ),
  state: optional({
    ...oneOf("notPublished", "published"),
    description: "Whether it is offered to everybody.",
    examples: ["published"],
  }),
});
const words = { description: "What is offered, and to whom." };
const properties = Type.Object({ displayName, ...settingsWith(Type.Optional) }, words);

export const productBody = Type.Object({ properties });
export const productPatch = Type.Object({
  properties: Type.Optional(
    Type.Object({ displayName: Type.Optional(displayName), ...settingsWith(removable) }, words),
  ),
});
export const productAnswer = proxyAnswer({ properties });
export const productFilter = nameFilter("products", "partners");
export type ProductProperties = {
  readonly displayName: string;
  readonly subscriptionRequired: boolean;
  readonly state?: string;
  readonly approvalRequired?: boolean;
  readonly subscriptionsLimit?: number;
  /** Names of its APIs in lower case. This member is internal and not part of responses. */
  readonly apis?: readonly string[];
};
