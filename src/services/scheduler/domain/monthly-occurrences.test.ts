/** Tables of monthly occurrences, written by hand from the rules: ends of months, leap days, numbered week days. */
import { describe } from "vitest";
import { check } from "../../../../tests/support/occurrences.ts";
import type { Schedule } from "./index.ts";

describe("days of the month", () => {
  const monthly = (schedule: Schedule, interval = 1) => ({ frequency: "Month", interval, schedule }) as const;
  check([
    [
      "the 28th at 6",
      monthly({ monthDays: [28], hours: [6], minutes: [0] }),
      "2024-01-29",
      ["2024-02-28T06:00", "2024-03-28T06:00"],
    ],
    [
      "the 31st skips shorter months",
      monthly({ monthDays: [31] }),
      "2024-01-01T09:00",
      ["2024-01-31T09:00", "2024-03-31T09:00", "2024-05-31T09:00", "2024-07-31T09:00", "2024-08-31T09:00"],
    ],
    [
      "the 29th in leap years and others",
      monthly({ monthDays: [29] }),
      "2023-01-30",
      ["2023-03-29T00:00", "2023-04-29T00:00"],
    ],
    [
      "29 February only",
      monthly({ monthDays: [29] }, 12),
      "2096-02-01",
      ["2096-02-29T00:00", "2104-02-29T00:00", "2108-02-29T00:00"],
    ],
    [
      "the last day",
      monthly({ monthDays: [-1] }),
      "2023-12-15",
      ["2023-12-31T00:00", "2024-01-31T00:00", "2024-02-29T00:00", "2024-03-31T00:00", "2024-04-30T00:00"],
    ],
    [
      "the first and the last day",
      monthly({ monthDays: [1, -1] }),
      "2023-02-02",
      ["2023-02-28T00:00", "2023-03-01T00:00", "2023-03-31T00:00", "2023-04-01T00:00"],
    ],
    [
      "the same day named twice comes once",
      monthly({ monthDays: [28, -1] }),
      "2023-02-01",
      ["2023-02-28T00:00", "2023-03-28T00:00", "2023-03-31T00:00"],
    ],
    [
      "31st from the end is the first of long months",
      monthly({ monthDays: [-31] }),
      "2024-02-01",
      ["2024-03-01T00:00", "2024-05-01T00:00", "2024-07-01T00:00"],
    ],
    [
      "second last day of every third month",
      monthly({ monthDays: [-2] }, 3),
      "2023-11-01T10:00",
      ["2023-11-29T10:00", "2024-02-28T10:00", "2024-05-30T10:00"],
    ],
  ]);
});

describe("monthly occurrences", () => {
  const monthly = (...monthlyOccurrences: NonNullable<Schedule["monthlyOccurrences"]>) =>
    ({ frequency: "Month", schedule: { monthlyOccurrences } }) as const;
  check([
    [
      "first Friday",
      monthly({ day: "Friday", occurrence: 1 }),
      "2024-01-01T05:00",
      ["2024-01-05T05:00", "2024-02-02T05:00", "2024-03-01T05:00"],
    ],
    [
      "third Friday from the end",
      monthly({ day: "Friday", occurrence: -3 }),
      "2024-01-01",
      ["2024-01-12T00:00", "2024-02-09T00:00", "2024-03-15T00:00"],
    ],
    [
      "first and last Friday",
      monthly({ day: "Friday", occurrence: -1 }, { day: "Friday", occurrence: 1 }),
      "2024-01-01",
      ["2024-01-05T00:00", "2024-01-26T00:00", "2024-02-02T00:00", "2024-02-23T00:00"],
    ],
    [
      "fifth Friday skips months without one",
      monthly({ day: "Friday", occurrence: 5 }),
      "2024-01-01",
      ["2024-03-29T00:00", "2024-05-31T00:00", "2024-08-30T00:00"],
    ],
    [
      "fifth from the end is the first of five",
      monthly({ day: "Friday", occurrence: -5 }),
      "2024-01-01",
      ["2024-03-01T00:00", "2024-05-03T00:00", "2024-08-02T00:00"],
    ],
    [
      "every Sunday",
      monthly({ day: "Sunday" }),
      "2024-02-20",
      ["2024-02-25T00:00", "2024-03-03T00:00", "2024-03-10T00:00"],
    ],
    [
      "last Monday and last Friday",
      monthly({ day: "Monday", occurrence: -1 }, { day: "Friday", occurrence: -1 }),
      "2024-04-01",
      ["2024-04-26T00:00", "2024-04-29T00:00", "2024-05-27T00:00", "2024-05-31T00:00"],
    ],
    [
      "Friday the 13th: both parts must hold",
      { frequency: "Month", schedule: { monthDays: [13], monthlyOccurrences: [{ day: "Friday" }] } },
      "2023-11-01",
      ["2024-09-13T00:00", "2024-12-13T00:00", "2025-06-13T00:00"],
    ],
    [
      "last day of the month if a Sunday",
      {
        frequency: "Month",
        schedule: { monthDays: [-1], monthlyOccurrences: [{ day: "Sunday", occurrence: -1 }] },
      },
      "2024-01-01",
      ["2024-03-31T00:00", "2024-06-30T00:00"],
    ],
    [
      "third Wednesday, four times",
      {
        frequency: "Month",
        schedule: {
          monthlyOccurrences: [{ day: "Wednesday", occurrence: 3 }],
          hours: [5, 17],
          minutes: [15, 45],
        },
      },
      "2024-01-01",
      ["2024-01-17T05:15", "2024-01-17T05:45", "2024-01-17T17:15", "2024-01-17T17:45", "2024-02-21T05:15"],
    ],
  ]);
});
