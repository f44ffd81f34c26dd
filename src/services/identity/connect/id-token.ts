/** ID tokens: claims about the sign-in for a client, signed with the algorithm it chose. */
import { createHash } from "node:crypto";
import type { Context } from "#kernel/operation";
import { type Client, type IdTokenAlgorithm, sessionNameFor, subjectFor } from "../clients/index.ts";
import { findProfile } from "../people/index.ts";
import { claimsOf } from "./domain/claims.ts";
import { wishedClaims } from "./domain/claims-request.ts";
import type { Grant } from "./domain/grant.ts";
import { ID_TOKEN_SECONDS } from "./domain/lifetimes.ts";
import { errors } from "./errors.ts";
import {
  isSignedBy,
  isSignedWithSecret,
  type Payload,
  readJws,
  signJws,
  signWithSecret,
} from "./keys/jws.ts";
import type { State } from "./state.ts";
import type { Tables } from "./tables.ts";

type Db = Context<Tables, State>;
const TYPE = "JWT";

/** Left half of the hash that belongs to the signature's algorithm; Ed25519 signs with SHA-512. */
export function halfHashOf(alg: IdTokenAlgorithm, value: string): string {
  const digest = createHash(alg === "EdDSA" ? "sha512" : "sha256")
    .update(value)
    .digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

/**
 * Additional claims of the ID token: `all` claims of the scopes, or only the ones requested there by name.
 */
export async function claimsForIdToken(context: Db, grant: Grant, { all = false } = {}): Promise<Payload> {
  const wishes = grant.claims?.idToken ?? [];
  if (!all && wishes.length === 0) return {};
  const person = await findProfile(context.db, grant.userId);
  if (!person) return {};
  return { ...(all && claimsOf(person, grant.scopes)), ...wishedClaims(person, wishes) };
}

export type IdTokenExtras = {
  readonly accessToken?: string | undefined;
  readonly code?: string | undefined;
  /** Claims about the person: the ones requested here by name, or all if no access token is issued. */
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
    sub: await subjectFor(context, client, grant.userId),
    aud: client.clientId,
    iat,
    exp: iat + ID_TOKEN_SECONDS,
    auth_time: Math.floor(grant.authTimeMs / 1000),
    sid: await sessionNameFor(context, client, grant.sessionId),
    amr: grant.methods,
    nonce: grant.nonce,
    at_hash: accessToken === undefined ? undefined : halfHashOf(alg, accessToken),
    c_hash: code === undefined ? undefined : halfHashOf(alg, code),
  };
  return signForClient(context, client, TYPE, payload);
}

/** With the algorithm that the client chose. Not inside a transaction. */
export async function signForClient(
  context: Db,
  client: Client,
  type: string,
  payload: Payload,
): Promise<string> {
  const { idTokenAlgorithm: alg } = client.metadata;
  if (alg !== "HS256") return signJws(await context.state.keyRing.signer(context, alg), type, payload);
  if (client.secretSealed === undefined) throw errors.invalidClient("The client's secret is not at hand.");
  return signWithSecret(context.secrets.open(client.secretSealed), type, payload);
}

/** In the client's own words for them. */
export type Hint = { readonly subject: string; readonly sessionName: string | undefined };

/** An ID token shown back to us: genuine and for this client; whether it has expired does not matter. */
export async function findHint(context: Db, client: Client, token: string): Promise<Hint | undefined> {
  const read = readJws(token);
  if (!read || read.header.typ !== TYPE || read.payload.aud !== client.clientId) return undefined;
  if (!(await isGenuine(context, client, read))) return undefined;
  const { sub, sid } = read.payload;
  if (typeof sub !== "string") return undefined;
  return { subject: sub, sessionName: typeof sid === "string" ? sid : undefined };
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
  const verifier = await context.state.keyRing.findVerifier(context, read.header.kid);
  return verifier !== undefined && isSignedBy(verifier, read);
}

/** For a sign-out that names no client: the audience inside the (not yet believed) token does. */
export function audienceOf(token: string): string | undefined {
  const audience = readJws(token)?.payload.aud;
  return typeof audience === "string" ? audience : undefined;
}
