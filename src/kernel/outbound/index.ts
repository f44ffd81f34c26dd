/** All outgoing traffic: HTTP requests to other machines, and checked addresses for other protocols. */
export type { LookupAnswer, VettedAddress, VettedHost } from "./address-guard.ts";
export { isPrivateAddress } from "./address-ranges.ts";
export {
  type CertificateDescription,
  type ClientCertificate,
  describeClientCertificate,
} from "./client-tls.ts";
export { OutboundError, type OutboundFailureReason } from "./errors.ts";
export {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundRequest,
  type OutboundResponse,
} from "./outbound.ts";
export type { AnswerTaker, StreamedExchange } from "./streamed-exchange.ts";
export { parseTargetUrl } from "./target-url.ts";
