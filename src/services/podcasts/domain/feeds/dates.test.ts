/** Dates of feeds: in every notation, and at their limits. */
import { describe, expect, it } from "vitest";
import { DATE, DATE_MS, item, read } from "../../../../../tests/support/feed-documents.ts";
import { parseFeedDate } from "./dates.ts";

it.each([
  ["2024-01-31T10:00:00Z", "2024-01-31T10:00:00.000Z"],
  ["1990-01-01", "1990-01-01T00:00:00.000Z"],
  ["2100-12-31", "2100-12-31T00:00:00.000Z"],
  ["2024-12-31", "2024-12-31T00:00:00.000Z"],
  ["29 Feb 2024 23:59:59 GMT", "2024-02-29T23:59:59.000Z"],
])("%s is %s", (text, iso) => expect(new Date(parseFeedDate(text) ?? Number.NaN).toISOString()).toBe(iso));

it.each(["2024-00-10", "2024-13-10", "2024-02-30", "2024-01-00", "1989-12-31", "2101-01-01"])(
  "%s is no date",
  (text) => expect(parseFeedDate(text)).toBeUndefined(),
);

const DATES: readonly (readonly [text: string, ms: number | undefined])[] = [
  ["Mon, 05 Jan 2026 10:30:00 GMT", DATE_MS],
  ["Mon, 5 Jan 2026 10:30 GMT", DATE_MS],
  ["05 Jan 2026 10:30:00 +0000", DATE_MS],
  ["Mon, 05 Jan 26 10:30:00 Z", DATE_MS],
  ["Mon, 05 Jan 2026 05:30:00 EST", DATE_MS],
  ["Mon, 05 Jan 2026 11:30:00 CET", DATE_MS],
  ["Mon, 05 Jan 2026 16:00:00 +0530", DATE_MS],
  ["Monday, January 5, 2026 10:30 AM", DATE_MS],
  ["Monday, 5th January 2026 10:30:00", DATE_MS],
  ["Mon Jan  5 10:30:00 2026", DATE_MS],
  ["2026-01-05T10:30:00Z", DATE_MS],
  ["2026-01-05T10:30:00.123+00:00", DATE_MS],
  ["2026-01-05 10:30:00", DATE_MS],
  ["2026-01-05T12:30+02:00", DATE_MS],
  ["20260105T103000Z", DATE_MS],
  ["05.01.2026 10:30", DATE_MS],
  ["01/05/2026 10:30", DATE_MS],
  ["1767609000", DATE_MS],
  ["1767609000000", DATE_MS],
  ["Mo, 05 Januar 2026 10:30:00 GMT", DATE_MS],
  ["5 janvier 2026 10:30", DATE_MS],
  ["05-Jan-2026 10:30:00", DATE_MS],
  ["2026-01-05", Date.UTC(2026, 0, 5)],
  ["Mon, 05 Jan 2026 24:00:00 GMT", Date.UTC(2026, 0, 6)],
  ["Mon, 05 Jan 2026 10:30:00 PM GMT", Date.UTC(2026, 0, 5, 22, 30)],
  ["Mon,05 Jan 2026 10:30:00 GMT", DATE_MS],
  ["Mon, 5 Jan 2026 10:30:0 GMT", DATE_MS],
  ["Mon, 05 Jan 2026 05:30:00 ET", DATE_MS],
  ["Mon, 05 Jan 2026 04:30:00 CT", DATE_MS],
  ["Mon, 05 Jan 2026 03:30:00 MT", DATE_MS],
  ["Mon, 05 Jan 2026 02:30:00 PT", DATE_MS],
  ["Mon, 05 Jan 2026 06:30:00 AT", DATE_MS],
  ["2026-01", Date.UTC(2026, 0, 1)],
  ["2026", Date.UTC(2026, 0, 1)],
  ["31 Feb 2026", undefined],
  ["2026-13-01", undefined],
  ["", undefined],
  ["soon", undefined],
  ["0000-00-00 00:00:00", undefined],
];
describe("a date of a feed", () => {
  it.each(DATES)("%s", (text, ms) => {
    expect(read(item("").replace(DATE, text)).episodes[0]?.pubDateMs).toBe(ms);
  });
});
