/** Answers to bytes that are no request: they belong to no service whose error shape could be used. */
import type { IncomingMessage } from "node:http";
import { takesTarget } from "./request-target.ts";

type Refusal = { readonly status: number; readonly reason: string; readonly message: string };

const VERSIONS: ReadonlySet<string> = new Set(["1.0", "1.1"]);
const TOO_LARGE: Refusal = {
  status: 431,
  reason: "Request Header Fields Too Large",
  message: "The request head is too large.",
};
const TOO_LATE: Refusal = {
  status: 408,
  reason: "Request Timeout",
  message: "The request did not arrive in time.",
};
const NOT_HTTP: Refusal = { status: 400, reason: "Bad Request", message: "The request is not valid HTTP." };
const OTHER_VERSION: Refusal = {
  status: 505,
  reason: "HTTP Version Not Supported",
  message: "Only HTTP/1.0 and HTTP/1.1 are understood here.",
};
const OTHER_TARGET: Refusal = {
  status: 400,
  reason: "Bad Request",
  message: "The request names neither a path nor an http or https address.",
};
const NO_TUNNEL: Refusal = {
  status: 405,
  reason: "Method Not Allowed",
  message: "This server opens no tunnels: CONNECT is not allowed.",
};

const bodyOf = ({ reason, message }: Refusal): string =>
  JSON.stringify({ error: { code: reason.replaceAll(" ", ""), message } });

/** The whole answer to a request that the parser refused; undefined if the caller has announced to send no more. */
export function answerToBroken(code: string | undefined): string | undefined {
  if (code === "HPE_CLOSED_CONNECTION") return undefined;
  const refusal =
    code === "HPE_HEADER_OVERFLOW" ? TOO_LARGE : code === "ERR_HTTP_REQUEST_TIMEOUT" ? TOO_LATE : NOT_HTTP;
  return answerOf(refusal);
}
function answerOf(refusal: Refusal, ...more: string[]): string {
  const body = bodyOf(refusal);
  const head = [
    `HTTP/1.1 ${refusal.status} ${refusal.reason}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    ...more,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
/** RFC 9110: an answer of 405 names the methods that are allowed. */
export const ANSWER_TO_CONNECT = answerOf(NO_TUNNEL, "Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");

/** The parser also accepts HTTP/0.9 and HTTP/2.0, whose rules for the length of a request differ, and any target. */
export function refusalOf(request: IncomingMessage) {
  const refusal = !VERSIONS.has(request.httpVersion)
    ? OTHER_VERSION
    : takesTarget(request)
      ? undefined
      : OTHER_TARGET;
  if (!refusal) return undefined;
  const headers = { "content-type": "application/json", connection: "close" };
  const outgoing = { status: refusal.status, contentType: undefined, headers, body: bodyOf(refusal) };
  return { headers, outgoing };
}
