/**
 * The durable queue: jobs are leased, retried with backoff, and taken over if a node dies. A job of the `write`
 * style commits its effect and its completion together, so its effect happens once. No job of any style changes
 * anything after its node has lost the lease.
 */

import type { AnyDb } from "../db/database.ts";
import type { Context } from "../operation/context.ts";
import type { AnyJob } from "../operation/job.ts";
import type { JobRow } from "../runtime/tables.ts";
import { type Failure, failureOf, LeaseLost, runWith } from "./attempt.ts";
import { type Handler, Handlers } from "./handlers.ts";
import * as nextStore from "./next-store.ts";
import { PayloadChecks } from "./payloads.ts";
import { Plans } from "./plans.ts";
import type { CommittedContext, QueueHost } from "./queue-host.ts";
import * as store from "./queue-store.ts";
import { retryDelayMs } from "./schedule.ts";
import { Slots } from "./slots.ts";

const STOP_WAIT_MS = 10_000;
const BATCH_MS_MAX = 10;

export type RanJob = {
  readonly id: string;
  readonly name: string;
  readonly service: string;
  readonly account: string;
  readonly runAtMs: number;
  readonly outcome: "done" | "retry" | "failed";
};

export class Jobs {
  readonly #kernel: QueueHost;
  readonly #owner: string;
  readonly #handlers = new Handlers();
  readonly #payloads = new PayloadChecks();
  readonly #plans: Plans;
  readonly #running = new Map<string, { readonly name: string; readonly ran: Promise<unknown> }>();
  readonly #slots = new Slots((name) => {
    const job = this.#handlers.get(name)?.job;
    return { slow: job?.transaction === "manual", alone: job?.alone === true };
  });
  #timer: NodeJS.Timeout | undefined;
  #renewTimer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #wanted = false;
  #paused = 0;
  #isTravelling = false;
  /** While this process alone advances the clock: no work is due before. Spares a scan of jobs that are left. */
  #workFromMs = 0;
  #stopped = true;

  constructor(kernel: QueueHost) {
    this.#kernel = kernel;
    this.#owner = kernel.ids.next("node");
    this.#plans = new Plans(kernel, (name) => this.#handlers.get(name)?.job);
  }
  register(service: string, jobs: readonly AnyJob[]): void {
    this.#handlers.register(service, jobs);
  }
  isHousekeeping(name: string): boolean {
    return this.#handlers.isHousekeeping(name);
  }
  get housekeepingNames(): readonly string[] {
    return this.#handlers.housekeepingNames;
  }

  /** On an embedded database no other process holds leases, so the jobs of a killed process are free at once. */
  async start(): Promise<void> {
    const { database } = this.#kernel;
    const { repeating } = this.#handlers;
    if (database.kind === "sqlite" || repeating.length > 0) {
      await database.transact(async (db) => {
        if (database.kind === "sqlite") await store.releaseAll(db, undefined);
        for (const { job, service } of repeating) await this.#plans.ensureRepeating(db, job, service);
        await this.#plans.bringForward(db, this.#handlers.names.all);
      });
    }
    this.#stopped = false;
    this.#renewTimer = setInterval(() => this.#renew(), this.#kernel.config.jobLeaseSeconds * 333).unref();
    this.#schedule(0);
  }
  /** Joins the transaction of `db`; call `wake` once it has committed. */
  async insert(
    db: AnyDb,
    job: {
      account: string;
      name: string;
      payload: unknown;
      key?: string;
      keepsTime?: boolean;
      runAtMs?: number;
    },
  ): Promise<string> {
    const runAtMs = job.runAtMs ?? this.#kernel.clock.nowMs();
    this.#workFromMs = Math.min(this.#workFromMs, runAtMs);
    this.#payloads.check(this.#handlers.get(job.name)?.job, job.payload);
    const row = this.#plans.rowOf({ ...job, service: this.#handlers.serviceOf(job.name), runAtMs });
    return store.insertJob(db, row, job.keepsTime);
  }
  /** Joins the transaction of `db`. */
  cancel(
    db: AnyDb,
    { account, name, key }: { account: string; name: string; key: string },
  ): Promise<boolean> {
    return store.cancelWaiting(db, { service: this.#handlers.serviceOf(name), account, key });
  }
  readonly listPlanned = store.listPlanned;

  wake(): void {
    this.#wanted = true;
    if (!this.#stopped && this.#paused === 0) this.#schedule(0);
  }
  #schedule(delayMs: number): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), delayMs).unref();
  }
  #look(): void {
    if (this.#looking || this.#paused > 0 || this.#stopped) return;
    this.#wanted = false;
    const { jobPollMs } = this.#kernel.config;
    this.#looking = this.#claimAndRun()
      .catch((error) => {
        this.#kernel.log.error("looking for due work failed", { error: String(error) });
        return jobPollMs;
      })
      .then((restMs) => {
        this.#looking = undefined;
        this.#schedule(this.#wanted ? 0 : restMs);
      });
  }
  #lease(): store.Lease {
    const nowMs = this.#kernel.clock.machineNowMs();
    return { owner: this.#owner, nowMs, leaseUntilMs: nowMs + this.#kernel.config.jobLeaseSeconds * 1000 };
  }
  /** Resolves to the time until the next poll. Commits of this process wake the queue sooner. */
  async #claimAndRun(): Promise<number> {
    const { database, clock, config } = this.#kernel;
    if (!(await this.#kernel.refreshShared())) return config.jobPollMs;
    const lanes = this.#slots.lanesOf(this.#handlers.names.all);
    if (lanes.length === 0) return config.jobPollMs;
    const untilMs = clock.nowMs();
    await this.#plans.check(this.#handlers.names.all, untilMs);
    const dueAtMs = await nextStore.findDueTime(database.read, this.#handlers.names, clock.machineNowMs());
    if (dueAtMs === undefined || dueAtMs > untilMs) return this.#restMs(dueAtMs ?? Infinity, untilMs);
    // A node that was blocked may find its own leases expired. It must not claim jobs that it still runs.
    const choose = (found: readonly JobRow[]) =>
      this.#slots.choose(found.filter(({ id }) => !this.#running.has(id)));
    const { found, claimed } = await store.claimDue(database, { untilMs, lanes, choose }, this.#lease());
    // Jobs that were not claimed may hide others. The next poll finds these, because its lanes are narrower.
    if (claimed.length > 0 && found.length > claimed.length) this.#wanted = true;
    for (const row of claimed) void this.#track(row);
    return config.jobPollMs;
  }
  /**
   * Only this process writes to an embedded database, so the queue can sleep until the next job is due. It polls
   * after one lease at the latest, for expired leases and for a changed machine clock.
   */
  #restMs(dueAtMs: number, nowMs: number): number {
    const { database, config } = this.#kernel;
    const restMsMax = database.kind === "sqlite" ? config.jobLeaseSeconds * 1000 : config.jobPollMs;
    return Math.min(restMsMax, dueAtMs - nowMs);
  }
  #track(row: JobRow): Promise<RanJob> {
    this.#slots.take(row);
    const ran = this.#runOne(row).finally(() => {
      this.#running.delete(row.id);
      // A retry or the next occurrence may be due before the next poll.
      if (this.#slots.release(row) || this.#kernel.database.kind === "sqlite") this.#wanted = true;
      if (this.#wanted) this.wake();
    });
    this.#running.set(row.id, { name: row.name, ran });
    return ran;
  }

  async #runOne(row: JobRow): Promise<RanJob> {
    return this.#ended(row, await this.#attempt(row).catch((error) => this.#failed(row, error)));
  }
  #ended({ id, name, service, account, run_at: runAtMs }: JobRow, outcome: RanJob["outcome"]): RanJob {
    this.#kernel.metrics.job(name, outcome === "retry" ? "retried" : outcome);
    return { id, name, service, account, runAtMs, outcome };
  }
  async #attempt(row: JobRow): Promise<"done"> {
    const handler = this.#handlers.get(row.name);
    if (!handler) throw new Error(`no service of this process handles ${row.name}`);
    const { job, service } = handler;
    // The row is gone if state was cleared meanwhile. It belongs to another node if its lease expired.
    const guard = async (db: AnyDb) => {
      if (!(await store.isHeldBy(db, row.id, this.#owner))) throw new LeaseLost();
    };
    const commits = job.sharesCommits ? ("held" as const) : ("soon" as const);
    const options = { guard, ...(this.#isTravelling && { commits }) };
    const context = this.#kernel.jobContext(service, row.account, row.id, options);
    if (job.transaction === "manual") {
      const restUntilMs = await runWith(row, job, context);
      await context.transact((inner) => this.#complete(row, job, inner, restUntilMs));
    } else {
      await context.transact((inner) => this.#runAndComplete(row, job, inner));
    }
    return "done";
  }
  async #runAndComplete(row: JobRow, job: AnyJob, context: Context): Promise<void> {
    await this.#complete(row, job, context, await runWith(row, job, context));
  }
  async #complete(row: JobRow, job: AnyJob, { db, clock }: Context, restUntilMs: number): Promise<void> {
    await store.finish(db, row.id, this.#owner, { state: "done", nowMs: clock.nowMs(), error: null });
    await this.#plans.repeat(db, job, row, restUntilMs);
  }
  async #failed(row: JobRow, error: unknown): Promise<"retry" | "failed"> {
    if (error instanceof LeaseLost) return "retry";
    const failure = this.#failureOf(row, error);
    await this.#kernel.database
      .transact((db) => this.#noteFailure(db, row, failure))
      .catch((problem) =>
        this.#kernel.log.error("a failed job could not be noted; its lease will run out", {
          id: row.id,
          error: String(problem),
        }),
      );
    return failure.outcome;
  }
  #failureOf(row: JobRow, error: unknown): Failure {
    const failure = failureOf(row, this.#handlers.get(row.name)?.job, error);
    const told = { job: row.name, id: row.id, attempt: row.attempts, error: failure.text };
    this.#kernel.log[failure.outcome === "retry" ? "debug" : "error"]("a job failed", told);
    return failure;
  }
  /** Joins a transaction. */
  #noteFailure(db: AnyDb, { id, attempts }: JobRow, { outcome, text }: Failure): Promise<void> {
    const nowMs = this.#kernel.clock.nowMs();
    return outcome === "retry"
      ? store.retryLater(db, id, this.#owner, nowMs + retryDelayMs(attempts), text)
      : store.finish(db, id, this.#owner, { state: "failed", nowMs, error: text });
  }
  #renew(): void {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    this.#kernel.database
      .transact((db) => store.renew(db, ids, this.#lease()))
      .catch((error) => this.#kernel.log.error("leases could not be renewed", { error: String(error) }));
  }

  /** No job begins until `resume`. Resolves when all running jobs have ended. */
  async pause(): Promise<void> {
    this.#paused += 1;
    await this.#looking;
    await this.#allEnded();
  }
  resume(): void {
    this.#paused -= 1;
    if (this.#paused === 0) this.wake();
  }
  /** No job begins but those that `work` runs. Their changes are on disk once `work` has made a durable one. */
  async travel<T>(work: () => Promise<T>): Promise<T> {
    await this.pause();
    this.#isTravelling = true;
    this.#workFromMs = 0;
    try {
      return await work();
    } finally {
      this.#isTravelling = false;
      this.resume();
    }
  }
  get isTravelling(): boolean {
    return this.#isTravelling;
  }
  /** Whether another live node is running a job. */
  async isRunningElsewhere(): Promise<boolean> {
    const { database, clock } = this.#kernel;
    if (database.kind === "sqlite") return false;
    return store.isRunningElsewhere(database.read, this.#owner, clock.machineNowMs());
  }
  /**
   * Runs jobs that are due by the given instant, one after another, each at its own time: the next one, and up to
   * `runsMax`. Returns an empty list if there is none. Needs `pause`.
   */
  async runNext(untilMs: number, options: nextStore.NextRun = {}): Promise<readonly RanJob[]> {
    const { database } = this.#kernel;
    if (database.kind === "sqlite") return this.#runSomeEmbedded(untilMs, options);
    const row = await database.transact(async (db) => {
      const claimed = await this.#claimNext(db, untilMs, options);
      if (claimed) await options.arrive?.(db);
      return claimed;
    });
    return row ? [await this.#track(row)] : [];
  }
  /** Joins a transaction. The clock stands at the due time of the job. */
  async #claimNext(
    db: AnyDb,
    untilMs: number,
    { leaveHousekeeping = false }: nextStore.NextRun,
  ): Promise<JobRow | undefined> {
    const { clock, database } = this.#kernel;
    const names = leaveHousekeeping ? this.#handlers.workNames : this.#handlers.names;
    const isAlone = database.kind === "sqlite" && this.#isTravelling;
    const lease = this.#lease();
    // Before the clock moves: a job whose node has died is due already. An embedded database has none.
    const left = isAlone ? undefined : await nextStore.findAbandoned(db, names, lease.nowMs);
    if (left) return nextStore.claim(db, left, lease);
    const next = await nextStore.findNextDue(db, names, isAlone && leaveHousekeeping ? this.#workFromMs : 0);
    if (!next || next.run_at > untilMs) return undefined;
    if (leaveHousekeeping) this.#workFromMs = next.run_at;
    if (next.run_at > clock.nowMs()) clock.standAt(next.run_at);
    return nextStore.claim(db, next, lease);
  }
  /**
   * A commit takes longer than most jobs, so several jobs of one transaction each share a commit. If the process
   * dies, claims and effects are rolled back together.
   */
  async #runSomeEmbedded(untilMs: number, options: nextStore.NextRun): Promise<readonly RanJob[]> {
    const { runsMax = 1, batchMsMax = BATCH_MS_MAX, isOver = () => false } = options;
    const ran: RanJob[] = [];
    const waiting: CommittedContext[] = [];
    const endMs = performance.now() + batchMsMax;
    const runBatch = async (db: AnyDb) => {
      let row: JobRow | undefined;
      do {
        row = await this.#claimNext(db, untilMs, options);
        if (!row || this.#handlers.get(row.name)?.job.transaction === "manual") break;
        this.#running.set(row.id, { name: row.name, ran: batch });
        const { context, ...one } = await this.#runIn(db, row);
        ran.push(one);
        row = undefined;
        if (context) waiting.push(context);
        // What it does after the commit may matter to the next job.
      } while (
        !waiting.at(-1)?.waitsForCommit &&
        ran.length < runsMax &&
        performance.now() < endMs &&
        !isOver()
      );
      if (ran.length > 0 || row) await options.arrive?.(db);
      return row;
    };
    const { database } = this.#kernel;
    const batch: Promise<JobRow | undefined> = this.#isTravelling
      ? database.transactHeld(runBatch)
      : database.transact(runBatch);
    try {
      const manual = await batch;
      const isAwaited = manual && !this.#handlers.get(manual.name)?.job.sharesCommits;
      if (isAwaited || waiting.at(-1)?.waitsForCommit) await database.commitHeld();
      for (const context of waiting) context.committed();
      return manual ? [...ran, await this.#track(manual)] : ran;
    } finally {
      for (const { id } of ran) this.#running.delete(id);
    }
  }
  /** Joins a transaction; a failure rolls back only this run. Report the commit to `context`. */
  async #runIn(db: AnyDb, row: JobRow): Promise<RanJob & { readonly context?: CommittedContext }> {
    const { job, service } = this.#handlers.get(row.name) as Handler;
    const context = this.#kernel.jobContextIn(db, service, row.account, row.id);
    const thrown = await nextStore.undoneWhenItFails(db, () => this.#runAndComplete(row, job, context));
    if (!thrown) return { ...this.#ended(row, "done"), context };
    const failure = this.#failureOf(row, thrown.error);
    await this.#noteFailure(db, row, failure);
    return this.#ended(row, failure.outcome);
  }
  /** Runs everything due by the given instant, and what that causes, until nothing is left. Needs `pause`. */
  async drain(untilMs: number, runsMax: number): Promise<RanJob[]> {
    const ran: RanJob[] = [];
    while (ran.length < runsMax) {
      const [one] = await this.runNext(untilMs);
      if (!one) break;
      ran.push(one);
    }
    return ran;
  }

  /** The names of running jobs. */
  get underWay(): readonly string[] {
    return [...this.#running.values()].map(({ name }) => name);
  }
  #allEnded(): Promise<unknown> {
    return Promise.allSettled([...this.#running.values()].map(({ ran }) => ran));
  }
  /** Jobs that have not ended after `waitMs` are left to the next start, or to another node. */
  async stop(waitMs = STOP_WAIT_MS): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#renewTimer);
    await this.#looking;
    await this.#kernel.sharedClock.leave().catch(() => {});
    const timeout = new Promise((resolve) => setTimeout(resolve, waitMs).unref());
    await Promise.race([this.#allEnded(), timeout]);
    if (this.#running.size > 0)
      await this.#kernel.database.transact((db) => store.releaseAll(db, this.#owner));
  }
}
