/** First and following runs, downtime, retries, states and quotas of jobs. */
import { describe, expect, it } from "vitest";
import { processorMs } from "../../../../tests/support/processor-time.ts";
import {
  changeState,
  dueRun,
  effectiveQuota,
  firstRunMs,
  type JobTiming,
  mayRun,
  nextRunMs,
  obstaclesToPlan,
  outcomeOf,
  planLimits,
  type QuotaJob,
  type Recurrence,
  resumedRunMs,
  stateAfterRun,
  violationsOf,
  withinQuota,
} from "./index.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const text = (instant: number | undefined) =>
  instant === undefined ? undefined : new Date(instant).toISOString().slice(0, 16);
const daily: Recurrence = { frequency: "Day", interval: 1 };
const dayMs = 86_400_000;

describe("the first run", () => {
  const now = at("2015-04-08T13:00");
  const everySecondDay: Recurrence = { frequency: "Day", interval: 2 };
  const atFive: Recurrence = { ...daily, schedule: { hours: [5], minutes: [0] } };
  it.each<readonly [string, Omit<JobTiming, "definedAtMs">, string]>([
    ["no start, once", {}, "2015-04-08T13:00"],
    ["no start, recurring", { recurrence: everySecondDay }, "2015-04-08T13:00"],
    ["no start, with a schedule", { recurrence: atFive }, "2015-04-08T13:00"],
    ["past start, once", { startTimeMs: at("2015-04-07T14:00") }, "2015-04-08T13:00"],
    [
      "past start, recurring",
      { startTimeMs: at("2015-04-07T14:00"), recurrence: everySecondDay },
      "2015-04-09T14:00",
    ],
    [
      "a start longer past gives the same",
      { startTimeMs: at("2015-04-05T14:00"), recurrence: everySecondDay },
      "2015-04-09T14:00",
    ],
    [
      "and longer still",
      { startTimeMs: at("2015-04-01T14:00"), recurrence: everySecondDay },
      "2015-04-09T14:00",
    ],
    [
      "past start, with a schedule",
      { startTimeMs: at("2015-04-07T14:00"), recurrence: atFive },
      "2015-04-09T05:00",
    ],
    ["start now, recurring", { startTimeMs: now, recurrence: daily }, "2015-04-08T13:00"],
    ["future start, once", { startTimeMs: at("2015-05-01T00:00") }, "2015-05-01T00:00"],
    [
      "future start, recurring",
      { startTimeMs: at("2015-05-01T00:00"), recurrence: daily },
      "2015-05-01T00:00",
    ],
    [
      "future start, with a schedule",
      { startTimeMs: at("2015-05-01T06:00"), recurrence: atFive },
      "2015-05-02T05:00",
    ],
  ])("%s", (_, timing, expected) => {
    expect(text(firstRunMs({ definedAtMs: now, ...timing }))).toBe(expected);
  });

  it("does not come when the end has passed", () => {
    const recurrence = { ...daily, endTimeMs: at("2015-04-08T12:00") };
    expect(firstRunMs({ definedAtMs: now, startTimeMs: at("2015-04-01T10:00"), recurrence })).toBeUndefined();
  });
});

describe("following runs", () => {
  it("of a job without start follow from its definition", () => {
    const timing = { definedAtMs: at("2024-01-01T10:00"), recurrence: { ...daily, count: 2 } };
    const first = firstRunMs(timing) ?? 0;
    expect(text(nextRunMs(timing, first, 1))).toBe("2024-01-02T10:00");
    expect(nextRunMs(timing, first, 2)).toBeUndefined();
  });

  it("do not come for a job that runs once", () => {
    expect(nextRunMs({ definedAtMs: 0 }, 0, 1)).toBeUndefined();
  });
});

