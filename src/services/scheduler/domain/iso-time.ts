/** Parses and formats ISO 8601 date-times and durations. */
import {
  DAY_MS,
  dateOfDay,
  dayNumberOf,
  daysInMonth,
  floorDivide,
  floorModulo,
  HOUR_MS,
  MINUTE_MS,
} from "./calendar.ts";

const DATE_TIME_PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** Years with four digits. An offset can lead outside this range. */
const writableMsMin = dayNumberOf(1, 1, 1) * DAY_MS;
const writableMsEnd = dayNumberOf(10_000, 1, 1) * DAY_MS;

function offsetMsOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "Z" || text === "z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 14 || minutes > 59) return undefined;
  return (text.startsWith("-") ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

/**
 * Milliseconds since 1970 UTC. Text without an offset is UTC, and a date alone is its midnight. The offset
 * only determines the instant. Schedules are still evaluated in UTC.
 */
export function findInstant(text: string): number | undefined {
  const match = DATE_TIME_PATTERN.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const offsetMs = offsetMsOf(match[8]);
  if (offsetMs === undefined || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const milliseconds = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const timeOfDay = hour * HOUR_MS + minute * MINUTE_MS + second * 1_000 + milliseconds;
  const instantMs = dayNumberOf(year, month, day) * DAY_MS + timeOfDay - offsetMs;
  return instantMs >= writableMsMin && instantMs < writableMsEnd ? instantMs : undefined;
}

const padded = (value: number, length: number): string => String(value).padStart(length, "0");

/** `2030-01-31T08:00:00Z`, with milliseconds only if they are not zero. */
export function instantText(instantMs: number): string {
  const { year, month, day } = dateOfDay(floorDivide(instantMs, DAY_MS));
  const ofDay = floorModulo(instantMs, DAY_MS);
  const milliseconds = ofDay % 1_000;
  const time = [
    floorDivide(ofDay, HOUR_MS),
    floorDivide(ofDay, MINUTE_MS) % 60,
    floorDivide(ofDay, 1_000) % 60,
  ].map((part) => padded(part, 2));
  const fraction = milliseconds === 0 ? "" : `.${padded(milliseconds, 3)}`;
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}T${time.join(":")}${fraction}Z`;
}

const DURATION_PATTERN =
  /^P(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,8}(?:\.\d{1,7})?)S)?)?$/;
/** A duration has no calendar date, so a year has 365 days and a month 30. */
const DURATION_UNITS_MS = [365 * DAY_MS, 30 * DAY_MS, 7 * DAY_MS, DAY_MS, HOUR_MS, MINUTE_MS, 1_000] as const;

export function findDurationMs(text: string): number | undefined {
  const match = DURATION_PATTERN.exec(text);
  if (match === null || text === "P" || text.endsWith("T")) return undefined;
  const total = DURATION_UNITS_MS.reduce(
    (sum, unitMs, index) => sum + Number(match[index + 1] ?? 0) * unitMs,
    0,
  );
  return Math.round(total);
}
