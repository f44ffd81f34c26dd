/** What the gateway keeps in memory for policies: bounded, and one caller's many keys do not reset others. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, it } from "vitest";
import { Clock } from "#kernel/clock";
import type { Outbound } from "#kernel/outbound";
import { PolicyMemory } from "./policy-tools.ts";

const COUNTERS_MAX = 50_000;
const CACHED_MAX = 2000;
const CACHED_BYTES_MAX = 64 * 1024 * 1024;
const MANY = 10 * 1024 * 1024;
setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
const clock = new Clock();
clock.freeze();
let memory: PolicyMemory;
beforeEach(() => {
  // No rule here names published keys, so nothing is sent.
  memory = new PolicyMemory(clock, undefined as unknown as Outbound);
});
const isLimited = (key: string): boolean => memory.count(key, 1, 300).left < 0;
const replyOf = (body: Buffer, header = "") => ({
  status: 200,
  headers: [["x-some", header]] as const,
  body,
});

it("other callers' keys do not reset the counter of a caller who goes on", () => {
  expect(isLimited("attacker")).toBe(false);
  for (let key = 0; key < 2 * COUNTERS_MAX; key += 1) {
    memory.count(`other ${key}`, 1, 300);
    if (key % 1000 === 0) expect([key, isLimited("attacker")]).toEqual([key, true]);
  }
  expect(isLimited(`other ${2 * COUNTERS_MAX - 1}`)).toBe(true);
});

it("of very many counters the latest are kept", () => {
  for (let key = 0; key < COUNTERS_MAX; key += 1) memory.count(`other ${key}`, 1, 300);
  expect(isLimited("other 0")).toBe(true);
  expect(isLimited(`other ${COUNTERS_MAX}`)).toBe(false);
  // The longest unused went.
  expect(isLimited("other 0")).toBe(true);
  expect(isLimited("other 1")).toBe(false);
});

it("a long key costs no more memory than a short one", () => {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let key = 0; key < 2000; key += 1) memory.count(`${key} `.padEnd(60_000, String(key)), 1, 300);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60 * 1024 * 1024);
});

it("of many cached answers the latest are kept", () => {
  for (let key = 0; key < CACHED_MAX; key += 1) memory.keep(`key ${key}`, replyOf(Buffer.from("x")), 60);
  expect(memory.findCached("key 0")).toBeDefined();
  memory.keep(`key ${CACHED_MAX}`, replyOf(Buffer.from("x")), 60);
  expect(memory.findCached("key 0")).toBeUndefined();
  expect(memory.findCached(`key ${CACHED_MAX}`)).toBeDefined();
  expect(memory.findCached(`key ${CACHED_MAX - 1}`)).toBeDefined();
});

it("bodies, headers and keys count against the memory of the cache", () => {
  const body = Buffer.alloc(MANY);
  for (let key = 0; key < 6; key += 1) memory.keep(`${key}`, replyOf(body), 60);
  expect(memory.findCached("0")).toBeDefined();
  memory.keep("6", replyOf(body), 60);
  expect(memory.findCached("0")).toBeUndefined();
  expect(memory.findCached("1")).toBeDefined();
  memory.keep("headers", replyOf(Buffer.alloc(0), "x".repeat(CACHED_BYTES_MAX - MANY - 1000)), 60);
  expect(memory.findCached("5")).toBeUndefined();
  expect(memory.findCached("6")).toBeDefined();
});

it("an answer that replaces another counts once", () => {
  memory.keep("first", replyOf(Buffer.from("x")), 60);
  for (let turn = 0; turn < 20; turn += 1) memory.keep("same", replyOf(Buffer.alloc(MANY)), 60);
  expect(memory.findCached("first")).toBeDefined();
});

it("an answer larger than the cache is not kept", () => {
  memory.keep("first", replyOf(Buffer.from("x")), 60);
  const header = "x-some".length;
  memory.keep("huge", replyOf(Buffer.alloc(CACHED_BYTES_MAX - "huge".length - header + 1)), 60);
  // A difference between such buffers could not be shown.
  const isKept = (key: string) => memory.findCached(key) !== undefined;
  expect([isKept("first"), isKept("huge")]).toEqual([true, false]);
  memory.keep("fits", replyOf(Buffer.alloc(CACHED_BYTES_MAX - "fits".length - header)), 60);
  expect([isKept("first"), isKept("fits")]).toEqual([false, true]);
});
