/** Requests signed by an official signer, or by hand, and the ways to spoil them. */
import { createHash, createHmac } from "node:crypto";
import { Sha256 } from "@aws-crypto/sha256-js";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import { expect } from "vitest";
import {
  type AccessKey,
  checkBodyHash,
  type SignedRequest,
  verifySigV4,
} from "../../src/kernel/protocols/sigv4/verify.ts";

export const NOW_MS = Date.UTC(2025, 5, 15, 12, 0, 0);
export const MINUTE_MS = 60_000;
export const KEY: AccessKey = { id: "AKIDMEDLEY", secret: "a secret/with+signs" };
export const SESSION: AccessKey = {
  id: "ASIAMEDLEY",
  secret: "another",
  sessionToken: "token//with+signs==",
};
export const ARN_PATH = "/backup/tags/arn%3Aaws%3Abackup%3Aeu-west-1%3A123456789012%3Aplan%2Fone%20two/";

/** A request whose body is here already. */
export type Arrived = SignedRequest & { body: Buffer; hashBody(): string };
const sha256Of = (body: Buffer): string => createHash("sha256").update(body).digest("hex");
export const arrived = (request: Omit<SignedRequest, "hashBody">, body: Buffer): Arrived => ({
  ...request,
  body,
  hashBody() {
    return sha256Of(this.body);
  },
});

export type Query = Record<string, string | string[]>;
export type Draft = {
  method?: string;
  path?: string;
  query?: Query;
  headers?: Record<string, string>;
  body?: string;
  key?: AccessKey;
  atMs?: number;
  region?: string;
  service?: string;
};

export function signerOf({ key = KEY, region = "eu-west-1", service = "backup" }: Draft): SignatureV4 {
  const credentials = { accessKeyId: key.id, secretAccessKey: key.secret, sessionToken: key.sessionToken };
  return new SignatureV4({ service, region, credentials, sha256: Sha256 });
}

export function requestOf({
  method = "GET",
  path = "/backup/plans/",
  query = {},
  headers = {},
  body,
}: Draft) {
  const host = { host: "127.0.0.1:4020" };
  return new HttpRequest({ method, path, query, headers: { ...host, ...headers }, body });
}

export function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** As it would arrive: the query unsorted, and headers beside it that nobody signs. */
export function received(
  signed: Pick<HttpRequest, "method" | "path" | "headers" | "query">,
  body = "",
): Arrived {
  const parts = Object.entries(signed.query ?? {}).flatMap(([key, value]) =>
    [value ?? ""].flat().map((one) => `${encode(key)}=${encode(one)}`),
  );
  const rawHeaders = ["Connection", "keep-alive", "User-Agent", "test  client"];
  for (const [name, value] of Object.entries(signed.headers)) rawHeaders.push(name, value);
  const rawQuery = parts.reverse().join("&");
  const request = { method: signed.method, rawPath: signed.path, rawQuery, rawHeaders };
  return arrived(request, Buffer.from(body));
}

export async function sign(draft: Draft = {}): Promise<Arrived> {
  const signed = await signerOf(draft).sign(requestOf(draft), {
    signingDate: new Date(draft.atMs ?? NOW_MS),
  });
  return received(signed as HttpRequest, draft.body);
}

export async function presign(draft: Draft & { expiresIn?: number } = {}): Promise<Arrived> {
  const options = { signingDate: new Date(draft.atMs ?? NOW_MS), expiresIn: draft.expiresIn ?? 3600 };
  return received((await signerOf(draft).presign(requestOf(draft), options)) as HttpRequest, draft.body);
}

export function findKey(id: string): AccessKey | undefined {
  return [KEY, SESSION].find((key) => key.id === id);
}

export const options = { nowMs: NOW_MS, services: ["backup"], findKey };

export function reasonOf(request: Arrived, more: Partial<Parameters<typeof verifySigV4>[1]> = {}): string {
  const verification = verifySigV4(request, { ...options, ...more, findKey });
  const outcome = verification.ok
    ? (checkBodyHash(verification, { sha256: sha256Of(request.body) }) ?? verification)
    : verification;
  return outcome.ok ? "ok" : outcome.reason;
}

export function headerIndex(request: Arrived, name: string): number {
  return request.rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
}

export function withHeader(request: Arrived, name: string, change: (value: string) => string): Arrived {
  const index = headerIndex(request, name);
  expect(index, `${name} in ${request.rawHeaders}`).not.toBe(-1);
  return {
    ...request,
    rawHeaders: request.rawHeaders.with(index + 1, change(request.rawHeaders[index + 1] ?? "")),
  };
}

export function withoutHeader(request: Arrived, name: string): Arrived {
  return { ...request, rawHeaders: request.rawHeaders.toSpliced(headerIndex(request, name), 2) };
}

export function plusHeader(request: Arrived, name: string, value: string): Arrived {
  return { ...request, rawHeaders: [...request.rawHeaders, name, value] };
}

export function withQuery(request: Arrived, from: string | RegExp, to: string): Arrived {
  const rawQuery = request.rawQuery.replace(from, to);
  expect(rawQuery).not.toBe(request.rawQuery);
  return { ...request, rawQuery };
}

/** Signs texts written out by hand, for requests the official signer never makes. */
export function signByHand(canonicalRequest: string, timestamp: string): string {
  const scope = ["20250615", "eu-west-1", "backup", "aws4_request"];
  let key: Buffer = Buffer.from(`AWS4${KEY.secret}`);
  for (const step of scope) key = createHmac("sha256", key).update(step).digest();
  const digest = createHash("sha256").update(canonicalRequest).digest("hex");
  const text = `AWS4-HMAC-SHA256\n${timestamp}\n${scope.join("/")}\n${digest}`;
  return createHmac("sha256", key).update(text).digest("hex");
}

export const EMPTY_HASH = createHash("sha256").digest("hex");
export const CREDENTIAL = `Credential=${KEY.id}/20250615/eu-west-1/backup/aws4_request`;
