/** Moving time: advancing runs all work that falls due on the way, in order, each at its own instant; housekeeping once, at the end. */
import type { AnyDb } from "../db/database.ts";
import { kernelErrors } from "../operation/errors.ts";
import { JourneyLog } from "./journey-log.ts";
import type { Kernel } from "./kernel.ts";

const RUNS_MAX = 1_000_000;
/** How long other nodes are waited for: to take notice, and to end what they are at work on. */
const OTHERS_MS_MAX = 30_000;
const OTHERS_POLL_MS = 20;

export type Journey = {
  /** False when it was stopped on its way: time is where it had come to. */
  readonly arrived: boolean;
  readonly log: JourneyLog;
};
/** Of a journey that is under way on this node. */
export type JourneyProgress = { readonly fromMs: number; readonly toMs: number; readonly runs: number };

export class TimeTravel {
  readonly #kernel: Kernel;
  #last: Promise<unknown> = Promise.resolve();
  #underWay: (Omit<JourneyProgress, "runs"> & { readonly log: JourneyLog; isCancelled: boolean }) | undefined;
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
      const { clock, jobs, sharedClock } = this.#kernel;
      const before = clock.state;
      change();
      await sharedClock.save().catch((error) => {
        clock.restore(before);
        throw error;
      });
      jobs.wake();
    });
  }
  advance(byMs: number): Promise<Journey> {
    return this.#alone(() => this.#advance(byMs));
  }
  findProgress(): JourneyProgress | undefined {
    if (!this.#underWay) return undefined;
    const { fromMs, toMs, log } = this.#underWay;
    return { fromMs, toMs, runs: log.count };
  }
  /** The journey that is under way on this node ends after the run it is at; time stays where it has come to. */
  cancel(): void {
    if (!this.#underWay) throw kernelErrors.conflict("Nobody is moving time on this node.");
    this.#underWay.isCancelled = true;
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
    const log = new JourneyLog((name) => jobs.isHousekeeping(name));
    const underWay = { fromMs: clock.nowMs(), toMs: targetMs, log, isCancelled: false };
    this.#underWay = underWay;
    let arrived = false;
    try {
      await this.#untilOthersRest();
      while (!arrived && log.count < RUNS_MAX && !underWay.isCancelled)
        arrived = !(await this.#runNext(targetMs, log));
    } finally {
      this.#underWay = undefined;
      await sharedClock.endJourney(clock.nowMs());
    }
    await this.#untilOthersKnow("Time was moved, but ");
    return { arrived, log };
  }
  /** False when nothing is left to run and time stands at the target. */
  async #runNext(targetMs: number, log: JourneyLog): Promise<boolean> {
    const { clock, jobs, sharedClock } = this.#kernel;
    const arrive = (db: AnyDb) => sharedClock.savePosition(db);
    let ran = await jobs.runNext(targetMs, { arrive, leaveHousekeeping: true });
    if (!ran) {
      clock.standAt(targetMs);
      ran = await jobs.runNext(targetMs, { arrive });
    }
    if (ran) log.add(ran);
    return ran !== undefined;
  }
  /** Work that they began before they heard of the journey would see time stand still, or jump. */
  async #untilOthersRest(): Promise<void> {
    await this.#untilOthersKnow("Time was not moved: ");
    await this.#until(
      async () => !(await this.#kernel.jobs.isRunningElsewhere()),
      async () => "Work is under way on another node: time was not moved; try again when it has ended.",
    );
  }
  #untilOthersKnow(outcome: string): Promise<void> {
    const { sharedClock } = this.#kernel;
    return this.#until(
      async () => (await sharedClock.findBehind()).length === 0,
      async () => `${outcome}the nodes ${(await sharedClock.findBehind()).join(", ")} take no notice of it.`,
    );
  }
  async #until(isSo: () => Promise<boolean>, problem: () => Promise<string>): Promise<void> {
    for (const endMs = performance.now() + OTHERS_MS_MAX; !(await isSo()); ) {
      if (performance.now() > endMs) throw kernelErrors.conflict(await problem());
      await new Promise((resolve) => setTimeout(resolve, OTHERS_POLL_MS));
    }
  }
}
