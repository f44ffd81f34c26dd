/** Access tokens: signed, short-lived, verified without asking the database. */
import type { Context, Principal } from "#kernel/operation";
import { type Client, isPairwise, subjectFor } from "../clients/index.ts";
import type { Grant } from "./domain/grant.ts";
import { ACCESS_TOKEN_SECONDS, OWNER_TOKEN_SECONDS } from "./domain/lifetimes.ts";
import { isSignedBy, readJws, signJws } from "./keys/jws.ts";
import type { State, TokenReader } from "./state.ts";
import type { Tables } from "./tables.ts";
import type { AccessClaims, AccessToken, OwnerClaims, Verified } from "./verified-tokens.ts";

type Db = Context<Tables, State>;

const ACCESS = "at+jwt";
const OWNER = "owner+jwt";

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
  const token = await signJws(await context.state.keyRing.signer(context, "EdDSA"), ACCESS, claims);
  return { token, expiresInSeconds: ACCESS_TOKEN_SECONDS, expiresAtSeconds: exp };
}

export async function signOwnerToken(
  context: Db,
  held: Pick<OwnerClaims, "credential" | "stamp">,
): Promise<string> {
  const exp = Math.floor(context.clock.nowSeconds()) + OWNER_TOKEN_SECONDS;
  const claims: OwnerClaims = { account: context.account, ...held, exp };
  return signJws(await context.state.keyRing.signer(context, "EdDSA"), OWNER, claims);
}

/** The signature is checked once per token; time and revocation are checked every time. */
async function findVerified(context: TokenReader, token: string): Promise<Verified | undefined> {
  const { verifiedTokens } = context.state;
  let verified = verifiedTokens.find(token);
  if (verified === undefined) {
    verified = await verifySignature(context, token);
    if (verified === undefined) return undefined;
    verifiedTokens.keep(token, verified);
  }
  const { exp } = verified.kind === "access" ? verified.token.claims : verified.claims;
  if (exp * 1000 <= context.clock.nowMs()) {
    verifiedTokens.drop(token);
    return undefined;
  }
  return verified;
}
async function verifySignature(context: TokenReader, token: string): Promise<Verified | undefined> {
  const read = readJws(token);
  if (!read || (read.header.typ !== ACCESS && read.header.typ !== OWNER)) return undefined;
  const verifier = await context.state.keyRing.findVerifier(context, read.header.kid);
  if (!verifier || !isSignedBy(verifier, read)) return undefined;
  return read.header.typ === ACCESS
    ? asAccess(context, read.payload as AccessClaims)
    : { kind: "owner", claims: read.payload as OwnerClaims };
}
/** Undefined where the person's id was sealed with another secret key. */
function findUserId({ secrets }: TokenReader, { sub, person }: AccessClaims): string | undefined {
  try {
    return person === undefined ? sub : secrets.open(person);
  } catch {
    return undefined;
  }
}
function asAccess(context: TokenReader, claims: AccessClaims): Verified | undefined {
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
export async function findAccessToken(context: TokenReader, token: string): Promise<AccessToken | undefined> {
  const verified = await findVerified(context, token);
  if (verified?.kind !== "access") return undefined;
  const { revocations, liveClients } = context.state;
  const refreshing = revocations.refresh(context);
  if (refreshing) await refreshing;
  const { jti, grant, client_id } = verified.token.claims;
  if (revocations.has(`token:${jti}`) || revocations.has(`grant:${grant}`)) return undefined;
  const live = liveClients.has(context, client_id);
  return (live instanceof Promise ? await live : live) ? verified.token : undefined;
}

/** The principal of an access token, valid in every service. */
export async function findTokenPrincipal(
  context: TokenReader,
  token: string,
): Promise<Principal | undefined> {
  const isGood = (await findAccessToken(context, token)) !== undefined;
  const verified = isGood ? context.state.verifiedTokens.find(token) : undefined;
  return verified?.kind === "access" ? verified.principal : undefined;
}

/** The claims of a dashboard cookie. `owner-token.ts` checks whether it is still valid. */
export async function findOwnerClaims(context: TokenReader, token: string): Promise<OwnerClaims | undefined> {
  const verified = await findVerified(context, token);
  return verified?.kind === "owner" ? verified.claims : undefined;
}
