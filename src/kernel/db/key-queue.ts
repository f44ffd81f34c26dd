/** Runs work of the same key one after another, in the order of the calls, and other work at the same time. */
import { settledWithin } from "./settled-within.ts";

/** Work that waited for so long runs at the same time: what it waits for may be stuck. */
const WAIT_MS_MAX = 2000;

export class KeyQueue {
  readonly #waitMsMax: number;
  readonly #last = new Map<string, Promise<unknown>>();
  constructor(waitMsMax = WAIT_MS_MAX) {
    this.#waitMsMax = waitMsMax;
  }
  /** Keys with work under way. */
  get size(): number {
    return this.#last.size;
  }
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = before ? settledWithin(before, this.#waitMsMax).then(work) : work();
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
