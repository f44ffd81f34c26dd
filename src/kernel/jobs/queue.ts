/**
 * The durable queue: work is leased, retried with backoff, taken over when a node dies. A job of the `write` style
 * commits its effect and its completion together, so its effect happens once. Of whatever style, it changes nothing
 * once it is no longer the node's to do.
 */

import type { Clock } from "../clock/clock.ts";
import type { Ids } from "../clock/ids.ts";
import type { Config } from "../config/config.ts";
import type { AnyDb, Database } from "../db/database.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Context } from "../operation/context.ts";
import type { AnyJob } from "../operation/job.ts";
import type { Guard } from "../runtime/scope.ts";
import type { JobRow } from "../runtime/tables.ts";
import { PayloadChecks } from "./payloads.ts";
import * as store from "./queue-store.ts";
import { nextRunMs, RETRY_MS_MAX, retryDelayMs } from "./schedule.ts";
import { Slots } from "./slots.ts";

const ATTEMPTS_MAX = 8;
const ERROR_KEPT_LENGTH = 2000;
const STOP_WAIT_MS = 10_000;
/** Another node may have had the wrong time; this one's own going back is noticed at once. */
const PLAN_CHECK_MS = 60_000;

export type RanJob = {
  readonly id: string;
  readonly name: string;
  readonly service: string;
  readonly account: string;
  readonly runAtMs: number;
  readonly outcome: "done" | "retry" | "failed";
};
/** The payload of repeating work is the queue's own: retries move its time, but not its rhythm. */
type Occurrence = { readonly occurrenceMs?: number };
const repeatKeyOf = ({ name }: AnyJob): string => `repeat:${name}`;

type NextRun = {
  /** Joins the transaction of the claim. */
  readonly arrive?: store.Arrive;
  readonly leaveHousekeeping?: boolean;
};

class LeaseLost extends Error {
  constructor() {
    super("the work is no longer this node's to do");
  }
}

/** What the queue needs of the instance it works for. */
type Employer = {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly sharedClock: { leave(): Promise<void> };
  refreshShared(): Promise<boolean>;
  jobContext(service: string, account: string, id: string, guard?: Guard): Context;
};

