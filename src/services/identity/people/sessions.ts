/** Browser sessions: a cookie holds a secret, the database its digest. Signing in always makes a new secret. */
import { digestOf } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import { type CookieOptions, clearOpenCookie, hostCookie, listHostCookies, openCookie } from "./cookies.ts";
import { BROWSER_STATE_COOKIE, type BrowserSession } from "./domain/browser-session.ts";
import { renewFormGuard } from "./forgery.ts";
import * as store from "./store/sessions.ts";
import { updateUser } from "./store/users.ts";
import type { SessionRow, Tables, UserRow } from "./tables.ts";

const COOKIE = "identity_session";
const SECRET_LENGTH = 43;
const SESSION_SECONDS = 30 * 86_400;
const SEEN_EVERY_MS = 5 * 60_000;
const SESSIONS_MAX = 50;
const AGENT_LENGTH_MAX = 300;

const sessionCookie: CookieOptions = { sites: "embedded", maxAgeSeconds: SESSION_SECONDS };
const stateCookie: CookieOptions = { ...sessionCookie, readableByScript: true };

const asBrowserSession = (row: SessionRow): BrowserSession => ({
  id: row.id,
  account: row.account,
  userId: row.user_id,
  authTimeMs: row.authenticated_at,
  browserState: row.browser_state,
  methods: JSON.parse(row.methods),
});

async function findRow({
  db,
  clock,
  request,
}: Pick<Context<Tables>, "db" | "clock" | "request">): Promise<SessionRow | undefined> {
  for (const secret of listHostCookies({ request }, COOKIE)) {
    const isSecret = secret.length === SECRET_LENGTH;
    const row = isSecret ? await store.findLiveSession(db, digestOf(secret), clock.nowMs()) : undefined;
    if (row) return row;
  }
  return undefined;
}

/** Reads the cookie of the request. Works in and outside transactions. */
export async function findBrowserSession(context: Context<Tables>): Promise<BrowserSession | undefined> {
  const row = await findRow(context);
  return row && asBrowserSession(row);
}

/** Notes now and then that the session is in use. Needs a transaction. */
export async function noteSeen(context: Context<Tables>): Promise<void> {
  const row = await findRow(context);
  const nowMs = context.clock.nowMs();
  if (row && row.seen_at + SEEN_EVERY_MS < nowMs)
    await store.updateSession(context.db, row.id, { seen_at: nowMs, address: context.request.remoteAddress });
}

export type StartedSession = {
  readonly session: BrowserSession;
  readonly cookies: readonly string[];
  /** Sessions that had to make room. */
  readonly endedIds: readonly string[];
};

/**
 * Signs a person in at this browser. The browser's earlier session id becomes invalid, which prevents session fixation.
 * If the same person signs in again, the session keeps its public name, so that applications see no change.
 */
export async function startBrowserSession(
  context: Context<Tables>,
  user: UserRow,
  methods: readonly string[],
): Promise<StartedSession> {
  const { db, clock, ids, request } = context;
  const nowMs = clock.nowMs();
  const before = await findRow(context);
  const kept = before?.user_id === user.id ? before : undefined;
  if (before) await store.deleteSession(db, before.id);
  const secret = ids.secret(SECRET_LENGTH);
  const row: SessionRow = {
    id: kept?.id ?? ids.next("sid"),
    account: user.account,
    secret_digest: digestOf(secret),
    browser_state: kept?.browser_state ?? ids.secret(24),
    user_id: user.id,
    methods: JSON.stringify(methods),
    created_at: kept?.created_at ?? nowMs,
    authenticated_at: nowMs,
    seen_at: nowMs,
    expires_at: nowMs + SESSION_SECONDS * 1000,
    address: request.remoteAddress,
    agent: String(request.headers["user-agent"] ?? "").slice(0, AGENT_LENGTH_MAX),
  };
  await store.insertSession(db, row);
  const trimmedIds = await store.trimSessions(db, user.id, SESSIONS_MAX);
  await updateUser(db, user.id, { home_url: request.mountUrl });
  return {
    session: asBrowserSession(row),
    endedIds: before && !kept ? [before.id, ...trimmedIds] : trimmedIds,
    cookies: [
      ...hostCookie(context, COOKIE, secret, sessionCookie),
      ...openCookie(context, BROWSER_STATE_COOKIE, row.browser_state, stateCookie),
      ...renewFormGuard(context).cookies,
    ],
  };
}

export type EndedSession = { readonly endedId: string | undefined; readonly cookies: readonly string[] };
/** Ends the session of this browser, if any; the cookies make the browser forget it. Needs a transaction. */
export async function endBrowserSession(context: Context<Tables>): Promise<EndedSession> {
  const row = await findRow(context);
  if (row) await store.deleteSession(context.db, row.id);
  return {
    endedId: row?.id,
    cookies: [
      ...hostCookie(context, COOKIE, "", { ...sessionCookie, maxAgeSeconds: 0 }),
      ...clearOpenCookie(context, BROWSER_STATE_COOKIE, stateCookie),
      ...renewFormGuard(context).cookies,
    ],
  };
}

export const listSessions = ({ db, clock }: Pick<Context<Tables>, "db" | "clock">, userId: string) =>
  store.listLiveSessions(db, userId, clock.nowMs(), SESSIONS_MAX);
export const endSessionOf = (db: Context<Tables>["db"], userId: string, sessionId: string) =>
  store.deleteSessionOf(db, userId, sessionId);
/** After a password change, all other sessions end. Returns them. */
export const endOtherSessions = (
  db: Context<Tables>["db"],
  userId: string,
  kept: BrowserSession | undefined,
) => store.deleteOtherSessions(db, userId, kept?.id);
