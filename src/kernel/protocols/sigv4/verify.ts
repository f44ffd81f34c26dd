/** Verifies Signature Version 4 requests, signed in the Authorization header or presigned in the query. */
import { timingSafeEqual } from "node:crypto";
import {
  canonicalHeaders,
  canonicalPath,
  canonicalQuery,
  collectHeaders,
  formatBasicTime,
  hmacSha256Hex,
  type QueryPair,
  queryPairsOf,
  rememberSigningKey,
  sha256Hex,
  signingKeyOf,
} from "./canonical.ts";
import { ALGORITHM, type Claim, readClaim, TERMINATOR } from "./claim.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";

export type SignedRequest = {
  method: string;
  /** The path exactly as received, before `?`, with any mount prefix: the client signed that. */
  rawPath: string;
  /** What follows `?`, or "". */
  rawQuery: string;
  /** Names and values in turn, as Node's `rawHeaders` gives them. */
  rawHeaders: readonly string[];
  /** SHA-256 of the body in hex. Called only if the signature covers the body and no header has the hash. */
  hashBody(): string | Promise<string>;
};

export type AccessKey = { id: string; secret: string; sessionToken?: string; expiresAtMs?: number };

export type Verified = {
  ok: true;
  accessKey: AccessKey;
  region: string;
  service: string;
  /** The required SHA-256 of the body; absent if it is verified already, or was left unsigned. */
  bodySha256?: string;
};
export type Verification = Verified | Refusal;

type FoundKey = AccessKey | undefined;
export type VerifyOptions<Found extends FoundKey | Promise<FoundKey>> = {
  /** On the clock that callers sign by. */
  nowMs: number;
  /** On the clock that session keys expire by; the same, unless said. */
  keysNowMs?: number;
  /** The credential must be scoped to one of these signing names. */
  services: readonly string[];
  /** Regions that a credential may be scoped to; default any. */
  regions?: "any" | readonly string[];
  findKey(id: string): Found;
  skewMsMax?: number;
  /** Whether the body may be unsigned. Only object stores allow that. */
  allowsUnsignedPayload?: boolean;
};

type Settings = Omit<VerifyOptions<FoundKey>, "findKey">;

const SKEW_MS_MAX = 15 * 60 * 1000;
const UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";

const HEX_DIGEST = /^[0-9a-f]{64}$/;
const REGION = /^[A-Za-z0-9-]{1,64}$/;

type Reading = {
  request: SignedRequest;
  headers: ReadonlyMap<string, string>;
  pairs: readonly QueryPair[];
  claim: Claim;
};

function checkScope(
  { statement: { scope }, timestamp }: Claim,
  services: readonly string[],
  regions: "any" | readonly string[],
): Refusal | undefined {
  if (scope.terminator !== TERMINATOR) {
    return refuse("wrongScope", `The credential scope ends in '${scope.terminator}', not '${TERMINATOR}'.`);
  }
  if (scope.date !== timestamp.slice(0, 8)) {
    return refuse("wrongScope", `The credential scope is dated ${scope.date}, the request ${timestamp}.`);
  }
  if (!REGION.test(scope.region) || (regions !== "any" && !regions.includes(scope.region))) {
    return refuse("wrongScope", `The credential is scoped to '${scope.region}', which is no valid region.`);
  }
  if (!services.includes(scope.service)) {
    const names = services.map((name) => `'${name}'`).join(" or ");
    return refuse("wrongScope", `The credential is scoped to service '${scope.service}', not ${names}.`);
  }
  return undefined;
}

function checkTime(claim: Claim, nowMs: number, skewMsMax: number): Refusal | undefined {
  const { timestamp, signedAtMs, goodForMs } = claim;
  if (signedAtMs - nowMs > skewMsMax) {
    return refuse(
      "skewed",
      `Signature not yet current: dated ${timestamp}, now is ${formatBasicTime(nowMs)}.`,
    );
  }
  const untilMs = signedAtMs + (goodForMs ?? skewMsMax);
  if (nowMs <= untilMs) return undefined;
  return refuse(
    goodForMs === undefined ? "skewed" : "expired",
    `Signature expired: dated ${timestamp}, good until ${formatBasicTime(untilMs)}, now is ${formatBasicTime(nowMs)}.`,
  );
}

function checkSignedHeaders(
  headers: ReadonlyMap<string, string>,
  signedNames: readonly string[],
): Refusal | undefined {
  for (const name of signedNames) {
    if (!headers.has(name)) {
      return refuse("badSignature", `Header '${name}' is signed but did not arrive with the request.`);
    }
  }
  if (!signedNames.includes("host")) return refuse("unsignedHeader", "The 'host' header must be signed.");
  for (const name of headers.keys()) {
    if (name.startsWith("x-amz-") && !signedNames.includes(name)) {
      return refuse("unsignedHeader", `Header '${name}' is in the request but was not signed.`);
    }
  }
  return undefined;
}

function checkPayloadForm(payload: string | undefined, allowsUnsigned: boolean): Refusal | undefined {
  if (payload === undefined || HEX_DIGEST.test(payload)) return undefined;
  if (payload === UNSIGNED_PAYLOAD) {
    if (allowsUnsigned) return undefined;
    return refuse("unsupportedPayload", `The body must be signed: ${UNSIGNED_PAYLOAD} is not accepted here.`);
  }
  if (payload.startsWith("STREAMING-")) {
    return refuse("unsupportedPayload", "Payloads signed in chunks (STREAMING-…) are not supported.");
  }
  return refuse("bodyHashMismatch", "X-Amz-Content-Sha256 must be a SHA-256 in hex.");
}

