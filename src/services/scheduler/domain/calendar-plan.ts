/** Finds occurrences of daily, weekly and monthly recurrences, by period instead of by minute. */
import {
  DAY_MS,
  dateOfDay,
  dayNumberOf,
  daysInMonth,
  floorDivide,
  floorModulo,
  HOUR_MS,
  INSTANT_MS_MAX,
  MINUTE_MS,
  monthNumberOf,
  weekDayOf,
} from "./calendar.ts";
import { type MonthlyOccurrence, type Recurrence, type Schedule, WEEK_DAYS } from "./recurrence.ts";
import { type WallClock, wallClockOf } from "./time-zone.ts";

export type Plan = {
  /** The first occurrence after an instant and not before the start. It ignores count and end time. */
  readonly find: (afterMs: number) => number | undefined;
  /** Minimum time between two occurrences; infinite for fewer than two. */
  readonly shortestGapMs: () => number;
};

/** Period 0 contains the start. */
type Periods = {
  readonly periodOf: (dayNumber: number) => number;
  /** Ascending; can be empty. */
  readonly daysOf: (period: number) => readonly number[];
};

const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour);
/**
 * Dates and week days repeat after 400 years (4,800 months). A schedule without an occurrence by then has
 * none.
 */
const PERIODS_MAX = 4_801;
/** Enough months to cover every sequence of dates that a schedule can have, including leap days. */
const GAP_PERIODS = 60;

function ascending(first: number, second: number): number {
  return first - second;
}

/** Minutes of the schedule are full minutes. A minute from the start time includes its seconds. */
function timesOfDay(schedule: Schedule | undefined, startTimeOfDay: number): readonly number[] {
  const { hours, minutes } = schedule ?? {};
  if (hours === undefined && minutes === undefined) return [startTimeOfDay];
  const inHour = minutes?.map((minute) => minute * MINUTE_MS) ?? [floorModulo(startTimeOfDay, HOUR_MS)];
  return (hours ?? hoursOfDay)
    .flatMap((hour) => inHour.map((offset) => hour * HOUR_MS + offset))
    .sort(ascending);
}

function dailyPeriods(startDay: number, interval: number): Periods {
  return {
    periodOf: (day) => floorDivide(day - startDay, interval),
    daysOf: (period) => [startDay + period * interval],
  };
}

/** Weeks begin on Monday. */
function weeklyPeriods(startDay: number, { interval, schedule }: Recurrence): Periods {
  const sinceMonday = (weekDay: number) => floorModulo(weekDay - 1, 7);
  const monday = startDay - sinceMonday(weekDayOf(startDay));
  const offsets = schedule?.weekDays?.map((name) => sinceMonday(WEEK_DAYS.indexOf(name))).sort(ascending) ?? [
    startDay - monday,
  ];
  return {
    periodOf: (day) => floorDivide(day - monday, 7 * interval),
    daysOf: (period) => offsets.map((offset) => monday + period * 7 * interval + offset),
  };
}

function isOccurrence(
  occurrences: readonly MonthlyOccurrence[],
  weekDay: number,
  day: number,
  length: number,
): boolean {
  const fromStart = floorDivide(day - 1, 7) + 1;
  const fromEnd = -(floorDivide(length - day, 7) + 1);
  return occurrences.some(
    ({ day: name, occurrence }) =>
      WEEK_DAYS[weekDay] === name &&
      (occurrence === undefined || occurrence === fromStart || occurrence === fromEnd),
  );
}

/** Without days in the schedule, uses the start's day, or the last day of a shorter month. */
function daysOfMonth(
  monthNumber: number,
  startDayOfMonth: number,
  schedule: Schedule | undefined,
): readonly number[] {
  const year = floorDivide(monthNumber, 12);
  const month = floorModulo(monthNumber, 12) + 1;
  const length = daysInMonth(year, month);
  const first = dayNumberOf(year, month, 1);
  const { monthDays, monthlyOccurrences } = schedule ?? {};
  if (monthDays === undefined && monthlyOccurrences === undefined)
    return [first + Math.min(startDayOfMonth, length) - 1];
  const days: number[] = [];
  for (let day = 1; day <= length; day += 1) {
    const fits = monthDays === undefined || monthDays.includes(day) || monthDays.includes(day - length - 1);
    const number = first + day - 1;
    if (!fits) continue;
    if (
      monthlyOccurrences === undefined ||
      isOccurrence(monthlyOccurrences, weekDayOf(number), day, length)
    ) {
      days.push(number);
    }
  }
  return days;
}

