/** A cache of recently used values. */

export class Recent<Value> {
  readonly #max: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  constructor(max: number) {
    this.#max = max;
  }

  find(key: string): Value | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.keep(key, older);
    return older;
  }
  /** When the cache is full, it drops the older half: the values that were not used since the last drop. */
  keep(key: string, value: Value): void {
    if (this.#young.size >= this.#max / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
