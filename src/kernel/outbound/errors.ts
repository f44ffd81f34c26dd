/** The closed list of ways in which a request to another machine can fail. */

export type OutboundFailureReason =
  | "refusedAddress"
  | "badUrl"
  | "badRequest"
  | "unresolvable"
  | "connectFailed"
  | "timeout"
  | "tooLarge"
  | "tooManyRedirects"
  | "tls";

export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly reason: OutboundFailureReason;

  constructor(reason: OutboundFailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
