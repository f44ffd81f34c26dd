/** Remembers what was made for a text, the latest of them. */

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
  /** Half of them are forgotten at once: whoever was not asked for since the last time. */
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