describe("after downtime", () => {
  const start = at("2024-01-01T10:00");
  const timing: JobTiming = { definedAtMs: start, startTimeMs: start, recurrence: { ...daily, count: 5 } };

  it("runs on time when nothing was missed", () => {
    expect(dueRun(timing, start, start, 0)).toEqual({ expectedMs: start, nextMs: start + dayMs });
  });

  it("is not due before its time", () => {
    expect(dueRun(timing, start, start - 1, 0)).toBeUndefined();
  });

  it("collapses all that was missed into one run and goes on after now", () => {
    const expectedMs = at("2024-01-02T10:00");
    const run = dueRun(timing, expectedMs, at("2024-01-10T12:00"), 1);
    expect(run).toEqual({ expectedMs, nextMs: at("2024-01-11T10:00") });
  });

  it("counts the collapsed run once", () => {
    expect(dueRun(timing, start, at("2024-01-10T12:00"), 3)?.nextMs).toBe(at("2024-01-11T10:00"));
    expect(dueRun(timing, start, at("2024-01-10T12:00"), 4)?.nextMs).toBeUndefined();
  });

  it("makes up for an occurrence that fell due before the end time", () => {
    const ending = { ...timing, recurrence: { ...daily, endTimeMs: at("2024-01-03T00:00") } };
    const expectedMs = at("2024-01-02T10:00");
    expect(dueRun(ending, expectedMs, at("2024-02-01T00:00"), 1)).toEqual({ expectedMs, nextMs: undefined });
  });

  it("takes a minutely job through years of downtime at once", () => {
    const minutely: JobTiming = { ...timing, recurrence: { frequency: "Minute", interval: 1 } };
    const tookMs = processorMs(() => {
      expect(text(dueRun(minutely, start, at("2034-01-01T10:00:30"), 1)?.nextMs)).toBe("2034-01-01T10:01");
    });
    expect(tookMs).toBeLessThan(500);
  });

  it("does not make up for what went by while the job was disabled", () => {
    expect(text(resumedRunMs(timing, at("2024-01-10T12:00"), 1))).toBe("2024-01-11T10:00");
    expect(text(resumedRunMs(timing, at("2024-01-10T10:00"), 1))).toBe("2024-01-10T10:00");
    const once: JobTiming = { definedAtMs: start, startTimeMs: start };
    expect(text(resumedRunMs(once, at("2024-01-10T12:00"), 0))).toBe("2024-01-10T12:00");
    expect(text(resumedRunMs(once, at("2023-01-10T12:00"), 0))).toBe("2024-01-01T10:00");
    expect(resumedRunMs(once, at("2024-01-10T12:00"), 1)).toBeUndefined();
  });
});

describe("retry policies", () => {
  it("tries again as often as it says, then gives up", () => {
    const policy = { retryType: "Fixed", retryIntervalMs: 30_000, retryCount: 2 } as const;
    const failed = (retryCount: number) =>
      outcomeOf({ succeeded: false, retryCount, endedAtMs: 1_000 }, policy);
    expect(failed(0)).toEqual({ next: "retry", retryAtMs: 31_000, retryCount: 1 });
    expect(failed(1)).toEqual({ next: "retry", retryAtMs: 31_000, retryCount: 2 });
    expect(failed(2)).toEqual({ next: "faulted" });
    expect(outcomeOf({ succeeded: true, retryCount: 1, endedAtMs: 0 }, policy)).toEqual({ next: "done" });
    expect(outcomeOf({ succeeded: false, retryCount: 0, endedAtMs: 0 }, { retryType: "None" })).toEqual({
      next: "faulted",
    });
  });
});

describe("states", () => {
  it.each([
    [undefined, undefined, "replace", { state: "Enabled", restarted: true }],
    [undefined, "Disabled", "replace", { state: "Disabled", restarted: true }],
    [undefined, "Completed", "replace", { refusal: "setByServiceOnly" }],
    ["Enabled", "Disabled", "merge", { state: "Disabled", restarted: false }],
    ["Disabled", "Enabled", "merge", { state: "Enabled", restarted: false }],
    ["Disabled", undefined, "merge", { state: "Disabled", restarted: false }],
    ["Disabled", undefined, "replace", { state: "Enabled", restarted: false }],
    ["Enabled", "Faulted", "merge", { refusal: "setByServiceOnly" }],
    ["Completed", "Enabled", "merge", { refusal: "jobIsFinished" }],
    ["Faulted", "Disabled", "merge", { refusal: "jobIsFinished" }],
    ["Completed", "Completed", "merge", { state: "Completed", restarted: false }],
    ["Completed", undefined, "merge", { state: "Completed", restarted: false }],
    ["Completed", "Completed", "replace", { state: "Completed", restarted: false }],
    ["Completed", "Enabled", "replace", { state: "Enabled", restarted: true }],
    ["Faulted", undefined, "replace", { state: "Enabled", restarted: true }],
    ["Completed", "Faulted", "replace", { refusal: "setByServiceOnly" }],
  ] as const)("%s, asked for %s by %s", (current, requested, kind, change) => {
    expect(changeState(current, requested, kind)).toEqual(change);
  });

  it("end with the last run", () => {
    expect(stateAfterRun("Enabled", { nextRunMs: 5, faulted: true })).toBe("Enabled");
    expect(stateAfterRun("Disabled", { nextRunMs: 5, faulted: false })).toBe("Disabled");
    expect(stateAfterRun("Enabled", { nextRunMs: undefined, faulted: false })).toBe("Completed");
    expect(stateAfterRun("Enabled", { nextRunMs: undefined, faulted: true })).toBe("Faulted");
  });

  it("let a job run only when it and its collection are enabled", () => {
    expect(mayRun("Enabled", "Enabled")).toBe(true);
    expect([
      mayRun("Disabled", "Enabled"),
      mayRun("Enabled", "Disabled"),
      mayRun("Enabled", "Suspended"),
    ]).toEqual([false, false, false]);
  });
});

