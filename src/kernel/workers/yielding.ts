/** Yields to the event loop between two pieces of work, so that requests are served. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** The first immediate still belongs to the current iteration of the event loop. */
export async function yieldToEventLoop(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** The main thread is blocked no longer than this, plus one step. */
const BLOCK_MS_MAX = 8;

/** Runs work that yields between its steps, so that others are served meanwhile. */
export async function runInSteps<T>(work: Generator<void, T>): Promise<T> {
  let beganMs = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - beganMs < BLOCK_MS_MAX) continue;
    await yieldToEventLoop();
    beganMs = performance.now();
  }
}
/** The same for work whose steps come one by one from elsewhere. */
export class Pauses {
  #beganMs = performance.now();
  async whenDue(): Promise<void> {
    if (performance.now() - this.#beganMs < BLOCK_MS_MAX) return;
    await yieldToEventLoop();
    this.#beganMs = performance.now();
  }
}
/** The same work without yielding, if nobody waits. */
export function runAtOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
