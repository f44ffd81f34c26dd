/**
 * Requests of the benchmark as values: `headers` are a function of the address where they sign it, and `body` is one where each
 * request has its own.
 */
import { signedHeaders } from "./load.mjs";
import { requestBytes } from "./rounds.mjs";

export const json = { "content-type": "application/json" };

/** A signed request. With a body of its own for each request, the signature leaves the body out. */
export const signed = (service, method, path, body) => ({
  method,
  path,
  headers: (base, text) => ({
    ...signedHeaders(service, method, `${base}${path}`, text, {
      unsignedPayload: typeof body === "function",
    }),
    ...(body !== undefined && json),
  }),
  body,
});

/** Makes the texts of requests to this server; a signature is made once and serves them all. */
export function textsOf({ url }, { method, path, headers = {}, body = "" }) {
  const isSame = typeof body !== "function";
  const first = isSame ? body : body();
  const options = { method, headers: typeof headers === "function" ? headers(url, first) : headers };
  const once = requestBytes(`${url}${path}`, { ...options, body: first });
  return isSame ? () => once : () => requestBytes(`${url}${path}`, { ...options, body: body() });
}
/** One request; the parsed answer. */
export async function ask({ url }, { method = "GET", path, headers = {}, body }) {
  const text = typeof body === "function" ? body() : body;
  const own = typeof headers === "function" ? headers(url, text) : headers;
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: own,
    ...(text !== undefined && { body: text }),
  });
  const received = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${received}`);
  return received === "" || !received.startsWith("{") ? undefined : JSON.parse(received);
}
