/** The calendar's arithmetic against the platform's own, over all years that four digits can write. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addMonths,
  DAY_MS,
  dateOfDay,
  dayNumberOf,
  daysInMonth,
  INSTANT_MS_MAX,
  weekDayOf,
} from "./calendar.ts";
import { findDurationMs, findInstant } from "./iso-time.ts";

const anyDay = fc.integer({ min: -719_162, max: 2_932_896 });

describe("calendar", () => {
  it("agrees with the platform on every date", () => {
    fc.assert(
      fc.property(anyDay, (dayNumber) => {
        const date = new Date(dayNumber * DAY_MS);
        const parts = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
        expect(dateOfDay(dayNumber)).toEqual(parts);
        expect(dayNumberOf(parts.year, parts.month, parts.day)).toBe(dayNumber);
        expect(weekDayOf(dayNumber)).toBe(date.getUTCDay());
      }),
      { numRuns: 2_000 },
    );
  });

  it("knows the length of months", () => {
    expect([2000, 1900, 2023, 2024].map((year) => daysInMonth(year, 2))).toEqual([29, 28, 28, 29]);
    expect(Array.from({ length: 12 }, (_, index) => daysInMonth(2023, index + 1))).toEqual([
      31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
    ]);
  });

  it("ends where the last year ends", () => {
    expect(new Date(INSTANT_MS_MAX).toISOString()).toBe("9999-12-31T23:59:59.999Z");
  });

  it.each([
    ["2024-01-31T10:00:00.000Z", 1, "2024-02-29T10:00:00.000Z"],
    ["2023-01-31T10:00:00.000Z", 1, "2023-02-28T10:00:00.000Z"],
    ["2023-12-15T00:00:00.000Z", 18, "2025-06-15T00:00:00.000Z"],
  ])("adds months: %s and %d", (from, months, to) => {
    expect(new Date(addMonths(Date.parse(from), months)).toISOString()).toBe(to);
  });
});

describe("date-times", () => {
  it("reads what the platform writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: INSTANT_MS_MAX }), (instant) => {
        expect(findInstant(new Date(instant).toISOString())).toBe(instant);
      }),
    );
  });

  it.each([
    ["2012-08-04T00:00Z", "2012-08-04T00:00:00.000Z"],
    ["2012-08-04", "2012-08-04T00:00:00.000Z"],
    ["2012-08-04T05:06:07", "2012-08-04T05:06:07.000Z"],
    ["2013-01-09T09:30:00-08:00", "2013-01-09T17:30:00.000Z"],
    ["2013-01-09T09:30:00+0530", "2013-01-09T04:00:00.000Z"],
    ["2013-01-09t09:30:00.1234567z", "2013-01-09T09:30:00.123Z"],
    ["2013-01-09 09:30:00.5Z", "2013-01-09T09:30:00.500Z"],
  ])("reads %s", (text, iso) => {
    expect(findInstant(text)).toBe(Date.parse(iso));
  });

  it.each([
    "",
    "tomorrow",
    "2013-13-01T00:00:00Z",
    "2013-02-29T00:00:00Z",
    "2013-00-10",
    "2013-01-00",
    "2013-01-01T24:00:00Z",
    "2013-01-01T00:60Z",
    "2013-01-01T00:00:60Z",
    "2013-01-01T00:00:00+15:00",
    "2013-1-1",
    "20130101T000000Z",
    "2013-01-01T00:00:00Z ",
  ])("refuses %s", (text) => {
    expect(findInstant(text)).toBeUndefined();
  });
});

describe("durations", () => {
  it.each([
    ["PT1M", 60_000],
    ["PT30S", 30_000],
    ["PT0.5S", 500],
    ["PT1H30M", 5_400_000],
    ["P1D", DAY_MS],
    ["P1DT1H", DAY_MS + 3_600_000],
    ["P2W", 14 * DAY_MS],
    ["P1M", 30 * DAY_MS],
    ["P1Y", 365 * DAY_MS],
    ["PT0S", 0],
  ])("reads %s", (text, milliseconds) => {
    expect(findDurationMs(text)).toBe(milliseconds);
  });

  it.each(["", "P", "PT", "P1DT", "1M", "PT1", "PT-1M", "-PT1M", "00:01:00", "PT1M ", "P1H"])(
    "refuses %s",
    (text) => {
      expect(findDurationMs(text)).toBeUndefined();
    },
  );
});
