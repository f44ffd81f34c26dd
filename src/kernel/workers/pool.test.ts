/** Threads start, work, fail, time out and go idle, and the pool outlives all of it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { eventually, pause } from "../../../tests/support/eventually.ts";
import {
  createWorkerPool,
  meteredMs,
  newThreadMeter,
  startThreadMeter,
  type WorkerPool,
  type WorkerPoolOptions,
  workerFile,
} from "./index.ts";

type Task = { do: string; ms?: number; value?: unknown };

const folder = mkdtempSync(join(tmpdir(), "medley-workers-"));
const file = join(folder, "worker.mjs");
writeFileSync(
  file,
  `import { threadId } from "node:worker_threads";
   // Blocks the thread as a long computation does, and leaves the processor to other tests.
   const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
   export async function run(task) {
     if (task.do === "echo") return { value: task.value, threadId };
     if (task.do === "work") { block(task.ms); return { value: task.ms, threadId }; }
     if (task.do === "throw") throw new RangeError("no such thing");
     if (task.do === "exit") process.exit(3);
     if (task.do === "die") { setImmediate(() => { throw new Error("out of the blue"); }); return new Promise(() => {}); }
     if (task.do === "die later") { setTimeout(() => { throw new Error("too late"); }, 20); return { value: 1, threadId }; }
     if (task.do === "spawn") {
       const { spawn } = await import("node:child_process");
       const child = spawn("sleep", ["0.2"], { stdio: "ignore" });
       child.unref();
       return { value: child.pid, threadId };
     }
     if (task.do === "devour") { const all = []; for (;;) all.push(new Array(100000).fill(task)); }
   }`,
);

const pools: WorkerPool<Task, { value: unknown; threadId: number }>[] = [];
function poolOf(options: Partial<WorkerPoolOptions<Task>> = {}) {
  const pool = createWorkerPool<Task, { value: unknown; threadId: number }>({
    file,
    name: "run",
    timeoutMs: 120_000,
    threadsMax: 1,
    ...options,
  });
  pools.push(pool);
  return pool;
}
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error) => error.reason,
  );

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a pool", () => {
  it("runs tasks in another thread and keeps the thread", async () => {
    const pool = poolOf();
    const first = await pool.run({ do: "echo", value: { text: "häus" } });
    expect(first.value).toEqual({ text: "häus" });
    expect(first.threadId).toBeGreaterThan(0);
    expect((await pool.run({ do: "echo" })).threadId).toBe(first.threadId);
  });
  it("runs no more tasks at once than it has threads, and all of them in the end", async () => {
    const pool = poolOf({ threadsMax: 2 });
    const results = await Promise.all(Array.from({ length: 12 }, (_, i) => pool.run({ do: "work", ms: i })));
    expect(results.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(new Set(results.map(({ threadId }) => threadId)).size).toBeLessThanOrEqual(2);
  });
  it("ends a thread that takes too long, and goes on with the next task", async () => {
    const pool = poolOf();
    const before = await pool.run({ do: "echo" });
    const stuck = reasonOf(pool.run({ do: "work", ms: 3_600_000 }, 500));
    const waiting = pool.run({ do: "echo", value: "next" });
    expect(await stuck).toBe("timedOut");
    const after = await waiting;
    expect(after.value).toBe("next");
    expect(after.threadId).not.toBe(before.threadId);
  });
  it("ends a task by what it has used, if the pool is told how to measure that", async () => {
    const spent = [0, 10, 599, 600];
    const pool = poolOf({
      timeoutMs: 20,
      spentMs: (task) => (task.do === "echo" ? 0 : (spent.shift() ?? 0)),
    });
    expect(await reasonOf(pool.run({ do: "work", ms: 3_600_000 }, 600))).toBe("timedOut");
    expect(spent).toEqual([]);
    expect((await pool.run({ do: "echo", value: "next" })).value).toBe("next");
  });
  it.runIf(process.platform === "linux")(
    "measures the processor time of a thread, not the elapsed time",
    async () => {
      const meter = newThreadMeter();
      expect(meteredMs(meter, 1000)).toBe(0);
      startThreadMeter(meter);
      const startedMs = performance.now();
      while (meteredMs(meter, 0) < 20);
      await pause(300);
      const elapsedMs = performance.now() - startedMs;
      expect(meteredMs(meter, elapsedMs)).toBeGreaterThanOrEqual(20);
      expect(meteredMs(meter, elapsedMs)).toBeLessThan(elapsedMs - 150);
    },
  );
  it("does not count waiting as time", async () => {
    const pool = poolOf();
    await pool.run({ do: "echo" });
    const tasks = Array.from({ length: 14 }, () => pool.run({ do: "work", ms: 250 }, 3000));
    expect(await Promise.all(tasks)).toHaveLength(14);
  });
  it.each(["throw", "exit", "die", "devour"])(
    "goes on when a task makes its thread %s, which fails that task alone",
    async (fatal) => {
      const pool = poolOf({ heapMbMax: 64 });
      const failed = reasonOf(pool.run({ do: fatal }));
      const next = pool.run({ do: "echo", value: "still here" });
      expect(await failed).toBe("failed");
      expect((await next).value).toBe("still here");
    },
  );
  it("survives a thread that dies between tasks", async () => {
    const pool = poolOf();
    await pool.run({ do: "die later" });
    for (let i = 0; i < 20; i += 1) {
      await pause(10);
      await pool.run({ do: "echo", value: i }).catch(() => {});
    }
    expect((await pool.run({ do: "echo", value: "still here" })).value).toBe("still here");
  });
  it("says at once when its worker cannot start", async () => {
    writeFileSync(join(folder, "broken.mjs"), 'import "./not-there.mjs"; export const run = () => {};');
    for (const name of ["broken.mjs", "missing.mjs"]) {
      const pool = poolOf({ file: join(folder, name), threadsMax: 2 });
      const tasks = [pool.run({ do: "echo" }), pool.run({ do: "echo" }), pool.run({ do: "echo" })];
      expect(await Promise.all(tasks.map(reasonOf))).toEqual(["failed", "failed", "failed"]);
    }
  });
  it("refuses tasks when too many wait", async () => {
    const pool = poolOf({ waitingMax: 1 });
    const running = pool.run({ do: "work", ms: 200 });
    const waiting = pool.run({ do: "echo", value: 1 });
    expect(await reasonOf(pool.run({ do: "echo" }))).toBe("busy");
    await running;
    expect((await waiting).value).toBe(1);
    expect((await pool.run({ do: "echo", value: 2 })).value).toBe(2);
  });
  it("lets a hundred wait unless its owner says otherwise", async () => {
    const pool = poolOf();
    const tasks = Array.from({ length: 101 }, () => pool.run({ do: "echo" }));
    expect(await reasonOf(pool.run({ do: "echo" }))).toBe("busy");
    expect(await Promise.all(tasks.map(reasonOf))).toEqual(Array(101).fill("none"));
  });
  it("that stays awake sees the processes end that its tasks have started", async () => {
    const { value } = await poolOf({ staysAwake: true }).run({ do: "spawn" });
    // One that ended unseen could still be signalled.
    await eventually(() => {
      try {
        return !process.kill(Number(value), 0);
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === "ESRCH";
      }
    }, "the process is gone");
  });
  it("ends idle threads", async () => {
    const pool = poolOf({ idleMs: 50 });
    const first = await pool.run({ do: "echo" });
    // Asking keeps a thread from being idle, so each look comes after a longer wait than the one before.
    let waitMs = 250;
    await eventually(async () => {
      await pause(waitMs);
      waitMs *= 2;
      return (await pool.run({ do: "echo" })).threadId !== first.threadId;
    }, "another thread");
  });
  it("that is closed rejects what runs, what waits and what comes", async () => {
    const pool = poolOf();
    const tasks = [pool.run({ do: "work", ms: 60_000 }), pool.run({ do: "echo" })].map(reasonOf);
    await pause(50);
    await pool.close();
    expect(await Promise.all(tasks)).toEqual(["closed", "closed"]);
    expect(await reasonOf(pool.run({ do: "echo" }))).toBe("closed");
  });
  it("does not keep the process alive", () => {
    const built = new URL("../../../dist/kernel/workers/index.js", import.meta.url).href;
    const script = `
      import { createWorkerPool } from ${JSON.stringify(built)};
      const pool = createWorkerPool({ file: ${JSON.stringify(file)}, name: "run", timeoutMs: 60000, idleMs: 3600000 });
      console.log((await pool.run({ do: "echo", value: "done" })).value);`;
    const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      timeout: 120_000,
    });
    expect([stdout.trim(), status]).toEqual(["done", 0]);
  });
});

describe("a worker's file", () => {
  it("is the built one, whichever way its owner runs", () => {
    for (const module of ["src/a/b.ts", "dist/a/b.js", "dist/chunks/b-X1.js", "dist/main.js"])
      expect(workerFile(`file:///home/src/medley/${module}`, "a/c.js")).toBe("/home/src/medley/dist/a/c.js");
  });
});
