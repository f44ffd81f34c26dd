/** Divides requests between revisions: of any hundred in sequence, each gets exactly its percentage, evenly spread. */
export class TrafficSplit {
  readonly #shares: readonly (readonly [string, number])[];
  readonly #credits: number[];
  readonly #whole: number;

  constructor(shares: ReadonlyMap<string, number>) {
    this.#shares = [...shares];
    this.#credits = this.#shares.map(() => 0);
    this.#whole = this.#shares.reduce((sum, [, percent]) => sum + percent, 0);
  }
  /** Smooth weighted round robin: each revision gains its percentage, and the chosen one pays for the request. */
  next(): string {
    let chosen = 0;
    for (const [index, [, percent]] of this.#shares.entries()) {
      this.#credits[index] = (this.#credits[index] ?? 0) + percent;
      if ((this.#credits[index] ?? 0) > (this.#credits[chosen] ?? 0)) chosen = index;
    }
    this.#credits[chosen] = (this.#credits[chosen] ?? 0) - this.#whole;
    return this.#shares[chosen]?.[0] ?? "";
  }
}
