/** What a handler or a job may use. Everything outside the service's own folder is reached through it. */
import type { Kysely } from "kysely";
import type { SecretBox } from "../auth/secrets.ts";
import type { Blobs } from "../blobs/blobs.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Clock } from "../clock/clock.ts";
import type { Ids } from "../clock/ids.ts";
import type { Config } from "../config/config.ts";
import type { Outbox } from "../events/outbox.ts";
import type { LongRunning } from "../longrunning/longrunning.ts";
import type { Effect } from "../observe/effects.ts";
import type { Log } from "../observe/log.ts";
import type { Outbound } from "../outbound/index.ts";
import type { Pages } from "../paging/pages.ts";
import type { Port } from "./port.ts";
import type { EnqueueOptions, WorkKind } from "./work.ts";

/** Who is asking: an account, by one of its credentials. */
export type Principal = {
  readonly account: string;
  /** The credential's public name: access key id, user name, or a short id. */
  readonly name: string;
  readonly credentialKind: string;
  readonly admin: boolean;
  /** OAuth scopes when the credential carries any. */
  readonly scopes?: readonly string[];
  /** The identity service's end user behind a token, when there is one. */
  readonly subject?: string;
};

export type RequestInfo = {
  readonly id: string;
  readonly method: string;
  /** The declared operation's id. */
  readonly operation: string;
  /** The address as the caller wrote it, or the public one where that is set: scheme, host and mount, without a trailing slash. */
  readonly mountUrl: string;
  /** Path and query as received. */
  readonly rawUrl: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string;
  /** Signing region for signed requests; `local` otherwise. */
  readonly region: string;
  /** The maker's spelling in use, if any. */
  readonly dialect: string | undefined;
  /** Where nobody needs a credential, and the operation notes those that are good. */
  readonly knownCaller?: Principal | undefined;
};

// biome-ignore lint/suspicious/noExplicitAny: a context of any service fits where tables and state do not matter.
export type Context<Db = any, State = any> = {
  readonly principal: Principal;
  readonly account: string;
  /** The caller's request; in a job, a stand-in with an empty address. */
  readonly request: RequestInfo;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** The transaction of this operation or job, or a reading handle where there is none. */
  readonly db: Kysely<Db>;
  readonly blobs: Blobs;
  readonly outbox: Outbox;
  readonly catalog: Catalog;
  readonly longRunning: LongRunning;
  readonly outbound: Outbound;
  readonly config: Config;
  /** What the service keeps in memory for this running instance: what its `start` returned. */
  readonly state: State;
  /** Seals what must be kept secret but be readable again. */
  readonly secrets: SecretBox;
  /** Lists in pages, and the tokens that lead from one page to the next. */
  readonly pages: Pages;
  /** Adds durable work in the same transaction as the change that causes it; answers the job's id. */
  enqueue<P>(job: WorkKind<P>, payload: P, options?: EnqueueOptions): Promise<string>;
  /** Takes back work of the job's service that has not begun, by the key it was enqueued with; answers whether there was any. */
  cancelJob(job: Pick<WorkKind, "name">, key: string): Promise<boolean>;
  /** Runs after the transaction has committed; never when it rolls back. */
  afterCommit(action: () => void): void;
  /** What the work causes, told to those who look into it once it is committed. */
  note?(effect: Effect): void;
  /** Another service's offer. */
  port<T, Offer>(port: Port<T, Offer>): T;
  /** A permission beyond the operation's own: throws the protocol's "forbidden" when the caller lacks it. */
  requirePermission(action: string, resource?: string): Promise<void>;
  /**
   * Subscriptions, projects and the like belong to the account that uses them first. True when the name is the
   * caller's (claimed by this very call where it may write, or by nobody yet), false when it is another account's.
   */
  claim(kind: string, name: string): Promise<boolean>;
  /**
   * For `transaction: "manual"`: a short transaction. While it runs, the outer context's `db` refuses to work. `bytes`: about how much it
   * brings, where that is much.
   */
  transact<T>(work: (context: Context<Db, State>) => Promise<T>, bytes?: number): Promise<T>;
  /**
   * For `transaction: "manual"`: bytes that `read` makes of one moment's state, however many, while others go on writing. They are
   * gathered first, in a file without a name, so that whoever takes them slowly holds up nobody.
   */
  gather(read: (context: Context<Db, State>) => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
};
