/** Days and times as callers write them, all in UTC. */
import { isoOf, parseInstant } from "#kernel/clock";

const DAY_MS = 86_400_000;
const WRITTEN = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2})(?:\.\d{1,6})?Z?)?$/;

/** Returns undefined if the text is no date, or a day that does not exist. */
export function readTime(text: string): number | undefined {
  const [, day, time = "00:00:00"] = WRITTEN.exec(text) ?? [];
  const ms = day === undefined ? undefined : parseInstant(`${day}T${time}Z`);
  return ms !== undefined && isoOf(ms).startsWith(day ?? "") ? ms : undefined;
}
/** `2026-11-16` */
export const dayText = (ms: number): string => isoOf(ms).slice(0, 10);
export const dayStart = (ms: number): number => ms - (ms % DAY_MS);
export const nextDay = (ms: number): number => dayStart(ms) + DAY_MS;
export const yearOf = (ms: number): number => Number(isoOf(ms).slice(0, 4));

/** The first instant of a month. A month above 12 belongs to the next year. */
export function monthStart(year: number, month: number): number {
  const count = year * 12 + month - 1;
  const text = (value: number, digits: number) => String(value).padStart(digits, "0");
  const ms = parseInstant(`${text(Math.floor(count / 12), 4)}-${text((count % 12) + 1, 2)}-01T00:00:00Z`);
  if (ms === undefined) throw new Error(`there is no month ${month} of ${year}`);
  return ms;
}
/** The first instant of the month that is the given number of months later. */
export const laterMonth = (ms: number, months: number): number =>
  monthStart(yearOf(ms), Number(isoOf(ms).slice(5, 7)) + months);
