/** The rhythm of a schedule. */

import { errors, timeText } from "../../book/index.ts";
import { getInstant, isRecurrence, type Recurrence, type Rhythm } from "../../money/index.ts";

export const SIZE_MAX = 1000;

type Asked = {
  readonly time_start: string;
  readonly time_end?: string;
  readonly recurrence_unit: string;
  readonly recurrence_size?: number;
};
export function rhythmOf(body: Asked, nowMs: number): Rhythm {
  const { time_start, time_end, recurrence_unit, recurrence_size = 1 } = body;
  if (!isRecurrence(recurrence_unit))
    throw errors.badRequest("recurrence_unit must be ONCE, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.");
  const startMs = getInstant(time_start, "time_start");
  const endMs = time_end === undefined ? undefined : getInstant(time_end, "time_end");
  if (startMs < nowMs - LATE_MS) throw errors.badRequest("time_start has passed.");
  if (endMs !== undefined && endMs < startMs) throw errors.badRequest("time_end comes before time_start.");
  return { startMs, endMs, unit: recurrence_unit, size: recurrence_size };
}
/** Tolerance for a start time in the past: clocks differ, and requests take time. */
const LATE_MS = 5 * 60_000;

export const rhythmView = ({ startMs, endMs, unit, size }: Rhythm) => ({
  time_start: timeText(startMs),
  ...(endMs !== undefined && { time_end: timeText(endMs) }),
  recurrence_unit: unit satisfies Recurrence,
  recurrence_size: size,
});
