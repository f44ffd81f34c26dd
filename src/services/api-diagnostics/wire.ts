/** Diagnostics and API management instances as clients spell them. */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { oneOf, proxyAnswer, tagChanges, trackedAnswer, trackedBody } from "#kernel/resource-provider";

const BODY_BYTES_MAX = 8192;
const HEADERS_MAX = 100;

/** In a PATCH, null takes a setting away. */
const removable = (schema: TSchema): TSchema => Type.Optional(Type.Union([schema, Type.Null()]));

const loggerId = Type.String({ minLength: 1, maxLength: 1024 });
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
const diagnosticProperties = Type.Object({ loggerId, ...settingsWith(Type.Optional) });

export const diagnosticBody = Type.Object({ properties: diagnosticProperties });
/** The whole shape again; what is left out stays. */
export const diagnosticPatch = Type.Object({
  properties: Type.Optional(Type.Object({ loggerId: Type.Optional(loggerId), ...settingsWith(removable) })),
});
export const diagnostic = proxyAnswer({ properties: diagnosticProperties });
export const diagnosticFilter = Type.Object({ $filter: Type.Optional(Type.String({ maxLength: 4000 })) });

const sku = Type.Object({
  name: oneOf("Developer", "Standard", "Premium", "Basic", "Consumption"),
  capacity: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
});
const contact = {
  publisherEmail: Type.String({ minLength: 1, maxLength: 100 }),
  publisherName: Type.String({ minLength: 1, maxLength: 100 }),
};
export type InstanceProperties = { readonly publisherEmail: string; readonly publisherName: string };

export const instanceBody = trackedBody({ sku, properties: Type.Object(contact) });
export const instancePatch = Type.Object({
  tags: Type.Optional(tagChanges),
  sku: Type.Optional(sku),
  properties: Type.Optional(Type.Partial(Type.Object(contact))),
});
export const instanceAnswer = trackedAnswer({
  sku,
  properties: Type.Object({ ...contact, gatewayUrl: Type.String(), provisioningState: Type.String() }),
});
