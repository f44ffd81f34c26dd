/** Tables of occurrences, written by hand from the rules. All times are UTC. */
import { describe, expect, it } from "vitest";
import { check, utc } from "../../../../tests/support/occurrences.ts";
import { processorMs } from "../../../../tests/support/processor-time.ts";
import { nextOccurrence, occurrences, type Recurrence, type Schedule, shortestGapMs } from "./index.ts";

const iso = (instant: number | undefined) =>
  instant === undefined ? undefined : new Date(instant).toISOString();

describe("without a schedule", () => {
  check([
    [
      "every 15 minutes",
      { frequency: "Minute", interval: 15 },
      "2024-02-28T23:50",
      ["2024-02-28T23:50", "2024-02-29T00:05", "2024-02-29T00:20"],
    ],
    [
      "every 1000 minutes",
      { frequency: "Minute", interval: 1000 },
      "2024-01-01",
      ["2024-01-01T00:00", "2024-01-01T16:40", "2024-01-02T09:20"],
    ],
    [
      "every 7 hours",
      { frequency: "Hour", interval: 7 },
      "2024-01-01T20:10",
      ["2024-01-01T20:10", "2024-01-02T03:10", "2024-01-02T10:10"],
    ],
    [
      "every 2 days",
      { frequency: "Day", interval: 2 },
      "2015-04-07T14:00",
      ["2015-04-07T14:00", "2015-04-09T14:00", "2015-04-11T14:00"],
    ],
    [
      "every 3 weeks",
      { frequency: "Week", interval: 3 },
      "2024-01-03T09:00",
      ["2024-01-03T09:00", "2024-01-24T09:00", "2024-02-14T09:00"],
    ],
    [
      "every month",
      { frequency: "Month" },
      "2023-11-15T09:00",
      ["2023-11-15T09:00", "2023-12-15T09:00", "2024-01-15T09:00"],
    ],
    [
      "every month from the 31st: the last day of a shorter month, with no drift",
      { frequency: "Month" },
      "2024-01-31T08:00",
      ["2024-01-31T08:00", "2024-02-29T08:00", "2024-03-31T08:00", "2024-04-30T08:00", "2024-05-31T08:00"],
    ],
    [
      "every month from the 30th",
      { frequency: "Month" },
      "2023-01-30T08:00",
      ["2023-01-30T08:00", "2023-02-28T08:00", "2023-03-30T08:00"],
    ],
    [
      "every year from the leap day",
      { frequency: "Month", interval: 12 },
      "2024-02-29",
      ["2024-02-29T00:00", "2025-02-28T00:00", "2026-02-28T00:00", "2027-02-28T00:00", "2028-02-29T00:00"],
    ],
    [
      "every 18 months",
      { frequency: "Month", interval: 18 },
      "2024-08-31",
      ["2024-08-31T00:00", "2026-02-28T00:00", "2027-08-31T00:00"],
    ],
  ]);

  it("keeps seconds and milliseconds of the start", () => {
    const start = Date.parse("2024-01-01T10:20:30.456Z");
    const found = (["Minute", "Hour", "Day", "Week", "Month"] as const).map((frequency) =>
      iso(nextOccurrence({ frequency, interval: 1 }, start, start, 1)),
    );
    expect(found).toEqual([
      "2024-01-01T10:21:30.456Z",
      "2024-01-01T11:20:30.456Z",
      "2024-01-02T10:20:30.456Z",
      "2024-01-08T10:20:30.456Z",
      "2024-02-01T10:20:30.456Z",
    ]);
  });
});

