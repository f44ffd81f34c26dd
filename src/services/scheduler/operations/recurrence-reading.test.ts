/** Recurrences as callers write them: what is understood, and what is refused and how. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemsIn, readJobWith } from "../../../../tests/support/job-reading.ts";
import { recurrenceOf } from "../domain/index.ts";

const nowMs = Date.parse("2024-06-01T00:00:00Z");
const startTime = "2024-06-02T08:00:00Z";
const readRecurrence = (recurrence: unknown) => readJobWith({ startTime, recurrence }, nowMs).recurrence;
const problemsOf = (recurrence: unknown) => problemsIn(() => readRecurrence(recurrence));

describe("recurrences that are understood", () => {
  it.each([
    ["nothing but a frequency", { frequency: "Day" }, { frequency: "Day", interval: 1 }],
    [
      "words of any case",
      { frequency: "WEEK", schedule: { weekDays: ["monday", "FRIDAY"] } },
      { frequency: "Week", interval: 1, schedule: { weekDays: ["Monday", "Friday"] } },
    ],
    [
      "nulls for what is left out",
      { frequency: "Hour", interval: null, count: null, endTime: null, schedule: null },
      { frequency: "Hour", interval: 1 },
    ],
    [
      "an empty schedule",
      { frequency: "Month", schedule: { monthDays: [], hours: null } },
      { frequency: "Month", interval: 1 },
    ],
    [
      "single numbers for lists",
      { frequency: "Day", schedule: { hours: 5, minutes: 30 } },
      { frequency: "Day", interval: 1, schedule: { minutes: [30], hours: [5] } },
    ],
    [
      "repeated items",
      { frequency: "Day", schedule: { hours: [5, 5, 6] } },
      { frequency: "Day", interval: 1, schedule: { hours: [5, 6] } },
    ],
    [
      "an end time",
      { frequency: "Day", endTime: "2025-01-01T00:00:00Z" },
      { frequency: "Day", interval: 1, endTimeMs: Date.parse("2025-01-01T00:00:00Z") },
    ],
    [
      "an end date",
      { frequency: "Day", endTime: "2025-01-01" },
      { frequency: "Day", interval: 1, endTimeMs: Date.parse("2025-01-01T00:00:00Z") },
    ],
    [
      "count and end time together",
      { frequency: "Day", count: 2, endTime: "2025-01-01" },
      { frequency: "Day", interval: 1, count: 2, endTimeMs: Date.parse("2025-01-01T00:00:00Z") },
    ],
    [
      "an end at the very start",
      { frequency: "Day", endTime: "2024-06-02T08:00:00Z" },
      { frequency: "Day", interval: 1, endTimeMs: Date.parse(startTime) },
    ],
    [
      "both spellings of Occurrence, and none",
      {
        frequency: "Month",
        schedule: {
          monthlyOccurrences: [
            { day: "Friday", Occurrence: -1 },
            { day: "monday", occurrence: 2 },
            { day: "Sunday" },
          ],
        },
      },
      {
        frequency: "Month",
        interval: 1,
        schedule: {
          monthlyOccurrences: [
            { day: "Friday", occurrence: -1 },
            { day: "Monday", occurrence: 2 },
            { day: "Sunday" },
          ],
        },
      },
    ],
    [
      "a zone",
      { frequency: "Day", timeZone: "Europe/Paris" },
      { frequency: "Day", interval: 1, timeZone: "Europe/Paris" },
    ],
    ["unknown fields", { frequency: "Day", startTime: "x" }, { frequency: "Day", interval: 1 }],
  ])("%s", (_, value, recurrence) => {
    const read = readRecurrence(value);
    expect(read && recurrenceOf(read)).toEqual(recurrence);
  });

  it.each([
    ["Minute", 1_000],
    ["Hour", 1_000],
    ["Day", 548],
    ["Week", 78],
    ["Month", 18],
  ])("%s up to %d", (frequency, max) => {
    expect(problemsOf({ frequency, interval: max })).toEqual([]);
    expect(problemsOf({ frequency, interval: max + 1 })).toEqual([
      {
        target: "properties.recurrence.interval",
        message: `properties.recurrence.interval must be a whole number from 1 to ${max}, not ${max + 1}.`,
      },
    ]);
  });
});

describe("recurrences that are refused", () => {
  it.each<readonly [value: unknown, path: string, message: RegExp]>([
    ["daily", "recurrence", /must be an object/],
    [[], "recurrence", /must be an object/],
    [{}, "recurrence.frequency", /required.*Minute, Hour, Day, Week, Month/],
    [{ frequency: "Year" }, "recurrence.frequency", /must be one of/],
    [{ frequency: "Second" }, "recurrence.frequency", /must be one of/],
    [{ frequency: 5 }, "recurrence.frequency", /must be one of/],
    [{ frequency: "Day", interval: 0 }, "recurrence.interval", /from 1 to 548/],
    [{ frequency: "Day", interval: -1 }, "recurrence.interval", /from 1 to 548/],
    [{ frequency: "Day", interval: 1.5 }, "recurrence.interval", /whole number/],
    [{ frequency: "Day", interval: "1" }, "recurrence.interval", /whole number/],
    [{ frequency: "Day", count: 0 }, "recurrence.count", /from 1 to 2147483647/],
    [{ frequency: "Day", count: 2 ** 31 }, "recurrence.count", /from 1 to/],
    [{ frequency: "Day", endTime: "soon" }, "recurrence.endTime", /ISO 8601/],
    [{ frequency: "Day", endTime: 5 }, "recurrence.endTime", /ISO 8601/],
    [{ frequency: "Day", endTime: "2024-06-02T07:59:59Z" }, "recurrence.endTime", /before startTime/],
    [{ frequency: "Day", endTime: "2024-06-02T09:00:00+02:00" }, "recurrence.endTime", /before startTime/],
    [{ frequency: "Day", schedule: "x" }, "recurrence.schedule", /must be an object/],
    [{ frequency: "Day", schedule: [] }, "recurrence.schedule", /must be an object/],
    [{ frequency: "Day", schedule: { hours: [24] } }, "recurrence.schedule.hours[0]", /from 0 to 23/],
    [{ frequency: "Day", schedule: { hours: [0, -1] } }, "recurrence.schedule.hours[1]", /from 0 to 23/],
    [{ frequency: "Day", schedule: { hours: "5" } }, "recurrence.schedule.hours", /from 0 to 23/],
    [{ frequency: "Day", schedule: { minutes: [60] } }, "recurrence.schedule.minutes[0]", /from 0 to 59/],
    [{ frequency: "Day", schedule: { minutes: [0.5] } }, "recurrence.schedule.minutes[0]", /whole number/],
    [{ frequency: "Day", schedule: { minutes: [null] } }, "recurrence.schedule.minutes[0]", /whole number/],
    [
      { frequency: "Day", schedule: { minutes: Array(61).fill(1) } },
      "recurrence.schedule.minutes",
      /at most 60/,
    ],
    [
      { frequency: "Week", schedule: { weekDays: ["Mon"] } },
      "recurrence.schedule.weekDays[0]",
      /Sunday, Monday/,
    ],
    [
      { frequency: "Week", schedule: { weekDays: Array(8).fill("Monday") } },
      "recurrence.schedule.weekDays",
      /at most 7/,
    ],
    [
      { frequency: "Month", schedule: { monthDays: [0] } },
      "recurrence.schedule.monthDays[0]",
      /from -1 to -31/,
    ],
    [
      { frequency: "Month", schedule: { monthDays: [32] } },
      "recurrence.schedule.monthDays[0]",
      /from 1 to 31/,
    ],
    [
      { frequency: "Month", schedule: { monthDays: [-32] } },
      "recurrence.schedule.monthDays[0]",
      /from 1 to 31/,
    ],
    [
      { frequency: "Month", schedule: { monthlyOccurrences: ["Friday"] } },
      "recurrence.schedule.monthlyOccurrences[0]",
      /object with day/,
    ],
    [
      { frequency: "Month", schedule: { monthlyOccurrences: [{ Occurrence: 1 }] } },
      "recurrence.schedule.monthlyOccurrences[0].day",
      /must be one of/,
    ],
    [
      { frequency: "Month", schedule: { monthlyOccurrences: [{ day: "Friday", Occurrence: 0 }] } },
      "recurrence.schedule.monthlyOccurrences[0].Occurrence",
      /from -1 to -5/,
    ],
    [
      { frequency: "Month", schedule: { monthlyOccurrences: [{ day: "Friday", Occurrence: 6 }] } },
      "recurrence.schedule.monthlyOccurrences[0].Occurrence",
      /from 1 to 5/,
    ],
    [
      { frequency: "Month", schedule: { monthlyOccurrences: [{ day: "Friday", occurrence: "1" }] } },
      "recurrence.schedule.monthlyOccurrences[0].occurrence",
      /from 1 to 5/,
    ],
    [
      { frequency: "Day", schedule: { weekDays: ["Monday"] } },
      "recurrence.schedule.weekDays",
      /frequency Week only, not with Day/,
    ],
    [
      { frequency: "Month", schedule: { weekDays: ["Monday"] } },
      "recurrence.schedule.weekDays",
      /frequency Week only, not with Month/,
    ],
    [
      { frequency: "Week", schedule: { monthDays: [1] } },
      "recurrence.schedule.monthDays",
      /frequency Month only, not with Week/,
    ],
    [
      { frequency: "Hour", schedule: { monthlyOccurrences: [{ day: "Friday" }] } },
      "recurrence.schedule.monthlyOccurrences",
      /frequency Month only/,
    ],
    [{ frequency: "Day", timeZone: "Mars/Phobos" }, "recurrence.timeZone", /name of a time zone/],
    [
      { frequency: "Minute", interval: 20, schedule: { minutes: [7] } },
      "recurrence.schedule",
      /never comes due/,
    ],
    [
      { frequency: "Month", interval: 12, schedule: { monthDays: [31] } },
      "recurrence.schedule",
      /never comes due/,
    ],
  ])("%j", (value, path, message) => {
    expect(problemsOf(value)).toEqual([
      { target: `properties.${path}`, message: expect.stringMatching(message) },
    ]);
  });

  it("says all that is wrong at once", () => {
    const value = {
      frequency: "Day",
      interval: 0,
      count: -1,
      endTime: "x",
      schedule: { hours: [99], monthDays: [1], weekDays: ["x"] },
    };
    expect(problemsOf(value).map(({ target }) => target.replace("properties.", ""))).toEqual([
      "recurrence.interval",
      "recurrence.count",
      "recurrence.endTime",
      "recurrence.schedule.hours[0]",
      "recurrence.schedule.weekDays[0]",
      "recurrence.schedule.monthDays",
    ]);
  });

  it("refuses an end in the past unless it is kept as it was", () => {
    const recurrence = { frequency: "Day", interval: 1, endTime: "2024-05-01T00:00:00Z" } as const;
    expect(problemsIn(() => readJobWith({ recurrence }, nowMs))).toMatchObject([
      { message: expect.stringMatching(/in the past/) },
    ]);
    expect(problemsIn(() => readJobWith({ recurrence }, nowMs, { keptRecurrence: recurrence }))).toEqual([]);
  });

  it("never crashes on anything: it is read or refused", () => {
    const part = fc.oneof(fc.anything(), fc.array(fc.integer({ min: -40, max: 70 })));
    const anything = fc.record(
      {
        frequency: fc.oneof(fc.constantFrom("Minute", "Hour", "Day", "Week", "Month"), fc.anything()),
        interval: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.anything()),
        count: fc.anything(),
        endTime: fc.oneof(fc.constant("2030-01-01"), fc.anything()),
        timeZone: fc.anything(),
        schedule: fc.oneof(
          fc.anything(),
          fc.record(
            { minutes: part, hours: part, weekDays: part, monthDays: part, monthlyOccurrences: part },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anything, fc.anything()), (value) => {
        const problems = problemsOf(value);
        if (problems.length === 0) readRecurrence(value);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("start times", () => {
  it.each([
    ["2024-06-01T02:00:00+02:00", nowMs],
    ["2001-01-01", Date.parse("2001-01-01T00:00:00Z")],
    ["2025-12-01T00:00:00Z", Date.parse("2025-12-01T00:00:00Z")],
  ])("understands %s", (text, instant) => {
    const { startTime: read } = readJobWith({ startTime: text }, nowMs);
    expect(Date.parse(read ?? "")).toBe(instant);
  });

  it.each([
    ["2025-12-01T00:00:01Z", /at most 18 months ahead/],
    ["now", /ISO 8601/],
    [17, /ISO 8601/],
  ])("refuses %s", (value, message) => {
    expect(problemsIn(() => readJobWith({ startTime: value }, nowMs))).toMatchObject([
      { target: "properties.startTime", message: expect.stringMatching(message) },
    ]);
  });
});
