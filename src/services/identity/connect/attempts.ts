/** Against floods: a count per minute and name, in memory and of limited size. Guesses are counted in the database. */
import { makeRoom } from "#kernel/memory";

export const ATTEMPTS_WINDOW_MS = 60_000;
const PER_MINUTE_MAX = 6000;
const KEPT_MAX = 50_000;

export class Attempts {
  readonly #counts = new Map<string, { count: number; untilMs: number }>();

  /** False if the name has used up its attempts of this minute. */
  take(name: string): boolean {
    const nowMs = performance.now();
    const entry = this.#counts.get(name);
    if (entry && entry.untilMs > nowMs) {
      if (entry.count >= PER_MINUTE_MAX) return false;
      entry.count += 1;
      return true;
    }
    this.#counts.delete(name);
    makeRoom(this.#counts, KEPT_MAX);
    this.#counts.set(name, { count: 1, untilMs: nowMs + ATTEMPTS_WINDOW_MS });
    return true;
  }
}
