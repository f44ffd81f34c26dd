/** Schedules by the wall clock of a zone: the night without an hour, the night with an hour too many, odd zones. */
import { describe, expect, it } from "vitest";
import { isTimeZone, occurrences, type Recurrence } from "./index.ts";
import { wallClockOf } from "./time-zone.ts";

const at = (text: string) => Date.parse(`${text}Z`);

type Row = readonly [
  what: string,
  recurrence: Omit<Recurrence, "interval">,
  startUtc: string,
  expectedUtc: readonly string[],
];

/** Paris: +1 in winter, +2 in summer; on 2024-03-31 02:00 becomes 03:00, on 2024-10-27 03:00 becomes 02:00. */
const paris = { timeZone: "Europe/Paris" } as const;
/** New York: -5 in winter, -4 in summer; on 2024-03-10 02:00 becomes 03:00, on 2024-11-03 02:00 becomes 01:00. */
const newYork = { timeZone: "America/New_York" } as const;

const rows: readonly Row[] = [
  [
    "a daily time keeps its place on the wall clock",
    { ...paris, frequency: "Day" },
    "2024-03-29T08:00",
    ["2024-03-29T08:00", "2024-03-30T08:00", "2024-03-31T07:00", "2024-04-01T07:00"],
  ],
  [
    "and in autumn",
    { ...paris, frequency: "Day" },
    "2024-10-26T07:00",
    ["2024-10-26T07:00", "2024-10-27T08:00", "2024-10-28T08:00"],
  ],
  [
    "a missing time fires at the first instant after the gap",
    { ...paris, frequency: "Day", schedule: { hours: [2], minutes: [30] } },
    "2024-03-30T00:00",
    ["2024-03-30T01:30", "2024-03-31T01:00", "2024-04-01T00:30"],
  ],
  [
    "the first missing minute",
    { ...paris, frequency: "Day", schedule: { hours: [2], minutes: [0] } },
    "2024-03-30T12:00",
    ["2024-03-31T01:00", "2024-04-01T00:00"],
  ],
  [
    "several missing times fire together once",
    { ...paris, frequency: "Day", schedule: { hours: [2], minutes: [0, 15, 45] } },
    "2024-03-30T12:00",
    ["2024-03-31T01:00", "2024-04-01T00:00", "2024-04-01T00:15"],
  ],
  [
    "a missing time and the first one after it fire once",
    { ...paris, frequency: "Day", schedule: { hours: [2, 3], minutes: [0] } },
    "2024-03-30T12:00",
    ["2024-03-31T01:00", "2024-04-01T00:00", "2024-04-01T01:00"],
  ],
  [
    "a repeated time fires once, at its first",
    { ...paris, frequency: "Day", schedule: { hours: [2], minutes: [30] } },
    "2024-10-26T12:00",
    ["2024-10-27T00:30", "2024-10-28T01:30"],
  ],
  [
    "all repeated times fire once",
    { ...paris, frequency: "Day", schedule: { hours: [1, 2, 3], minutes: [0, 30] } },
    "2024-10-26T21:00",
    [
      "2024-10-26T23:00",
      "2024-10-26T23:30",
      "2024-10-27T00:00",
      "2024-10-27T00:30",
      "2024-10-27T02:00",
      "2024-10-27T02:30",
    ],
  ],
  [
    "in New York too: spring",
    { ...newYork, frequency: "Day", schedule: { hours: [2], minutes: [30] } },
    "2024-03-09T12:00",
    ["2024-03-10T07:00", "2024-03-11T06:30"],
  ],
  [
    "in New York too: autumn",
    { ...newYork, frequency: "Day", schedule: { hours: [1], minutes: [30] } },
    "2024-11-02T12:00",
    ["2024-11-03T05:30", "2024-11-04T06:30"],
  ],
  [
    "minutes alone: 23 full hours in spring",
    { ...paris, frequency: "Day", schedule: { minutes: [0] } },
    "2024-03-30T23:30",
    ["2024-03-31T00:00", "2024-03-31T01:00", "2024-03-31T02:00"],
  ],
  [
    "hours count elapsed time through the gap",
    { ...paris, frequency: "Hour" },
    "2024-03-30T23:30",
    ["2024-03-30T23:30", "2024-03-31T00:30", "2024-03-31T01:30", "2024-03-31T02:30"],
  ],
  [
    "and through the repeated hour",
    { ...paris, frequency: "Hour" },
    "2024-10-26T23:30",
    ["2024-10-26T23:30", "2024-10-27T00:30", "2024-10-27T01:30", "2024-10-27T02:30"],
  ],
  [
    "minutes too",
    { ...paris, frequency: "Minute", schedule: { minutes: [30] } },
    "2024-10-26T23:30",
    ["2024-10-26T23:30", "2024-10-27T00:30", "2024-10-27T01:30"],
  ],
  [
    "days are those of the zone",
    { ...newYork, frequency: "Week", schedule: { weekDays: ["Monday"], hours: [22], minutes: [0] } },
    "2024-01-01T00:00",
    ["2024-01-02T03:00", "2024-01-09T03:00"],
  ],
  [
    "months are those of the zone",
    { ...newYork, frequency: "Month", schedule: { monthDays: [-1], hours: [23], minutes: [0] } },
    "2024-01-01T00:00",
    ["2024-01-01T04:00", "2024-02-01T04:00", "2024-03-01T04:00", "2024-04-01T03:00"],
  ],
  [
    "a start in the repeated hour's second half is an occurrence",
    { ...paris, frequency: "Day" },
    "2024-10-27T01:30",
    ["2024-10-27T01:30", "2024-10-28T01:30"],
  ],
  [
    "half an hour of daylight saving: the gap",
    { timeZone: "Australia/Lord_Howe", frequency: "Day", schedule: { hours: [2], minutes: [15] } },
    "2024-10-05T00:00",
    ["2024-10-05T15:30", "2024-10-06T15:15"],
  ],
  [
    "half an hour of daylight saving: repeated",
    { timeZone: "Australia/Lord_Howe", frequency: "Day", schedule: { hours: [1], minutes: [45] } },
    "2024-04-06T00:00",
    ["2024-04-06T14:45", "2024-04-07T15:15"],
  ],
  [
    "a zone of odd minutes",
    { timeZone: "Asia/Kathmandu", frequency: "Hour", schedule: { minutes: [0] } },
    "2024-01-01T00:00",
    ["2024-01-01T00:15", "2024-01-01T01:15"],
  ],
  [
    "a midnight that is missing",
    { timeZone: "America/Asuncion", frequency: "Day", schedule: { hours: [0], minutes: [0] } },
    "2023-09-30T12:00",
    ["2023-10-01T04:00", "2023-10-02T03:00"],
  ],
  [
    "a day that is missing altogether fires when the next begins, once",
    { timeZone: "Pacific/Apia", frequency: "Day", schedule: { hours: [12], minutes: [0] } },
    "2011-12-29T12:00",
    ["2011-12-29T22:00", "2011-12-30T10:00", "2011-12-30T22:00"],
  ],
];

