/** What ran during an advance of the clock: counts by job, and the first runs one by one. */
import type { RanJob } from "../jobs/queue.ts";

const RUNS_MAX = 1_000_000;
const LISTED_MAX = 1000;

export type JobRuns = {
  readonly name: string;
  readonly housekeeping: boolean;
  readonly done: number;
  readonly retried: number;
  readonly failed: number;
};

export class JourneyLog {
  readonly #isHousekeeping: (name: string) => boolean;
  readonly #byName = new Map<string, JobRuns>();
  readonly #ran: RanJob[] = [];
  #count = 0;

  constructor(isHousekeeping: (name: string) => boolean) {
    this.#isHousekeeping = isHousekeeping;
  }
  add(ran: RanJob): void {
    this.#count += 1;
    if (this.#ran.length < LISTED_MAX) this.#ran.push(ran);
    const { name, outcome } = ran;
    const none = { name, housekeeping: this.#isHousekeeping(name), done: 0, retried: 0, failed: 0 };
    const runs = this.#byName.get(name) ?? none;
    const counted = outcome === "retry" ? "retried" : outcome;
    this.#byName.set(name, { ...runs, [counted]: runs[counted] + 1 });
  }
  get count(): number {
    return this.#count;
  }
  /** How many more runs an advance may have. */
  get room(): number {
    return RUNS_MAX - this.#count;
  }
  /** In the order of the runs. Runs beyond the first thousand are only in the summary. */
  get ran(): readonly RanJob[] {
    return this.#ran;
  }
  /** Failed jobs first, then retried ones, then the most frequent. */
  summary(): readonly JobRuns[] {
    return [...this.#byName.values()].sort(
      (a, b) => b.failed - a.failed || b.retried - a.retried || b.done - a.done || (a.name < b.name ? -1 : 1),
    );
  }
}
