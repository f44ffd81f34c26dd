/** Converts between instants and wall-clock time, with rules for skipped and repeated hours. */
import { makeRoom } from "#kernel/memory";
import { DAY_MS, dayNumberOf, floorDivide, HOUR_MS, MINUTE_MS } from "./calendar.ts";

/** Local times are milliseconds as if the wall clock showed UTC. */
export type WallClock = {
  readonly localOf: (instantMs: number) => number;
  /** A skipped local time maps to the first instant after the gap, a repeated one to its first instant. */
  readonly instantOf: (localMs: number) => number;
};

export const utcClock: WallClock = { localOf: (instantMs) => instantMs, instantOf: (localMs) => localMs };

const formats = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 200;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  makeRoom(formats, FORMATS_MAX);
  formats.set(timeZone, format);
  return format;
}

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

function offsetMsAt(format: Intl.DateTimeFormat, instantMs: number): number {
  const wholeSecond = floorDivide(instantMs, 1_000) * 1_000;
  const parts = new Map(format.formatToParts(wholeSecond).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type) ?? 0);
  const year = parts.get("era") === "BC" ? 1 - part("year") : part("year");
  const day = dayNumberOf(year, part("month"), part("day"));
  return (
    day * DAY_MS + part("hour") * HOUR_MS + part("minute") * MINUTE_MS + part("second") * 1_000 - wholeSecond
  );
}

/** The first instant in (fromMs, toMs] whose offset differs from that of `fromMs`. */
function transitionBetween(format: Intl.DateTimeFormat, fromMs: number, toMs: number): number {
  const offsetBefore = offsetMsAt(format, fromMs);
  let before = fromMs;
  let after = toMs;
  while (after - before > 1) {
    const middle = floorDivide(before + after, 2);
    if (offsetMsAt(format, middle) === offsetBefore) before = middle;
    else after = middle;
  }
  return after;
}

/** Larger than any offset plus gap, and smaller than the distance between two transitions of a zone. */
const VICINITY_MS = 36 * HOUR_MS;

function instantOf(format: Intl.DateTimeFormat, localMs: number): number {
  const offsetBefore = offsetMsAt(format, localMs - VICINITY_MS);
  const offsetAfter = offsetMsAt(format, localMs + VICINITY_MS);
  const earlier = localMs - Math.max(offsetBefore, offsetAfter);
  const later = localMs - Math.min(offsetBefore, offsetAfter);
  for (const instantMs of [earlier, later]) {
    if (instantMs + offsetMsAt(format, instantMs) === localMs) return instantMs;
  }
  return transitionBetween(format, earlier, later);
}

/** Defaults to UTC. */
export function wallClockOf(timeZone: string | undefined): WallClock {
  if (timeZone === undefined || timeZone === "UTC") return utcClock;
  const format = formatOf(timeZone);
  return {
    localOf: (instantMs) => instantMs + offsetMsAt(format, instantMs),
    instantOf: (localMs) => instantOf(format, localMs),
  };
}
