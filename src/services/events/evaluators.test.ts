/** Who is at work on an account's messages, and who may rely on it. */
import { expect, it } from "vitest";
import {
  BACKLOG_MAX,
  Evaluators,
  LOOK_AFTER_MESSAGES,
  LOOK_AFTER_MS,
  LOOK_AFTER_REFUSALS,
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

it("plans one look for messages that may be forgotten, and another once that comes too soon", () => {
  const evaluators = new Evaluators();
  expect(evaluators.isLookPlanned("1", 0)).toBe(false);
  evaluators.noteLook("1", LOOK_AFTER_MS);
  expect([0, LOOK_AFTER_MS / 2].map((nowMs) => evaluators.isLookPlanned("1", nowMs))).toEqual([true, true]);
  // What is accepted now may be committed after the look; a clock that was set back makes it a look in a far time.
  expect([LOOK_AFTER_MS / 2 + 1, -1].map((nowMs) => evaluators.isLookPlanned("1", nowMs))).toEqual([
    false,
    false,
  ]);
  expect(evaluators.isLookPlanned("2", 0)).toBe(false);
  evaluators.forgetLooks();
  expect(evaluators.isLookPlanned("1", 0)).toBe(false);
});
