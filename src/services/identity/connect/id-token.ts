/** ID tokens: what a client is told about who signed in, signed the way it chose. */
import { createHash } from "node:crypto";
import type { Context } from "#kernel/operation";
import type { Client } from "../clients/client.ts";
import type { IdTokenAlgorithm } from "../clients/metadata.ts";
import { errors } from "../errors.ts";
import type { ConnectTables } from "../tables.ts";
import type { Grant } from "./grants.ts";
import {
  isSignedBy,
  isSignedWithSecret,
  type Payload,
  readJws,
  signJws,
  signWithSecret,
} from "./keys/jws.ts";
import { keyRing } from "./keys/ring.ts";
import { ID_TOKEN_SECONDS } from "./lifetimes.ts";

type Db = Context<ConnectTables>;
const TYPE = "JWT";

/** Left half of the hash that belongs to the signature's algorithm; Ed25519 signs with SHA-512. */
export function halfHashOf(alg: IdTokenAlgorithm, value: string): string {
  const digest = createHash(alg === "EdDSA" ? "sha512" : "sha256")
    .update(value)
    .digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

export type IdTokenExtras = {
  readonly accessToken?: string | undefined;
  readonly code?: string | undefined;
  /** Claims about the person, where no access token is issued to fetch them with. */
  readonly personClaims?: Payload;
};

export async function issueIdToken(
  context: Db,
  client: Client,
  grant: Grant,
  { accessToken, code, personClaims }: IdTokenExtras,
): Promise<string> {
  const { clock, request } = context;
  const { idTokenAlgorithm: alg } = client.metadata;
  const iat = Math.floor(clock.nowSeconds());
  const payload: Payload = {
    ...personClaims,
    iss: request.mountUrl,
    sub: grant.userId,
    aud: client.clientId,
    iat,
    exp: iat + ID_TOKEN_SECONDS,
    auth_time: Math.floor(grant.authTimeMs / 1000),
    sid: grant.sessionId,
    amr: grant.methods,
    nonce: grant.nonce,
    at_hash: accessToken === undefined ? undefined : halfHashOf(alg, accessToken),
    c_hash: code === undefined ? undefined : halfHashOf(alg, code),
  };
  if (alg !== "HS256") return signJws(await keyRing(context).signer(context, alg), TYPE, payload);
  if (client.secretSealed === undefined) throw errors.invalidClient("The client's secret is not at hand.");
  return signWithSecret(context.secrets.open(client.secretSealed), TYPE, payload);
}

export type Hint = { readonly userId: string; readonly sessionId: string | undefined };

/** An ID token shown back to us: genuine and for this client; whether it has expired does not matter. */
export async function findHint(context: Db, client: Client, token: string): Promise<Hint | undefined> {
  const read = readJws(token);
  if (!read || read.header.typ !== TYPE || read.payload.aud !== client.clientId) return undefined;
  if (!(await isGenuine(context, client, read))) return undefined;
  const { sub, sid } = read.payload;
  if (typeof sub !== "string") return undefined;
  return { userId: sub, sessionId: typeof sid === "string" ? sid : undefined };
}
async function isGenuine(
  context: Db,
  client: Client,
  read: NonNullable<ReturnType<typeof readJws>>,
): Promise<boolean> {
  if (read.header.alg === "HS256")
    return (
      client.secretSealed !== undefined && isSignedWithSecret(context.secrets.open(client.secretSealed), read)
    );
  const verifier = await keyRing(context).findVerifier(context, read.header.kid);
  return verifier !== undefined && isSignedBy(verifier, read);
}

/** For a sign-out that names no client: the audience inside the (not yet believed) token does. */
export function audienceOf(token: string): string | undefined {
  const audience = readJws(token)?.payload.aud;
  return typeof audience === "string" ? audience : undefined;
}