describe("quotas", () => {
  const start = at("2024-01-01T00:00");
  const job = (recurrence?: Recurrence, authenticates = false): QuotaJob => ({
    startTimeMs: start,
    recurrence,
    authenticates,
  });
  const everyMinute: Recurrence = { frequency: "Minute", interval: 1 };

  it("follow the plan where they are silent", () => {
    expect(effectiveQuota("Free")).toEqual({
      maxJobCount: 5,
      maxRecurrence: { frequency: "Hour", interval: 1 },
    });
    expect(effectiveQuota("Standard", { maxJobCount: 10 })).toEqual({
      maxJobCount: 10,
      maxRecurrence: { frequency: "Minute", interval: 1 },
    });
    expect(Object.values(planLimits).map(({ jobsMax }) => jobsMax)).toEqual([5, 50, 50, 1_000]);
  });

  it.each([
    ["Free", {}, job(), 5, []],
    ["Free", {}, job(), 6, ["tooManyJobs"]],
    ["Standard", { maxJobCount: 1 }, job(), 2, ["tooManyJobs"]],
    ["Free", {}, job(everyMinute), 1, ["tooFrequent"]],
    ["Free", {}, job({ ...everyMinute, schedule: { minutes: [0] } }), 1, []],
    ["Free", {}, job({ ...daily, schedule: { minutes: [0, 30] } }), 1, ["tooFrequent"]],
    ["Free", {}, job({ ...daily, schedule: { hours: [0, 1], minutes: [0] } }), 1, []],
    ["Standard", {}, job(everyMinute), 1, []],
    [
      "Standard",
      { maxRecurrence: { frequency: "Month", interval: 1 } },
      job({ frequency: "Month", interval: 1 }),
      1,
      [],
    ],
    ["Standard", { maxRecurrence: { frequency: "Day", interval: 2 } }, job(daily), 1, ["tooFrequent"]],
    ["Free", {}, job(undefined, true), 1, ["authenticationNotInPlan"]],
    ["Standard", {}, job(undefined, true), 1, []],
    ["Standard", { maxJobOccurrence: 3 }, job({ ...daily, count: 4 }), 1, ["tooManyOccurrences"]],
    ["Standard", { maxJobOccurrence: 3 }, job({ ...daily, count: 3 }), 1, []],
  ] as const)("%s %j", (plan, quota, candidate, jobCount, violations) => {
    expect(violationsOf(plan, quota, candidate, jobCount)).toEqual(violations);
  });

  it("keep a collection from a plan too small for it", () => {
    const jobs = [job(everyMinute, true), job(), job(), job(), job(), job(everyMinute)];
    expect(obstaclesToPlan("Free", {}, jobs, 2)).toEqual([
      "tooFrequent",
      "authenticationNotInPlan",
      "tooManyJobs",
      "tooManyCollections",
    ]);
    expect(obstaclesToPlan("Standard", {}, jobs, 100)).toEqual([]);
  });

  it("limit how often a job runs in all", () => {
    expect(withinQuota(daily, { maxJobOccurrence: 3 }).count).toBe(3);
    expect(withinQuota({ ...daily, count: 2 }, { maxJobOccurrence: 3 }).count).toBe(2);
    expect(withinQuota(daily, {})).toBe(daily);
  });
});
