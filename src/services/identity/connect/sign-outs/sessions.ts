/**
 * All ways to end a session. Each application that knows the session is notified: by a job of the same transaction
 * (back channel), and by a frame on the next page if the person signs out in this browser (front channel).
 */
import { Type } from "@sinclair/typebox";
import { type Context, jobsFor } from "#kernel/operation";
import { type Client, findClient, sessionNameFor } from "../../clients/index.ts";
import {
  type BrowserSession,
  endBrowserSession,
  endOtherSessions,
  endSessionOf,
  type StartedSession,
  startBrowserSession,
  type UserRow,
} from "../../people/index.ts";
import { addressWith } from "../answer-address.ts";
import * as store from "../store/session-clients.ts";
import type { SessionClientRow, Tables } from "../tables.ts";
import { tellSignOut } from "./logout-token.ts";

type Db = Context<Tables>;
const FRAMES_MAX = 50;
const ENDED_AT_ONCE_MAX = 500;

const wantsToKnow = ({ metadata }: Client): boolean =>
  metadata.backchannelLogoutUri !== undefined || metadata.frontchannelLogoutUri !== undefined;

/**
 * Records a client to notify when the session ends, if the client has an address for it. Needs a
 * transaction.
 */
export async function rememberClient(
  context: Context<Tables>,
  client: Client,
  session: BrowserSession,
): Promise<void> {
  if (!wantsToKnow(client)) return;
  const { db, clock, request } = context;
  await store.putSessionClient(db, {
    session_id: session.id,
    client_id: client.clientId,
    account: client.account,
    user_id: session.userId,
    issuer: request.mountUrl,
    created_at: clock.nowMs(),
  });
  const endsAtMs = await store.findEndOfSession(db, session.id);
  if (endsAtMs !== undefined)
    await context.enqueue(tellOfEnds, {}, { runAtMs: endsAtMs, key: `session-end:${session.id}` });
}

type NotifiedClient = { readonly client: Client; readonly row: SessionClientRow };

/** Needs a transaction. */
async function announce(context: Db, sessionId: string): Promise<readonly NotifiedClient[]> {
  const rows = await store.listSessionClients(context.db, sessionId);
  const notified: NotifiedClient[] = [];
  for (const row of rows) {
    const client = await findClient(context.db, row.client_id);
    if (!client) continue;
    notified.push({ client, row });
    if (client.metadata.backchannelLogoutUri === undefined) continue;
    const { client_id: clientId, user_id: userId, issuer, account } = row;
    await context.enqueue(tellSignOut, { sessionId, clientId, userId, issuer }, { account });
  }
  if (rows.length > 0) await store.deleteSessionClients(context.db, sessionId);
  return notified;
}
async function announceAll(context: Db, sessionIds: readonly string[]): Promise<void> {
  for (const id of sessionIds) await announce(context, id);
}

async function framesOf(context: Db, notified: readonly NotifiedClient[]): Promise<string[]> {
  const frames: string[] = [];
  for (const { client, row } of notified) {
    const { frontchannelLogoutUri: uri } = client.metadata;
    if (uri === undefined) continue;
    if (frames.length === FRAMES_MAX) break;
    const sid = await sessionNameFor(context, client, row.session_id);
    frames.push(addressWith(uri, "query", { iss: row.issuer, sid }));
  }
  return frames;
}

/** Signs a person in at this browser, and signs out the previous person. Needs a transaction. */
export async function signIn(
  context: Db,
  user: UserRow,
  methods: readonly string[],
): Promise<StartedSession> {
  const started = await startBrowserSession(context, user, methods);
  await announceAll(context, started.endedIds);
  return started;
}

/** `frames`: addresses that the next page has to show. */
export type SignedOut = { readonly cookies: readonly string[]; readonly frames: readonly string[] };

/** Out of this browser. Needs a transaction. */
export async function signOutHere(context: Db): Promise<SignedOut> {
  const { cookies, endedId } = await endBrowserSession(context);
  const notified = endedId === undefined ? [] : await announce(context, endedId);
  return { cookies, frames: await framesOf(context, notified) };
}
/** Out of another browser of the person's. Needs a transaction. */
export async function signOutThere(context: Db, userId: string, sessionId: string): Promise<void> {
  if (await endSessionOf(context.db, userId, sessionId)) await announce(context, sessionId);
}
/** Ends all sessions except the current one. Needs a transaction. */
export async function signOutElsewhere(
  context: Db,
  userId: string,
  kept: BrowserSession | undefined,
): Promise<void> {
  await announceAll(context, await endOtherSessions(context.db, userId, kept));
}
/** Sessions that ended by themselves. Needs a transaction. */
export async function announceExpired(context: Db): Promise<void> {
  const { db, clock } = context;
  await announceAll(context, await store.listEndedSessions(db, clock.nowMs(), ENDED_AT_ONCE_MAX));
}
/** Runs when a session expires. A session that was extended by a new sign-in is handled by the hourly job. */
export const tellOfEnds = jobsFor<Tables>()({
  name: "identity.tell-of-ends",
  payload: Type.Object({}),
  run: (_payload, context) => announceExpired(context),
});
export const forgetSessionsOfClient = ({ db }: Context<Tables>, clientId: string): Promise<void> =>
  store.deleteSessionsOfClient(db, clientId);
