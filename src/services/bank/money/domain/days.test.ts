/** Days and months, including ones that do not exist. */
import { expect, it } from "vitest";
import { dayText, laterMonth, monthStart, nextDay, readTime } from "./days.ts";

it("reads days and times, and no others", () => {
  expect(readTime("2026-02-28")).toBe(Date.UTC(2026, 1, 28));
  expect(readTime("2026-02-28 12:30:01")).toBe(Date.UTC(2026, 1, 28, 12, 30, 1));
  expect(readTime("2026-02-28 12:30:01.123456")).toBe(Date.UTC(2026, 1, 28, 12, 30, 1));
  for (const text of ["2026-02-30", "2026-13-01", "26-01-01", "yesterday", "2026-02-28 25:00:00", ""])
    expect(readTime(text)).toBeUndefined();
});
it("goes from month to month, past the end of years", () => {
  expect(dayText(monthStart(2026, 1))).toBe("2026-01-01");
  expect(dayText(laterMonth(Date.UTC(2026, 11, 31, 23), 1))).toBe("2027-01-01");
  expect(dayText(laterMonth(Date.UTC(2026, 0, 31), 49))).toBe("2030-02-01");
  expect(dayText(nextDay(Date.UTC(2026, 1, 28, 5)))).toBe("2026-03-01");
});