export class Jobs {
  readonly #kernel: Employer;
  readonly #owner: string;
  readonly #handlers = new Map<string, { job: AnyJob; service: string }>();
  #names: readonly string[] = [];
  /** All but housekeeping. */
  #workNames: readonly string[] = [];
  readonly #payloads = new PayloadChecks();
  readonly #running = new Map<string, { readonly name: string; readonly ran: Promise<unknown> }>();
  readonly #slots = new Slots((name) => {
    const job = this.#handlers.get(name)?.job;
    return { slow: job?.transaction === "manual", alone: job?.alone === true };
  });
  #timer: NodeJS.Timeout | undefined;
  #renewTimer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #wanted = false;
  /** When due work was last looked for, on the kernel clock. */
  #lookedAtMs = 0;
  /** When plans were last checked, on the machine's monotonic clock. */
  #plansCheckedMs = 0;
  #paused = 0;
  #stopped = true;

  constructor(kernel: Employer) {
    this.#kernel = kernel;
    this.#owner = kernel.ids.next("node");
  }
  register(service: string, jobs: readonly AnyJob[]): void {
    for (const job of jobs) this.#handlers.set(job.name, { job, service });
    this.#names = [...this.#handlers.keys()];
    this.#workNames = this.#names.filter((name) => !this.isHousekeeping(name));
  }
  isHousekeeping(name: string): boolean {
    return this.#handlers.get(name)?.job.housekeeping === true;
  }
  /** Of work that this process does not have, the name tells: it begins with the service's. */
  #serviceOf(name: string): string {
    return this.#handlers.get(name)?.service ?? (name.split(".")[0] as string);
  }

  /** On an embedded database nobody else can hold leases: what a killed process held is free at once. */
  async start(): Promise<void> {
    const { database } = this.#kernel;
    const repeating = [...this.#handlers.values()].filter(({ job }) => job.repeat);
    if (database.kind === "sqlite" || repeating.length > 0) {
      await database.transact(async (db) => {
        if (database.kind === "sqlite") await store.releaseAll(db, undefined);
        for (const { job, service } of repeating) await this.#ensureRepeating(db, job, service);
        await this.#bringForward(db);
      });
    }
    this.#stopped = false;
    this.#renewTimer = setInterval(() => this.#renew(), this.#kernel.config.jobLeaseSeconds * 333).unref();
    this.#schedule(0);
  }
  async #ensureRepeating(db: AnyDb, job: AnyJob, service: string): Promise<void> {
    if (!job.repeat) return;
    if (await store.isKeyInUse(db, { service, account: "", key: repeatKeyOf(job) })) return;
    const now = this.#kernel.clock.nowMs();
    await this.#insertOccurrence(db, job, service, nextRunMs(job.repeat, now, now));
  }
  /** Where the clock ran ahead and was corrected, repeating work and retries would wait for the wrong time to come. */
  async #bringForward(db: AnyDb): Promise<void> {
    const nowMs = this.#kernel.clock.nowMs();
    for (const { name, id } of await store.findPlannedAhead(db, this.#names, nowMs)) {
      const repeat = this.#handlers.get(name)?.job.repeat;
      if (!repeat) continue;
      const occurrenceMs = nextRunMs(repeat, nowMs, nowMs);
      const payload = JSON.stringify({ occurrenceMs } satisfies Occurrence);
      await store.planAnew(db, id, { run_at: occurrenceMs, created_at: nowMs, payload });
    }
    await store.retryBy(db, this.#names, { nowMs, latestMs: nowMs + RETRY_MS_MAX });
  }
  async #checkPlans(nowMs: number): Promise<void> {
    const wentBack = nowMs < this.#lookedAtMs;
    this.#lookedAtMs = nowMs;
    if (!wentBack && performance.now() - this.#plansCheckedMs < PLAN_CHECK_MS) return;
    this.#plansCheckedMs = performance.now();
    const { database } = this.#kernel;
    if (wentBack || (await store.findPlannedAhead(database.read, this.#names, nowMs)).length > 0)
      await database.transact((db) => this.#bringForward(db));
  }
  #insertOccurrence(db: AnyDb, job: AnyJob, service: string, occurrenceMs: number): Promise<string> {
    const payload: Occurrence = { occurrenceMs };
    const key = repeatKeyOf(job);
    return store.insertJob(
      db,
      this.#row({ service, account: "", name: job.name, payload, key, runAtMs: occurrenceMs }),
    );
  }
  #row(job: {
    service: string;
    account: string;
    name: string;
    payload: unknown;
    key?: string;
    runAtMs: number;
  }): JobRow {
    return {
      id: this.#kernel.ids.next("job"),
      account: job.account,
      service: job.service,
      name: job.name,
      dedupe_key: job.key ?? null,
      payload: JSON.stringify(job.payload),
      state: "waiting",
      run_at: job.runAtMs,
      attempts: 0,
      lease_owner: null,
      lease_until: null,
      error: null,
      created_at: this.#kernel.clock.nowMs(),
      finished_at: null,
    };
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
    this.#payloads.check(this.#handlers.get(job.name)?.job, job.payload);
    const row = this.#row({ ...job, service: this.#serviceOf(job.name), runAtMs });
    return store.insertJob(db, row, job.keepsTime);
  }
  /** Joins the transaction of `db`. */
  cancel(
    db: AnyDb,
    { account, name, key }: { account: string; name: string; key: string },
  ): Promise<boolean> {
    return store.cancelWaiting(db, { service: this.#serviceOf(name), account, key });
  }

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
  /** Resolves to the time until the next look. Commits of this process wake the queue sooner. */
  async #claimAndRun(): Promise<number> {
    const { database, clock, config } = this.#kernel;
    if (!(await this.#kernel.refreshShared())) return config.jobPollMs;
    const lanes = this.#slots.lanesOf(this.#names);
    if (lanes.length === 0) return config.jobPollMs;
    const untilMs = clock.nowMs();
    await this.#checkPlans(untilMs);
    const dueAtMs = await store.findDueTime(database.read, this.#names, clock.machineNowMs());
    if (dueAtMs === undefined || dueAtMs > untilMs) return this.#restMs(dueAtMs ?? Infinity, untilMs);
    // A node that was held up finds its own leases run out; what it is at work on it need not take over.
    const choose = (found: readonly JobRow[]) =>
      this.#slots.choose(found.filter(({ id }) => !this.#running.has(id)));
    const { found, claimed } = await store.claimDue(database, { untilMs, lanes, choose }, this.#lease());
    // What is left behind may hide other work, which the next look finds because the lanes are then narrower.
    if (claimed.length > 0 && found.length > claimed.length) this.#wanted = true;
    for (const row of claimed) void this.#track(row);
    return config.jobPollMs;
  }
  /**
   * Only this process writes to an embedded database, so the queue can sleep until the next job falls due. It looks
   * again after a lease at the latest, for leases that ran out and for a machine whose clock was set.
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
      // A retry or the next occurrence may fall due before the queue meant to look again.
      if (this.#slots.release(row) || this.#kernel.database.kind === "sqlite") this.#wanted = true;
      if (this.#wanted) this.wake();
    });
    this.#running.set(row.id, { name: row.name, ran });
    return ran;
  }

  async #runOne(row: JobRow): Promise<RanJob> {
    const outcome = await this.#attempt(row).catch((error) => this.#failed(row, error));
    this.#kernel.metrics.job(row.name, outcome === "retry" ? "retried" : outcome);
    const { id, name, service, account, run_at: runAtMs } = row;
    return { id, name, service, account, runAtMs, outcome };
  }
  async #attempt(row: JobRow): Promise<"done"> {
    const handler = this.#handlers.get(row.name);
    if (!handler) throw new Error(`no service of this process handles ${row.name}`);
    const { job } = handler;
    let restUntilMs = 0;
    const attempt = {
      id: row.id,
      attempt: row.attempts,
      lastAttempt: row.attempts >= (job.attemptsMax ?? ATTEMPTS_MAX),
      dueAtMs: row.run_at,
      restUntil: (ms: number) => {
        restUntilMs = ms;
      },
    };
    const payload = job.repeat ? {} : JSON.parse(row.payload);
    // Its row is gone when state was cleared meanwhile, and another's when its lease ran out.
    const context = this.#kernel.jobContext(handler.service, row.account, row.id, async (db) => {
      if (!(await store.isHeldBy(db, row.id, this.#owner))) throw new LeaseLost();
    });
    if (job.transaction === "manual") {
      await job.run(payload, context, attempt);
      await context.transact((inner) => this.#complete(row, job, inner, restUntilMs));
    } else {
      await context.transact(async (inner) => {
        await job.run(payload, inner, attempt);
        await this.#complete(row, job, inner, restUntilMs);
      });
    }
    return "done";
  }
  async #complete(row: JobRow, job: AnyJob, { db, clock }: Context, restUntilMs: number): Promise<void> {
    await store.finish(db, row.id, this.#owner, { state: "done", nowMs: clock.nowMs(), error: null });
    // A copy that somebody had run now has no key: the planned occurrence still waits.
    if (!job.repeat || row.dedupe_key === null) return;
    const { occurrenceMs = row.run_at }: Occurrence = JSON.parse(row.payload);
    const nowMs = clock.nowMs();
    // Planned at a time still to come, it was planned by a wrong clock that was corrected while it ran.
    const rhythmMs = row.created_at > nowMs ? nowMs : occurrenceMs;
    const afterMs = Math.max(nowMs, restUntilMs - 1);
    await this.#insertOccurrence(db, job, row.service, nextRunMs(job.repeat, rhythmMs, afterMs));
  }
  async #failed(row: JobRow, error: unknown): Promise<"retry" | "failed"> {
    if (error instanceof LeaseLost) return "retry";
    const job = this.#handlers.get(row.name)?.job;
    const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_KEPT_LENGTH);
    const retry = job?.repeat !== undefined || row.attempts < (job?.attemptsMax ?? ATTEMPTS_MAX);
    const { database, clock, log } = this.#kernel;
    log[retry ? "debug" : "error"]("a job failed", {
      job: row.name,
      id: row.id,
      attempt: row.attempts,
      error: text,
    });
    const runAtMs = clock.nowMs() + retryDelayMs(row.attempts);
    await database
      .transact((db) =>
        retry
          ? store.retryLater(db, row.id, this.#owner, runAtMs, text)
          : store.finish(db, row.id, this.#owner, { state: "failed", nowMs: clock.nowMs(), error: text }),
      )
      .catch((failure) =>
        log.error("a failed job could not be noted; its lease will run out", {
          id: row.id,
          error: String(failure),
        }),
      );
    return retry ? "retry" : "failed";
  }
  #renew(): void {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    this.#kernel.database
      .transact((db) => store.renew(db, ids, this.#lease()))
      .catch((error) => this.#kernel.log.error("leases could not be renewed", { error: String(error) }));
  }

  /** No work begins until `resume`; resolves when what was running has ended. */
  async pause(): Promise<void> {
    this.#paused += 1;
    await this.#looking;
    await this.#ended();
  }
  resume(): void {
    this.#paused -= 1;
    if (this.#paused === 0) this.wake();
  }
  /** Whether another node that is alive is at work on something. */
  async isRunningElsewhere(): Promise<boolean> {
    const { database, clock } = this.#kernel;
    if (database.kind === "sqlite") return false;
    return store.isRunningElsewhere(database.read, this.#owner, clock.machineNowMs());
  }
  /** Runs the next job that is due by the given instant, at its own time; undefined when there is none. Needs `pause`. */
  async runNext(
    untilMs: number,
    { arrive, leaveHousekeeping = false }: NextRun = {},
  ): Promise<RanJob | undefined> {
    const { database, clock } = this.#kernel;
    const names = leaveHousekeeping ? this.#workNames : this.#names;
    const next = await store.findNextDue(database.read, names);
    if (!next || next.run_at > untilMs) return undefined;
    if (next.run_at > clock.nowMs()) clock.standAt(next.run_at);
    const due = { untilMs: clock.nowMs(), names };
    const row = await store.claimNext(database, due, this.#lease(), arrive);
    return row && this.#track(row);
  }
  /** Everything due by the given instant, and what that causes, until nothing is left. Needs `pause`. */
  async drain(untilMs: number, runsMax: number): Promise<RanJob[]> {
    const ran: RanJob[] = [];
    while (ran.length < runsMax) {
      const one = await this.runNext(untilMs);
      if (!one) break;
      ran.push(one);
    }
    return ran;
  }

  /** The names of jobs under way. */
  get underWay(): readonly string[] {
    return [...this.#running.values()].map(({ name }) => name);
  }
  #ended(): Promise<unknown> {
    return Promise.allSettled([...this.#running.values()].map(({ ran }) => ran));
  }
  /** What has not ended after `waitMs` is left to the next start, or to another node. */
  async stop(waitMs = STOP_WAIT_MS): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#renewTimer);
    await this.#looking;
    await this.#kernel.sharedClock.leave().catch(() => {});
    const patience = new Promise((resolve) => setTimeout(resolve, waitMs).unref());
    await Promise.race([this.#ended(), patience]);
    if (this.#running.size > 0)
      await this.#kernel.database.transact((db) => store.releaseAll(db, this.#owner));
  }
}
