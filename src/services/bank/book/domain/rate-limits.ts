/** How much a caller may ask of one operation within a few seconds: the public bank's numbers, times a factor. */

export type RateLimit = { readonly requests: number; readonly windowMs: number };
const WINDOW_MS = 3000;
const REQUESTS: Readonly<Record<string, number>> = { GET: 3, PUT: 2 };
const REQUESTS_OTHERWISE = 5;
const SESSION: RateLimit = { requests: 1, windowMs: 30_000 };

/** Returns undefined if there is no limit. */
export function rateLimitFor(operationId: string, method: string, times: number): RateLimit | undefined {
  if (times === 0) return undefined;
  const { requests, windowMs } =
    operationId === "bank.CreateSessionServer"
      ? SESSION
      : { requests: REQUESTS[method] ?? REQUESTS_OTHERWISE, windowMs: WINDOW_MS };
  return { requests: requests * times, windowMs };
}

const KEPT_MAX = 10_000;
export type Counted = { readonly remaining: number; readonly isOver: boolean; readonly resetMs: number };
type Window = { count: number; readonly endsAtMs: number };
/** Counts by name, each in a window that begins with its first request. Of very many the oldest are forgotten. */
export class RateCounter {
  readonly #windows = new Map<string, Window>();
  get size(): number {
    return this.#windows.size;
  }
  count(name: string, { requests, windowMs }: RateLimit, nowMs: number): Counted {
    const found = this.#windows.get(name);
    const window = found && found.endsAtMs > nowMs ? found : this.#begin(name, nowMs + windowMs, nowMs);
    window.count += 1;
    return {
      remaining: Math.max(0, requests - window.count),
      isOver: window.count > requests,
      resetMs: window.endsAtMs - nowMs,
    };
  }
  #begin(name: string, endsAtMs: number, nowMs: number): Window {
    this.#windows.delete(name);
    for (const [other, window] of this.#windows) {
      if (window.endsAtMs > nowMs && this.#windows.size < KEPT_MAX) break;
      this.#windows.delete(other);
    }
    const begun = { count: 0, endsAtMs };
    this.#windows.set(name, begun);
    return begun;
  }
  forget(): void {
    this.#windows.clear();
  }
}
