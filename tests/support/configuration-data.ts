/** Signed requests to a store's own endpoint, made without the code under test. */
import { createHash, createHmac } from "node:crypto";
import type { Instance, Sent } from "./medley.ts";

export type AccessKey = { readonly id: string; readonly value: string };
export type SignedOptions = {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly date?: Date;
  /** Sent instead of what was signed. */
  readonly tamper?: { readonly path?: string; readonly body?: string; readonly authorization?: string };
};

export function signedHeaders(
  key: AccessKey,
  method: string,
  url: URL,
  body: string,
  date: Date,
): Record<string, string> {
  const hash = createHash("sha256").update(body).digest("base64");
  const at = date.toUTCString();
  const text = `${method}\n${url.pathname}${url.search}\n${at};${url.host};${hash}`;
  const signature = createHmac("sha256", Buffer.from(key.value, "base64")).update(text).digest("base64");
  return {
    "x-ms-date": at,
    "x-ms-content-sha256": hash,
    authorization: `HMAC-SHA256 Credential=${key.id}&SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`,
  };
}

export function sendSigned(
  instance: Instance,
  key: AccessKey,
  method: string,
  path: string,
  { body, headers = {}, date = new Date(), tamper = {} }: SignedOptions = {},
): Promise<Sent> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const signed = signedHeaders(key, method, new URL(`${instance.url}${path}`), text, date);
  const sent = tamper.body ?? text;
  return instance.send(method, tamper.path ?? path, {
    ...(sent !== "" && { body: sent }),
    headers: {
      ...(sent !== "" && { "content-type": "application/vnd.microsoft.appconfig.kv+json" }),
      ...signed,
      ...(tamper.authorization !== undefined && { authorization: tamper.authorization }),
      ...headers,
    },
  });
}
