/** Checks the method and headers of a request, and makes the headers that are really sent. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import { HOP_BY_HOP } from "../operation/passing-head.ts";
import { OutboundError } from "./errors.ts";

const HEADERS_MAX = 100;
const HEADER_BYTES_MAX = 32 * 1024;

/** Headers of a single connection, or set by us. A caller's value could desynchronise or misroute the request. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([...HOP_BY_HOP, "accept-encoding", "content-length"]);

export type BasicCredentials = {
  readonly username: string;
  readonly password: string;
};

/** CONNECT would open a tunnel and TRACE would echo credentials. */
export function parseMethod(method: string): string {
  const known = method.toUpperCase();
  if (!/^[!#$%&'*+.^_`|~0-9A-Z-]{1,32}$/.test(known) || known === "CONNECT" || known === "TRACE") {
    throw badRequest("The method of the request is not allowed.");
  }
  return known;
}

export function requestHeaders(input: {
  readonly headers: Readonly<Record<string, string>>;
  readonly basic: BasicCredentials | undefined;
  readonly userAgent: string;
  readonly acceptEncoding: string | undefined;
}): Record<string, string> {
  const entries = Object.entries(input.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (entries.length > HEADERS_MAX) throw badRequest(`The request has more than ${HEADERS_MAX} headers.`);
  let byteCount = 0;
  for (const [name, value] of entries) {
    assertHeader(name, value);
    byteCount += name.length + value.length;
  }
  if (byteCount > HEADER_BYTES_MAX) {
    throw badRequest(`The headers of the request are longer than ${HEADER_BYTES_MAX} bytes.`);
  }
  const dropped = new Set([...CONNECTION_HEADERS, ...namedByConnection(entries)]);
  const kept = Object.fromEntries(entries.filter(([name]) => !dropped.has(name)));
  const headers = {
    "user-agent": input.userAgent,
    ...kept,
    "accept-encoding": input.acceptEncoding ?? "identity",
  };
  return input.basic ? { ...headers, authorization: basicAuthorization(input.basic) } : headers;
}

function assertHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (error) {
    const shownName = JSON.stringify(name.slice(0, 60));
    throw badRequest(`The header ${shownName} contains characters that headers cannot carry.`, error);
  }
}

function namedByConnection(entries: readonly (readonly [string, string])[]): string[] {
  return entries
    .filter(([name]) => name === "connection")
    .flatMap(([, value]) => value.split(","))
    .map((name) => name.trim().toLowerCase());
}

function basicAuthorization(basic: BasicCredentials): string {
  if (basic.username.includes(":")) throw badRequest("The user name must not contain a colon.");
  return `Basic ${Buffer.from(`${basic.username}:${basic.password}`, "utf8").toString("base64")}`;
}

function badRequest(message: string, cause?: unknown): OutboundError {
  return new OutboundError("badRequest", message, { cause });
}