function isSameSecret(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  if (expected === "") return true;
  const givenBytes = Buffer.from(given, "utf8");
  const expectedBytes = Buffer.from(expected, "utf8");
  return givenBytes.length === expectedBytes.length && timingSafeEqual(givenBytes, expectedBytes);
}

function canonicalRequestOf(reading: Reading, payload: string): string {
  const { request, headers, pairs, claim } = reading;
  const path = canonicalPath(request.rawPath);
  const query = canonicalQuery(pairs, claim.presigned ? "X-Amz-Signature" : undefined);
  const { signedHeaders, signedNames } = claim.statement;
  const lines = canonicalHeaders(headers, signedNames);
  return `${request.method}\n${path}\n${query}\n${lines}\n${signedHeaders}\n${payload}`;
}

function refuseSignature(accessKey: AccessKey, canonicalRequest: string, stringToSign: string): Refusal {
  const message =
    "The signature does not match the one calculated here. Check the secret key and the way of signing.";
  // Both texts would help to find a mistake of the signer, but would repeat a session token into logs.
  if (accessKey.sessionToken !== undefined) return refuse("badSignature", message);
  return refuse(
    "badSignature",
    `${message}\n\nCanonical request here:\n'${canonicalRequest}'\n\nString to sign here:\n'${stringToSign}'`,
  );
}

function checkKey(
  reading: Reading,
  accessKey: FoundKey,
  options: Settings,
): Verification | Promise<Verification> {
  const { claim, request } = reading;
  if (accessKey === undefined) {
    return refuse("unknownKey", "The access key id in the request is not known.");
  }
  if (!isSameSecret(claim.sessionToken, accessKey.sessionToken ?? "")) {
    return refuse("badSessionToken", "The security token in the request does not belong to its access key.");
  }
  const payload = claim.payload ?? request.hashBody();
  if (typeof payload === "string") return checkSignature(reading, accessKey, payload, options);
  return payload.then((hash) => checkSignature(reading, accessKey, hash, options));
}

function checkSignature(
  reading: Reading,
  accessKey: AccessKey,
  payload: string,
  options: Settings,
): Verification {
  const { claim } = reading;
  const { credential, scope } = claim.statement;
  const canonicalRequest = canonicalRequestOf(reading, payload);
  const scopeText = credential.slice(scope.keyId.length + 1);
  const stringToSign = `${ALGORITHM}\n${claim.timestamp}\n${scopeText}\n${sha256Hex(canonicalRequest)}`;
  const signingKey = signingKeyOf(credential, accessKey.secret);
  if (!isSameSecret(claim.signature, hmacSha256Hex(signingKey, stringToSign))) {
    return refuseSignature(accessKey, canonicalRequest, stringToSign);
  }
  rememberSigningKey(credential, accessKey.secret, signingKey);
  // Told last, so that only the holder of a key learns that it has ended.
  if (accessKey.expiresAtMs !== undefined && accessKey.expiresAtMs <= (options.keysNowMs ?? options.nowMs)) {
    return refuse("expiredToken", "The security token in the request has expired.");
  }
  const told = claim.payload !== undefined && claim.payload !== UNSIGNED_PAYLOAD;
  return {
    ok: true,
    accessKey,
    region: scope.region,
    service: scope.service,
    ...(told && { bodySha256: payload }),
  };
}

/** The only check that waits for the body. */
export function checkBodyHash({ bodySha256 }: Verified, body: { sha256: string }): Refusal | undefined {
  if (bodySha256 === undefined || bodySha256 === body.sha256) return undefined;
  return refuse("bodyHashMismatch", "X-Amz-Content-Sha256 is not the SHA-256 of the body that arrived.");
}

function readRequest(request: SignedRequest, options: Settings): Reading | Refusal {
  const headers = collectHeaders(request.rawHeaders);
  const pairs = queryPairsOf(request.rawQuery);
  const claim = readClaim(headers, pairs);
  if (isRefusal(claim)) return claim;
  const refusal =
    checkScope(claim, options.services, options.regions ?? "any") ??
    checkTime(claim, options.nowMs, options.skewMsMax ?? SKEW_MS_MAX) ??
    checkSignedHeaders(headers, claim.statement.signedNames) ??
    checkPayloadForm(claim.payload, options.allowsUnsignedPayload ?? false);
  return refusal ?? { request, headers, pairs, claim };
}

/** Synchronous if `findKey` is, and `hashBody` where it is called. */
export function verifySigV4(
  request: SignedRequest & { hashBody(): string },
  options: VerifyOptions<FoundKey>,
): Verification;
export function verifySigV4(
  request: SignedRequest,
  options: VerifyOptions<FoundKey | Promise<FoundKey>>,
): Verification | Promise<Verification>;
export function verifySigV4(
  request: SignedRequest,
  options: VerifyOptions<FoundKey | Promise<FoundKey>>,
): Verification | Promise<Verification> {
  const reading = readRequest(request, options);
  if (isRefusal(reading)) return reading;
  const found = options.findKey(reading.claim.statement.scope.keyId);
  if (found instanceof Promise) return found.then((accessKey) => checkKey(reading, accessKey, options));
  return checkKey(reading, found, options);
}
