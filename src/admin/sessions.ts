/**
 * People who signed in at the console. The browser has a secret in a cookie that no script can read; the database has its
 * digest. A session is worth what its credential is worth at the moment, and ends with it.
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
/** Whose session it becomes. */
export type Proven = Pick<SessionRow, "account" | "kind" | "credential" | "stamp" | "name">;

/** What a page of our own sends with every call, and no other page knows. */
export const csrfOf = (secret: string): string => digestOf(`forgery\0${secret}`);
export const isCsrfOf = (secret: string, shown: unknown): boolean =>
  typeof shown === "string" && sameText(shown, csrfOf(secret));

export class Sessions {
  readonly #kernel: Kernel;
  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }
  /** Always a new secret: none that was known before somebody signed in is worth anything. */
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
  /** Undefined once it is over, or its credential is. */
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
  /** Undefined where the token is gone, null where it is good for all that its account may. */
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
