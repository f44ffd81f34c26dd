/**
 * Memory that pieces of work share. Whoever needs more than is free waits, in the order in which they came, so that large
 * pieces get their turn too. How many may wait is for those to limit who ask.
 */
type Waiting = { readonly bytes: number; readonly begin: () => void };

export class MemoryTurns {
  readonly #bytesMax: number;
  readonly #waiting: Waiting[] = [];
  #held = 0;
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }
  get held(): number {
    return this.#held;
  }
  /** What needs more than there is has all of it for itself. */
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
