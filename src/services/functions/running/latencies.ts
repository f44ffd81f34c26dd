/** How long the last requests took. */
const KEPT = 256;

export class Latencies {
  readonly #ms = new Float64Array(KEPT);
  #count = 0;

  note(ms: number): void {
    this.#ms[this.#count % KEPT] = ms;
    this.#count += 1;
  }
  /** The latency that the given percentage did not exceed; undefined without measurements. */
  percentile(share: number): number | undefined {
    const kept = this.#ms.slice(0, Math.min(KEPT, this.#count)).sort();
    return kept[Math.min(kept.length - 1, Math.floor((kept.length * share) / 100))];
  }
}
