/** Finder threads compile their rules once, even if the caller has given up waiting. */
import { expect, it } from "vitest";
import { WorkerError, type WorkerPool } from "#kernel/workers";
import { Finders } from "./finders.ts";
import type { FindResult, FindTask } from "./tasks.ts";

const NOTHING: FindResult = { prebuilts: [], longRegexes: [] };
const question = (names: readonly string[], culture = "fr-fr"): FindTask => ({
  text: "un mot",
  culture,
  names: [...names],
  longRegexes: [],
  wallClockMs: 1,
});

/** A pool that records its tasks and ends each one on demand. */
class Pool implements WorkerPool<FindTask, FindResult> {
  readonly given: { task: FindTask; timeoutMs: number | undefined; end(error?: Error): void }[] = [];
  run(task: FindTask, timeoutMs?: number): Promise<FindResult> {
    return new Promise((resolve, reject) => {
      this.given.push({ task, timeoutMs, end: (error) => (error ? reject(error) : resolve(NOTHING)) });
    });
  }
  async close(): Promise<void> {}
  get texts(): string[] {
    return this.given.map(({ task }) => (task.wallClockMs === 0 ? `warm ${task.names}` : task.text));
  }
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
function made() {
  const pools: Pool[] = [];
  const finders = new Finders(() => {
    const pool = new Pool();
    pools.push(pool);
    return pool;
  });
  const [first, second] = pools as [Pool, Pool];
  return { finders, first, second };
}

it("learns each kind once, without the limit of reading, and asks when it knows them", async () => {
  const { finders, first, second } = made();
  const asked = [finders.find(question(["number"])), finders.find(question(["number"]))];
  await settled();
  // Both wait for the same: to begin it anew on another thread would take as long.
  expect([first.texts, second.texts]).toEqual([["warm number"], []]);
  expect(first.given[0]?.timeoutMs).toBeGreaterThan(60_000);
  first.given[0]?.end();
  await settled();
  expect(first.texts).toEqual(["warm number", "un mot", "un mot"]);
  expect(first.given[1]?.timeoutMs).toBeUndefined();
  for (const { end } of first.given) end();
  await Promise.all(asked);
});
it("is ready on all threads after a publication, one after the other", async () => {
  const { finders, first, second } = made();
  const warm = finders.warm({ culture: "fr-fr", names: ["number", "age"] });
  for (const pool of [first, second])
    for (let at = 0; at < 2; at += 1) {
      await settled();
      pool.given[at]?.end();
    }
  await warm;
  const asked = [question(["age"]), question(["number"])].map((one) => finders.find(one));
  await settled();
  expect([first.texts, second.texts].map((texts) => texts.slice(2))).toEqual([["un mot"], ["un mot"]]);
  for (const { end } of [...first.given, ...second.given]) end();
  await Promise.all(asked);
});
it("learns anew where the thread is gone, and not where it was busy", async () => {
  const { finders, first } = made();
  const fail = async (reason: "busy" | "timedOut") => {
    const asked = finders.find(question(["number"]));
    await settled();
    if (first.texts.at(-1) === "warm number") first.given.at(-1)?.end();
    await settled();
    first.given.at(-1)?.end(new WorkerError(reason, "as asked"));
    await expect(asked).rejects.toThrow("as asked");
  };
  const count = () => first.texts.filter((text) => text === "warm number").length;
  await fail("busy");
  expect(count()).toBe(1);
  await fail("timedOut");
  expect(count()).toBe(1);
  await fail("busy");
  expect(count()).toBe(2);
});
