/** Requests that wait for a person. Each is tied to the browser it began in. */
import { digestOf } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import { type Client, cardOf, findClient, originOf, originsOf } from "../clients/index.ts";
import { type BrowserSession, hostCookie, listHostCookies } from "../people/index.ts";
import type { AuthorizationRequest } from "./domain/authorization-request.ts";
import { consentItems } from "./domain/claims-request.ts";
import type { Interaction } from "./domain/interaction.ts";
import { INTERACTION_SECONDS } from "./domain/lifetimes.ts";
import type { Agreement, Progress } from "./domain/next-step.ts";
import * as store from "./store/interactions.ts";
import type { InteractionRow, Tables } from "./tables.ts";

type Db = Context<Tables>;

export type LogoutRequest = {
  readonly postLogoutRedirectUri?: string;
  readonly state?: string;
  /** Pages of applications that have to be shown once the person has signed out. */
  readonly frames?: readonly string[];
};

const AGENT_COOKIE = "identity_agent";
const AGENT_LENGTH = 32;

const agentDigest = (agent: string): string => digestOf(`agent\0${agent}`);
const listAgents = (context: Pick<Db, "request">): readonly string[] =>
  listHostCookies(context, AGENT_COOKIE).filter(({ length }) => length === AGENT_LENGTH);

export type Begun = { readonly id: string; readonly cookies: readonly string[] };
type Beginning = {
  readonly account: string;
  readonly clientId: string | undefined;
  readonly kind: "authorize" | "logout";
  readonly request: AuthorizationRequest | LogoutRequest;
  readonly step: Interaction["step"];
  readonly mustReauthenticate: boolean;
};

/** Not inside a transaction. */
export async function beginInteraction(context: Db, beginning: Beginning): Promise<Begun> {
  const { ids, clock } = context;
  const [known] = listAgents(context);
  const agent = known ?? ids.secret(AGENT_LENGTH);
  const nowMs = clock.nowMs();
  const row: InteractionRow = {
    id: ids.secret(32),
    account: beginning.account,
    client_id: beginning.clientId ?? null,
    kind: beginning.kind,
    request: JSON.stringify(beginning.request),
    step: beginning.step,
    must_reauthenticate: beginning.mustReauthenticate ? 1 : 0,
    agent_digest: agentDigest(agent),
    signed_in_session: null,
    chosen_session: null,
    agreement: null,
    denied: 0,
    created_at: nowMs,
    expires_at: nowMs + INTERACTION_SECONDS * 1000,
  };
  await context.transact(({ db }) => store.insertInteraction(db, row));
  const cookies = known === undefined ? hostCookie(context, AGENT_COOKIE, agent, { sites: "embedded" }) : [];
  return { id: row.id, cookies };
}

/** Undefined when unknown, expired, answered, or begun in another browser. */
export async function findWaiting(context: Db, id: string): Promise<InteractionRow | undefined> {
  const agents = listAgents(context).map(agentDigest);
  if (agents.length === 0 || id.length > 64) return undefined;
  const row = await store.findInteractionRow(context.db, id);
  const isOurs = row && agents.includes(row.agent_digest) && row.expires_at > context.clock.nowMs();
  return isOurs ? row : undefined;
}

export const progressOf = (row: InteractionRow): Progress => ({
  signedInSessionId: row.signed_in_session ?? undefined,
  chosenSessionId: row.chosen_session ?? undefined,
  agreement: row.agreement === null ? undefined : JSON.parse(row.agreement),
});

/** A custom scheme has no origin, so the content security policy names the scheme. */
const answerOriginOf = (uri: string | undefined): string | undefined =>
  uri === undefined ? undefined : (originOf(uri) ?? new URL(uri).protocol);

function interactionOf(row: InteractionRow, client: Client | undefined): Interaction {
  const request: Partial<AuthorizationRequest> & LogoutRequest = JSON.parse(row.request);
  const answerOrigin = answerOriginOf(request.redirectUri ?? request.postLogoutRedirectUri);
  return {
    id: row.id,
    account: row.account,
    step: row.step as Interaction["step"],
    display: request.display ?? "page",
    client: client && cardOf(client),
    scopes: consentItems({ ...request, scopes: request.scopes ?? [] }),
    loginHint: request.loginHint,
    mustReauthenticate: row.must_reauthenticate === 1,
    answerOrigin,
    frameOrigins: client ? originsOf(client.metadata.redirectUris) : [],
    expiresAtMs: row.expires_at,
  };
}

/** Undefined when unknown, expired, answered, or begun in another browser (a cookie ties it to one). */
export async function findInteraction(context: Db, id: string): Promise<Interaction | undefined> {
  const row = await findWaiting(context, id);
  if (!row) return undefined;
  const client = row.client_id === null ? undefined : await findClient(context.db, row.client_id);
  if (row.client_id !== null && !client) return undefined;
  return interactionOf(row, client);
}

/** The person signed in (or proved themselves again) within this interaction. Needs a transaction. */
export const noteSignIn = ({ db }: Db, id: string, session: BrowserSession): Promise<void> =>
  store.updateInteraction(db, id, { signed_in_session: session.id });
/** The person goes on with the session that is there, where `choose-account` was asked for. Needs a transaction. */
export const noteAccountChosen = ({ db }: Db, id: string, session: BrowserSession): Promise<void> =>
  store.updateInteraction(db, id, { chosen_session: session.id });
/** Bound to the person: a different person who signs in afterwards has not agreed. Needs a transaction. */
export function noteConsent(
  { db }: Db,
  id: string,
  { userId }: BrowserSession,
  scopes: readonly string[],
): Promise<void> {
  const agreement: Agreement = { userId, scopes };
  return store.updateInteraction(db, id, { agreement: JSON.stringify(agreement) });
}
/** The person has signed out. The answer loads the logout frames of the applications. Needs a transaction. */
export async function noteFrames({ db }: Db, id: string, frames: readonly string[]): Promise<void> {
  const row = await store.findInteractionRow(db, id);
  if (!row || frames.length === 0) return;
  const request: LogoutRequest = { ...JSON.parse(row.request), frames };
  await store.updateInteraction(db, id, { request: JSON.stringify(request) });
}
/** The person refused at some step. The application gets `access_denied`. Needs a transaction. */
export const noteDenial = ({ db }: Db, id: string): Promise<void> =>
  store.updateInteraction(db, id, { denied: 1 });
