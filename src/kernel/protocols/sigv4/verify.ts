/** Verifies Signature Version 4 requests, signed in the Authorization header or presigned in the query. */
import { timingSafeEqual } from "node:crypto";
import {
  canonicalHeaders,
  canonicalPath,
  canonicalQuery,
  collectHeaders,
  findHeader,
  formatBasicTime,
  hmacSha256Hex,
  parseBasicTime,
  parseHttpTime,
  type QueryPair,
  queryPairsOf,
  rememberSigningKey,
  sha256Hex,
  signingKeyOf,
} from "./canonical.ts";

export type SignedRequest = {
  method: string;
  /** The path exactly as received, before `?`, with any mount prefix: the client signed that. */
  rawPath: string;
  /** What follows `?`, or "". */
  rawQuery: string;
  /** Names and values in turn, as Node's `rawHeaders` gives them. */
  rawHeaders: readonly string[];
  body: Uint8Array;
};

export type AccessKey = { id: string; secret: string; sessionToken?: string; expiresAtMs?: number };

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

/** The error name and status each failure has on the wire of a rest-json service. */
export const sigV4Errors: Readonly<Record<SigV4Failure, { name: string; status: 400 | 403 }>> = {
  missingToken: { name: "MissingAuthenticationTokenException", status: 403 },
  incompleteSignature: { name: "IncompleteSignatureException", status: 400 },
  unknownKey: { name: "UnrecognizedClientException", status: 403 },
  badSessionToken: { name: "UnrecognizedClientException", status: 403 },
  expiredToken: { name: "ExpiredTokenException", status: 403 },
  wrongScope: { name: "InvalidSignatureException", status: 403 },
  // Clients correct their clock and try again on this name, whichever side of the window they were on.
  skewed: { name: "InvalidSignatureException", status: 403 },
  expired: { name: "InvalidSignatureException", status: 403 },
  unsignedHeader: { name: "InvalidSignatureException", status: 403 },
  unsupportedPayload: { name: "InvalidSignatureException", status: 403 },
  bodyHashMismatch: { name: "InvalidSignatureException", status: 403 },
  badSignature: { name: "InvalidSignatureException", status: 403 },
};

type Refusal = { ok: false; reason: SigV4Failure; message: string };
export type Verification = { ok: true; accessKey: AccessKey; region: string; service: string } | Refusal;

type FoundKey = AccessKey | undefined;
export type VerifyOptions<Found extends FoundKey | Promise<FoundKey>> = {
  nowMs: number;
  /** The signing name the credential must be scoped to. */
  service: string;
  /** Regions a credential may be scoped to; any, unless said. */
  regions?: "any" | readonly string[];
  findKey(id: string): Found;
  skewMsMax?: number;
  /**
   * Resolves `.`, `..` and empty path segments before comparing. Off by default: routes match the path as
   * received, so the signature must cover that very path and not another one that resolves to the same.
   */
  normalizePath?: boolean;
};

type Settings = Omit<VerifyOptions<FoundKey>, "findKey">;

const ALGORITHM = "AWS4-HMAC-SHA256";
const TERMINATOR = "aws4_request";
const SKEW_MS_MAX = 15 * 60 * 1000;
const EXPIRES_SECONDS_MAX = 7 * 24 * 60 * 60;
const STATEMENTS_MAX = 256;
const UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";

const HEX_DIGEST = /^[0-9a-f]{64}$/;
const REGION = /^[A-Za-z0-9-]{1,64}$/;
const EXPIRES_SECONDS = /^[1-9]\d{0,5}$/;

type Scope = { keyId: string; date: string; region: string; service: string; terminator: string };

/** Who signed, and which headers. */
type Statement = { credential: string; scope: Scope; signedHeaders: string; signedNames: readonly string[] };

/** What the caller says of the signature, wherever it was written. */
type Claim = {
  presigned: boolean;
  statement: Statement;
  signature: string;
  timestamp: string;
  signedAtMs: number;
  /** Only a presigned request has one. */
  goodForMs?: number;
  sessionToken: string;
  payload: string | undefined;
};

type Reading = {
  request: SignedRequest;
  headers: ReadonlyMap<string, string>;
  pairs: readonly QueryPair[];
  claim: Claim;
};

