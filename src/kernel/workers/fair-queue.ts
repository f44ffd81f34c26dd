/**
 * A fair queue: the next place goes to the waiting caller who was served longest ago. So a new caller waits
 * only for work that already runs. The queue is bounded. Callers with priority have a separate bounded queue, which is
 * served first.
 */
import { makeRoom } from "../memory/index.ts";

export type FairQueueLimits = {
  readonly placesMax: number;
  readonly waitingPerCallerMax: number;
  readonly waitingMax: number;
};

const SERVED_MAX = 10_000;

class Line {
  readonly #limits: FairQueueLimits;
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Callers that were served, the one served longest ago first. */
  readonly #served = new Set<string>();
  #waitingCount = 0;
  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }
  get isFull(): boolean {
    return this.#waitingCount >= this.#limits.waitingMax;
  }
  /** Undefined if the queue is full for this caller. */
  wait(caller: string): Promise<void> | undefined {
    const own = this.#waiting.get(caller) ?? [];
    if (own.length >= this.#limits.waitingPerCallerMax || this.isFull) return undefined;
    this.#waiting.set(caller, own);
    this.#waitingCount += 1;
    return new Promise<void>((begin) => own.push(begin));
  }
  /** False if nobody waits. */
  beginNext(): boolean {
    const caller = this.#findNext();
    if (caller === undefined) return false;
    const own = this.#waiting.get(caller) ?? [];
    const first = own.shift();
    this.#waitingCount -= 1;
    if (own.length === 0) this.#waiting.delete(caller);
    this.markServed(caller);
    first?.();
    return true;
  }
  #findNext(): string | undefined {
    for (const caller of this.#waiting.keys()) if (!this.#served.has(caller)) return caller;
    for (const caller of this.#served) if (this.#waiting.has(caller)) return caller;
    return undefined;
  }
  markServed(caller: string): void {
    this.#served.delete(caller);
    makeRoom(this.#served, SERVED_MAX);
    this.#served.add(caller);
  }
  forgetServed(): void {
    this.#served.clear();
  }
}

export class FairQueue {
  readonly #placesMax: number;
  readonly #first: Line;
  readonly #others: Line;
  #taken = 0;

  constructor(limits: FairQueueLimits) {
    this.#placesMax = limits.placesMax;
    this.#first = new Line(limits);
    this.#others = new Line(limits);
  }
  /** Whether the queue is full, except for callers with priority. */
  get isFull(): boolean {
    return this.#others.isFull;
  }
  /** Undefined if the queue is full. */
  async run<T>(caller: string, work: () => Promise<T>, goesFirst = false): Promise<T | undefined> {
    if (!(await this.#enter(caller, goesFirst ? this.#first : this.#others))) return undefined;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }
  async #enter(caller: string, line: Line): Promise<boolean> {
    if (this.#taken < this.#placesMax) {
      this.#taken += 1;
      line.markServed(caller);
      return true;
    }
    const waiting = line.wait(caller);
    await waiting;
    return waiting !== undefined;
  }
  #leave(): void {
    if (this.#first.beginNext() || this.#others.beginNext()) return;
    this.#taken -= 1;
    if (this.#taken > 0) return;
    this.#first.forgetServed();
    this.#others.forgetServed();
  }
}
