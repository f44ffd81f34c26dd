/** Compact JSON Web Signatures: made with the fastest means Node has, checked strictly. */

import { createHmac, type KeyObject, sign, timingSafeEqual, verify } from "node:crypto";
import { makeRoom } from "#kernel/memory";
import type { SigningAlgorithm } from "../../clients/index.ts";

export type Payload = Record<string, unknown>;
export type Signer = {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly privateKey: KeyObject;
};
export type Verifier = { readonly alg: SigningAlgorithm; readonly publicKey: KeyObject };

const TOKEN_LENGTH_MAX = 8192;
const encode = (part: Payload): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** On another thread: even the fastest signature takes longer than all the rest of a token. */
const signatureOf = ({ alg, privateKey }: Signer, data: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    sign(
      alg === "EdDSA" ? null : "sha256",
      data,
      { key: privateKey, dsaEncoding: "ieee-p1363" },
      (error, signature) => (error ? reject(error) : resolve(signature)),
    ),
  );

/** The same for every token of a kind and key, so encoded once. */
const heads = new Map<string, string>();
const HEADS_KEPT_MAX = 1000;
function headOf({ alg, kid }: Signer, typ: string): string {
  const name = `${typ} ${kid}`;
  const known = heads.get(name);
  if (known !== undefined) return known;
  makeRoom(heads, HEADS_KEPT_MAX);
  const head = encode({ alg, typ, kid });
  heads.set(name, head);
  return head;
}

export async function signJws(signer: Signer, typ: string, payload: Payload): Promise<string> {
  const text = `${headOf(signer, typ)}.${encode(payload)}`;
  const signature = await signatureOf(signer, Buffer.from(text));
  return `${text}.${signature.toString("base64url")}`;
}

export function signWithSecret(secret: string, typ: string, payload: Payload): string {
  const text = `${encode({ alg: "HS256", typ })}.${encode(payload)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
export function isSignedWithSecret(secret: string, { signed, signature }: ReadJws): boolean {
  const expected = createHmac("sha256", secret).update(signed).digest();
  return expected.length === signature.length && timingSafeEqual(expected, signature);
}

export type ReadJws = {
  readonly header: { readonly alg?: unknown; readonly typ?: unknown; readonly kid?: unknown };
  readonly payload: Payload;
  readonly signed: string;
  readonly signature: Buffer;
};

/** Returns undefined if it is not a JWS. Its content must not be trusted before `isSignedBy`. */
export function readJws(token: string): ReadJws | undefined {
  if (token.length > TOKEN_LENGTH_MAX || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
  const [head = "", body = "", tail = ""] = token.split(".");
  try {
    const header: unknown = JSON.parse(Buffer.from(head, "base64url").toString());
    const payload: unknown = JSON.parse(Buffer.from(body, "base64url").toString());
    if (!isObject(header) || !isObject(payload)) return undefined;
    return { header, payload, signed: `${head}.${body}`, signature: Buffer.from(tail, "base64url") };
  } catch {
    return undefined;
  }
}
const isObject = (value: unknown): value is Payload =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** The algorithm is the key's, whatever the header claims. */
export function isSignedBy({ alg, publicKey }: Verifier, { header, signed, signature }: ReadJws): boolean {
  if (header.alg !== alg) return false;
  const data = Buffer.from(signed);
  if (alg === "EdDSA") return verify(null, data, publicKey, signature);
  if (alg === "ES256")
    return verify("sha256", data, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature);
  return verify("sha256", data, publicKey, signature);
}
