/** Round figures and round times for the axes of charts. */
import { timeZone } from "./kernel-time.ts";

/** `at`: the place on the axis, from 0 to 1. */
export type Tick = { readonly at: number; readonly text: string };
export type ValueAxis = { readonly low: number; readonly high: number; readonly ticks: readonly number[] };

const STEPS = [1, 2, 2.5, 5, 10];
const INTERVALS = 4;

/** From at most `least` to at least `most`, in about four steps. `isWhole`: no fractions between the ticks. */
export function valueAxis(least: number, most: number, isWhole: boolean): ValueAxis {
  const wanted = (most > least ? most - least : 1) / INTERVALS;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const found = (STEPS.find((step) => step * power >= wanted) ?? 10) * power;
  const step = isWhole ? Math.max(1, Math.ceil(found)) : found;
  const from = Math.floor(least / step);
  const until = Math.max(from + 1, Math.ceil(most / step));
  const ticks = Array.from({ length: until - from + 1 }, (_, index) => (from + index) * step);
  return { low: from * step, high: until * step, ticks };
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TIME_STEPS = [
  ...[1, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14].map((days) => days * DAY_MS),
];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120];
const MONTH_MS = 30 * DAY_MS;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const TICKS_MAX = 6;

const two = (value: number): string => String(value).padStart(2, "0");
/** Of a time that was shifted by the reader's zone. */
function shortText(shiftedMs: number, stepMs: number): string {
  const at = new Date(shiftedMs);
  const month = MONTHS[at.getUTCMonth()];
  if (stepMs >= MONTH_MS) return `${month} ${at.getUTCFullYear()}`;
  if (stepMs >= DAY_MS) return `${at.getUTCDate()} ${month}`;
  const clock = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
  return stepMs >= MINUTE_MS ? clock : `${clock}:${two(at.getUTCSeconds())}`;
}
/** The starts of months between two times. */
function monthStarts(fromMs: number, untilMs: number, step: number): number[] {
  const first = new Date(fromMs);
  const starts: number[] = [];
  let month = 12 * first.getUTCFullYear() + first.getUTCMonth();
  month = Math.ceil(month / step) * step;
  for (; ; month += step) {
    const at = Date.UTC(Math.floor(month / 12), month % 12);
    if (at > untilMs) return starts;
    if (at >= fromMs) starts.push(at);
  }
}

/** Round times in the reader's zone. */
export function timeTicks(fromMs: number, untilMs: number): Tick[] {
  const zoneMs = timeZone.value === "UTC" ? 0 : -new Date(fromMs).getTimezoneOffset() * MINUTE_MS;
  const [from, until] = [fromMs + zoneMs, untilMs + zoneMs];
  const span = Math.max(1, until - from);
  const stepMs = TIME_STEPS.find((step) => span / step < TICKS_MAX);
  const tickOf = (ms: number, step: number) => ({ at: (ms - from) / span, text: shortText(ms, step) });
  if (stepMs !== undefined) {
    const ticks: Tick[] = [];
    for (let ms = Math.ceil(from / stepMs) * stepMs; ms <= until; ms += stepMs)
      ticks.push(tickOf(ms, stepMs));
    return ticks;
  }
  const months = MONTH_STEPS.find((step) => span / (step * MONTH_MS) < TICKS_MAX) ?? 120;
  return monthStarts(from, until, months).map((ms) => tickOf(ms, MONTH_MS));
}

/** Some of the names, at even distances. `placeOf`: where one stands, from 0 to 1. */
export function nameTicks(names: readonly string[], placeOf: (index: number) => number): Tick[] {
  const step = Math.max(1, Math.ceil(names.length / TICKS_MAX));
  return names.flatMap((text, index) => (index % step === 0 ? [{ at: placeOf(index), text }] : []));
}
