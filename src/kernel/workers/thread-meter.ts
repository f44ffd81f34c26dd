/** Measures the processor time of a task in its thread, so that a limit does not depend on other work of the machine. */
import { readFileSync, readlinkSync } from "node:fs";

/** Shared by the thread and its limiter: the id of the thread, and the processor time it had used before the task. */
export type ThreadMeter = SharedArrayBuffer;
const NOT_BEGUN = 0;
const NOT_MEASURED = -1;
const NANOSECONDS_PER_MS = 1e6;

export const newThreadMeter = (): ThreadMeter => new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);

/** Undefined if the system does not tell it, as only Linux does. */
function processorMsOf(thread: number): number | undefined {
  try {
    const [used = ""] = readFileSync(`/proc/self/task/${thread}/schedstat`, "latin1").split(" ");
    return Number(used) / NANOSECONDS_PER_MS;
  } catch {
    return undefined;
  }
}
function ownThread(): number {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return NOT_MEASURED;
  }
}

/** In the thread, at the start of the task. */
export function startThreadMeter(meter: ThreadMeter): void {
  const fields = new Float64Array(meter);
  const thread = ownThread();
  const before = processorMsOf(thread);
  fields[1] = before ?? 0;
  fields[0] = before === undefined ? NOT_MEASURED : thread;
}
/** The processor time of the task so far, or the elapsed time if the system does not tell it. */
export function meteredMs(meter: ThreadMeter, elapsedMs: number): number {
  const [thread = NOT_MEASURED, before = 0] = new Float64Array(meter);
  if (thread === NOT_BEGUN) return 0;
  const used = thread === NOT_MEASURED ? undefined : processorMsOf(thread);
  return used === undefined ? elapsedMs : used - before;
}