describe("hours and minutes", () => {
  const daily = (schedule: Schedule) => ({ frequency: "Day", schedule }) as const;
  check([
    [
      "hours take the start's minute",
      daily({ hours: [5] }),
      "2024-01-01T12:25",
      ["2024-01-02T05:25", "2024-01-03T05:25"],
    ],
    [
      "a minute of an hour",
      daily({ hours: [5], minutes: [15] }),
      "2024-01-01T12:25",
      ["2024-01-02T05:15", "2024-01-03T05:15"],
    ],
    [
      "each hour with each minute",
      daily({ hours: [17, 5], minutes: [45, 15] }),
      "2024-01-01",
      ["2024-01-01T05:15", "2024-01-01T05:45", "2024-01-01T17:15", "2024-01-01T17:45", "2024-01-02T05:15"],
    ],
    [
      "minutes alone mean every hour",
      daily({ minutes: [15] }),
      "2024-01-01T22:16",
      ["2024-01-01T23:15", "2024-01-02T00:15", "2024-01-02T01:15"],
    ],
    [
      "every 15 minutes",
      daily({ minutes: [0, 15, 30, 45] }),
      "2024-01-01T22:50",
      ["2024-01-01T23:00", "2024-01-01T23:15"],
    ],
    [
      "no sooner than the start",
      daily({ hours: [9], minutes: [0] }),
      "2024-01-01T09:00",
      ["2024-01-01T09:00", "2024-01-02T09:00"],
    ],
    [
      "every second day",
      { frequency: "Day", interval: 2, schedule: { hours: [3], minutes: [0] } },
      "2024-01-01T12:00",
      ["2024-01-03T03:00", "2024-01-05T03:00"],
    ],
    [
      "minutes on one day a week",
      { frequency: "Week", schedule: { minutes: [0] } },
      "2024-01-03T22:30",
      ["2024-01-03T23:00", "2024-01-10T00:00", "2024-01-10T01:00"],
    ],
    [
      "minutes on one day a month",
      { frequency: "Month", schedule: { minutes: [30] } },
      "2024-01-31T23:00",
      ["2024-01-31T23:30", "2024-02-29T00:30"],
    ],
    [
      "hourly, widened by minutes",
      { frequency: "Hour", interval: 2, schedule: { minutes: [50, 10] } },
      "2024-01-01T10:30",
      ["2024-01-01T10:50", "2024-01-01T12:10", "2024-01-01T12:50", "2024-01-01T14:10"],
    ],
    [
      "hourly, narrowed by hours",
      { frequency: "Hour", schedule: { hours: [8, 9] } },
      "2024-01-01T08:20",
      ["2024-01-01T08:20", "2024-01-01T09:20", "2024-01-02T08:20"],
    ],
    [
      "every 5 hours, only at noon",
      { frequency: "Hour", interval: 5, schedule: { hours: [12] } },
      "2024-01-01",
      ["2024-01-03T12:00", "2024-01-08T12:00"],
    ],
    [
      "minutely, narrowed by hours and minutes",
      { frequency: "Minute", interval: 20, schedule: { hours: [7], minutes: [5, 25] } },
      "2024-01-01T00:05",
      ["2024-01-01T07:05", "2024-01-01T07:25", "2024-01-02T07:05"],
    ],
    [
      "every 997 minutes, only at one minute of the day",
      { frequency: "Minute", interval: 997, schedule: { hours: [0], minutes: [0] } },
      "2024-01-01",
      ["2024-01-01T00:00", "2026-09-24T00:00"],
    ],
  ]);

  it("puts named minutes on the full minute and inherited ones on the start's second", () => {
    const start = Date.parse("2024-01-01T10:20:30.456Z");
    const next = (schedule: Schedule) =>
      iso(nextOccurrence({ frequency: "Day", interval: 1, schedule }, start, start, 0));
    expect(next({ minutes: [20] })).toBe("2024-01-01T11:20:00.000Z");
    expect(next({ hours: [11] })).toBe("2024-01-01T11:20:30.456Z");
  });
});

describe("days of the week", () => {
  const weekly = (interval: number, schedule: Schedule) =>
    ({ frequency: "Week", interval, schedule }) as const;
  check([
    [
      "three days a week",
      weekly(1, { weekDays: ["Friday", "Monday", "Wednesday"], hours: [10, 22], minutes: [0] }),
      "2012-08-04",
      ["2012-08-06T10:00", "2012-08-06T22:00", "2012-08-08T10:00", "2012-08-08T22:00", "2012-08-10T10:00"],
    ],
    [
      "Sundays at start time",
      weekly(1, { weekDays: ["Sunday"] }),
      "2024-01-03T07:30",
      ["2024-01-07T07:30", "2024-01-14T07:30"],
    ],
    [
      "every second week, counted from the start's week",
      weekly(2, { weekDays: ["Monday", "Thursday"] }),
      "2024-01-03T09:00",
      ["2024-01-04T09:00", "2024-01-15T09:00", "2024-01-18T09:00", "2024-01-29T09:00"],
    ],
    [
      "weeks begin on Monday",
      weekly(2, { weekDays: ["Sunday", "Monday"] }),
      "2024-01-01T09:00",
      ["2024-01-01T09:00", "2024-01-07T09:00", "2024-01-15T09:00", "2024-01-21T09:00"],
    ],
    [
      "hours alone keep the start's day of the week",
      weekly(1, { hours: [6] }),
      "2024-01-03T09:15",
      ["2024-01-10T06:15", "2024-01-17T06:15"],
    ],
  ]);
});

describe("where occurrences end", () => {
  const daily: Recurrence = { frequency: "Day", interval: 1 };
  const start = utc("2024-01-01T09:00");

  it("is when the count is used up", () => {
    expect(
      [...occurrences({ ...daily, count: 3 }, start)].map((instant) => iso(instant)?.slice(0, 10)),
    ).toEqual(["2024-01-01", "2024-01-02", "2024-01-03"]);
    expect(nextOccurrence({ ...daily, count: 3 }, start, utc("2024-06-01"), 2)).toBe(utc("2024-06-01T09:00"));
    expect(nextOccurrence({ ...daily, count: 3 }, start, utc("2024-06-01"), 3)).toBeUndefined();
  });

  it("is after the end time, which still counts itself", () => {
    const until = (end: string) => [...occurrences({ ...daily, endTimeMs: utc(end) }, start)].length;
    expect([until("2024-01-03T08:59"), until("2024-01-03T09:00"), until("2024-01-03T09:01")]).toEqual([
      2, 3, 3,
    ]);
  });

  it("is whichever comes first of count and end time", () => {
    const both = (count: number) =>
      [...occurrences({ ...daily, count, endTimeMs: utc("2024-01-05T09:00") }, start)].length;
    expect([both(2), both(10)]).toEqual([2, 5]);
  });

  it("is the last year that four digits can write", () => {
    const last = utc("9999-12-31T23:30");
    expect(nextOccurrence({ frequency: "Hour", interval: 1 }, last, last, 0)).toBeUndefined();
    expect(nextOccurrence(daily, last, last, 0)).toBeUndefined();
    expect(nextOccurrence({ frequency: "Month", interval: 1 }, last, last, 0)).toBeUndefined();
  });

  it("continues an iteration from any place", () => {
    const rest = occurrences({ ...daily, count: 5 }, start, utc("2024-03-01"), 3);
    expect([...rest].map((instant) => iso(instant)?.slice(0, 10))).toEqual(["2024-03-01", "2024-03-02"]);
  });
});

