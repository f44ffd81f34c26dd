/** Runs that may share a commit while time is moved: each keeps its own effects, order and instant. */
import { type Static, Type } from "@sinclair/typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase } from "../../../tests/support/medley.ts";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../config/index.ts";
import { defineService, jobsFor } from "../operation/index.ts";
import { bearer, plain } from "../protocols/index.ts";
import type { Kernel } from "../runtime/index.ts";
import type { NextRun } from "./next-store.ts";

const ACCOUNT = "111111111111";
const ran: [word: string, atMs: number][] = [];
const heard: string[] = [];
const Payload = Type.Object({
  word: Type.String(),
  fails: Type.Optional(Type.Boolean()),
  tells: Type.Optional(Type.Boolean()),
  causesOverdue: Type.Optional(Type.Boolean()),
});

const job = jobsFor<unknown>();
const caused = job({ name: "batch.caused", payload: Payload, run: async () => {} });
const step = job({
  name: "batch.step",
  payload: Payload,
  attemptsMax: 1,
  async run({ word, fails, tells, causesOverdue }, context) {
    ran.push([word, context.clock.nowMs()]);
    if (causesOverdue) await context.enqueue(slow, { word: "overdue" }, { runAtMs: 1 });
    if (tells) context.afterCommit(() => heard.push(word));
    await context.enqueue(caused, { word }, { runAtMs: context.clock.nowMs() + 1e9 });
    if (fails) throw new Error("as asked");
  },
});
const slow = job({
  name: "batch.slow",
  payload: Payload,
  transaction: "manual",
  run: async ({ word }, { clock }) => void ran.push([word, clock.nowMs()]),
});

describe.each(["sqlite", "postgres"] as const)("runs one after the other on %s", (on) => {
  let kernel: Kernel;
  beforeAll(async () => {
    const place = on === "sqlite" ? { memory: true } : { databaseUrl: await createDatabase() };
    const batch = defineService({
      name: "batch",
      title: "Batch",
      summary: "Work that may share a commit.",
      mount: "/batch",
      protocol: plain({ scheme: bearer }),
      operations: [],
      jobs: [caused, step, slow],
    });
    ({ kernel } = await openKernel({ ...defaultConfig, logLevel: "silent", ...place }, [batch]));
    kernel.clock.freeze();
  });
  afterAll(() => kernel.stop());

  const enqueue = (kind: typeof step, words: readonly (string | Static<typeof Payload>)[]) =>
    kernel.transactAs("batch", ACCOUNT, async (context) => {
      for (const [at, word] of words.entries()) {
        const payload = typeof word === "string" ? { word } : word;
        await context.enqueue(kind, payload, { runAtMs: kernel.clock.nowMs() + (at + 1) * 1000 });
      }
    });
  const runAll = async (untilMs: number, options: NextRun = {}) => {
    ran.length = 0;
    const sizes: number[] = [];
    for (;;) {
      const some = await kernel.jobs.runNext(untilMs, { runsMax: 4, batchMsMax: Infinity, ...options });
      if (some.length === 0 || options.isOver?.()) return sizes;
      sizes.push(some.length);
    }
  };
  const causedWords = async () => {
    const rows = await kernel.database.read
      .selectFrom("medley_job")
      .select("payload")
      .where("name", "=", caused.name)
      .orderBy("run_at")
      .execute();
    return rows.map(({ payload }) => JSON.parse(payload).word);
  };
  const forget = () => kernel.database.transact((db) => db.deleteFrom("medley_job").execute());

  it("a failure undoes what it did, and nothing of the others", async () => {
    const startMs = kernel.clock.nowMs();
    await enqueue(step, ["a", { word: "b", fails: true }, "c", "d", "e"]);
    const sizes = await runAll(startMs + 60_000);
    expect(ran).toEqual(["a", "b", "c", "d", "e"].map((word, at) => [word, startMs + (at + 1) * 1000]));
    expect(sizes).toEqual(on === "sqlite" ? [4, 1] : [1, 1, 1, 1, 1]);
    expect(await causedWords()).toEqual(["a", "c", "d", "e"]);
    const rows = await kernel.database.read
      .selectFrom("medley_job")
      .select(["state", "error", "attempts", "lease_owner"])
      .where("name", "=", step.name)
      .orderBy("run_at")
      .execute();
    const done = { state: "done", error: null, attempts: 1, lease_owner: null };
    expect(rows).toEqual([done, { ...done, state: "failed", error: "as asked" }, done, done, done]);
    await forget();
  });
  it("what is to happen after the commit of one has happened before the next", async () => {
    heard.length = 0;
    await enqueue(step, ["a", { word: "b", tells: true }, "c"]);
    const seen: string[][] = [];
    const untilMs = kernel.clock.nowMs() + 60_000;
    for (;;) {
      const some = await kernel.jobs.runNext(untilMs, { runsMax: 4, batchMsMax: Infinity });
      if (some.length === 0) break;
      seen.push([...heard]);
    }
    expect(seen).toEqual(on === "sqlite" ? [["b"], ["b"]] : [[], ["b"], ["b"]]);
    await forget();
  });
  it("slow work between them runs in its order, and what comes behind it after it", async () => {
    const startMs = kernel.clock.nowMs();
    await enqueue(step, ["a", "b"]);
    await enqueue(slow, ["s", "t"]);
    await runAll(startMs + 60_000);
    expect(ran.map(([, atMs]) => atMs - startMs)).toEqual([1000, 1000, 2000, 2000]);
    expect(new Set(ran.map(([word]) => word))).toEqual(new Set(["a", "b", "s", "t"]));
    await forget();
  });
  it("what was due long ago runs next, though it was enqueued on the way", async () => {
    await enqueue(step, ["a", { word: "b", causesOverdue: true }, "c", "d"]);
    const untilMs = kernel.clock.nowMs() + 60_000;
    await kernel.jobs.travel(() => runAll(untilMs, { leaveHousekeeping: true }));
    expect(ran.map(([word]) => word)).toEqual(["a", "b", "overdue", "c", "d"]);
    await forget();
  });
  it("nothing is begun any more once it is over", async () => {
    await enqueue(step, ["a", "b", "c"]);
    await runAll(kernel.clock.nowMs() + 60_000, { isOver: () => ran.length >= 2 });
    expect(ran.map(([word]) => word)).toEqual(["a", "b"]);
    await forget();
  });
});
