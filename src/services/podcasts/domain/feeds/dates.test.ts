/** Dates of feeds at their limits. */
import { expect, it } from "vitest";
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