function monthlyPeriods(startDay: number, { interval, schedule }: Recurrence): Periods {
  const start = dateOfDay(startDay);
  const startMonth = monthNumberOf(start);
  return {
    periodOf: (day) => floorDivide(monthNumberOf(dateOfDay(day)) - startMonth, interval),
    daysOf: (period) => daysOfMonth(startMonth + period * interval, start.day, schedule),
  };
}

function periodsOf(recurrence: Recurrence, startDay: number): Periods {
  if (recurrence.frequency === "Month") return monthlyPeriods(startDay, recurrence);
  if (recurrence.frequency === "Week") return weeklyPeriods(startDay, recurrence);
  return dailyPeriods(startDay, recurrence.interval);
}

/** Binary search: `instantOf` is monotonic. */
function firstInstantAfter(
  clock: WallClock,
  day: number,
  times: readonly number[],
  afterMs: number,
): number | undefined {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = floorDivide(low + high, 2);
    if (clock.instantOf(day * DAY_MS + (times[middle] ?? 0)) > afterMs) high = middle;
    else low = middle + 1;
  }
  const time = times[low];
  return time === undefined ? undefined : clock.instantOf(day * DAY_MS + time);
}

function shortestGapMs(periods: Periods, times: readonly number[]): number {
  let gap = Number.POSITIVE_INFINITY;
  for (let index = 1; index < times.length; index += 1) {
    gap = Math.min(gap, (times[index] ?? 0) - (times[index - 1] ?? 0));
  }
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  let previous: number | undefined;
  for (let period = 0; period < GAP_PERIODS; period += 1) {
    for (const day of periods.daysOf(period)) {
      if (previous !== undefined) gap = Math.min(gap, (day - previous) * DAY_MS - span);
      previous = day;
    }
  }
  return gap;
}

/** Days of the schedule from a day on, until the end of the calendar or `PERIODS_MAX`. */
function* daysFrom(periods: Periods, firstDay: number): Generator<number, void, void> {
  const dayMax = floorDivide(INSTANT_MS_MAX, DAY_MS);
  const firstPeriod = Math.max(0, periods.periodOf(firstDay));
  for (let period = firstPeriod; period < firstPeriod + PERIODS_MAX; period += 1) {
    for (const day of periods.daysOf(period)) {
      if (day > dayMax) return;
      if (day >= firstDay) yield day;
    }
  }
}

/** For the frequencies Day, Week and Month, which follow the wall clock. */
export function planByCalendar(recurrence: Recurrence, startTimeMs: number): Plan {
  const clock = wallClockOf(recurrence.timeZone);
  const localStart = clock.localOf(startTimeMs);
  const times = timesOfDay(recurrence.schedule, floorModulo(localStart, DAY_MS));
  const periods = periodsOf(recurrence, floorDivide(localStart, DAY_MS));

  const find = (afterMs: number): number | undefined => {
    // Without a schedule the start is an occurrence, even as the second of two equal local times.
    if (recurrence.schedule === undefined && afterMs < startTimeMs) return startTimeMs;
    const after = Math.max(afterMs, startTimeMs - 1);
    // Earlier local days cannot have later instants, because `instantOf` is monotonic.
    const firstDay = floorDivide(clock.localOf(after), DAY_MS);
    for (const day of daysFrom(periods, firstDay)) {
      const instant = firstInstantAfter(clock, day, times, after);
      if (instant !== undefined) return instant;
    }
    return undefined;
  };
  return { find, shortestGapMs: () => shortestGapMs(periods, times) };
}
