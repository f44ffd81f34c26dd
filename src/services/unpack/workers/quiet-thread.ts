/**
 * Lowers the priority of a worker thread. Only Linux has priorities for threads; elsewhere it would affect
 * the whole process.
 */
import { setPriority } from "node:os";

/** About a third of the usual share under contention, so that time limits still hold. */
const NICENESS = 5;

export function beQuiet(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, NICENESS);
  } catch {
    // A sandbox may forbid the call. The thread then keeps its normal priority.
  }
}
