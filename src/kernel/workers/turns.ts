/**
 * Who is next: of those who wait, the caller whose last turn began longest ago, so that whoever comes anew waits for what is
 * under way and for no more of those who had a turn already. No more wait than there is room for. Callers who go first
 * have a line of their own, with room of its own, and nobody of the other one begins while they wait.
 */

export type TurnLimits = {
  readonly placesMax: number;
  readonly waitingPerCallerMax: number;
  readonly waitingMax: number;
};

const SERVED_MAX = 10_000;

class Line {
  readonly #limits: TurnLimits;
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Of callers that had a turn, in the order in which their last ones began. */
  readonly #served = new Set<string>();
  #waitingCount = 0;
  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }
  get isFull(): boolean {
    return this.#waitingCount >= this.#limits.waitingMax;
  }
  /** Undefined where the caller may not wait. */
  wait(caller: string): Promise<void> | undefined {
    const own = this.#waiting.get(caller) ?? [];
    if (own.length >= this.#limits.waitingPerCallerMax || this.isFull) return undefined;
    this.#waiting.set(caller, own);
    this.#waitingCount += 1;
    return new Promise<void>((begin) => own.push(begin));
  }
  /** False where nobody waits. */
  beginNext(): boolean {
    const caller = this.#findNext();
    if (caller === undefined) return false;
    const own = this.#waiting.get(caller) ?? [];
    const first = own.shift();
    this.#waitingCount -= 1;
    if (own.length === 0) this.#waiting.delete(caller);
    this.noteTurn(caller);
    first?.();
    return true;
  }
  #findNext(): string | undefined {
    for (const caller of this.#waiting.keys()) if (!this.#served.has(caller)) return caller;
    for (const caller of this.#served) if (this.#waiting.has(caller)) return caller;
    return undefined;
  }
  noteTurn(caller: string): void {
    this.#served.delete(caller);
    if (this.#served.size >= SERVED_MAX) this.#served.clear();
    this.#served.add(caller);
  }
  forgetTurns(): void {
    this.#served.clear();
  }
}

export class Turns {
  readonly #placesMax: number;
  readonly #first: Line;
  readonly #others: Line;
  #taken = 0;

  constructor(limits: TurnLimits) {
    this.#placesMax = limits.placesMax;
    this.#first = new Line(limits);
    this.#others = new Line(limits);
  }
  /** Whether nobody may wait any more, but for those who go first. */
  get isFull(): boolean {
    return this.#others.isFull;
  }
  /** Undefined where nobody else may wait. */
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
      line.noteTurn(caller);
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
    this.#first.forgetTurns();
    this.#others.forgetTurns();
  }
}
