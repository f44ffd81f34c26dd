/**
 * How many requests wait for a process, how many lines and listeners a log has, and how much a folder holds: the last
 * that fits, and the first that does not.
 */
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, expect, it } from "vitest";
import type { LogLine } from "../store/index.ts";
import { measureFolder } from "./folder-limit.ts";
import { LineReader } from "./lines.ts";
import { FunctionLogs } from "./logs.ts";
import { Busy, InstancePool, type PoolTools } from "./pool.ts";

const WAITING_MAX = 1000;
const LINES_MAX = 2000;
const LISTENERS_MAX = 50;
const target = { account: "1", slug: "one", revision: "r" };

const opened: InstancePool[] = [];
afterEach(() => {
  for (const pool of opened.splice(0)) pool.close("over");
});

it("a thousand requests wait for a process", async () => {
  // No process is started, so that all of them wait.
  const pool = new InstancePool(
    "one",
    { definition: { serviceConfig: {} } } as InstancePool["prepared"],
    { mayStart: () => false, hasRoom: () => false } as unknown as PoolTools,
  );
  opened.push(pool);
  const waiting = Array.from({ length: WAITING_MAX }, () => pool.acquire());
  expect(pool.waiting).toBe(WAITING_MAX);
  await expect(pool.acquire()).rejects.toThrow("Too many requests wait.");
  pool.close("over");
  const ended = await Promise.allSettled(waiting);
  expect(ended.every((one) => one.status === "rejected" && one.reason instanceof Busy)).toBe(true);
});

it("two thousand lines wait to be stored, and the rest are counted", async () => {
  const saved: LogLine[] = [];
  const logs = new FunctionLogs(
    () => "1",
    async (_target, lines) => void saved.push(...lines),
    () => {},
  );
  const write = async (count: number): Promise<string[]> => {
    for (let line = 0; line < count; line += 1) logs.add(target, "i", { severity: "INFO", text: "x" }, 0);
    await logs.flush();
    return saved.splice(0).map(({ text }) => text);
  };
  const most = Array.from({ length: LINES_MAX }, () => "x");
  expect(await write(LINES_MAX)).toEqual(most);
  expect(await write(LINES_MAX + 1)).toEqual([...most, "1 lines came too fast and were left out."]);
  await logs.close();
});

it("fifty listen to the lines of a function", async () => {
  const logs = new FunctionLogs(
    () => "1",
    async () => {},
    () => {},
  );
  const listen = () => {
    const lines = logs.follow("one");
    return lines && { lines, next: lines.next() };
  };
  const listeners = Array.from({ length: LISTENERS_MAX }, listen);
  expect([listeners.every((one) => one !== undefined), listen()]).toEqual([true, undefined]);
  logs.add(target, "i", { severity: "INFO", text: "x" }, 0);
  for (const one of listeners) {
    await one?.next;
    await one?.lines.return(undefined);
  }
  expect(logs.follow("one")).toBeDefined();
  await logs.close();
});

it("16,384 characters of a line, with and without an end", async () => {
  const lengthsOf = async (...parts: string[]) => {
    const lengths: number[] = [];
    const stream = Readable.from(parts.map((part) => Buffer.from(part)));
    new LineReader("INFO", ({ text }) => lengths.push(text.length)).read(stream);
    await new Promise((resolve) => stream.on("end", resolve));
    return lengths;
  };
  expect(await lengthsOf(`${"x".repeat(16_384)}\n`)).toEqual([16_384]);
  expect(await lengthsOf(`${"x".repeat(16_385)}\n`)).toEqual([16_384]);
  expect(await lengthsOf("x".repeat(16_384), "y\n")).toEqual([16_384]);
  expect(await lengthsOf("x".repeat(16_384), "\n", "y")).toEqual([16_384, 1]);
  expect(await lengthsOf("x".repeat(16_385), "y")).toEqual([16_384, 1]);
});

it("20,000 files and folders and 512 MiB of a folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "full-"));
  const isOverfull = async (deletedBytes = 0) => (await measureFolder(folder, deletedBytes)).isOverfull;
  try {
    expect([await isOverfull(536_870_912), await isOverfull(536_870_913)]).toEqual([false, true]);
    mkdirSync(join(folder, "below"));
    const file = join(folder, "below", "0");
    writeFileSync(file, "");
    for (let link = 1; link < 19_999; link += 1) linkSync(file, join(folder, "below", String(link)));
    expect(await isOverfull()).toBe(false);
    linkSync(file, join(folder, "beyond"));
    expect(await isOverfull()).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
