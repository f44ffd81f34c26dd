/** Against floods: a count per minute and name, in memory and of limited size. Guesses are counted in the database. */
import { makeRoom } from "#kernel/memory";

export const ATTEMPTS_WINDOW_MS = 60_000;
const KEPT_MAX = 50_000;

export class Attempts {
  readonly #counts = new Map<string, { count: number; untilMs: number }>();

  isExhausted(name: string, max: number): boolean {
    const entry = this.#counts.get(name);
    return entry !== undefined && entry.untilMs > performance.now() && entry.count >= max;
  }
  count(name: string): void {
    const nowMs = performance.now();
    const entry = this.#counts.get(name);
    if (entry && entry.untilMs > nowMs) {
      entry.count += 1;
      return;
    }
    this.#counts.delete(name);
    makeRoom(this.#counts, KEPT_MAX);
    this.#counts.set(name, { count: 1, untilMs: nowMs + ATTEMPTS_WINDOW_MS });
  }
}
