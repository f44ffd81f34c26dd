/** Access tokens: signed, short-lived, verified without asking the database. */
import type { Context, Principal } from "#kernel/operation";
import type { ConnectTables } from "../tables.ts";
import type { Grant } from "./grants.ts";
import { perInstance } from "./instance.ts";
import { isSignedBy, readJws, signJws } from "./keys/jws.ts";
import { type KeyReader, keyRing } from "./keys/ring.ts";
import { ACCESS_TOKEN_SECONDS, OWNER_TOKEN_SECONDS } from "./lifetimes.ts";
import { liveClients } from "./live-clients.ts";
import { revocations } from "./revocations.ts";

type Db = Context<ConnectTables>;

const ACCESS = "at+jwt";
const OWNER = "owner+jwt";
const VERIFIED_KEPT_MAX = 20_000;

export type AccessClaims = {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly client_id: string;
  readonly account: string;
  readonly scope: string;
  readonly grant: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
};
/** An account owner at the dashboard: the credential they signed in with, for an hour. */
type OwnerClaims = {
  readonly account: string;
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly exp: number;
};
type Verified =
  | { readonly kind: "access"; readonly claims: AccessClaims; readonly principal: Principal }
  | { readonly kind: "owner"; readonly claims: OwnerClaims; readonly principal: Principal };

const verifiedTokens = perInstance(() => new Map<string, Verified>());

export type IssuedAccessToken = {
  readonly token: string;
  readonly expiresInSeconds: number;
  readonly expiresAtSeconds: number;
};
export async function issueAccessToken(context: Db, grant: Grant): Promise<IssuedAccessToken> {
  const { clock, ids, request } = context;
  const iat = Math.floor(clock.nowSeconds());
  const exp = iat + ACCESS_TOKEN_SECONDS;
  const claims: AccessClaims = {
    iss: request.mountUrl,
    sub: grant.userId,
    aud: request.mountUrl,
    client_id: grant.clientId,
    account: grant.account,
    scope: grant.scopes.join(" "),
    grant: grant.id,
    jti: ids.next("at"),
    iat,
    exp,
  };
  const token = await signJws(await keyRing(context).signer(context, "EdDSA"), ACCESS, claims);
  return { token, expiresInSeconds: ACCESS_TOKEN_SECONDS, expiresAtSeconds: exp };
}

export async function signOwnerToken(context: Db): Promise<string> {
  const { account, name, scopes } = context.principal;
  const exp = Math.floor(context.clock.nowSeconds()) + OWNER_TOKEN_SECONDS;
  const claims: OwnerClaims = { account, name, ...(scopes && { scopes }), exp };
  return signJws(await keyRing(context).signer(context, "EdDSA"), OWNER, claims);
}

/** The signature is checked once per token; time and revocation are checked every time. */
async function findVerified(context: KeyReader, token: string): Promise<Verified | undefined> {
  const kept = verifiedTokens(context);
  let verified = kept.get(token);
  if (verified === undefined) {
    verified = await verifySignature(context, token);
    if (verified === undefined) return undefined;
    if (kept.size >= VERIFIED_KEPT_MAX) kept.clear();
    kept.set(token, verified);
  }
  if (verified.claims.exp * 1000 <= context.clock.nowMs()) {
    kept.delete(token);
    return undefined;
  }
  return verified;
}
async function verifySignature(context: KeyReader, token: string): Promise<Verified | undefined> {
  const read = readJws(token);
  if (!read || (read.header.typ !== ACCESS && read.header.typ !== OWNER)) return undefined;
  const verifier = await keyRing(context).findVerifier(context, read.header.kid);
  if (!verifier || !isSignedBy(verifier, read)) return undefined;
  return read.header.typ === ACCESS
    ? asAccess(read.payload as AccessClaims)
    : asOwner(read.payload as OwnerClaims);
}
const asAccess = (claims: AccessClaims): Verified => ({
  kind: "access",
  claims,
  principal: {
    account: claims.account,
    name: claims.client_id,
    credentialKind: "token",
    admin: false,
    scopes: claims.scope.split(" "),
    subject: claims.sub,
  },
});
const asOwner = (claims: OwnerClaims): Verified => ({
  kind: "owner",
  claims,
  principal: {
    account: claims.account,
    name: claims.name,
    credentialKind: "owner",
    admin: false,
    ...(claims.scopes && { scopes: claims.scopes }),
  },
});

/** A token of ours that is good right now: signed, not expired, not revoked, of a client that is still there. */
export async function findAccessClaims(context: KeyReader, token: string): Promise<AccessClaims | undefined> {
  const verified = await findVerified(context, token);
  if (verified?.kind !== "access") return undefined;
  const revoked = revocations(context);
  const refreshing = revoked.refresh(context);
  if (refreshing) await refreshing;
  const { jti, grant, client_id } = verified.claims;
  if (revoked.has(`token:${jti}`) || revoked.has(`grant:${grant}`)) return undefined;
  const live = liveClients(context).has(context, client_id);
  return (live instanceof Promise ? await live : live) ? verified.claims : undefined;
}

/** Whom an access token speaks for, anywhere in Medley. */
export async function findTokenPrincipal(context: KeyReader, token: string): Promise<Principal | undefined> {
  const claims = await findAccessClaims(context, token);
  return claims && verifiedTokens(context).get(token)?.principal;
}
/** After state was cleared or loaded. */
export function forgetTokenState(instance: Pick<KeyReader, "clock">): void {
  revocations(instance).forget();
  liveClients(instance).forget();
}

/** Whom a dashboard cookie speaks for; honoured by the dashboard alone. */
export async function findOwnerPrincipal(context: KeyReader, token: string): Promise<Principal | undefined> {
  const verified = await findVerified(context, token);
  return verified?.kind === "owner" ? verified.principal : undefined;
}
