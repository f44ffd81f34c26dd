/** What is written down of work to come: rows of the queue, the next occurrence of what repeats, and plans of a clock that was wrong. */
import type { Clock } from "../clock/clock.ts";
import type { Ids } from "../clock/ids.ts";
import type { AnyDb, Database } from "../db/database.ts";
import type { AnyJob } from "../operation/job.ts";
import type { JobRow } from "../runtime/tables.ts";
import * as store from "./queue-store.ts";
import { nextRunMs, RETRY_MS_MAX } from "./schedule.ts";

/** Another node may have had the wrong time; this one's own going back is noticed at once. */
const PLAN_CHECK_MS = 60_000;

/** The payload of repeating work is the queue's own: retries move its time, but not its rhythm. */
type Occurrence = { readonly occurrenceMs?: number };
const repeatKeyOf = ({ name }: AnyJob): string => `repeat:${name}`;

type Planner = { readonly database: Database; readonly clock: Clock; readonly ids: Ids };
type Planned = { readonly account: string; readonly name: string; readonly payload: unknown };

export class Plans {
  readonly #kernel: Planner;
  readonly #findJob: (name: string) => AnyJob | undefined;
  /** When due work was last looked for, on the kernel clock. */
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
  /** The next occurrence of what has just run; `restUntilMs`: none before then. */
  async repeat(db: AnyDb, job: AnyJob, row: JobRow, restUntilMs: number): Promise<void> {
    // A copy that somebody had run now has no key: the planned occurrence still waits.
    if (!job.repeat || row.dedupe_key === null) return;
    const { occurrenceMs = row.run_at }: Occurrence = JSON.parse(row.payload);
    const nowMs = this.#kernel.clock.nowMs();
    // Planned at a time still to come, it was planned by a wrong clock that was corrected while it ran.
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
  /** Where the clock ran ahead and was corrected, repeating work and retries would wait for the wrong time to come. */
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
