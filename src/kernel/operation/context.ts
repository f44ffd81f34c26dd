/** What a handler or a job may use. It reaches everything outside its own folder through this. */
import type { Kysely } from "kysely";
import type { Policy } from "../auth/policies.ts";
import type { SecretBox } from "../auth/secrets.ts";
import type { Blobs } from "../blobs/blobs.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Clock } from "../clock/clock.ts";
import type { Ids } from "../clock/ids.ts";
import type { Config } from "../config/config.ts";
import type { Outbox } from "../events/outbox.ts";
import type { LongRunning } from "../longrunning/longrunning.ts";
import type { Objects } from "../objects/objects.ts";
import type { Effect } from "../observe/effects.ts";
import type { Log } from "../observe/log.ts";
import type { Outbound } from "../outbound/index.ts";
import type { Pages } from "../paging/pages.ts";
import type { Port } from "./port.ts";
import type { EnqueueOptions, PlannedJob, WorkKind } from "./work.ts";

/** The caller: an account, by one of its credentials. */
export type Principal = {
  readonly account: string;
  /** The public name of the credential: access key id, user name, or a short id. */
  readonly name: string;
  readonly credentialKind: string;
  readonly admin: boolean;
  /** OAuth scopes when the credential carries any. */
  readonly scopes?: readonly string[];
  /** The end user of the identity service behind a token, if there is one. */
  readonly subject?: string;
  /** Of a key that lasts for a session. */
  readonly session?: SessionLimits;
};
export type SessionLimits = {
  /** The access key that it was got with; sessions end with it. */
  readonly issuedTo: string | undefined;
  /** Each of these lists has to allow what the account's own policies do. */
  readonly restrictions: readonly (readonly Policy[])[];
};

export type RequestInfo = {
  readonly id: string;
  readonly method: string;
  /** The declared operation's id. */
  readonly operation: string;
  /**
   * The address as the caller wrote it, or the public one if set: scheme, host and mount, without a trailing slash.
   */
  readonly mountUrl: string;
  /** Path and query as received. */
  readonly rawUrl: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string;
  /** The signing region of a signed request; otherwise `local`. */
  readonly region: string;
  /** The maker's spelling, if the caller uses it. */
  readonly dialect: string | undefined;
  /** Set if the operation needs no credential, records valid ones, and the caller sent one. */
  readonly knownCaller?: Principal | undefined;
};

// biome-ignore lint/suspicious/noExplicitAny: a context of any service fits where tables and state do not matter.
export type Context<Db = any, State = any> = {
  readonly principal: Principal;
  readonly account: string;
  /** The request of the caller; in a job, a placeholder with an empty address. */
  readonly request: RequestInfo;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** The transaction of this operation or job, or a read handle if there is none. */
  readonly db: Kysely<Db>;
  /** Whether reads may be some seconds old. `db` may then be a standby. */
  readonly mayBeOld?: boolean;
  readonly blobs: Blobs;
  /** Large bytes of rows: in the row, or in a store beside the database. */
  readonly objects: Objects;
  readonly outbox: Outbox;
  readonly catalog: Catalog;
  readonly longRunning: LongRunning;
  readonly outbound: Outbound;
  readonly config: Config;
  /** The in-memory state of the service for this instance: what its `start` returned. */
  readonly state: State;
  /** Encrypts secrets that must be readable again. */
  readonly secrets: SecretBox;
  /** Lists in pages, with their page tokens. */
  readonly pages: Pages;
  /** Adds a durable job in the same transaction as the change that causes it. Returns the id of the job. */
  enqueue<P>(job: WorkKind<P>, payload: P, options?: EnqueueOptions): Promise<string>;
  /** Cancels a job of its service that has not begun, by its key. Returns whether there was one. */
  cancelJob(job: Pick<WorkKind, "name">, key: string): Promise<boolean>;
  /** The jobs of its service and account that have these keys and have not ended. */
  plannedJobs(keys: readonly string[]): Promise<PlannedJob[]>;
  /** Runs after the commit; never after a rollback. */
  afterCommit(action: () => void): void;
  /** Records an effect of the work for the request log, once it is committed. */
  note?(effect: Effect): void;
  /** The port that another service provides. */
  port<T, Offer>(port: Port<T, Offer>): T;
  /** Checks a further permission. Throws the protocol's "forbidden" if the caller lacks it. */
  requirePermission(action: string, resource?: string): Promise<void>;
  /**
   * Subscriptions, projects and the like belong to the account that uses them first. True if the name belongs to
   * the caller: claimed by this call if it may write, or by nobody yet. False if it belongs to another account.
   */
  claim(kind: string, name: string): Promise<boolean>;
  /**
   * For `transaction: "manual"`: a short transaction. While it runs, `db` of the outer context refuses to work.
   * `bytes`: the approximate size of a large change.
   */
  transact<T>(work: (context: Context<Db, State>) => Promise<T>, bytes?: number): Promise<T>;
  /**
   * For `transaction: "manual"`: bytes that `read` makes from a consistent snapshot, while others write. They are
   * collected first in an unnamed file, so that a slow reader blocks nobody.
   */
  gather(read: (context: Context<Db, State>) => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
};
