/** Future jobs: rows of the queue, the next occurrence of repeating jobs, and corrections after a wrong clock. */
import type { Clock } from "../clock/clock.ts";
import type { Ids } from "../clock/ids.ts";
import type { AnyDb, Database } from "../db/database.ts";
import type { AnyJob } from "../operation/job.ts";
import type { JobRow } from "../runtime/tables.ts";
import * as store from "./queue-store.ts";
import { nextRunMs, RETRY_MS_MAX } from "./schedule.ts";

/** Another node may have had the wrong time. A correction of this node's own clock is noticed at once. */
const PLAN_CHECK_MS = 60_000;

/** The queue owns the payload of repeating jobs. A retry moves the time of a run, but not the schedule. */
type Occurrence = { readonly occurrenceMs?: number };
const repeatKeyOf = ({ name }: AnyJob): string => `repeat:${name}`;

type Planner = { readonly database: Database; readonly clock: Clock; readonly ids: Ids };
type Planned = { readonly account: string; readonly name: string; readonly payload: unknown };

export class Plans {
  readonly #kernel: Planner;
  readonly #findJob: (name: string) => AnyJob | undefined;
  /** When the queue was last polled, on the kernel clock. */
  #lookedAtMs = 0;
  /** When plans were last checked, on the machine's monotonic clock. */
  #checkedMs = 0;

  constructor(kernel: Planner, findJob: (name: string) => AnyJob | undefined) {
    this.#kernel = kernel;
    this.#findJob = findJob;
  }
  rowOf(job: Planned & { service: string; key?: string; runAtMs: number }): JobRow {
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
  async ensureRepeating(db: AnyDb, job: AnyJob, service: string): Promise<void> {
    if (!job.repeat) return;
    if (await store.isKeyInUse(db, { service, account: "", key: repeatKeyOf(job) })) return;
    const now = this.#kernel.clock.nowMs();
    await this.#insertOccurrence(db, job, service, nextRunMs(job.repeat, now, now));
  }
  /** Enqueues the next occurrence of a job that has just run, not before `restUntilMs`. */
  async repeat(db: AnyDb, job: AnyJob, row: JobRow, restUntilMs: number): Promise<void> {
    // A copy that was run by hand has no key. The planned occurrence still waits.
    if (!job.repeat || row.dedupe_key === null) return;
    const { occurrenceMs = row.run_at }: Occurrence = JSON.parse(row.payload);
    const nowMs = this.#kernel.clock.nowMs();
    // A row created in the future comes from a wrong clock that was corrected while the job ran.
    const rhythmMs = row.created_at > nowMs ? nowMs : occurrenceMs;
    const afterMs = Math.max(nowMs, restUntilMs - 1);
    await this.#insertOccurrence(db, job, row.service, nextRunMs(job.repeat, rhythmMs, afterMs));
  }
  async #insertOccurrence(db: AnyDb, job: AnyJob, service: string, occurrenceMs: number): Promise<void> {
    const payload: Occurrence = { occurrenceMs };
    const key = repeatKeyOf(job);
    const planned = { service, account: "", name: job.name, payload, key, runAtMs: occurrenceMs };
    await store.insertJob(db, this.rowOf(planned));
  }
  /** If the clock was ahead and was corrected, repeating jobs and retries would wait for the wrong time. */
  async bringForward(db: AnyDb, names: readonly string[]): Promise<void> {
    const nowMs = this.#kernel.clock.nowMs();
    for (const { name, id } of await store.findPlannedAhead(db, names, nowMs)) {
      const repeat = this.#findJob(name)?.repeat;
      if (!repeat) continue;
      const occurrenceMs = nextRunMs(repeat, nowMs, nowMs);
      const payload = JSON.stringify({ occurrenceMs } satisfies Occurrence);
      await store.planAnew(db, id, { run_at: occurrenceMs, created_at: nowMs, payload });
    }
    await store.retryBy(db, names, { nowMs, latestMs: nowMs + RETRY_MS_MAX });
  }
  async check(names: readonly string[], nowMs: number): Promise<void> {
    const wentBack = nowMs < this.#lookedAtMs;
    this.#lookedAtMs = nowMs;
    if (!wentBack && performance.now() - this.#checkedMs < PLAN_CHECK_MS) return;
    this.#checkedMs = performance.now();
    const { database } = this.#kernel;
    if (wentBack || (await store.findPlannedAhead(database.read, names, nowMs)).length > 0)
      await database.transact((db) => this.bringForward(db, names));
  }
}
