/** Request and response shapes of APIs and their operations. */
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

export const IMPORT_FORMATS = ["openapi", "openapi+json"] as const;
const IMPORT_LENGTH_MAX = 1024 * 1024;

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
    apiRevisionDescription: optional(text(256, "What is new in this revision.", "Orders have a state.")),
    sourceApiId: optional(
      text(
        1024,
        "The API or revision that it is copied from, such as /apis/orders;rev=1; empty for none.",
        "",
      ),
    ),
  };
}
const words = { description: "Where the interface answers, and what lies behind it." };
const properties = Type.Object(
  {
    path,
    displayName,
    ...settingsWith(Type.Optional),
    isOnline: Type.Optional(worded(Type.Boolean(), "Whether the gateway serves it.", true)),
  },
  words,
);
const imported = {
  format: Type.Optional(worded(oneOf(...IMPORT_FORMATS), "What `value` is written in.", "openapi+json")),
  value: Type.Optional(
    text(
      IMPORT_LENGTH_MAX,
      "An OpenAPI 3 document, whose operations take the place of the API's own.",
      '{"openapi":"3.0.1","info":{"title":"Orders","version":"1"},"paths":{}}',
      1,
    ),
  ),
};

export const apiBody = Type.Object({
  properties: Type.Object(
    { path, displayName: Type.Optional(displayName), ...settingsWith(Type.Optional), ...imported },
    words,
  ),
});
export const apiQuery = Type.Object({
  export: Type.Optional(worded(Type.Boolean(), "Whether a description of the API is wanted.", true)),
  format: Type.Optional(worded(oneOf(...IMPORT_FORMATS), "What it is to be written in.", "openapi+json")),
});
export const apiPatch = Type.Object({
  properties: Type.Optional(
    Type.Object(
      { path: Type.Optional(path), displayName: Type.Optional(displayName), ...settingsWith(removable) },
      words,
    ),
  ),
});
export const apiAnswer = proxyAnswer({
  properties,
  format: Type.Optional(text(100, "What the description is written in.", "openapi+json")),
  value: Type.Optional(
    Type.Unknown({ description: "The description: an object in JSON, a text in YAML.", examples: [{}] }),
  ),
});
export const apiFilter = nameFilter("interfaces", "orders");
export type ApiProperties = {
  readonly path: string;
  readonly displayName: string;
  readonly serviceUrl?: string;
  readonly protocols: readonly ("http" | "https")[];
  readonly subscriptionRequired: boolean;
  readonly subscriptionKeyParameterNames: { readonly header: string; readonly query: string };
  readonly description?: string;
  readonly apiVersion?: string;
  readonly apiRevision: string;
  readonly apiRevisionDescription?: string;
  readonly isCurrent?: boolean;
  readonly sourceApiId?: string;
  readonly format?: (typeof IMPORT_FORMATS)[number];
  readonly value?: string;
};

const parameter = Type.Object({
  name: text(300, "The parameter's name.", "orderId", 1),
  type: text(100, "Its type.", "string"),
  description: Type.Optional(text(1000, "What it is for.", "The order.")),
  required: Type.Optional(worded(Type.Boolean(), "Whether it must be given.", true)),
  defaultValue: Type.Optional(text(1000, "What counts where it is not given.", "10")),
  values: Type.Optional(
    Type.Array(Type.String({ maxLength: 1000, examples: ["open"] }), {
      maxItems: 500,
      description: "What it may be.",
    }),
  ),
  schemaId: Type.Optional(text(80, "Where its schema is kept.", "imported")),
  typeName: Type.Optional(text(300, "The name of its schema.", "OrderState")),
});
const parameters = (description: string) => Type.Array(parameter, { maxItems: 100, description });
const representations = Type.Array(
  Type.Object({
    contentType: text(200, "Its type.", "application/json", 1),
    schemaId: Type.Optional(text(80, "Where its schema is kept.", "imported")),
    typeName: Type.Optional(text(300, "The name of its schema.", "Order")),
    examples: Type.Optional(
      Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
        maxProperties: 50,
        description: "Examples by their names.",
        examples: [{ small: { value: { id: 1 } } }],
      }),
    ),
  }),
  { maxItems: 20, description: "What it looks like, by type." },
);
const request = Type.Object(
  {
    description: Type.Optional(text(8000, "What is sent.", "An order.")),
    queryParameters: Type.Optional(parameters("Parameters of the query.")),
    headers: Type.Optional(parameters("Headers.")),
    representations: Type.Optional(representations),
  },
  { description: "What is sent." },
);
const responses = Type.Array(
  Type.Object({
    statusCode: Type.Integer({ minimum: 100, maximum: 599, description: "The status.", examples: [200] }),
    description: Type.Optional(text(8000, "When it is answered.", "The order.")),
    headers: Type.Optional(parameters("Headers.")),
    representations: Type.Optional(representations),
  }),
  { maxItems: 50, description: "What is answered." },
);
const operationMembers = {
  displayName: text(300, "What people call it.", "Read an order", 1),
  method: text(20, "The method, or * for all.", "GET", 1),
  urlTemplate: text(1000, "The path below the interface's own, with parameters in braces.", "/{orderId}", 1),
};
const operationMore = (optional: (schema: TSchema) => TSchema): TProperties => ({
  description: optional(text(8000, "What it is for.", "Reads one order.")),
  templateParameters: optional(parameters("The parameters of the template.")),
  request: optional(request),
  responses: optional(responses),
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
