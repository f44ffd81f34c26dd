/** Occurrences compared with an independent recurrence library, and with looking at every minute. */
import fc from "fast-check";
import rrule from "rrule";
import { describe, expect, it } from "vitest";
import {
  type Frequency,
  nextOccurrence,
  occurrences,
  type Recurrence,
  type Schedule,
  WEEK_DAYS,
  type WeekDay,
} from "./index.ts";

const { RRule } = rrule;

const minute = 60_000;
const howMany = 12;
const start = fc
  .integer({ min: Date.parse("2000-01-01T00:00Z") / minute, max: Date.parse("2039-12-31T00:00Z") / minute })
  .map((minutes) => minutes * minute);

const some = <Value>(values: fc.Arbitrary<Value>, maxLength = 4) =>
  fc.uniqueArray(values, { minLength: 1, maxLength });
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const hours = some(fc.integer({ min: 0, max: 23 }));
const minutes = some(fc.integer({ min: 0, max: 59 }));
const monthDay = fc.integer({ min: -31, max: 31 }).filter((day) => day !== 0);
const monthDays = some(monthDay);
const weekDay = fc.constantFrom<WeekDay>(...WEEK_DAYS);
/** The library can't mix numbered week days with plain ones. */
const monthlyOccurrences = fc.oneof(
  fc.uniqueArray(
    fc.record({ day: weekDay, occurrence: fc.constantFrom(-5, -4, -3, -2, -1, 1, 2, 3, 4, 5) }),
    { minLength: 1, maxLength: 3, selector: ({ day, occurrence }) => `${day}${occurrence}` },
  ),
  fc.uniqueArray(fc.record({ day: weekDay }), { minLength: 1, maxLength: 3, selector: ({ day }) => day }),
);

const frequencyNumbers: Record<Frequency, number> = {
  Minute: RRule.MINUTELY,
  Hour: RRule.HOURLY,
  Day: RRule.DAILY,
  Week: RRule.WEEKLY,
  Month: RRule.MONTHLY,
};
const libraryDays = [RRule.SU, RRule.MO, RRule.TU, RRule.WE, RRule.TH, RRule.FR, RRule.SA];
const allHours = Array.from({ length: 24 }, (_, hour) => hour);

function libraryDay(name: WeekDay, occurrence?: number) {
  const day = libraryDays[WEEK_DAYS.indexOf(name)];
  if (day === undefined) throw new Error(`no day ${name}`);
  return occurrence === undefined ? day : day.nth(occurrence);
}

/** The library answers in the order of its lists. */
const sorted = (values: readonly number[]) => [...values].sort((first, second) => first - second);

/** Says a recurrence in the library's words; what a schedule leaves out, the library takes from the start as well. */
function ruleOf({ frequency, interval, schedule = {}, count, endTimeMs }: Recurrence, startTimeMs: number) {
  const onWallClock = frequency === "Day" || frequency === "Week" || frequency === "Month";
  const everyHour = onWallClock && schedule.minutes !== undefined ? allHours : null;
  const days =
    schedule.weekDays?.map((name) => libraryDay(name)) ??
    schedule.monthlyOccurrences?.map(({ day, occurrence }) => libraryDay(day, occurrence)) ??
    null;
  return new RRule({
    freq: frequencyNumbers[frequency],
    interval,
    dtstart: new Date(startTimeMs),
    wkst: RRule.MO,
    count: count ?? null,
    until: endTimeMs === undefined ? null : new Date(endTimeMs),
    byhour: schedule.hours ? sorted(schedule.hours) : everyHour,
    byminute: schedule.minutes ? sorted(schedule.minutes) : null,
    bymonthday: schedule.monthDays ? [...schedule.monthDays] : null,
    byweekday: days,
  });
}

function ours(recurrence: Recurrence, startTimeMs: number, limit = howMany): number[] {
  const found: number[] = [];
  for (const instant of occurrences(recurrence, startTimeMs)) {
    found.push(instant);
    if (found.length === limit) break;
  }
  return found;
}

