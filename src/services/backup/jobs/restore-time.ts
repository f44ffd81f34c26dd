/** The instant that a continuous recovery point is restored to. */
import { isoOf, parseInstant } from "#kernel/clock";
import { DAY_MS } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { PointRow } from "../tables/index.ts";

export const RESTORE_TIME = "restoreTime";
const SECONDS = /^\d+(?:\.\d+)?$/;

/** Any second of the time that the point covers. */
export function restoreTimeOf(
  point: PointRow,
  metadata: Readonly<Record<string, string>>,
): number | undefined {
  const text = metadata[RESTORE_TIME];
  if (text === undefined) return undefined;
  if (point.kind !== "CONTINUOUS")
    throw errors.invalidParameterValue(`${RESTORE_TIME} can be said of continuous recovery points alone.`);
  const atMs = SECONDS.test(text) ? Number(text) * 1000 : (parseInstant(text) ?? Number.NaN);
  const until = point.known_until ?? point.created_at;
  const keptMs = Number(point.delete_after_days ?? Number.POSITIVE_INFINITY) * DAY_MS;
  const since = Math.max(point.created_at, until - keptMs);
  const [first, last] = [isoOf(since), isoOf(until)];
  if (!(atMs >= since && atMs <= until))
    throw errors.invalidParameterValue(`${RESTORE_TIME} must lie between ${first} and ${last}: ${text}.`);
  return atMs;
}
