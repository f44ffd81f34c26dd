/** Time as everything in Medley sees it: it can stand still and be moved. */

export type ClockState = {
  /** Set while time stands still. */
  readonly frozenAtMs?: number;
  /** Otherwise: kernel time minus machine time. */
  readonly offsetMs: number;
};

export class Clock {
  #state: ClockState = { offsetMs: 0 };

  nowMs(): number {
    return this.#state.frozenAtMs ?? Date.now() + this.#state.offsetMs;
  }
  /** The machine's own time, which does not travel: for leases and for signatures made with the caller's clock. */
  machineNowMs(): number {
    return Date.now();
  }
  nowSeconds(): number {
    return this.nowMs() / 1000;
  }
  nowIso(): string {
    return isoOf(this.nowMs());
  }
  get state(): ClockState {
    return this.#state;
  }
  restore(state: ClockState): void {
    this.#state = state;
  }
  freeze(): void {
    this.#state = { frozenAtMs: this.nowMs(), offsetMs: this.#state.offsetMs };
  }
  resume(): void {
    this.#state = { offsetMs: this.#state.offsetMs + this.nowMs() - (Date.now() + this.#state.offsetMs) };
  }
  /** Stands still at the given instant; used step by step while time is advanced. */
  standAt(ms: number): void {
    this.#state = { frozenAtMs: ms, offsetMs: this.#state.offsetMs };
  }
  /** Runs on from the given instant. */
  runFrom(ms: number): void {
    this.#state = { offsetMs: ms - Date.now() };
  }
}

export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Epoch milliseconds of an RFC 3339 or HTTP date; undefined when it is none. */
export function parseInstant(text: string): number | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
/** `Sun, 06 Nov 1994 08:49:37 GMT`, as HTTP headers spell time. */
export const httpDateOf = (ms: number): string => new Date(ms).toUTCString();
