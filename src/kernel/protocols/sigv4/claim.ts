/** Reads the signature of a request, from the Authorization header or from the query. Verifies nothing. */
import { makeRoom } from "../../memory/index.ts";
import { findHeader, formatBasicTime, parseBasicTime, parseHttpTime, type QueryPair } from "./canonical.ts";
import { incomplete, isRefusal, type Refusal, refuse } from "./refusal.ts";

export const ALGORITHM = "AWS4-HMAC-SHA256";
export const TERMINATOR = "aws4_request";
const EXPIRES_SECONDS_MAX = 7 * 24 * 60 * 60;
const STATEMENTS_MAX = 256;
const EXPIRES_SECONDS = /^[1-9]\d{0,5}$/;

type Scope = { keyId: string; date: string; region: string; service: string; terminator: string };

/** Who signed, and which headers. */
type Statement = { credential: string; scope: Scope; signedHeaders: string; signedNames: readonly string[] };

/** What the caller claims about the signature, wherever it was written. */
export type Claim = {
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

/** A client repeats all of its Authorization header but the signature, so that part is parsed once. */
const statements = new Map<string, Statement>();

function rememberStatement(text: string, statement: Statement | Refusal): Statement | Refusal {
  if (isRefusal(statement)) return statement;
  makeRoom(statements, STATEMENTS_MAX);
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

export function readClaim(
  headers: ReadonlyMap<string, string>,
  pairs: readonly QueryPair[],
): Claim | Refusal {
  const authorization = headers.get("authorization")?.trimStart();
  const presigned = pairs.some(({ key }) => key === "X-Amz-Algorithm" || key === "X-Amz-Signature");
  if (authorization !== undefined) {
    if (!presigned) return readHeaderClaim(headers, authorization);
    return incomplete("Sign in the Authorization header or in the query, not in both.");
  }
  if (presigned) return readPresignedClaim(headers, pairs);
  return refuse("missingToken", "The request carries no authentication token.");
}
