import { expect, it } from "vitest";
import { isoOf } from "#kernel/clock";
import { occurrenceOf, readInstant } from "./times.ts";

const at = (text: string): number => readInstant(text) ?? Number.NaN;
const asText = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : isoOf(ms).slice(0, 16);

it("reads instants as the bank writes them, and refuses days that do not exist", () => {
  expect(asText(at("2026-11-15 23:52:08.123000"))).toBe("2026-11-15T23:52");
  expect(asText(at("2026-11-15"))).toBe("2026-11-15T00:00");
  expect(asText(at("2026-11-15T23:52:08Z"))).toBe("2026-11-15T23:52");
  for (const wrong of ["2026-02-30 10:00:00", "2026-13-01", "2026-11-15 24:00:00", "tomorrow", ""])
    expect(readInstant(wrong)).toBeUndefined();
});

it("keeps the day of the month across short months", () => {
  const rhythm = { startMs: at("2026-01-31 08:30:00"), unit: "MONTHLY", size: 1 } as const;
  expect([0, 1, 2, 3, 13].map((count) => asText(occurrenceOf(rhythm, count)))).toEqual([
    "2026-01-31T08:30",
    "2026-02-28T08:30",
    "2026-03-31T08:30",
    "2026-04-30T08:30",
    "2027-02-28T08:30",
  ]);
  const leap = { startMs: at("2024-02-29"), unit: "YEARLY", size: 1 } as const;
  expect([1, 4].map((count) => asText(occurrenceOf(leap, count)))).toEqual([
    "2025-02-28T00:00",
    "2028-02-29T00:00",
  ]);
});

it("ends with its end, and at once where it happens once", () => {
  const startMs = at("2026-11-01 12:00:00");
  const weekly = { startMs, endMs: at("2026-11-29 12:00:00"), unit: "WEEKLY", size: 2 } as const;
  expect([0, 1, 2, 3].map((count) => asText(occurrenceOf(weekly, count)))).toEqual([
    "2026-11-01T12:00",
    "2026-11-15T12:00",
    "2026-11-29T12:00",
    undefined,
  ]);
  expect(occurrenceOf({ startMs, unit: "ONCE", size: 1 }, 1)).toBeUndefined();
  expect(asText(occurrenceOf({ startMs, unit: "HOURLY", size: 3 }, 2))).toBe("2026-11-01T18:00");
});
