/**
 * Moves the clock. Advancing runs all due jobs in order, each at its own instant, and housekeeping once at the end.
 */
import type { AnyDb } from "../db/database.ts";
import { kernelErrors } from "../operation/errors.ts";
import { JourneyLog } from "./journey-log.ts";
import type { Kernel } from "./kernel.ts";
import type { Position } from "./shared-clock.ts";

/** Runs that share a commit. */
const BATCH_RUNS_MAX = 64;
/** How long to wait for other nodes: until they have seen the change, and have ended their running jobs. */
const OTHERS_MS_MAX = 30_000;
const OTHERS_POLL_MS = 20;

export type Journey = {
  /** False if it was stopped on the way: the clock stays where it was. */
  readonly arrived: boolean;
  readonly log: JourneyLog;
};
/** The progress of an advance on this node. */
export type JourneyProgress = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly runs: number;
  /** The part that is done, from 0 to 1. */
  readonly share: number;
  /** The estimated rest, on the machine's clock; unknown at the beginning. */
  readonly remainingMs?: number;
};

type UnderWay = Pick<JourneyProgress, "fromMs" | "toMs"> & {
  /** On the machine's monotonic clock. */
  readonly startedMs: number;
  readonly log: JourneyLog;
  isCancelled: boolean;
};

export class TimeTravel {
  readonly #kernel: Kernel;
  #last: Promise<unknown> = Promise.resolve();
  #underWay: UnderWay | undefined;
  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }
  /** One change of the clock at a time. */
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
    const { fromMs, toMs, startedMs, log } = this.#underWay;
    const share = toMs > fromMs ? (this.#kernel.clock.nowMs() - fromMs) / (toMs - fromMs) : 1;
    const elapsedMs = performance.now() - startedMs;
    const progress = { fromMs, toMs, runs: log.count, share };
    return share > 0 ? { ...progress, remainingMs: (elapsedMs / share) * (1 - share) } : progress;
  }
  /** Stops the advance on this node after the current run. The clock stays where it is. */
  cancel(): void {
    if (!this.#underWay) throw kernelErrors.conflict("Nobody is moving time on this node.");
    this.#underWay.isCancelled = true;
  }
  async #advance(byMs: number): Promise<Journey> {
    const { clock, jobs, sharedClock, config } = this.#kernel;
    return jobs.travel(async () => {
      await sharedClock.beginJourney();
      const keeping = setInterval(
        // The next run notices a failure here.
        () => void sharedClock.keepJourney().catch(() => {}),
        config.jobLeaseSeconds * 333,
      );
      try {
        return await this.#travel(clock.nowMs() + byMs);
      } finally {
        clearInterval(keeping);
      }
    });
  }
  async #travel(targetMs: number): Promise<Journey> {
    const { clock, jobs, sharedClock } = this.#kernel;
    const log = new JourneyLog((name) => jobs.isHousekeeping(name));
    const startedMs = performance.now();
    const underWay = { fromMs: clock.nowMs(), toMs: targetMs, startedMs, log, isCancelled: false };
    this.#underWay = underWay;
    let arrived = false;
    try {
      await this.#untilOthersRest();
      while (!arrived && log.room > 0 && !underWay.isCancelled) arrived = !(await this.#runSome(underWay));
    } finally {
      this.#underWay = undefined;
      await sharedClock.endJourney(clock.nowMs());
    }
    await this.#untilOthersKnow("Time was moved, but ");
    return { arrived, log };
  }
  /** False if nothing is left to run and the clock is at the target. */
  async #runSome(underWay: UnderWay): Promise<boolean> {
    const { clock, jobs, sharedClock } = this.#kernel;
    const { toMs, log } = underWay;
    let position: Position | undefined;
    const arrive = async (db: AnyDb) => {
      position = await sharedClock.savePosition(db);
    };
    const isOver = () => underWay.isCancelled;
    const runsMax = Math.min(BATCH_RUNS_MAX, log.room);
    let ran = await jobs.runNext(toMs, { arrive, leaveHousekeeping: true, runsMax, isOver });
    if (ran.length === 0) {
      clock.standAt(toMs);
      ran = await jobs.runNext(toMs, { arrive });
    }
    if (ran.length === 0) return false;
    sharedClock.noteSaved(position);
    for (const one of ran) log.add(one);
    return true;
  }
  /** Jobs that they began earlier would see the clock stand still, or jump. */
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
