/** How long the last requests took. */
const KEPT = 256;

export class Latencies {
  readonly #ms = new Float64Array(KEPT);
  #count = 0;

  get #kept(): Float64Array {
    return this.#ms.subarray(0, Math.min(KEPT, this.#count));
  }
  note(ms: number): void {
    this.#ms[this.#count % KEPT] = ms;
    this.#count += 1;
  }
  /** The latency that the given percentage did not exceed; undefined without measurements. */
  percentile(share: number): number | undefined {
    return Latencies.percentile([this], share);
  }
  static percentile(several: readonly Latencies[], share: number): number | undefined {
    const kept = Float64Array.from(several.flatMap((one) => [...one.#kept])).sort();
    return kept[Math.min(kept.length - 1, Math.floor((kept.length * share) / 100))];
  }
}
