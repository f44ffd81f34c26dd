/** How many bytes a process holds at once for all callers together, so that many of them cannot take what there is. */
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
  /** `share`: what callers of this kind may hold of it, together with all others. Throws `unavailable` beyond it. */
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
