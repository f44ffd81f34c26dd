/**
 * Who is next: of those who wait, the caller whose last turn began longest ago, so that whoever comes anew waits for what is
 * under way and for no more of those who had a turn already. No more wait than there is room for.
 */

export type TurnLimits = {
  readonly placesMax: number;
  readonly waitingPerCallerMax: number;
  readonly waitingMax: number;
};

const SERVED_MAX = 10_000;

export class Turns {
  readonly #limits: TurnLimits;
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Of callers that had a turn, in the order in which their last ones began; forgotten when all is quiet. */
  readonly #served = new Set<string>();
  #waitingCount = 0;
  #taken = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }
  /** Whether nobody may wait any more, whoever it is. */
  get isFull(): boolean {
    return this.#waitingCount >= this.#limits.waitingMax;
  }
  /** Undefined where nobody else may wait. */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.#enter(caller))) return undefined;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }
  async #enter(caller: string): Promise<boolean> {
    const { placesMax, waitingPerCallerMax } = this.#limits;
    if (this.#taken < placesMax) {
      this.#taken += 1;
      this.#noteTurn(caller);
      return true;
    }
    const own = this.#waiting.get(caller) ?? [];
    if (own.length >= waitingPerCallerMax || this.isFull) return false;
    this.#waiting.set(caller, own);
    this.#waitingCount += 1;
    await new Promise<void>((begin) => own.push(begin));
    return true;
  }
  #leave(): void {
    const caller = this.#findNext();
    if (caller === undefined) {
      this.#taken -= 1;
      if (this.#taken === 0) this.#served.clear();
      return;
    }
    const own = this.#waiting.get(caller) ?? [];
    const first = own.shift();
    this.#waitingCount -= 1;
    if (own.length === 0) this.#waiting.delete(caller);
    this.#noteTurn(caller);
    first?.();
  }
  #findNext(): string | undefined {
    for (const caller of this.#waiting.keys()) if (!this.#served.has(caller)) return caller;
    for (const caller of this.#served) if (this.#waiting.has(caller)) return caller;
    return undefined;
  }
  #noteTurn(caller: string): void {
    this.#served.delete(caller);
    if (this.#served.size >= SERVED_MAX) this.#served.clear();
    this.#served.add(caller);
  }
}
