/** The last hour by minute: gauges are there of every minute, whether somebody looked or not. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MINUTES_KEPT, Minutes } from "./minutes.ts";

const MINUTE_MS = 60_000;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_700_000_010_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

it("takes gauges once at the start and in every minute after it", async () => {
  let jobsWaiting = 0;
  const minutes = new Minutes(Date.now, async () => ({ databaseBytes: 4096, jobsWaiting: ++jobsWaiting }));
  minutes.start();
  await vi.advanceTimersByTimeAsync(3 * MINUTE_MS);
  const taken = minutes.list(5).map(({ gauges }) => gauges?.jobsWaiting);
  expect(taken.slice(0, 1)).toEqual([undefined]);
  expect(taken.slice(1).every((count) => count !== undefined)).toBe(true);
  await vi.advanceTimersByTimeAsync(2 * MINUTES_KEPT * MINUTE_MS);
  expect([59, 60, 61].map((count) => minutes.list(count).length)).toEqual([59, 60, 60]);
  expect(minutes.list(MINUTES_KEPT).every(({ gauges }) => gauges?.databaseBytes === 4096)).toBe(true);
  minutes.stop();
  expect(vi.getTimerCount()).toBe(0);
});

it("leaves a gap where the database does not answer, and goes on", async () => {
  let isAnswering = false;
  const minutes = new Minutes(Date.now, async () => {
    if (!isAnswering) throw new Error("no database");
    return { databaseBytes: 1, jobsWaiting: 1 };
  });
  minutes.start();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  isAnswering = true;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(minutes.list(3).map(({ gauges }) => gauges?.databaseBytes)).toEqual([undefined, undefined, 1]);
  minutes.stop();
});