function expectSame(recurrence: Recurrence, startTimeMs: number): void {
  const theirs = ruleOf(recurrence, startTimeMs)
    .all((_, index) => index < howMany)
    .slice(0, howMany)
    .map((date) => date.getTime());
  expect(ours(recurrence, startTimeMs)).toEqual(theirs);
}

const scheduled = (frequency: Frequency, intervals: number, schedule: fc.Arbitrary<Schedule | undefined>) =>
  fc.tuple(
    start,
    fc.record({
      frequency: fc.constant(frequency),
      interval: fc.integer({ min: 1, max: intervals }),
      schedule,
    }),
  );

const cases: readonly (readonly [string, fc.Arbitrary<[number, Recurrence]>])[] = [
  ["minutes", scheduled("Minute", 1_000, fc.constant(undefined))],
  ["hours", scheduled("Hour", 1_000, fc.constant(undefined))],
  ["hours with minutes", scheduled("Hour", 100, fc.record({ minutes }))],
  ["days", scheduled("Day", 548, maybe(fc.record({ hours: maybe(hours), minutes: maybe(minutes) })))],
  [
    "weeks",
    scheduled(
      "Week",
      78,
      fc.record({ weekDays: maybe(some(weekDay, 7)), hours: maybe(hours), minutes: maybe(minutes) }),
    ),
  ],
  [
    "month days",
    scheduled("Month", 18, fc.record({ monthDays, hours: maybe(hours), minutes: maybe(minutes) })),
  ],
  [
    "monthly occurrences",
    scheduled("Month", 18, fc.record({ monthlyOccurrences, hours: maybe(hours), minutes: maybe(minutes) })),
  ],
  [
    "month days that are monthly occurrences as well",
    scheduled("Month", 2, fc.record({ monthDays: some(monthDay, 20), monthlyOccurrences })),
  ],
];

/** The library searches months that never come until the year 9999: only rules that do come due are asked of it. */
function comesDue([startTimeMs, recurrence]: [number, Recurrence]): boolean {
  const found = ours(recurrence, startTimeMs, howMany);
  return found.length === howMany && (found.at(-1) ?? 0) < Date.parse("2200-01-01T00:00Z");
}

