/** What a gateway decides about a call, free of databases and connections. */
export { type Correlation, correlate, sampleAt } from "./correlation.ts";
export {
  bytesWanted,
  type Decision,
  type DiagnosticProperties,
  decide,
  protocolOf,
} from "./diagnostic.ts";
export { filterFields } from "./filter-fields.ts";
export { type Call, type CallError, gatewayLogOf } from "./gateway-log.ts";
export { BodySample } from "./masking.ts";
export {
  findApi,
  findOperation,
  type Routed,
  type RoutedOperation,
  segmentsOf,
  templateSegments,
} from "./routing.ts";
