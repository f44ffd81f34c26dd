/** Limits how often an anonymous visitor may contribute, so that one visitor cannot flood an assignment. */

const PERIOD_MS = 10 * 60_000;
const TIMES_MAX = 30;
const KNOWN_MAX = 10_000;

export class Visits {
  readonly #times = new Map<string, number[]>();

  /** False if they have to wait. */
  note(network: string, nowMs: number): boolean {
    const recent = (this.#times.get(network) ?? []).filter((ms) => ms > nowMs - PERIOD_MS);
    if (recent.length >= TIMES_MAX) return false;
    recent.push(nowMs);
    // The latest visitor is last, so that the least recent one is evicted first.
    this.#times.delete(network);
    this.#times.set(network, recent);
    const [oldest] = this.#times.keys();
    if (this.#times.size > KNOWN_MAX && oldest !== undefined) this.#times.delete(oldest);
    return true;
  }
}
