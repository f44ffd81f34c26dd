/** Instants as the bank writes them, and the dates on which something that returns falls due. */

import { type Static, Type } from "@sinclair/typebox";
import { dateOf, isoOf, parseInstant } from "#kernel/clock";
import type { Unchanging } from "../../book/index.ts";

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?(\.\d{1,6})?(?:Z| ?UTC)?)?$/;

/** `2026-11-15 23:52:08.123000`, in UTC; a date alone is its midnight. Undefined where the text is none. */
export function readInstant(text: string): number | undefined {
  const [, day, minutes = "00:00", seconds = ":00", fraction = ".000"] = INSTANT.exec(text) ?? [];
  const ms = day && parseInstant(`${day}T${minutes}${seconds}${fraction.padEnd(4, "0").slice(0, 4)}Z`);
  // The thirtieth of February would become a day in March.
  return typeof ms === "number" && isoOf(ms).startsWith(`${day}T${minutes}${seconds}`) ? ms : undefined;
}

export const RECURRENCES = ["ONCE", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;
export type Recurrence = (typeof RECURRENCES)[number];
export const isRecurrence = (name: string): name is Recurrence =>
  RECURRENCES.some((recurrence) => recurrence === name);

export const HOUR_MS = 3_600_000;
/** The first instant of an hour. */
export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;
const FIXED_MS: Partial<Record<Recurrence, number>> = {
  HOURLY: HOUR_MS,
  DAILY: 86_400_000,
  WEEKLY: 7 * 86_400_000,
};

/** Counted from the start, so that the 31st comes back after a short month. */
function monthsAfter(startMs: number, months: number): number {
  const date = dateOf(startMs);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  const last = dateOf(date.getTime());
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  return date.setUTCDate(Math.min(day, last.getUTCDate()));
}

export const Rhythm = Type.Object({
  startMs: Type.Number(),
  endMs: Type.Optional(Type.Number()),
  unit: Type.Union(RECURRENCES.map((unit) => Type.Literal(unit))),
  size: Type.Number(),
});
export type Rhythm = Unchanging<Static<typeof Rhythm>>;
/** When it falls due for the n-th time, counted from 0; undefined when that is never. */
export function occurrenceOf({ startMs, endMs, unit, size }: Rhythm, count: number): number | undefined {
  if (unit === "ONCE" && count > 0) return undefined;
  const fixed = FIXED_MS[unit];
  const months = (unit === "YEARLY" ? 12 : 1) * size * count;
  const atMs = fixed === undefined ? monthsAfter(startMs, months) : startMs + fixed * size * count;
  return endMs !== undefined && atMs > endMs ? undefined : atMs;
}
