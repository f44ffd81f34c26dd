/**
 * SQLite answers at once, so a caller that reads page after page would never yield to the event loop. A read in a turn
 * that has taken this long waits until others have had their turn.
 */
import { yieldToEventLoop } from "../workers/yielding.ts";

const TURN_MS = 20;

export class Turns {
  #beganMs: number | undefined;
  readonly #end = () => {
    this.#beganMs = undefined;
  };
  /** Undefined: the read may begin. */
  wait(): Promise<void> | undefined {
    const nowMs = performance.now();
    if (this.#beganMs !== undefined) return nowMs - this.#beganMs > TURN_MS ? yieldToEventLoop() : undefined;
    this.#beganMs = nowMs;
    setImmediate(this.#end);
    return undefined;
  }
}
