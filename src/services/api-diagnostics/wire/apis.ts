/** Interfaces that an instance offers, and their operations, as clients spell them. */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { oneOf, proxyAnswer } from "#kernel/resource-provider";
import { nameFilter, removable } from "./shared.ts";

const worded = (schema: TSchema, description: string, example: unknown): TSchema => ({
  ...schema,
  description,
  examples: [example],
});
const text = (maxLength: number, description: string, example: string, minLength = 0): TSchema =>
  Type.String({ minLength, maxLength, description, examples: [example] });

const path = text(400, "Where it answers, below the instance's address; empty for the root.", "orders");
const displayName = text(300, "What people call it.", "Orders", 1);
function settingsWith(optional: (schema: TSchema) => TSchema): TProperties {
  return {
    description: optional(text(8000, "What it is for.", "Orders of the shop.")),
    serviceUrl: optional(text(2000, "The address of the service behind it.", "http://127.0.0.1:8080")),
    protocols: optional(
      Type.Array(oneOf("http", "https"), {
        maxItems: 4,
        description: "How it may be called.",
        examples: [["https"]],
      }),
    ),
    subscriptionRequired: optional(
      worded(Type.Boolean(), "Whether callers need the key of a subscription.", false),
    ),
    subscriptionKeyParameterNames: optional(
      Type.Object(
        {
          header: Type.Optional(
            text(100, "The header that carries the key.", "Ocp-Apim-Subscription-Key", 1),
          ),
          query: Type.Optional(text(100, "The query parameter that carries it.", "subscription-key", 1)),
        },
        { description: "Where callers put the key." },
      ),
    ),
    apiVersion: optional(text(100, "Which version of the interface it is.", "v1")),
    apiRevision: optional(text(100, "Which revision of it.", "1")),
    isCurrent: optional(worded(Type.Boolean(), "Whether that is the current revision.", true)),
    type: optional(worded(oneOf("http", "soap"), "What kind of interface it is.", "http")),
  };
}
const words = { description: "Where the interface answers, and what lies behind it." };
const properties = Type.Object({ path, displayName, ...settingsWith(Type.Optional) }, words);

export const apiBody = Type.Object({
  properties: Type.Object(
    { path, displayName: Type.Optional(displayName), ...settingsWith(Type.Optional) },
    words,
  ),
});
export const apiPatch = Type.Object({
  properties: Type.Optional(
    Type.Object(
      { path: Type.Optional(path), displayName: Type.Optional(displayName), ...settingsWith(removable) },
      words,
    ),
  ),
});
export const apiAnswer = proxyAnswer({ properties });
export const apiFilter = nameFilter("interfaces", "orders");
export type ApiProperties = {
  readonly path: string;
  readonly displayName: string;
  readonly serviceUrl?: string;
  readonly protocols: readonly ("http" | "https")[];
  readonly subscriptionRequired: boolean;
  readonly subscriptionKeyParameterNames: { readonly header: string; readonly query: string };
};

const parameters = Type.Array(
  Type.Object({
    name: text(300, "The parameter's name.", "orderId", 1),
    type: text(100, "Its type.", "string"),
    description: Type.Optional(text(1000, "What it is for.", "The order.")),
    required: Type.Optional(worded(Type.Boolean(), "Whether it must be given.", true)),
  }),
  { maxItems: 100, description: "The parameters of the template." },
);
const operationMembers = {
  displayName: text(300, "What people call it.", "Read an order", 1),
  method: text(20, "The method, or * for all.", "GET", 1),
  urlTemplate: text(1000, "The path below the interface's own, with parameters in braces.", "/{orderId}", 1),
};
const operationMore = (optional: (schema: TSchema) => TSchema): TProperties => ({
  description: optional(text(8000, "What it is for.", "Reads one order.")),
  templateParameters: optional(parameters),
});
const operationWords = { description: "Which requests the operation takes." };
const operationProperties = Type.Object(
  { ...operationMembers, ...operationMore(Type.Optional) },
  operationWords,
);

export const operationBody = Type.Object({ properties: operationProperties });
export const operationPatch = Type.Object({
  properties: Type.Optional(
    Type.Object(
      { ...Type.Partial(Type.Object(operationMembers)).properties, ...operationMore(removable) },
      operationWords,
    ),
  ),
});
export const operationAnswer = proxyAnswer({ properties: operationProperties });
export type ApiOperationProperties = {
  readonly displayName: string;
  readonly method: string;
  readonly urlTemplate: string;
};
