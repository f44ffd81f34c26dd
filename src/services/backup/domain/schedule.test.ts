/** Schedules: valid cron expressions, and their due times. */
import { describe, expect, it } from "vitest";
import { checkSchedule, findNextOccurrence, longestIntervalMs } from "./schedule.ts";

const from = (text: string) => Date.parse(text);
const NOW = from("2026-01-01T00:00:00Z");
function occurrences(expression: string, timezone: string, start: string, count: number): string[] {
  const found: string[] = [];
  let at = from(start);
  while (found.length < count) {
    const next = findNextOccurrence({ expression, timezone }, at);
    if (next === undefined) break;
    found.push(new Date(next).toISOString().slice(0, 16));
    at = next;
  }
  return found;
}

describe("schedules", () => {
  it.each([
    ["cron(0 5 ? * * *)", ["2026-01-01T05:00", "2026-01-02T05:00", "2026-01-03T05:00"]],
    ["cron(30 1 ? * 1 *)", ["2026-01-04T01:30", "2026-01-11T01:30", "2026-01-18T01:30"]],
    ["cron(30 1 ? * SUN *)", ["2026-01-04T01:30", "2026-01-11T01:30", "2026-01-18T01:30"]],
    ["cron(0 0 ? * MON-FRI *)", ["2026-01-02T00:00", "2026-01-05T00:00"]],
    ["cron(0 12 L * ? *)", ["2026-01-31T12:00", "2026-02-28T12:00", "2026-03-31T12:00"]],
    ["cron(0 12 LW * ? *)", ["2026-01-30T12:00", "2026-02-27T12:00", "2026-03-31T12:00"]],
    ["cron(0 12 15W * ? *)", ["2026-01-15T12:00", "2026-02-16T12:00", "2026-03-16T12:00"]],
    ["cron(0 12 ? * 6L *)", ["2026-01-30T12:00", "2026-02-27T12:00", "2026-03-27T12:00"]],
    ["cron(0 12 ? * L *)", ["2026-01-03T12:00", "2026-01-10T12:00", "2026-01-17T12:00"]],
    ["cron(0 12 ? * FRI#2 *)", ["2026-01-09T12:00", "2026-02-13T12:00", "2026-03-13T12:00"]],
    ["cron(0 0/6 ? * * *)", ["2026-01-01T06:00", "2026-01-01T12:00", "2026-01-01T18:00"]],
    ["cron(15 4,16 * FEB,JUN ? 2027)", ["2027-02-01T04:15", "2027-02-01T16:15", "2027-02-02T04:15"]],
    ["cron(0 0 1 1/3 ? 2026-2027)", ["2026-04-01T00:00", "2026-07-01T00:00", "2026-10-01T00:00"]],
  ])("%s", (expression, wanted) => {
    const schedule = { expression, timezone: "Etc/UTC" };
    expect(() => checkSchedule(schedule, NOW)).not.toThrow();
    expect(occurrences(expression, "Etc/UTC", "2026-01-01T00:00:00Z", wanted.length)).toEqual(wanted);
  });
  it("follow the clock of their zone, once a day, over both changes", () => {
    expect(occurrences("cron(30 2 ? * * *)", "Europe/Berlin", "2026-03-28T00:00:00Z", 3)).toEqual([
      "2026-03-28T01:30",
      "2026-03-29T01:00",
      "2026-03-30T00:30",
    ]);
    expect(occurrences("cron(30 2 ? * * *)", "Europe/Berlin", "2026-10-24T00:00:00Z", 3)).toEqual([
      "2026-10-24T00:30",
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ]);
    expect(occurrences("cron(0 * ? * * *)", "Europe/Berlin", "2026-10-24T23:30:00Z", 4)).toEqual([
      "2026-10-25T00:00",
      "2026-10-25T01:00",
      "2026-10-25T02:00",
      "2026-10-25T03:00",
    ]);
    expect(() =>
      checkSchedule(
        { expression: "cron(30 2,3 ? * * *)", timezone: "Europe/Berlin" },
        from("2026-03-28T12:00:00Z"),
      ),
    ).not.toThrow();
  });
  it.each([
    ["rate(1 day)", "has to look like"],
    ["cron(0 5 * * *)", "six fields"],
    ["cron(0 5 * * * *)", '"?"'],
    ["cron(0 5 ? * ? *)", '"?"'],
    ["cron(60 5 ? * * *)", '"60"'],
    ["cron(0 24 ? * * *)", '"24"'],
    ["cron(0 5 32 * ? *)", '"32"'],
    ["cron(0 5 ? * 8 *)", '"8"'],
    ["cron(0 5 ? * 0 *)", '"0"'],
    ["cron(0 5 ? * MON#6 *)", '"MON#6"'],
    ["cron(0 5 ? 13 * *)", '"13"'],
    ["cron(0 5 ? FEB-JAN * *)", "backwards"],
    ["cron(0 5/0 ? * * *)", "step"],
    ["cron(0 5/1/2 ? * * *)", "step"],
    ["cron(0 1-2-3 ? * * *)", "range"],
    ["cron(0 5 ? * * 1969)", '"1969"'],
    ["cron(0 5 ? * * 2020)", "never"],
    ["cron(0 5 30 2 ? *)", "never"],
    ["cron(0/30 5 ? * * *)", "an hour apart"],
    ["cron(0,59 * ? * * *)", "an hour apart"],
    [`cron(${"0".repeat(300)} 5 ? * * *)`, "too long"],
  ])("refuses %s", (expression, why) => {
    expect(() => checkSchedule({ expression, timezone: "Etc/UTC" }, NOW)).toThrow(why);
  });
  it("refuses a zone that is none, and says how long the longest pause is", () => {
    expect(() => checkSchedule({ expression: "cron(0 5 ? * * *)", timezone: "Mars/Base" }, NOW)).toThrow(
      "Mars/Base",
    );
    const hours = (expression: string) =>
      longestIntervalMs({ expression, timezone: "Etc/UTC" }, NOW) / 3_600_000;
    expect(hours("cron(0 5 ? * * *)")).toBe(24);
    expect(hours("cron(0 5 ? * MON-FRI *)")).toBe(72);
    expect(hours("cron(0 5 1 1 ? 2027)")).toBe(Number.POSITIVE_INFINITY);
  });
});

it("schedules have 256 characters at the most, and an hour between their times", () => {
  const checking = (expression: string) => () => checkSchedule({ expression, timezone: "Etc/UTC" }, NOW);
  const ofLength = (length: number) => "cron(0 5 ? * * *)".replace(" *)", `${" ".repeat(length - 16)}*)`);
  expect(ofLength(256)).toHaveLength(256);
  expect(checking(ofLength(256))).not.toThrow();
  expect(checking(ofLength(257))).toThrow("it is too long");
  expect(checking("cron(0 * ? * * *)")).not.toThrow();
  expect(checking("cron(0,59 5,6 ? * * *)")).toThrow("an hour apart");
});
