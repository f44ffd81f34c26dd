/** Real time for signalling and media: a telephone call happens in the world, where the process's clock cannot be frozen. */
import { performance } from "node:perf_hooks";

export type Timer = {
  cancel(): void;
};

/** Milliseconds that only go forward; meaningful as differences. */
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
