/** Yields to the event loop between two pieces of work, so that requests are served. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** The first immediate still belongs to the current turn. */
export async function othersTurn(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** The main thread is blocked no longer than this, plus one step. */
const TURN_MS = 8;

/** Runs work that yields between its steps, so that others are served meanwhile. */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  let beganMs = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - beganMs < TURN_MS) continue;
    await othersTurn();
    beganMs = performance.now();
  }
}
/** The same work without yielding, if nobody waits. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
