/** Runs work of the same key one after another, in the order of the calls, and other work at the same time. */
export class KeyQueue {
  readonly #last = new Map<string, Promise<unknown>>();
  /** Keys with work under way. */
  get size(): number {
    return this.#last.size;
  }
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = before ? before.then(work, work) : work();
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
