/**
 * Console sessions. The browser has a secret in an HttpOnly cookie, and the database stores its digest. A
 * session has the current rights of its credential, and ends with it.
 */
import { accountsStore, digestOf, sameText, sessionsStore } from "#kernel/auth";
import { CONSOLE_SESSION } from "#kernel/observe";
import type { Principal } from "#kernel/operation";
import type { Kernel, SessionRow } from "#kernel/runtime";
import { endUsers } from "#ports/end-users";

export const SESSION_SECONDS = 12 * 3600;
const SESSIONS_OF_ACCOUNT_MAX = 20;
const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

export type Session = {
  readonly row: SessionRow;
  readonly principal: Principal;
  readonly accountName: string;
};
/** The authenticated identity of a new session. */
export type Proven = Pick<SessionRow, "account" | "kind" | "credential" | "stamp" | "name">;

/** CSRF token that the console's pages send with every call. Other sites cannot know it. */
export const csrfOf = (secret: string): string => digestOf(`forgery\0${secret}`);
export const isCsrfOf = (secret: string, shown: unknown): boolean =>
  typeof shown === "string" && sameText(shown, csrfOf(secret));

export class Sessions {
  readonly #kernel: Kernel;
  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }
  /** Always creates a new secret, which prevents session fixation. */
  async begin(proven: Proven): Promise<string> {
    const { clock, database, ids } = this.#kernel;
    const secret = ids.bytes(SECRET_BYTES).toString("base64url");
    const nowMs = clock.machineNowMs();
    const row = {
      ...proven,
      digest: digestOf(secret),
      created_at: nowMs,
      expires_at: nowMs + SESSION_SECONDS * 1000,
    };
    await database.transact((db) => sessionsStore.insertSession(db, row, SESSIONS_OF_ACCOUNT_MAX));
    return secret;
  }
  async end(secret: string): Promise<void> {
    await this.#kernel.database.transact((db) => sessionsStore.deleteSession(db, digestOf(secret)));
  }
  /** Undefined if the session or its credential has ended. */
  async find(secret: string): Promise<Session | undefined> {
    const { database, clock } = this.#kernel;
    if (!SECRET.test(secret)) return undefined;
    const row = await sessionsStore.findSession(database.read, digestOf(secret));
    if (!row || row.expires_at <= clock.machineNowMs()) return undefined;
    const account = await accountsStore.findAccount(database.read, row.account);
    if (!account) return undefined;
    const admin = account.admin === 1;
    const scopes = row.kind === "token" ? await this.#scopesOf(row) : await this.#scopesOfUser(row, admin);
    if (scopes === undefined) return undefined;
    const { account: id, name } = row;
    const principal = {
      account: id,
      name,
      credentialKind: CONSOLE_SESSION,
      admin,
      ...(scopes && { scopes }),
    };
    return { row, principal, accountName: account.name };
  }
  /** Undefined if the token does not exist or has expired. Null if it has no scope restrictions. */
  async #scopesOf({ credential }: SessionRow): Promise<readonly string[] | null | undefined> {
    const { database, clock } = this.#kernel;
    const token = await accountsStore.findCredentialById(database.read, credential);
    if (!token || (token.expires_at !== null && token.expires_at <= clock.nowMs())) return undefined;
    return token.scopes === null ? null : JSON.parse(token.scopes);
  }
  async #scopesOfUser({ account, credential, stamp }: SessionRow, admin: boolean): Promise<null | undefined> {
    const people = this.#kernel.findPort(endUsers);
    if (!admin || !people) return undefined;
    const context = this.#kernel.workAs("medley", account);
    return (await people.findStamp(context, { account, userId: credential })) === stamp ? null : undefined;
  }
}
