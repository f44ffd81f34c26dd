/** Moving time: advancing runs all work that falls due on the way, in order, each at its own instant. */
import type { RanJob } from "../jobs/queue.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Kernel } from "./kernel.ts";

const RUNS_MAX = 1_000_000;
/** How long other nodes are waited for: to take notice, and to end what they are at work on. */
const OTHERS_MS_MAX = 30_000;
const OTHERS_POLL_MS = 20;

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
    return this.#change(() => this.#kernel.clock.freeze());
  }
  resume(): Promise<void> {
    return this.#change(() => this.#kernel.clock.resume());
  }
  #change(change: () => void): Promise<void> {
    return this.#alone(async () => {
      const { clock, sharedClock } = this.#kernel;
      const before = clock.state;
      change();
      await sharedClock.save().catch((error) => {
        clock.restore(before);
        throw error;
      });
    });
  }
  advance(byMs: number): Promise<Journey> {
    return this.#alone(() => this.#advance(byMs));
  }
  async #advance(byMs: number): Promise<Journey> {
    const { clock, jobs, sharedClock, config } = this.#kernel;
    await jobs.pause();
    try {
      await sharedClock.beginJourney();
      const keeping = setInterval(
        // What fails here is noticed by the next run.
        () => void sharedClock.keepJourney().catch(() => {}),
        config.jobLeaseSeconds * 333,
      );
      try {
        return await this.#travel(clock.nowMs() + byMs);
      } finally {
        clearInterval(keeping);
      }
    } finally {
      jobs.resume();
    }
  }
  async #travel(targetMs: number): Promise<Journey> {
    const { clock, jobs, sharedClock } = this.#kernel;
    let reachedMs = clock.nowMs();
    let ran: RanJob[];
    try {
      await this.#untilOthersRest();
      ran = await jobs.drain(targetMs, RUNS_MAX, (db) => sharedClock.savePosition(db));
      reachedMs = targetMs;
    } catch (error) {
      reachedMs = clock.nowMs();
      throw error;
    } finally {
      await sharedClock.endJourney(reachedMs);
    }
    await this.#untilOthersKnow();
    return { nowMs: targetMs, ran };
  }
  /** Work that they began before they heard of the journey would see time stand still, or jump. */
  async #untilOthersRest(): Promise<void> {
    await this.#untilOthersKnow();
    await this.#until(
      async () => !(await this.#kernel.jobs.isRunningElsewhere()),
      async () => "Work is under way on another node: time was not moved; try again when it has ended.",
    );
  }
  #untilOthersKnow(): Promise<void> {
    const { sharedClock } = this.#kernel;
    return this.#until(
      async () => (await sharedClock.findBehind()).length === 0,
      async () => `The nodes ${(await sharedClock.findBehind()).join(", ")} take no notice of the time.`,
    );
  }
  async #until(isSo: () => Promise<boolean>, problem: () => Promise<string>): Promise<void> {
    for (const endMs = performance.now() + OTHERS_MS_MAX; !(await isSo()); ) {
      if (performance.now() > endMs) throw kernelErrors.conflict(await problem());
      await new Promise((resolve) => setTimeout(resolve, OTHERS_POLL_MS));
    }
  }
}
