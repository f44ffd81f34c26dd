/** Who is next: one task of each caller in turn, so that many of one hold up no other, and no more waiting than there is room for. */

export type TurnLimits = {
  readonly placesMax: number;
  readonly waitingPerCallerMax: number;
  readonly waitingMax: number;
};

export class Turns {
  readonly #limits: TurnLimits;
  /** In the order in which callers get their next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #waitingCount = 0;
  #taken = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
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
    const { placesMax, waitingPerCallerMax, waitingMax } = this.#limits;
    if (this.#taken < placesMax) {
      this.#taken += 1;
      return true;
    }
    const own = this.#waiting.get(caller) ?? [];
    if (own.length >= waitingPerCallerMax || this.#waitingCount >= waitingMax) return false;
    this.#waiting.set(caller, own);
    this.#waitingCount += 1;
    await new Promise<void>((begin) => own.push(begin));
    return true;
  }
  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken -= 1;
      return;
    }
    const [caller, own] = next;
    const first = own.shift();
    this.#waitingCount -= 1;
    this.#waiting.delete(caller);
    if (own.length > 0) this.#waiting.set(caller, own);
    first?.();
  }
}
