/** A thread that yields to everybody else's: on Linux each thread has a priority of its own, elsewhere the whole process would yield. */
import { setPriority } from "node:os";

/** A third of what others get where both want the processor: limits on time still make sense. */
const NICENESS = 5;

export function beQuiet(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, NICENESS);
  } catch {
    // A sandbox may forbid it: then threads are as loud as others.
  }
}