function refuse(reason: SigV4Failure, message: string): Refusal {
  return { ok: false, reason, message };
}

function incomplete(message: string): Refusal {
  return refuse("incompleteSignature", message);
}

function isRefusal(value: object): value is Refusal {
  return "reason" in value;
}

function readHeaderTime(
  headers: ReadonlyMap<string, string>,
): { timestamp: string; signedAtMs: number } | Refusal {
  const text = findHeader(headers, "x-amz-date") ?? findHeader(headers, "date");
  if (text === undefined) {
    return incomplete("A signed request needs an 'X-Amz-Date' or a 'Date' header.");
  }
  const basicMs = parseBasicTime(text);
  if (basicMs !== undefined) return { timestamp: text, signedAtMs: basicMs };
  const httpMs = headers.has("x-amz-date") ? undefined : parseHttpTime(text);
  if (httpMs !== undefined) return { timestamp: formatBasicTime(httpMs), signedAtMs: httpMs };
  return incomplete(`The request's date '${text}' is not of the form YYYYMMDDTHHMMSSZ.`);
}

function readScope(credential: string): Scope | Refusal {
  const parts = credential.split("/");
  const [keyId, date, region, service, terminator] = parts;
  if (parts.length !== 5 || !keyId || !date || !region || !service || !terminator) {
    return incomplete(`Credential must read keyId/date/region/service/${TERMINATOR}.`);
  }
  return { keyId, date, region, service, terminator };
}

function readStatement(credential: string, signedHeaders: string): Statement | Refusal {
  const scope = readScope(credential);
  if (isRefusal(scope)) return scope;
  const signedNames = signedHeaders.split(";");
  if (signedNames.some((name, index) => name <= (signedNames[index - 1] ?? ""))) {
    return incomplete("SignedHeaders must be names in ascending order, each once, joined by ';'.");
  }
  return { credential, scope, signedHeaders, signedNames };
}

function parseAuthorization(text: string): Statement | Refusal {
  const values = new Map<string, string>();
  for (const part of text.slice(ALGORITHM.length).split(",")) {
    const trimmed = part.trim();
    if (trimmed === "") continue;
    const equals = trimmed.indexOf("=");
    const name = trimmed.slice(0, Math.max(equals, 0));
    if ((name !== "Credential" && name !== "SignedHeaders") || values.has(name)) {
      return incomplete(
        "The Authorization header must list Credential, SignedHeaders, Signature, each once.",
      );
    }
    values.set(name, trimmed.slice(equals + 1));
  }
  const credential = values.get("Credential");
  const signedHeaders = values.get("SignedHeaders");
  if (!credential) return incomplete("The Authorization header lacks a Credential.");
  if (!signedHeaders) return incomplete("The Authorization header lacks SignedHeaders.");
  return readStatement(credential, signedHeaders);
}

/** A client repeats all of its Authorization header but the signature, so that part is read once. */
const statements = new Map<string, Statement>();

function rememberStatement(text: string, statement: Statement | Refusal): Statement | Refusal {
  if (isRefusal(statement)) return statement;
  if (statements.size >= STATEMENTS_MAX) statements.clear();
  statements.set(text, statement);
  return statement;
}

function readAuthorization(authorization: string): { statement: Statement; signature: string } | Refusal {
  if (!authorization.startsWith(`${ALGORITHM} `)) {
    return incomplete(`The Authorization header must begin with the algorithm ${ALGORITHM}.`);
  }
  const start = authorization.lastIndexOf("Signature=");
  if (start === -1) return incomplete("The Authorization header lacks a Signature.");
  const comma = authorization.indexOf(",", start);
  const end = comma === -1 ? authorization.length : comma;
  const text = authorization.slice(0, start) + authorization.slice(end + 1);
  const statement = statements.get(text) ?? rememberStatement(text, parseAuthorization(text));
  if (isRefusal(statement)) return statement;
  return { statement, signature: authorization.slice(start + "Signature=".length, end).trim() };
}

