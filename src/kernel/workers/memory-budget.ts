/**
 * A shared memory budget. Work that needs more than is free waits in a FIFO queue, so that large work is not
 * postponed for ever. Callers must limit the length of the queue.
 */
type Waiting = { readonly bytes: number; readonly begin: () => void };

export class MemoryBudget {
  readonly #bytesMax: number;
  readonly #waiting: Waiting[] = [];
  #held = 0;
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }
  get held(): number {
    return this.#held;
  }
  /** Work that needs more than the whole budget runs alone. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const needed = Math.min(bytes, this.#bytesMax);
    await this.#enter(needed);
    try {
      return await work();
    } finally {
      this.#held -= needed;
      this.#letIn();
    }
  }
  async #enter(bytes: number): Promise<void> {
    const entered = new Promise<void>((begin) => this.#waiting.push({ bytes, begin }));
    this.#letIn();
    await entered;
  }
  #letIn(): void {
    for (
      let first = this.#waiting[0];
      first !== undefined && this.#held + first.bytes <= this.#bytesMax;
      first = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#held += first.bytes;
      first.begin();
    }
  }
}
