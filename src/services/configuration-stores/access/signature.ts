/** Requests signed with an access key: HMAC-SHA256 over method, URL, date, host and the hash of the body. */
import { createHmac, timingSafeEqual } from "node:crypto";

export type SignedCall = {
  readonly method: string;
  readonly pathAndQuery: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};
/** The signed text, and the declared hash of the body. */
export type CheckedText = { readonly text: string; readonly bodyHash: string };
export type Authorization = {
  readonly credential: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
};
/** The message is sent to the caller. Clients know its wording. */
export class SignatureProblem extends Error {}

const SCHEME = /^HMAC-SHA256\s+/i;
const DATE_HEADERS = ["x-ms-date", "x-vendor-date", "date"];
const HASH_HEADERS = ["x-ms-content-sha256", "x-vendor-content-sha256"];
const SKEW_MS_MAX = 15 * 60_000;
const SIGNED_HEADERS_MAX = 50;

export const isSigned = (header: string): boolean => SCHEME.test(header);

/** `Credential=…&SignedHeaders=…&Signature=…`. Some clients separate with commas. */
export function parseAuthorization(header: string): Authorization {
  const parts = new Map<string, string>();
  for (const part of header.replace(SCHEME, "").split(/&|,\s*/)) {
    const equals = part.indexOf("=");
    if (equals > 0) parts.set(part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim());
  }
  const required = (name: string): string => {
    const value = parts.get(name.toLowerCase());
    if (value === undefined || value === "") throw new SignatureProblem(`${name} is required`);
    return value;
  };
  const credential = required("Credential");
  const signedHeaders = required("SignedHeaders").toLowerCase().split(";");
  if (signedHeaders.length > SIGNED_HEADERS_MAX) throw new SignatureProblem("Too many signed headers");
  return { credential, signedHeaders, signature: required("Signature") };
}

const headerValue = (call: SignedCall, name: string): string | undefined => {
  const value = call.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
};

/** Checks everything that needs neither the key nor the body. */
export function checkedText(
  call: SignedCall,
  { signedHeaders }: Authorization,
  nowMs: number,
  parseInstant: (text: string) => number | undefined,
): CheckedText {
  const dateHeader = DATE_HEADERS.find((name) => headerValue(call, name) !== undefined);
  const atMs = dateHeader === undefined ? undefined : parseInstant(headerValue(call, dateHeader) ?? "");
  if (dateHeader === undefined || atMs === undefined) throw new SignatureProblem("Invalid access token date");
  if (Math.abs(nowMs - atMs) > SKEW_MS_MAX) throw new SignatureProblem("The access token has expired");
  const hashHeader =
    HASH_HEADERS.find((name) => headerValue(call, name) !== undefined) ?? "x-ms-content-sha256";
  for (const name of [dateHeader, "host", hashHeader])
    if (!signedHeaders.includes(name)) throw new SignatureProblem(`${name} is required as a signed header`);
  return { text: signedText(call, signedHeaders), bodyHash: headerValue(call, hashHeader) ?? "" };
}

function signedText(call: SignedCall, signedHeaders: readonly string[]): string {
  const values = signedHeaders.map((name) => {
    const value = headerValue(call, name);
    if (value === undefined) throw new SignatureProblem(`Signed request header '${name}' is not provided`);
    return value;
  });
  return `${call.method}\n${call.pathAndQuery}\n${values.join(";")}`;
}

/**
 * Alternative signed texts if the endpoint has a path. The public Python client signs the path relative to
 * the endpoint. Before 1.7, it also used the whole endpoint as host.
 */
export function textsBelowEndpoint(
  call: SignedCall,
  { signedHeaders }: Authorization,
  endpointPath: string,
): readonly string[] {
  if (endpointPath === "") return [];
  const below = { ...call, pathAndQuery: call.pathAndQuery.slice(endpointPath.length) };
  const host = `${headerValue(call, "host") ?? ""}${endpointPath}`;
  return [below, { ...below, headers: { ...call.headers, host } }].map((other) =>
    signedText(other, signedHeaders),
  );
}

/** `sha256`: in hexadecimal. */
export function checkBodyHash({ bodyHash }: CheckedText, sha256: string): void {
  if (bodyHash !== Buffer.from(sha256, "hex").toString("base64"))
    throw new SignatureProblem("The content hash does not match the body");
}

/** Compares in constant time. */
export function isSignedWith(secret: Uint8Array, text: string, signature: string): boolean {
  const expected = Buffer.from(createHmac("sha256", secret).update(text).digest("base64"));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