describe("an independent recurrence library agrees on", () => {
  it.each(cases)("%s", (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary.filter(comesDue), ([startTimeMs, recurrence]) =>
        expectSame(recurrence, startTimeMs),
      ),
      { numRuns: 150 },
    );
  });

  it("hours that leave steps out", () => {
    fc.assert(
      fc.property(
        start,
        fc.integer({ min: 1, max: 60 }),
        hours,
        maybe(minutes),
        (startTimeMs, interval, given, named) => {
          // The start's own hour, so that the library does not search in vain.
          const schedule = {
            hours: [...new Set([...given, new Date(startTimeMs).getUTCHours()])],
            minutes: named,
          };
          expectSame({ frequency: "Hour", interval, schedule }, startTimeMs);
        },
      ),
      { numRuns: 150 },
    );
  });

  // With other steps the library skips occurrences (every 16 minutes, at midnight only): looking at every minute covers those.
  it("hours and minutes that leave steps out", () => {
    fc.assert(
      fc.property(
        start,
        fc.constantFrom(1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60),
        hours,
        minutes,
        (startTimeMs, interval, given, named) => {
          const date = new Date(startTimeMs);
          const schedule = {
            hours: [...new Set([...given, date.getUTCHours()])],
            minutes: [...new Set([...named, date.getUTCMinutes()])],
          };
          expectSame({ frequency: "Minute", interval, schedule }, startTimeMs);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("months without a schedule, where every month has the day", () => {
    fc.assert(
      fc.property(
        start.filter((instant) => new Date(instant).getUTCDate() <= 28),
        fc.integer({ min: 1, max: 18 }),
        (startTimeMs, interval) => expectSame({ frequency: "Month", interval }, startTimeMs),
      ),
    );
  });

  it("counts and end times", () => {
    const frequency = fc.constantFrom<Frequency>("Minute", "Hour", "Day", "Week");
    const hoursLater = fc.integer({ min: 0, max: 5_000 });
    fc.assert(
      fc.property(
        start,
        frequency,
        fc.integer({ min: 1, max: 10 }),
        hoursLater,
        (startTimeMs, name, count, later) => {
          expectSame({ frequency: name, interval: 3, count }, startTimeMs);
          expectSame(
            { frequency: name, interval: 3, endTimeMs: startTimeMs + later * 60 * minute },
            startTimeMs,
          );
        },
      ),
    );
  });
});

describe("looking at every minute agrees on", () => {
  const inStep = (recurrence: Recurrence, startTimeMs: number, instant: number): boolean => {
    const { frequency, interval, schedule } = recurrence;
    const date = new Date(instant);
    const has = (values: readonly number[] | undefined, value: number) =>
      values === undefined || values.includes(value);
    if (!has(schedule?.hours, date.getUTCHours())) return false;
    if (frequency === "Minute") {
      return (
        (instant - startTimeMs) % (interval * minute) === 0 && has(schedule?.minutes, date.getUTCMinutes())
      );
    }
    const hourOf = (value: number) => Math.floor(value / (60 * minute));
    if ((hourOf(instant) - hourOf(startTimeMs)) % interval !== 0) return false;
    return has(schedule?.minutes ?? [new Date(startTimeMs).getUTCMinutes()], date.getUTCMinutes());
  };

  it("the next occurrence, or that there is none within ten days", () => {
    const frequency = fc.constantFrom<Frequency>("Minute", "Hour");
    const schedule = fc.record({ hours: maybe(hours), minutes: maybe(minutes) });
    fc.assert(
      fc.property(
        start,
        frequency,
        fc.integer({ min: 1, max: 200 }),
        schedule,
        fc.nat(20_000),
        (startTimeMs, name, interval, parts, later) => {
          const recurrence = { frequency: name, interval, schedule: parts };
          const after = startTimeMs + later * minute - 1;
          const found = nextOccurrence(recurrence, startTimeMs, after, 0);
          const horizon = after + 10 * 1_440 * minute;
          let expected: number | undefined;
          for (let instant = after + 1; instant <= horizon && expected === undefined; instant += minute) {
            if (inStep(recurrence, startTimeMs, instant)) expected = instant;
          }
          expect(found !== undefined && found <= horizon ? found : undefined).toBe(expected);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("any recurrence", () => {
  const zone = maybe(
    fc.constantFrom("Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"),
  );
  const any = fc
    .oneof(...cases.map(([, arbitrary]) => arbitrary))
    .chain(([startTimeMs, recurrence]) =>
      zone.map((timeZone): [number, Recurrence] => [startTimeMs, { ...recurrence, timeZone }]),
    );

  it("moves forward, never before its start, and is the same however it is asked", () => {
    fc.assert(
      fc.property(any, fc.nat(400 * 1_440), ([startTimeMs, recurrence], later) => {
        const found = ours(recurrence, startTimeMs, 6);
        for (const [index, instant] of found.entries()) {
          expect(instant).toBeGreaterThanOrEqual(startTimeMs);
          if (index > 0) expect(instant).toBeGreaterThan(found[index - 1] ?? instant);
          expect(nextOccurrence(recurrence, startTimeMs, instant - 1, 0)).toBe(instant);
        }
        const after = startTimeMs + later * minute;
        const next = nextOccurrence(recurrence, startTimeMs, after, 0);
        if (next !== undefined) {
          expect(next).toBeGreaterThan(after);
          expect(nextOccurrence(recurrence, startTimeMs, next - 1, 0)).toBe(next);
        }
      }),
      { numRuns: 150 },
    );
  });
});
