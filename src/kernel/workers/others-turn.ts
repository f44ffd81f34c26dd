/** Between two pieces of work that hold up the main thread: requests are served there. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** The first immediate still belongs to the turn that asks for it. */
export async function othersTurn(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Turns of the main thread are no longer than this, give or take one step. */
const TURN_MS = 20;

/** Work that yields between its steps, so that others have their turn meanwhile. */
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
/** The same work, where nobody is kept waiting. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
