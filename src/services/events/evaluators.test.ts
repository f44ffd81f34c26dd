/** Who is at work on an account's messages, and who may rely on it. */
import { expect, it } from "vitest";
import {
  BACKLOG_MAX,
  Evaluators,
  LOOK_AFTER_MESSAGES,
  LOOK_AFTER_MS,
  LOOK_AFTER_REFUSALS,
  lookAtMs,
} from "./evaluators.ts";

const open = async (evaluators: Evaluators) => {
  const loop = await evaluators.open("1", [0]);
  if (!loop) throw new Error("a loop is open already");
  return loop;
};

it("has one loop for an account, which looks again when another is asked for", async () => {
  const evaluators = new Evaluators();
  const loop = await open(evaluators);
  expect([loop.next(), loop.next()]).toEqual([0, undefined]);
  expect(await evaluators.open("1", [0, 3])).toBeUndefined();
  expect([loop.next(), loop.next(), loop.hasMore]).toEqual([0, 3, false]);
  expect(await evaluators.open("2", [0])).toBeDefined();
});

it("wakes a resting loop when those who rely on it are done, with what they left", async () => {
  const evaluators = new Evaluators();
  const loop = await open(evaluators);
  loop.next();
  const found = evaluators.findOpen("1");
  found?.rely();
  expect(loop.isRelied).toBe(true);
  const resting = loop.rest(60_000);
  found?.want([7]);
  found?.release();
  await resting;
  expect([loop.isRelied, loop.next()]).toEqual([false, 7]);
});

it("hands a tired loop on, with everybody who relies on it", async () => {
  const evaluators = new Evaluators();
  const loop = await open(evaluators);
  loop.rely();
  expect(loop.handOver()).toBe(false);
  loop.isTired = true;
  const taking = evaluators.open("1", [0]);
  expect(loop.handOver()).toBe(true);
  expect(await taking).toBe(loop);
  expect([loop.isOpen, loop.isTired, loop.isRelied]).toEqual([true, false, true]);
});

it("hands a tired loop to the first who wants it; others leave their shards and go", async () => {
  const evaluators = new Evaluators();
  const loop = await open(evaluators);
  loop.next();
  loop.isTired = true;
  const first = evaluators.open("1", [0]);
  expect(await evaluators.open("1", [5])).toBeUndefined();
  loop.handOver();
  expect(await first).toBe(loop);
  expect(loop.next()).toBe(5);
});

it("begins a new loop where the tired one closed instead", async () => {
  const evaluators = new Evaluators();
  const loop = await open(evaluators);
  loop.isTired = true;
  const taking = evaluators.open("1", [0]);
  loop.close();
  const next = await taking;
  expect(next).toBeDefined();
  expect(next).not.toBe(loop);
  expect(evaluators.findOpen("1")).toBe(next);
  evaluators.forget("1", loop);
  expect(evaluators.findOpen("1")).toBe(next);
});

it("is overloaded while too much waits", () => {
  const evaluators = new Evaluators();
  evaluators.noteBacklog("1", BACKLOG_MAX - 1);
  expect(evaluators.isOverloaded("1")).toBe(false);
  evaluators.noteBacklog("1", BACKLOG_MAX);
  expect([evaluators.isOverloaded("1"), evaluators.isOverloaded("2")]).toEqual([true, false]);
  evaluators.noteBacklog("1", 0);
  expect(evaluators.isOverloaded("1")).toBe(false);
});

it("looks how many wait after many messages, and sooner while it refuses", () => {
  const evaluators = new Evaluators();
  expect(evaluators.isLookDue("1", LOOK_AFTER_MESSAGES - 1)).toBe(false);
  expect(evaluators.isLookDue("2", 1)).toBe(false);
  expect([evaluators.isLookDue("1", 1), evaluators.isLookDue("1", 1)]).toEqual([true, false]);
  evaluators.noteBacklog("1", BACKLOG_MAX);
  const looks = Array.from({ length: LOOK_AFTER_REFUSALS }, () => evaluators.isLookDue("1", 1));
  expect(looks.filter(Boolean).length).toBe(1);
});

it("plans one look in a period for messages that may be forgotten, and never postpones it", () => {
  const evaluators = new Evaluators();
  const first = lookAtMs(0);
  expect([first, lookAtMs(LOOK_AFTER_MS - 1)]).toEqual([2 * LOOK_AFTER_MS, first]);
  // What is accepted in the next period may be committed after the first look, so it gets its own.
  expect(lookAtMs(LOOK_AFTER_MS)).toBe(3 * LOOK_AFTER_MS);
  expect(evaluators.isLookPlanned("1", first)).toBe(false);
  evaluators.noteLook("1", first);
  expect(["1", "2"].map((account) => evaluators.isLookPlanned(account, first))).toEqual([true, false]);
  expect(evaluators.isLookPlanned("1", lookAtMs(LOOK_AFTER_MS))).toBe(false);
  evaluators.forgetLooks();
  expect(evaluators.isLookPlanned("1", first)).toBe(false);
});
