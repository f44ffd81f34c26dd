/** Diagnostics and API management instances as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import { oneOf, proxyAnswer, tagChanges, trackedAnswer, trackedBody } from "#kernel/resource-provider";

const BODY_BYTES_MAX = 8192;
const HEADERS_MAX = 100;

const message = Type.Object({
  body: Type.Optional(
    Type.Object({ bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: BODY_BYTES_MAX })) }),
  ),
  headers: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: HEADERS_MAX }),
  ),
});
const pipeline = Type.Object({ request: Type.Optional(message), response: Type.Optional(message) });
const loggerId = Type.String({ minLength: 1, maxLength: 1024 });
const settings = {
  alwaysLog: Type.Optional(oneOf("allErrors")),
  backend: Type.Optional(pipeline),
  frontend: Type.Optional(pipeline),
  httpCorrelationProtocol: Type.Optional(oneOf("None", "Legacy", "W3C")),
  logClientIp: Type.Optional(Type.Boolean()),
  sampling: Type.Optional(
    Type.Object({
      percentage: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
      samplingType: Type.Optional(oneOf("fixed")),
    }),
  ),
  verbosity: Type.Optional(oneOf("verbose", "information", "error")),
};
const diagnosticProperties = Type.Object({ loggerId, ...settings });
export type DiagnosticProperties = Static<typeof diagnosticProperties>;

export const diagnosticBody = Type.Object({ properties: diagnosticProperties });
/** The whole shape again; what is left out stays. */
export const diagnosticPatch = Type.Object({
  properties: Type.Optional(Type.Object({ loggerId: Type.Optional(loggerId), ...settings })),
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
const instanceProperties = Type.Object({ ...contact, gatewayUrl: Type.Optional(Type.String()) });
export type InstanceProperties = Static<typeof instanceProperties>;

export const instanceBody = trackedBody({ sku, properties: Type.Object(contact) });
export const instancePatch = Type.Object({
  tags: Type.Optional(tagChanges),
  sku: Type.Optional(sku),
  properties: Type.Optional(Type.Partial(Type.Object(contact))),
});
export const instanceAnswer = trackedAnswer({
  sku,
  properties: Type.Object({ ...instanceProperties.properties, provisioningState: Type.String() }),
});
