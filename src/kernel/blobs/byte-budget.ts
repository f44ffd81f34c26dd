/** A budget of bytes that a process holds at once for all callers, so that they cannot use up all memory or disk. */
import { kernelErrors } from "../operation/errors.ts";

const RETRY_AFTER_SECONDS = 1;

export class ByteBudget {
  readonly #bytesMax: number;
  #held = 0;
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }
  get held(): number {
    return this.#held;
  }
  /**
   * `share`: the part of the budget that this kind of caller may fill, counting the bytes of all. Throws
   * `unavailable` beyond it.
   */
  take(bytes: number, share = 1): void {
    if (this.#held + bytes > this.#bytesMax * share)
      throw kernelErrors.unavailable("Too many bytes of requests are under way; try again.", {
        headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
      });
    this.#held += bytes;
  }
  give(bytes: number): void {
    this.#held -= bytes;
  }
}