function readHeaderClaim(headers: ReadonlyMap<string, string>, authorization: string): Claim | Refusal {
  const read = readAuthorization(authorization);
  if (isRefusal(read)) return read;
  const time = readHeaderTime(headers);
  if (isRefusal(time)) return time;
  return {
    presigned: false,
    statement: read.statement,
    signature: read.signature,
    timestamp: time.timestamp,
    signedAtMs: time.signedAtMs,
    sessionToken: findHeader(headers, "x-amz-security-token") ?? "",
    payload: findHeader(headers, "x-amz-content-sha256"),
  };
}

function decodeQueryValue(value: string): string | undefined {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** The signing parameters by lower-case name; clients spell those they moved out of headers in lower case. */
function readSigningParameters(pairs: readonly QueryPair[]): Map<string, string> | Refusal {
  const parameters = new Map<string, string>();
  for (const pair of pairs) {
    const name = pair.key.toLowerCase();
    if (!name.startsWith("x-amz-")) continue;
    const value = decodeQueryValue(pair.value);
    if (value === undefined || parameters.has(name)) {
      return incomplete(`Query parameter '${pair.key}' must occur once and hold UTF-8 text.`);
    }
    parameters.set(name, value);
  }
  return parameters;
}

const PRESIGNED_PARTS = [
  "X-Amz-Algorithm",
  "X-Amz-Credential",
  "X-Amz-Date",
  "X-Amz-Expires",
  "X-Amz-SignedHeaders",
  "X-Amz-Signature",
] as const;

function readPresignedClaim(
  headers: ReadonlyMap<string, string>,
  pairs: readonly QueryPair[],
): Claim | Refusal {
  const parameters = readSigningParameters(pairs);
  if (isRefusal(parameters)) return parameters;
  const parameter = (name: string) => parameters.get(name.toLowerCase()) ?? "";
  const absent = PRESIGNED_PARTS.filter((name) => parameter(name) === "");
  if (absent.length > 0) {
    return incomplete(`The query of a presigned request lacks ${absent.join(", ")}.`);
  }
  if (parameter("X-Amz-Algorithm") !== ALGORITHM) {
    return incomplete(`X-Amz-Algorithm must be ${ALGORITHM}.`);
  }
  const statement = readStatement(parameter("X-Amz-Credential"), parameter("X-Amz-SignedHeaders"));
  if (isRefusal(statement)) return statement;
  const timestamp = parameter("X-Amz-Date");
  const signedAtMs = parseBasicTime(timestamp);
  if (signedAtMs === undefined) {
    return incomplete("X-Amz-Date must be of the form YYYYMMDDTHHMMSSZ.");
  }
  const expires = parameter("X-Amz-Expires");
  if (!EXPIRES_SECONDS.test(expires) || Number(expires) > EXPIRES_SECONDS_MAX) {
    return incomplete(`X-Amz-Expires must be 1 to ${EXPIRES_SECONDS_MAX} seconds.`);
  }
  return {
    presigned: true,
    statement,
    signature: parameter("X-Amz-Signature"),
    timestamp,
    signedAtMs,
    goodForMs: Number(expires) * 1000,
    sessionToken: parameters.get("x-amz-security-token") ?? findHeader(headers, "x-amz-security-token") ?? "",
    payload: findHeader(headers, "x-amz-content-sha256") ?? parameters.get("x-amz-content-sha256"),
  };
}

function readClaim(headers: ReadonlyMap<string, string>, pairs: readonly QueryPair[]): Claim | Refusal {
  const authorization = headers.get("authorization")?.trimStart();
  const presigned = pairs.some(({ key }) => key === "X-Amz-Algorithm" || key === "X-Amz-Signature");
  if (authorization !== undefined) {
    if (!presigned) return readHeaderClaim(headers, authorization);
    return incomplete("Sign in the Authorization header or in the query, not in both.");
  }
  if (presigned) return readPresignedClaim(headers, pairs);
  return refuse("missingToken", "The request carries no authentication token.");
}

function checkScope(
  { statement: { scope }, timestamp }: Claim,
  service: string,
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
  if (scope.service !== service) {
    return refuse("wrongScope", `The credential is scoped to service '${scope.service}', not '${service}'.`);
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

function checkPayloadForm(payload: string | undefined): Refusal | undefined {
  if (payload === undefined || payload === UNSIGNED_PAYLOAD || HEX_DIGEST.test(payload)) return undefined;
  if (payload.startsWith("STREAMING-")) {
    return refuse("unsupportedPayload", "Payloads signed in chunks (STREAMING-…) are not supported.");
  }
  return refuse("bodyHashMismatch", `X-Amz-Content-Sha256 must be a SHA-256 in hex or ${UNSIGNED_PAYLOAD}.`);
}

function isSameSecret(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  if (expected === "") return true;
  const givenBytes = Buffer.from(given, "utf8");
  const expectedBytes = Buffer.from(expected, "utf8");
  return givenBytes.length === expectedBytes.length && timingSafeEqual(givenBytes, expectedBytes);
}

function canonicalRequestOf(reading: Reading, normalizePath: boolean): string {
  const { request, headers, pairs, claim } = reading;
  const path = canonicalPath(request.rawPath, normalizePath);
  const query = canonicalQuery(pairs, claim.presigned ? "X-Amz-Signature" : undefined);
  const payload = claim.payload ?? sha256Hex(request.body);
  const { signedHeaders, signedNames } = claim.statement;
  const lines = canonicalHeaders(headers, signedNames);
  return `${request.method}\n${path}\n${query}\n${lines}\n${signedHeaders}\n${payload}`;
}

function refuseSignature(accessKey: AccessKey, canonicalRequest: string, stringToSign: string): Refusal {
  const message =
    "The signature does not match the one calculated here. Check the secret key and the way of signing.";
  // Both texts show a signer's mistake at once, but they would repeat a session token into logs.
  if (accessKey.sessionToken !== undefined) return refuse("badSignature", message);
  return refuse(
    "badSignature",
    `${message}\n\nCanonical request here:\n'${canonicalRequest}'\n\nString to sign here:\n'${stringToSign}'`,
  );
}

function checkKey(reading: Reading, accessKey: FoundKey, options: Settings): Verification {
  const { claim } = reading;
  const { credential, scope } = claim.statement;
  if (accessKey === undefined) {
    return refuse("unknownKey", "The access key id in the request is not known.");
  }
  if (!isSameSecret(claim.sessionToken, accessKey.sessionToken ?? "")) {
    return refuse("badSessionToken", "The security token in the request does not belong to its access key.");
  }
  const canonicalRequest = canonicalRequestOf(reading, options.normalizePath ?? false);
  const scopeText = credential.slice(scope.keyId.length + 1);
  const stringToSign = `${ALGORITHM}\n${claim.timestamp}\n${scopeText}\n${sha256Hex(canonicalRequest)}`;
  const signingKey = signingKeyOf(credential, accessKey.secret);
  if (!isSameSecret(claim.signature, hmacSha256Hex(signingKey, stringToSign))) {
    return refuseSignature(accessKey, canonicalRequest, stringToSign);
  }
  rememberSigningKey(credential, accessKey.secret, signingKey);
  // Told last, so that only the holder of a key learns that it has ended or that its body was changed.
  if (accessKey.expiresAtMs !== undefined && accessKey.expiresAtMs <= options.nowMs) {
    return refuse("expiredToken", "The security token in the request has expired.");
  }
  const { payload } = claim;
  if (payload !== undefined && payload !== UNSIGNED_PAYLOAD && payload !== sha256Hex(reading.request.body)) {
    return refuse("bodyHashMismatch", "X-Amz-Content-Sha256 is not the SHA-256 of the body that arrived.");
  }
  return { ok: true, accessKey, region: scope.region, service: scope.service };
}

function readRequest(request: SignedRequest, options: Settings): Reading | Refusal {
  const headers = collectHeaders(request.rawHeaders);
  const pairs = queryPairsOf(request.rawQuery);
  const claim = readClaim(headers, pairs);
  if (isRefusal(claim)) return claim;
  const refusal =
    checkScope(claim, options.service, options.regions ?? "any") ??
    checkTime(claim, options.nowMs, options.skewMsMax ?? SKEW_MS_MAX) ??
    checkSignedHeaders(headers, claim.statement.signedNames) ??
    checkPayloadForm(claim.payload);
  return refusal ?? { request, headers, pairs, claim };
}

/** Answers at once when `findKey` does. */
export function verifySigV4(request: SignedRequest, options: VerifyOptions<FoundKey>): Verification;
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
