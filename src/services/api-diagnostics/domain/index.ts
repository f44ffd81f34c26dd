/** Gateway decisions about a call, without database or network access. */
export { Breaker, type BreakerRule, durationMsOf, type Ending, FAILURE_REASONS } from "./breaker.ts";
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
  DocumentError,
  type ImportFormat,
  type NamedOperation,
  OPERATIONS_MAX,
  type OperationDetails,
  readDescription,
  type Schemas,
  writeOpenApi,
} from "./openapi/index.ts";
export * from "./policies/index.ts";
export { isRevisionNumber, revisionName, revisionOf } from "./revision.ts";
export {
  findApi,
  findOperation,
  matchedBy,
  type Routed,
  type RoutedOperation,
  segmentsOf,
  templateSegments,
} from "./routing.ts";
