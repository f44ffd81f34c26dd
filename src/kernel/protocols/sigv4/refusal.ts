/** Why a signed request is refused, and the error name of each reason. */

export type SigV4Failure =
  | "missingToken"
  | "incompleteSignature"
  | "unknownKey"
  | "badSessionToken"
  | "expiredToken"
  | "wrongScope"
  | "skewed"
  | "expired"
  | "unsignedHeader"
  | "unsupportedPayload"
  | "bodyHashMismatch"
  | "badSignature";

export type SigV4Errors = Readonly<Record<SigV4Failure, { name: string; status: 400 | 403 }>>;

/** The error name and status each failure has on the wire of a rest-json service. */
export const sigV4Errors: SigV4Errors = {
  missingToken: { name: "MissingAuthenticationTokenException", status: 403 },
  incompleteSignature: { name: "IncompleteSignatureException", status: 400 },
  unknownKey: { name: "UnrecognizedClientException", status: 403 },
  badSessionToken: { name: "UnrecognizedClientException", status: 403 },
  expiredToken: { name: "ExpiredTokenException", status: 403 },
  wrongScope: { name: "InvalidSignatureException", status: 403 },
  // On this name, clients correct their clock and retry, whether it was fast or slow.
  skewed: { name: "InvalidSignatureException", status: 403 },
  expired: { name: "InvalidSignatureException", status: 403 },
  unsignedHeader: { name: "InvalidSignatureException", status: 403 },
  unsupportedPayload: { name: "InvalidSignatureException", status: 403 },
  bodyHashMismatch: { name: "InvalidSignatureException", status: 403 },
  badSignature: { name: "InvalidSignatureException", status: 403 },
};

/** The same on the wire of a query service. */
export const queryErrors: SigV4Errors = {
  missingToken: { name: "MissingAuthenticationToken", status: 403 },
  incompleteSignature: { name: "IncompleteSignature", status: 400 },
  unknownKey: { name: "InvalidClientTokenId", status: 403 },
  badSessionToken: { name: "InvalidClientTokenId", status: 403 },
  expiredToken: { name: "ExpiredToken", status: 403 },
  wrongScope: { name: "SignatureDoesNotMatch", status: 403 },
  skewed: { name: "SignatureDoesNotMatch", status: 403 },
  expired: { name: "SignatureDoesNotMatch", status: 403 },
  unsignedHeader: { name: "SignatureDoesNotMatch", status: 403 },
  unsupportedPayload: { name: "SignatureDoesNotMatch", status: 403 },
  bodyHashMismatch: { name: "SignatureDoesNotMatch", status: 403 },
  badSignature: { name: "SignatureDoesNotMatch", status: 403 },
};

export type Refusal = { ok: false; reason: SigV4Failure; message: string };

export function refuse(reason: SigV4Failure, message: string): Refusal {
  return { ok: false, reason, message };
}

export function incomplete(message: string): Refusal {
  return refuse("incompleteSignature", message);
}

export function isRefusal(value: object): value is Refusal {
  return "reason" in value;
}
