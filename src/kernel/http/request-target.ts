/** What a request asks for: a path, or a whole address as clients send it that take this server for a proxy. */
import type { IncomingMessage } from "node:http";

const ADDRESS = /^https?:\/\/([^/?#]+)(\/?)(.*)$/is;

/**
 * False if the request names neither path nor address. A whole address becomes a path, and its host takes the place of
 * the Host header (RFC 9112, section 3.2.2).
 */
export function takesTarget(request: IncomingMessage): boolean {
  const { url = "/", method, headers, rawHeaders } = request;
  if (url.startsWith("/")) return true;
  if (url === "*") return method === "OPTIONS";
  const [, host, , rest = ""] = ADDRESS.exec(url) ?? [];
  if (host === undefined) return false;
  request.url = `/${rest}`;
  headers.host = host;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === "host") rawHeaders[index + 1] = host;
  return true;
}
