/** Grants: the access that a person gave to a client, with the authorization code until it is exchanged. */
import { digestOf } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import type { Client } from "../clients/index.ts";
import type { BrowserSession } from "../people/index.ts";
import type { AuthorizationRequest } from "./domain/authorization-request.ts";
import { type ClaimsRequest, grantedClaims, scopesAmong } from "./domain/claims-request.ts";
import type { Grant } from "./domain/grant.ts";
import { ACCESS_TOKEN_SECONDS, CODE_SECONDS } from "./domain/lifetimes.ts";
import { rememberClient } from "./sign-outs/sessions.ts";
import type { State } from "./state.ts";
import * as store from "./store/grants.ts";
import type { GrantRow, Tables } from "./tables.ts";

type Db = Context<Tables, State>;
const CODE_LENGTH = 43;

const grantOf = (row: GrantRow): Grant => ({
  id: row.id,
  account: row.account,
  clientId: row.client_id,
  userId: row.user_id,
  sessionId: row.session_id,
  scopes: JSON.parse(row.scopes),
  authTimeMs: row.auth_time,
  methods: JSON.parse(row.methods),
  nonce: row.nonce ?? undefined,
  claims: row.claims === null ? undefined : JSON.parse(row.claims),
});

/** `agreed`: scopes, and claims that none of them opens. Needs a transaction. */
export async function createGrant(
  context: Db,
  client: Client,
  session: BrowserSession,
  request: AuthorizationRequest,
  agreed: readonly string[],
): Promise<{ grant: Grant; code: string | undefined }> {
  const { db, ids, clock } = context;
  const claims = grantedClaims(request.claims, agreed);
  const nowMs = clock.nowMs();
  const withCode = request.responseType.split(" ").includes("code");
  const code = withCode ? ids.secret(CODE_LENGTH) : undefined;
  const row: GrantRow = {
    id: ids.next("grant"),
    account: client.account,
    client_id: client.clientId,
    user_id: session.userId,
    session_id: session.id,
    scopes: JSON.stringify(scopesAmong(agreed)),
    auth_time: session.authTimeMs,
    methods: JSON.stringify(session.methods),
    redirect_uri: request.redirectUri,
    nonce: request.nonce ?? null,
    claims: claims ? JSON.stringify(claims) : null,
    code_digest: code === undefined ? null : digestOf(code),
    code_challenge: request.codeChallenge ?? null,
    code_challenge_method: request.codeChallenge === undefined ? null : request.codeChallengeMethod,
    code_expires_at: code === undefined ? null : nowMs + CODE_SECONDS * 1000,
    code_used_at: null,
    created_at: nowMs,
    expires_at: nowMs + (CODE_SECONDS + ACCESS_TOKEN_SECONDS) * 1000,
  };
  await store.insertGrant(db, row);
  await rememberClient(context, client, session);
  return { grant: grantOf(row), code };
}

/** Of a person who showed their password to a client's own form: there is no browser session behind it. Needs a transaction. */
export async function insertPlainGrant(
  { db, ids, clock }: Db,
  client: Client,
  userId: string,
  scopes: readonly string[],
  seconds: number,
): Promise<Grant> {
  const nowMs = clock.nowMs();
  const row: GrantRow = {
    id: ids.next("grant"),
    account: client.account,
    client_id: client.clientId,
    user_id: userId,
    session_id: "",
    scopes: JSON.stringify(scopes),
    auth_time: nowMs,
    methods: JSON.stringify(["pwd"]),
    redirect_uri: "",
    nonce: null,
    claims: null,
    code_digest: null,
    code_challenge: null,
    code_challenge_method: null,
    code_expires_at: null,
    code_used_at: null,
    created_at: nowMs,
    expires_at: nowMs + seconds * 1000,
  };
  await store.insertGrant(db, row);
  return grantOf(row);
}

export type Redemption =
  | { readonly outcome: "ok"; readonly grant: Grant }
  | { readonly outcome: "refused"; readonly reason: string };
const refused = (reason: string): Redemption => ({ outcome: "refused", reason });

/**
 * Uses a code up. A code that was used before has been stolen by somebody: everything issued for it is revoked.
 * A code shown by another client, or with another redirect, stays good for its owner. Needs a transaction.
 */
export async function redeemCode(
  context: Db,
  client: Client,
  shown: { readonly code: string; readonly redirectUri: string; readonly codeVerifier: string | undefined },
  isVerified: (challenge: string, method: string, verifier: string) => boolean,
): Promise<Redemption> {
  const { db, clock } = context;
  const nowMs = clock.nowMs();
  const row = await store.findGrantByCode(db, digestOf(shown.code));
  if (!row || row.client_id !== client.clientId) return refused("The code is not valid.");
  if (row.code_used_at !== null) {
    await revokeGrant(context, row);
    return refused("The code has been used before. All tokens issued for it are revoked.");
  }
  if ((row.code_expires_at ?? 0) <= nowMs) return refused("The code has expired.");
  if (row.redirect_uri !== shown.redirectUri)
    return refused("The redirect_uri is not the one that the code was sent to.");
  const problem = findVerifierProblem(row, shown.codeVerifier, isVerified);
  if (problem !== undefined) return refused(problem);
  await store.markCodeUsed(db, row.id, nowMs, nowMs + ACCESS_TOKEN_SECONDS * 1000);
  return { outcome: "ok", grant: grantOf(row) };
}

function findVerifierProblem(
  row: GrantRow,
  verifier: string | undefined,
  isVerified: (challenge: string, method: string, verifier: string) => boolean,
): string | undefined {
  if (row.code_challenge === null)
    return verifier === undefined ? undefined : "A code_verifier was sent, but no code_challenge before it.";
  if (verifier === undefined) return "The code_verifier is missing.";
  return isVerified(row.code_challenge, row.code_challenge_method ?? "plain", verifier)
    ? undefined
    : "The code_verifier does not fit the code_challenge.";
}

async function revokeGrant(context: Db, row: GrantRow): Promise<void> {
  await revokeSubject(context, `grant:${row.id}`, row.account, row.expires_at);
  await store.deleteGrant(context.db, row.id);
}
/** Needs a transaction. */
export async function revokeSubject(
  context: Db,
  subject: string,
  account: string,
  expiresAtMs: number,
): Promise<void> {
  await store.insertRevocation(context.db, {
    subject,
    account,
    revoked_at: context.clock.machineNowMs(),
    expires_at: expiresAtMs,
  });
  context.afterCommit(() => context.state.revocations.markChanged());
}

/**
 * Everything issued to a client (to all clients when absent) in a person's name stops working. For "connected
 * applications: remove" and for deleted people. Needs a transaction.
 */
export async function revokeGrants(
  context: Db,
  { userId, clientId }: { readonly userId: string; readonly clientId?: string },
): Promise<void> {
  const whose = { userId, ...(clientId !== undefined && { clientId }) };
  await store.revokeGrantsOf(context.db, whose, context.clock.machineNowMs());
  context.afterCommit(() => context.state.revocations.markChanged());
}

/** The claims requested by name for userinfo, if the access token says that there are any. */
export async function findNamedClaims(db: Db["db"], grantId: string): Promise<ClaimsRequest["userinfo"]> {
  const row = await store.findGrant(db, grantId);
  return row ? (grantOf(row).claims?.userinfo ?? []) : [];
}

/** Deletes the codes of a deleted client. Its tokens are already invalid. Needs a transaction. */
export async function forgetGrantsOfClient(context: Db, clientId: string): Promise<void> {
  await store.deleteGrantsOfClient(context.db, clientId);
  context.afterCommit(() => context.state.liveClients.forget());
}
