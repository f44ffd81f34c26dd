/** When a repeating or failed job is due again. */
import { Cron } from "croner";
import type { Repeat } from "../operation/job.ts";

const RETRY_MS = 1000;
export const RETRY_MS_MAX = 600_000;

/** Exponential backoff, ten minutes at most. `attempts` counts the attempts made, from 1. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** (attempts - 1));

/** Intervals keep their rhythm. Occurrences that were missed while the process was down become one. */
export function nextRunMs(repeat: Repeat, dueAtMs: number, nowMs: number): number {
  if ("everySeconds" in repeat) {
    const step = repeat.everySeconds * 1000;
    const missed = Math.max(0, Math.floor((nowMs - dueAtMs) / step));
    return dueAtMs + (missed + 1) * step;
  }
  const next = new Cron(repeat.cron, { utcOffset: 0, paused: true }).nextRun(
    new Date(Math.max(nowMs, dueAtMs)),
  );
  if (!next) throw new Error(`the schedule "${repeat.cron}" never comes due`);
  return next.getTime();
}