describe("bounded work", () => {
  const impossible: readonly (readonly [string, Recurrence])[] = [
    ["30 February", { frequency: "Month", interval: 12, schedule: { monthDays: [30] } }],
    [
      "the 31st as a second Monday",
      {
        frequency: "Month",
        interval: 1,
        schedule: { monthDays: [31], monthlyOccurrences: [{ day: "Monday", occurrence: 2 }] },
      },
    ],
    [
      "a minute that a step of 20 never meets",
      { frequency: "Minute", interval: 20, schedule: { minutes: [7] } },
    ],
    ["an hour that a step of 6 never meets", { frequency: "Hour", interval: 6, schedule: { hours: [5] } }],
    [
      "an hour that a step of 1000 minutes never meets with that minute",
      { frequency: "Minute", interval: 1000, schedule: { hours: [1], minutes: [30] } },
    ],
  ];

  it.each(impossible)("finds that %s never comes, at once", (_, recurrence) => {
    for (const timeZone of [undefined, "Europe/Paris"]) {
      const tookMs = processorMs(() => {
        expect(nextOccurrence({ ...recurrence, timeZone }, utc("2024-02-01"), 0, 0)).toBeUndefined();
      });
      expect(tookMs).toBeLessThan(2500);
    }
  });

  it("finds occurrences centuries after the start at once", () => {
    const rules: Recurrence[] = [
      { frequency: "Minute", interval: 997, schedule: { hours: [0], minutes: [0] } },
      { frequency: "Minute", interval: 1 },
      { frequency: "Hour", interval: 7, schedule: { minutes: [1, 2, 3] } },
      { frequency: "Day", interval: 500, schedule: { minutes: [59] } },
      {
        frequency: "Month",
        interval: 7,
        schedule: { monthDays: [31], monthlyOccurrences: [{ day: "Sunday" }] },
      },
    ];
    const tookMs = processorMs(() => {
      for (const rule of rules) {
        const found = nextOccurrence(rule, utc("1970-01-01"), utc("2970-01-01"), 0) ?? 0;
        expect(found).toBeGreaterThan(utc("2970-01-01"));
      }
    });
    expect(tookMs).toBeLessThan(1000);
  });
});

describe("the shortest gap", () => {
  const minute = 60_000;
  const day = 1_440 * minute;
  it.each<readonly [string, Omit<Recurrence, "interval"> & { interval?: number }, number]>([
    ["every 5 minutes", { frequency: "Minute", interval: 5 }, 5 * minute],
    ["every minute, on the hour only", { frequency: "Minute", schedule: { minutes: [0] } }, 60 * minute],
    ["hourly at two minutes", { frequency: "Hour", schedule: { minutes: [0, 50] } }, 10 * minute],
    [
      "every second hour at two minutes",
      { frequency: "Hour", interval: 2, schedule: { minutes: [0, 50] } },
      50 * minute,
    ],
    ["daily late and early", { frequency: "Day", schedule: { hours: [0, 23], minutes: [0] } }, 60 * minute],
    [
      "every second day late and early",
      { frequency: "Day", interval: 2, schedule: { hours: [0, 23], minutes: [0] } },
      23 * 60 * minute,
    ],
    ["Sunday and Monday", { frequency: "Week", schedule: { weekDays: ["Sunday", "Monday"] } }, day],
    [
      "Sunday and Monday of every second week",
      { frequency: "Week", interval: 2, schedule: { weekDays: ["Sunday", "Monday"] } },
      6 * day,
    ],
    ["monthly", { frequency: "Month" }, 28 * day],
    ["first and last of the month", { frequency: "Month", schedule: { monthDays: [1, -1] } }, day],
  ])("%s", (_, recurrence, gap) => {
    expect(shortestGapMs({ interval: 1, ...recurrence }, utc("2023-01-31T00:00"))).toBe(gap);
  });
});

it("evaluates a start with an offset in UTC", () => {
  const daily: Recurrence = { frequency: "Day", interval: 1, schedule: { hours: [9] } };
  const start = Date.parse("2013-01-09T09:30:00-08:00");
  expect(iso(nextOccurrence(daily, start, start - 1, 0))).toBe("2013-01-10T09:30:00.000Z");
});