describe("daylight saving", () => {
  it.each(rows)("%s", (_, recurrence, startUtc, expectedUtc) => {
    const found: string[] = [];
    for (const instant of occurrences({ interval: 1, ...recurrence }, at(startUtc))) {
      found.push(new Date(instant).toISOString().slice(0, 16));
      if (found.length === expectedUtc.length) break;
    }
    expect(found).toEqual(expectedUtc);
  });

  it("finds a year of a nightly job exactly once a day", () => {
    const nightly: Recurrence = {
      ...paris,
      frequency: "Day",
      interval: 1,
      schedule: { hours: [2], minutes: [30] },
      endTimeMs: at("2024-12-31T22:00"),
    };
    const found = [...occurrences(nightly, at("2023-12-31T23:00"))];
    expect(found).toHaveLength(366);
    const days = found.map((instant) =>
      new Date(wallClockOf("Europe/Paris").localOf(instant)).toISOString().slice(0, 10),
    );
    expect(new Set(days).size).toBe(366);
  });
});

describe("wall clocks", () => {
  it("lead there and back outside of clock changes", () => {
    for (const zone of ["Europe/Paris", "America/St_Johns", "Asia/Kolkata", "Pacific/Kiritimati", "UTC"]) {
      const clock = wallClockOf(zone);
      for (let day = 0; day < 366; day += 1) {
        const instant = at("2024-01-01T12:34:56.789") + day * 86_400_000;
        expect(clock.instantOf(clock.localOf(instant))).toBe(instant);
      }
    }
  });

  it("know names of zones", () => {
    expect(["Europe/Paris", "UTC", "America/New_York"].map(isTimeZone)).toEqual([true, true, true]);
    expect(["", "Mars/Phobos", "Europe/", "../etc"].map(isTimeZone)).toEqual([false, false, false, false]);
  });
});
