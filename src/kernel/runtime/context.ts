/** The context of handlers and jobs. It is cheap, because its parts are made on first use. */
import { Blobs } from "../blobs/blobs.ts";
import { TemporaryFile } from "../blobs/temporary-file.ts";
import { Catalog } from "../catalog/catalog.ts";
import type { AnyDb } from "../db/database.ts";
import { Outbox } from "../events/outbox.ts";
import { LongRunning } from "../longrunning/longrunning.ts";
import type { Effect } from "../observe/effects.ts";
import type { Context, Principal, RequestInfo } from "../operation/context.ts";
import { kernelErrors } from "../operation/errors.ts";
import { outboxListeners } from "../operation/outbox-listeners.ts";
import type { Port } from "../operation/port.ts";
import type { EnqueueOptions, PlannedJob, WorkKind } from "../operation/work.ts";
import type { Outbound } from "../outbound/index.ts";
import { Pages } from "../paging/pages.ts";
import type { RunningInstance } from "./instance.ts";
import { claimName } from "./owners.ts";
import type { Guard, JobContextOptions, Scope } from "./scope.ts";

export type Who = {
  readonly service: string;
  readonly principal: Principal;
  readonly request: RequestInfo;
  /** Concurrent changes of the same one would conflict. */
  readonly resource?: string | undefined;
} & Pick<JobContextOptions, "commits" | "mayBeOld">;

export class WorkContext implements Context, Scope {
  readonly #kernel: RunningInstance;
  readonly #who: Who;
  /** Undefined: reads only, outside of a transaction. */
  readonly #transaction: AnyDb | undefined;
  readonly #guard: Guard | undefined;
  /** For a view of another service: the original context, which knows when the work has committed. */
  readonly #root: WorkContext;
  #view: WorkContext | undefined;
  #inner = false;
  #enqueued = false;
  #afterCommit: (() => void)[] | undefined;
  #effects: Effect[] | undefined;
  #blobs: Blobs | undefined;
  #outbox: Outbox | undefined;
  #catalog: Catalog | undefined;
  #longRunning: LongRunning | undefined;

