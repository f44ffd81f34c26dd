/** What of a request's head is between two neighbours only, and is not handed on. */
import type { IncomingMessage } from "node:http";

export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "host",
]);
/** Whatever else the sender says to be meant for its neighbour. */
export function namedByConnection({ connection }: IncomingMessage["headers"]): readonly string[] {
  return connection === undefined || connection === "keep-alive"
    ? []
    : connection.split(",").map((name) => name.trim().toLowerCase());
}
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
