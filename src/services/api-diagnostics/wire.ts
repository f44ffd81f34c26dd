/** Diagnostics and API management instances as clients spell them. */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { oneOf, proxyAnswer, tagChanges, trackedAnswer, trackedBody } from "#kernel/resource-provider";

const BODY_BYTES_MAX = 8192;
const HEADERS_MAX = 100;

/** In a PATCH, null takes a setting away. */
const removable = (schema: TSchema): TSchema => Type.Optional(Type.Union([schema, Type.Null()]));

const loggerId = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: "The identifier of the logger that gets the records.",
  examples: ["/loggers/applicationinsights"],
});
const settingsWords = { description: "What is logged of each call, how much of it, and where to." };
function settingsWith(optional: (schema: TSchema) => TSchema): TProperties {
  const message = Type.Object({
    body: optional(Type.Object({ bytes: optional(Type.Integer({ minimum: 0, maximum: BODY_BYTES_MAX })) })),
    headers: optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: HEADERS_MAX })),
  });
  const pipeline = Type.Object({ request: optional(message), response: optional(message) });
  return {
    alwaysLog: optional(oneOf("allErrors")),
    backend: optional(pipeline),
    frontend: optional(pipeline),
    httpCorrelationProtocol: optional(oneOf("None", "Legacy", "W3C")),
    logClientIp: optional(Type.Boolean()),
    sampling: optional(
      Type.Object({
        percentage: optional(Type.Number({ minimum: 0, maximum: 100 })),
        samplingType: optional(oneOf("fixed")),
      }),
    ),
    verbosity: optional(oneOf("verbose", "information", "error")),
  };
}
const diagnosticProperties = Type.Object({ loggerId, ...settingsWith(Type.Optional) }, settingsWords);

export const diagnosticBody = Type.Object({ properties: diagnosticProperties });
/** The whole shape again; what is left out stays. */
export const diagnosticPatch = Type.Object({
  properties: Type.Optional(
    Type.Object({ loggerId: Type.Optional(loggerId), ...settingsWith(removable) }, settingsWords),
  ),
});
export const diagnostic = proxyAnswer({ properties: diagnosticProperties });
export const diagnosticFilter = Type.Object({
  $filter: Type.Optional(
    Type.String({
      maxLength: 4000,
      description: "Which diagnostics to list, by their names, as an OData expression.",
      examples: ["name eq 'applicationinsights'"],
    }),
  ),
});

const sku = Type.Object(
  {
    name: oneOf("Developer", "Standard", "Premium", "Basic", "Consumption"),
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
  properties: Type.Object({ ...contact, gatewayUrl: Type.String(), provisioningState: Type.String() }),
});
