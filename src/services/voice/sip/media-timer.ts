/** Real-time timers for signalling and media. They ignore the process clock, which tests may freeze. */
import { performance } from "node:perf_hooks";

export type Timer = {
  cancel(): void;
};

/** Monotonic milliseconds. Only differences are meaningful. */
export function nowMs(): number {
  return performance.now();
}

export function startTimer(delayMs: number, run: () => void): Timer {
  // biome-ignore lint/style/noRestrictedGlobals: retransmissions and 20 ms packets need real time, which a durable job does not give
  const timeout = setTimeout(run, Math.max(0, delayMs));
  return { cancel: () => clearTimeout(timeout) };
}

export function waitMs(delayMs: number): Promise<void> {
  return new Promise((resolve) => startTimer(delayMs, resolve));
}
