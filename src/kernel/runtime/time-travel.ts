/** Moving time: advancing runs all work that falls due on the way, in order, each at its own instant. */
import type { RanJob } from "../jobs/queue.ts";
import type { Kernel } from "./kernel.ts";

const RUNS_MAX = 1_000_000;

export type Journey = { readonly nowMs: number; readonly ran: readonly RanJob[] };

export class TimeTravel {
  readonly #kernel: Kernel;
  #last: Promise<unknown> = Promise.resolve();
  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }
  /** One change of time after another. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => {});
    return mine;
  }
  freeze(): Promise<void> {
    return this.#alone(async () => {
      this.#kernel.clock.freeze();
      await this.#kernel.saveClock();
    });
  }
  resume(): Promise<void> {
    return this.#alone(async () => {
      this.#kernel.clock.resume();
      await this.#kernel.saveClock();
    });
  }
  advance(byMs: number): Promise<Journey> {
    return this.#alone(() => this.#advance(byMs));
  }
  async #advance(byMs: number): Promise<Journey> {
    const { clock, jobs } = this.#kernel;
    await jobs.pause();
    const wasFrozen = clock.state.frozenAtMs !== undefined;
    const target = clock.nowMs() + byMs;
    try {
      clock.freeze();
      await this.#kernel.saveClock(true);
      return { nowMs: target, ran: await jobs.drain(target, RUNS_MAX) };
    } finally {
      if (wasFrozen) clock.standAt(target);
      else clock.runFrom(target);
      await this.#kernel.saveClock();
      jobs.resume();
    }
  }
}
