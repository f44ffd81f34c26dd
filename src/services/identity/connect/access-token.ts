/** Access tokens: signed, short-lived, verified without asking the database. */
import type { Context, Principal } from "#kernel/operation";
import type { Client } from "../clients/client.ts";
import type { ConnectTables } from "../tables.ts";
import type { Grant } from "./grants.ts";
import { perInstance } from "./instance.ts";
import { isSignedBy, readJws, signJws } from "./keys/jws.ts";
import { type KeyReader, keyRing } from "./keys/ring.ts";
import { ACCESS_TOKEN_SECONDS, OWNER_TOKEN_SECONDS } from "./lifetimes.ts";
import { liveClients } from "./live-clients.ts";
import { revocations } from "./revocations.ts";
import { isPairwise, subjectFor } from "./subjects.ts";

type Db = Context<ConnectTables>;

const ACCESS = "at+jwt";
const OWNER = "owner+jwt";
const VERIFIED_KEPT_MAX = 20_000;

export type AccessClaims = {
  readonly iss: string;
  /** What the client calls the person, which need not be their id. */
  readonly sub: string;
  /** The person's id, sealed, where the client must not know it. */
  readonly person?: string;
  /** Claims were asked for by name; the grant knows which. */
  readonly named_claims?: true;
  readonly aud: string;
  readonly client_id: string;
  readonly account: string;
  readonly scope: string;
  readonly grant: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
};
/** An account owner at the dashboard, for an hour: the credential they signed in with, sealed, and how it was then. */
type OwnerClaims = {
  readonly account: string;
  readonly credential: string;
  readonly stamp: string;
  readonly exp: number;
};
type Verified =
  | { readonly kind: "access"; readonly token: AccessToken; readonly principal: Principal }
  | { readonly kind: "owner"; readonly claims: OwnerClaims };

/** `userId`: whom it speaks for, whatever `sub` says. */
export type AccessToken = { readonly claims: AccessClaims; readonly userId: string };

const verifiedTokens = perInstance(() => new Map<string, Verified>());

export type IssuedAccessToken = {
  readonly token: string;
  readonly expiresInSeconds: number;
  readonly expiresAtSeconds: number;
};
export async function issueAccessToken(
  context: Db,
  client: Client,
  grant: Grant,
): Promise<IssuedAccessToken> {
  const { clock, ids, request } = context;
  const iat = Math.floor(clock.nowSeconds());
  const exp = iat + ACCESS_TOKEN_SECONDS;
  const claims: AccessClaims = {
    iss: request.mountUrl,
    sub: await subjectFor(context, client, grant.userId),
    ...(isPairwise(client) && { person: context.secrets.seal(grant.userId) }),
    ...((grant.claims?.userinfo.length ?? 0) > 0 && { named_claims: true }),
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

export async function signOwnerToken(
  context: Db,
  held: Pick<OwnerClaims, "credential" | "stamp">,
): Promise<string> {
  const exp = Math.floor(context.clock.nowSeconds()) + OWNER_TOKEN_SECONDS;
  const claims: OwnerClaims = { account: context.account, ...held, exp };
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
  const { exp } = verified.kind === "access" ? verified.token.claims : verified.claims;
  if (exp * 1000 <= context.clock.nowMs()) {
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
    ? asAccess(context, read.payload as AccessClaims)
    : { kind: "owner", claims: read.payload as OwnerClaims };
}
/** Undefined where the person's id was sealed with another secret key. */
function findUserId({ secrets }: KeyReader, { sub, person }: AccessClaims): string | undefined {
  try {
    return person === undefined ? sub : secrets.open(person);
  } catch {
    return undefined;
  }
}
function asAccess(context: KeyReader, claims: AccessClaims): Verified | undefined {
  const userId = findUserId(context, claims);
  if (userId === undefined) return undefined;
  return {
    kind: "access",
    token: { claims, userId },
    principal: {
      account: claims.account,
      name: claims.client_id,
      credentialKind: "token",
      admin: false,
      scopes: claims.scope.split(" "),
      subject: userId,
    },
  };
}
/** A token of ours that is good right now: signed, not expired, not revoked, of a client that is still there. */
export async function findAccessToken(context: KeyReader, token: string): Promise<AccessToken | undefined> {
  const verified = await findVerified(context, token);
  if (verified?.kind !== "access") return undefined;
  const revoked = revocations(context);
  const refreshing = revoked.refresh(context);
  if (refreshing) await refreshing;
  const { jti, grant, client_id } = verified.token.claims;
  if (revoked.has(`token:${jti}`) || revoked.has(`grant:${grant}`)) return undefined;
  const live = liveClients(context).has(context, client_id);
  return (live instanceof Promise ? await live : live) ? verified.token : undefined;
}

/** Whom an access token speaks for, anywhere in Medley. */
export async function findTokenPrincipal(context: KeyReader, token: string): Promise<Principal | undefined> {
  const isGood = (await findAccessToken(context, token)) !== undefined;
  const verified = isGood ? verifiedTokens(context).get(token) : undefined;
  return verified?.kind === "access" ? verified.principal : undefined;
}
/** After state was cleared or loaded. */
export function forgetTokenState(instance: Pick<KeyReader, "clock">): void {
  revocations(instance).forget();
  liveClients(instance).forget();
}

/** What a dashboard cookie says; `owner-token.ts` asks whether it still holds. */
export async function findOwnerClaims(context: KeyReader, token: string): Promise<OwnerClaims | undefined> {
  const verified = await findVerified(context, token);
  return verified?.kind === "owner" ? verified.claims : undefined;
}