  constructor(
    kernel: RunningInstance,
    who: Who,
    transaction: AnyDb | undefined,
    guard?: Guard,
    root?: WorkContext,
  ) {
    this.#kernel = kernel;
    this.#who = who;
    this.#transaction = transaction;
    this.#guard = guard;
    this.#root = root ?? this;
  }
  /** The same work as seen by another service that takes part in it. */
  viewOf(service: string): WorkContext {
    if (service === this.service) return this;
    if (this.#view?.service !== service) {
      const { principal, request } = this;
      const who = { ...this.#who, service, principal, request };
      this.#view = new WorkContext(this.#kernel, who, this.#transaction, this.#guard, this.#root);
    }
    return this.#view;
  }
  get principal() {
    return this.#who.principal;
  }
  get account() {
    return this.#who.principal.account;
  }
  get service() {
    return this.#who.service;
  }
  get request() {
    return this.#who.request;
  }
  get clock() {
    return this.#kernel.clock;
  }
  get ids() {
    return this.#kernel.ids;
  }
  get log() {
    return this.#kernel.log;
  }
  /** The called program may read data of this account here, so changes are committed first. */
  get outbound(): Outbound {
    const { outbound, database } = this.#kernel;
    if (this.#who.commits !== "held") return outbound;
    return {
      ...outbound,
      request: (input) => database.commitHeld().then(() => outbound.request(input)),
      stream: (request, taker) => outbound.stream(request, taker, database.commitHeld()),
    };
  }
  get mayBeOld() {
    return this.#who.mayBeOld ?? false;
  }
  get state() {
    return this.#kernel.stateOf(this.#who.service);
  }
  get config() {
    return this.#kernel.config;
  }
  get secrets() {
    return this.#kernel.accounts.secrets;
  }
  get pages() {
    return new Pages(this.#kernel.pageTokens, this);
  }
  get db(): AnyDb {
    if (this.#transaction) return this.#transaction;
    if (this.#root.#inner)
      throw new Error("an outside database handle was asked for while a transaction is open");
    const { database } = this.#kernel;
    if (this.#who.mayBeOld && database.standby) return database.standby.read;
    return this.#who.commits === "held" ? database.readHeld : database.read;
  }
  get blobs() {
    this.#blobs ??= new Blobs(this);
    return this.#blobs;
  }
  get objects() {
    return this.#kernel.objects.of(this.service, this.#transaction !== undefined);
  }
  get outbox() {
    this.#outbox ??= new Outbox(this, (message) => this.port(outboxListeners).hear(this, message));
    return this.#outbox;
  }
  get catalog() {
    this.#catalog ??= new Catalog(this);
    return this.#catalog;
  }
  get longRunning() {
    this.#longRunning ??= new LongRunning(this);
    return this.#longRunning;
  }

  #writable(): AnyDb {
    if (!this.#transaction) throw new Error("a change was asked for outside a transaction");
    return this.#transaction;
  }
  async enqueue<P>(job: WorkKind<P>, payload: P, options: EnqueueOptions = {}): Promise<string> {
    const id = await this.#kernel.jobs.insert(this.#writable(), {
      account: this.account,
      name: job.name,
      payload,
      ...options,
    });
    this.#root.#enqueued = true;
    this.note({ kind: "job", id, name: job.name });
    return id;
  }
  cancelJob(job: Pick<WorkKind, "name">, key: string): Promise<boolean> {
    return this.#kernel.jobs.cancel(this.#writable(), { account: this.account, name: job.name, key });
  }
  plannedJobs(keys: readonly string[]): Promise<PlannedJob[]> {
    return this.#kernel.jobs.listPlanned(this.db, { service: this.service, account: this.account, keys });
  }
  note(effect: Effect): void {
    this.#root.#effects ??= [];
    this.#root.#effects.push(effect);
  }
  afterCommit(action: () => void): void {
    this.#root.#afterCommit ??= [];
    this.#root.#afterCommit.push(action);
  }
  port<T, Offer>(port: Port<T, Offer>): T {
    return this.#kernel.port(port);
  }
  async requirePermission(action: string, resource = "*"): Promise<void> {
    const { accounts } = this.#kernel;
    if (await accounts.isAllowed(this.principal, action, resource, this.#transaction)) return;
    throw kernelErrors.forbidden(
      `The caller ${this.principal.name} is not allowed to perform ${action} on ${resource}.`,
    );
  }
  claim(kind: string, name: string): Promise<boolean> {
    return claimName(this.#kernel, this.#transaction, kind, name, this.account);
  }
  async transact<T>(work: (context: Context) => Promise<T>, bytes?: number): Promise<T> {
    if (this.#transaction || this.#root.#inner) throw new Error("a transaction was opened inside another");
    this.#root.#inner = true;
    try {
      const guarded = async (context: WorkContext) => {
        await this.#guard?.(context.db);
        return work(context);
      };
      return await inTransaction(this.#kernel, this.#who, guarded, bytes);
    } finally {
      this.#root.#inner = false;
    }
  }
  async *gather(read: (context: Context) => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    if (this.#transaction || this.#root.#inner)
      throw new Error("a moment was asked for inside a transaction");
    const { temporaryFolder, bytesOnDisk, database } = this.#kernel;
    const file = await TemporaryFile.open(temporaryFolder, bytesOnDisk);
    try {
      this.#root.#inner = true;
      try {
        await database.snapshot(async (db) => {
          const moment = new WorkContext(this.#kernel, this.#who, db);
          for await (const bytes of read(moment)) await file.append(bytes);
        });
      } finally {
        this.#root.#inner = false;
      }
      yield* file.chunks();
    } finally {
      await file.close();
    }
  }
  /** Whether anything but the queue and observers waits for the commit. */
  get waitsForCommit(): boolean {
    return this.#afterCommit !== undefined;
  }
  /** Runs what waited for the commit. */
  committed(): void {
    if (this.#enqueued) this.#kernel.jobs.wake();
    if (this.#effects) this.#kernel.effects.note(this.#who.request.id, this.#effects);
    for (const action of this.#afterCommit ?? []) action();
  }
}

/** Runs `work` in one transaction, and then what it deferred until after the commit. */
export async function inTransaction<T>(
  kernel: RunningInstance,
  who: Who,
  work: (context: WorkContext) => T | Promise<T>,
  bytes?: number,
): Promise<T> {
  let context: WorkContext | undefined;
  const { database } = kernel;
  const inContext = (db: AnyDb) => {
    context = new WorkContext(kernel, who, db);
    return work(context);
  };
  if (who.commits === "held") {
    const value = await database.transactHeld(inContext, bytes);
    if (context?.waitsForCommit) await database.commitHeld();
    context?.committed();
    return value;
  }
  const value = await (who.commits === "soon"
    ? database.transactSoon(inContext, bytes)
    : database.transact(inContext, bytes, who.resource));
  context?.committed();
  return value;
}
