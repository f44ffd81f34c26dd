/** The durable queue: retries, backoff, keys, cancellation, leases. Driven by hand, on both databases. */
import { Type } from "@sinclair/typebox";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { createDatabase } from "../../../tests/support/medley.ts";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../config/index.ts";
import { type Context, defineService, type JobAttempt, jobsFor } from "../operation/index.ts";
import { bearer, plain } from "../protocols/index.ts";
import type { Kernel } from "../runtime/index.ts";
import type { JobRow } from "../runtime/tables.ts";
import { releaseAll } from "./queue-store.ts";

type Task = { readonly word: string; readonly failures?: number };
type Ran = { readonly word: string; readonly attempt: JobAttempt };
const HOUR_MS = 3_600_000;
const [FIRST, SECOND] = ["111111111111", "222222222222"];

const ran: Ran[] = [];
/** What happens inside a job, after it was noted and before it succeeds or fails. */
let meanwhile: (context: Context, word: string) => Promise<void> = async () => {};

const Payload = Type.Object({ word: Type.String(), failures: Type.Optional(Type.Integer()) });
async function run({ word, failures = 0 }: Task, context: Context, attempt: JobAttempt): Promise<void> {
  ran.push({ word, attempt });
  await meanwhile(context, word);
  if (attempt.attempt <= failures) throw new Error(`${word} fails as asked`);
}
const job = jobsFor<unknown>();
const write = job({ name: "queue-one.write", payload: Payload, run });
const manual = job({ name: "queue-one.manual", payload: Payload, transaction: "manual", run });
const once = job({ name: "queue-one.once", payload: Payload, attemptsMax: 1, run });
const patient = job({ name: "queue-one.patient", payload: Payload, attemptsMax: 13, run });
const elsewhere = job({ name: "queue-two.write", payload: Payload, run });
const ticks = job({
  name: "queue-two.tick",
  payload: Type.Object({}),
  repeat: { everySeconds: 86_400 },
  run: (_payload, context, attempt) => run({ word: "tick", failures: 20 }, context, attempt),
});

const serviceOf = (name: string, jobs: Parameters<typeof defineService>[0]["jobs"]) =>
  defineService({
    name,
    title: name,
    summary: "Work for trying the queue.",
    mount: `/${name}`,
    protocol: plain({ scheme: bearer }),
    operations: [],
    jobs: jobs ?? [],
  });

describe.each(["sqlite", "postgres"] as const)("the queue on %s", (on) => {
  let kernel: Kernel;
  beforeAll(async () => {
    const place = on === "sqlite" ? { memory: true } : { databaseUrl: await createDatabase() };
    const services = [
      serviceOf("queue-one", [write, manual, once, patient]),
      serviceOf("queue-two", [elsewhere, ticks]),
    ];
    ({ kernel } = await openKernel({ ...defaultConfig, logLevel: "silent", ...place }, services));
    kernel.clock.freeze();
  });
  afterAll(() => kernel.stop());
  afterEach(async () => {
    meanwhile = async () => {};
    await kernel.database.transact((db) => db.deleteFrom("medley_job").execute());
    ran.splice(0);
  });

  const as = <T>(work: (context: Context) => Promise<T>, account = FIRST, service = "queue-one") =>
    kernel.transactAs(service, account as string, work);
  const inMs = (ms: number) => kernel.clock.nowMs() + ms;
  const drain = (ms = 0) => kernel.jobs.drain(inMs(ms), 1000);
  const rows = (): Promise<JobRow[]> =>
    kernel.database.read.selectFrom("medley_job").selectAll().orderBy("id").execute() as Promise<JobRow[]>;
  const change = (id: string, values: Partial<JobRow>) =>
    kernel.database.transact((db) => db.updateTable("medley_job").set(values).where("id", "=", id).execute());
  const words = () => ran.map(({ word }) => word);
  const gapsOf = (instants: readonly number[]) =>
    instants.slice(1).map((instant, index) => (instant - (instants[index] as number)) / 1000);

  describe("retries", () => {
    it("wait exactly twice as long each time, and end with the eighth attempt", async () => {
      await as((context) => context.enqueue(write, { word: "a", failures: 100 }));
      const runs = await drain(24 * HOUR_MS);
      expect(gapsOf(runs.map(({ runAtMs }) => runAtMs))).toEqual([1, 2, 4, 8, 16, 32, 64]);
      expect(runs.map(({ outcome }) => outcome)).toEqual([...Array(7).fill("retry"), "failed"]);
      expect(ran.map(({ attempt }) => [attempt.attempt, attempt.lastAttempt])).toEqual(
        [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => [attempt, attempt === 8]),
      );
      expect(ran.map(({ attempt }) => attempt.dueAtMs)).toEqual(runs.map(({ runAtMs }) => runAtMs));
      expect(await rows()).toMatchObject([
        { state: "failed", attempts: 8, error: "a fails as asked", lease_owner: null, lease_until: null },
      ]);
    });
    it("wait ten minutes at most", async () => {
      await as((context) => context.enqueue(patient, { word: "p", failures: 100 }));
      const runs = await drain(24 * HOUR_MS);
      expect(gapsOf(runs.map(({ runAtMs }) => runAtMs))).toEqual([
        1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600,
      ]);
    });
    it("there are none where the first attempt is the last", async () => {
      await as((context) => context.enqueue(once, { word: "o", failures: 1 }));
      expect(await drain(HOUR_MS)).toMatchObject([{ outcome: "failed" }]);
      expect(ran.map(({ attempt }) => attempt.lastAttempt)).toEqual([true]);
    });
    it("end with the first success", async () => {
      await as((context) => context.enqueue(manual, { word: "m", failures: 2 }));
      expect((await drain(HOUR_MS)).map(({ outcome }) => outcome)).toEqual(["retry", "retry", "done"]);
      expect(await rows()).toMatchObject([{ state: "done", attempts: 3, error: null }]);
    });
  });

  it("repeating work is enqueued once, never gives up, and keeps its rhythm through retries", async () => {
    const firstMs = inMs(24 * HOUR_MS);
    for (let start = 0; start < 2; start += 1) {
      await kernel.jobs.start();
      await kernel.jobs.pause();
      await kernel.jobs.stop();
      kernel.jobs.resume();
      kernel.clock.standAt(inMs(HOUR_MS));
    }
    const ticking = async () => (await rows()).filter(({ name }) => name === ticks.name);
    expect(await ticking()).toMatchObject([{ account: "", service: "queue-two", run_at: firstMs }]);
    const runs = (await drain(30 * HOUR_MS)).filter(({ name }) => name === ticks.name);
    expect(runs.map(({ outcome }) => outcome)).toEqual([...Array(20).fill("retry"), "done"]);
    expect(await ticking()).toMatchObject([
      { state: "done" },
      { state: "waiting", run_at: firstMs + 24 * HOUR_MS },
    ]);
  });

  describe("after the clock ran 400 days ahead and was corrected", () => {
    const tickAt = async () =>
      (await rows()).find(({ name, state }) => name === ticks.name && state === "waiting")?.run_at;
    /** Leaves a repeating job that was planned, and work that has failed, in the wrong year. */
    const runAhead = async (rightMs: number) => {
      kernel.clock.standAt(rightMs + 400 * 24 * HOUR_MS);
      await kernel.jobs.start();
      // Its run shows that the queue has seen the wrong time.
      await as((context) => context.enqueue(write, { word: "ahead", failures: 0 }));
      await eventually(() => words().includes("ahead"), "a run");
      await kernel.jobs.pause();
      await drain(30 * HOUR_MS);
      await as((context) => context.enqueue(write, { word: "w", failures: 1 }));
      await drain();
      expect(await tickAt()).toBeGreaterThan(rightMs + 400 * 24 * HOUR_MS);
      ran.splice(0);
      kernel.clock.standAt(rightMs);
    };
    it("repeating work waits no longer than its interval, and retries are made, from the next look on", async () => {
      const rightMs = inMs(0);
      await runAhead(rightMs);
      kernel.jobs.resume();
      await eventually(async () => (await tickAt()) === rightMs + 24 * HOUR_MS, "the plan");
      await eventually(() => words().includes("w"), "the retry");
      await kernel.jobs.stop();
    });
    it("so it does where the next start is the first to see it", async () => {
      const rightMs = inMs(0);
      await runAhead(rightMs);
      await kernel.jobs.stop();
      await kernel.jobs.start();
      await kernel.jobs.stop();
      kernel.jobs.resume();
      expect(await tickAt()).toBe(rightMs + 24 * HOUR_MS);
    });
    it("so it does where it ran at that moment", async () => {
      const rightMs = inMs(0);
      kernel.clock.standAt(rightMs + 400 * 24 * HOUR_MS);
      await kernel.jobs.start();
      await kernel.jobs.pause();
      await kernel.jobs.stop();
      kernel.jobs.resume();
      meanwhile = async () => {
        if (ran.length > 20) kernel.clock.standAt(rightMs);
      };
      while (ran.length <= 20) await kernel.jobs.runNext(inMs(30 * HOUR_MS));
      expect(await tickAt()).toBe(rightMs + 24 * HOUR_MS);
    });
  });

  describe("keys", () => {
    it("the later one replaces payload and time of the one that waits, and its attempts count anew", async () => {
      const first = await as((context) => context.enqueue(write, { word: "a", failures: 9 }, { key: "k" }));
      await drain();
      const second = await as((context) =>
        context.enqueue(write, { word: "b" }, { key: "k", runAtMs: inMs(5000) }),
      );
      expect(second).toBe(first);
      expect(await rows()).toMatchObject([{ attempts: 0, error: null, run_at: inMs(5000) }]);
      await drain(HOUR_MS);
      expect(ran.map(({ word, attempt }) => [word, attempt.attempt])).toEqual([
        ["a", 1],
        ["b", 1],
      ]);
    });
    it("may name another job of the service the next time", async () => {
      await as((context) => context.enqueue(write, { word: "a" }, { key: "k" }));
      await as((context) => context.enqueue(once, { word: "b" }, { key: "k" }));
      expect((await drain()).map(({ name }) => name)).toEqual(["queue-one.once"]);
      expect(words()).toEqual(["b"]);
    });
    it("of two accounts and two services do not meet", async () => {
      await as((context) => context.enqueue(write, { word: "a" }, { key: "k" }));
      await as((context) => context.enqueue(write, { word: "b" }, { key: "k" }), SECOND);
      await as((context) => context.enqueue(elsewhere, { word: "c" }, { key: "k" }));
      expect(await as((context) => context.cancelJob(write, "k"), SECOND)).toBe(true);
      expect(await as((context) => context.cancelJob(write, "k"), SECOND)).toBe(false);
      await drain();
      expect(words()).toEqual(["a", "c"]);
    });
    it("are the job's service's, whoever enqueues and cancels it", async () => {
      await as((context) => context.enqueue(elsewhere, { word: "c" }, { key: "k" }), FIRST, "queue-two");
      await as((context) => context.enqueue(elsewhere, { word: "d" }, { key: "k" }), FIRST, "queue-one");
      expect(await rows()).toHaveLength(1);
      expect(await as((context) => context.cancelJob(elsewhere, "k"), FIRST, "queue-one")).toBe(true);
      expect(await drain()).toEqual([]);
    });
    it("what runs already is followed by a new one, and cannot be cancelled", async () => {
      const answers: unknown[] = [];
      meanwhile = async (context, word) => {
        if (word !== "a") return;
        answers.push(await as((inner) => inner.cancelJob(write, "k")));
        answers.push(await as((inner) => inner.enqueue(write, { word: "b" }, { key: "k" })));
        await context.transact(async () => {});
      };
      const first = await as((context) => context.enqueue(manual, { word: "a" }, { key: "k" }));
      await drain();
      expect(words()).toEqual(["a", "b"]);
      expect(answers).toEqual([false, expect.not.stringMatching(first)]);
      expect((await rows()).map(({ state }) => state)).toEqual(["done", "done"]);
    });
    it("are free again when the work is done or has failed", async () => {
      await as((context) => context.enqueue(write, { word: "a" }, { key: "k" }));
      await as((context) => context.enqueue(once, { word: "b", failures: 1 }, { key: "l" }));
      await drain();
      expect((await rows()).map(({ dedupe_key }) => dedupe_key)).toEqual([null, null]);
      expect(await as((context) => context.cancelJob(write, "k"))).toBe(false);
      await as((context) => context.enqueue(write, { word: "c" }, { key: "k" }));
      await drain();
      expect(words()).toEqual(["a", "b", "c"]);
    });
    it("find what is planned, for the same service and account only", async () => {
      await as((context) => context.enqueue(write, { word: "a" }, { key: "k", runAtMs: inMs(5000) }));
      await as((context) => context.enqueue(write, { word: "b" }, { key: "l" }), SECOND);
      await as((context) => context.enqueue(elsewhere, { word: "c" }, { key: "m" }));
      const many = Array.from({ length: 600 }, (_, at) => `none-${at}`);
      const found = await as((context) => context.plannedJobs([...many, "k", "l", "m"]));
      expect(found).toEqual([{ name: write.name, key: "k", payload: { word: "a" }, runAtMs: inMs(5000) }]);
      await drain(HOUR_MS);
      expect(await as((context) => context.plannedJobs(["k"]))).toEqual([]);
    });
    it("stay with work that waits for its next attempt", async () => {
      await as((context) => context.enqueue(write, { word: "a", failures: 1 }, { key: "k" }));
      await drain();
      expect(await as((context) => context.cancelJob(write, "k"))).toBe(true);
      expect(await drain(HOUR_MS)).toEqual([]);
    });
  });

  describe("payloads", () => {
    it.each([{ word: 7 }, {}, { word: "a", failures: "many" }])(
      "%j is refused, and nothing of its transaction is kept",
      async (wrong) => {
        const refused = as(async (context) => {
          await context.enqueue(write, { word: "before" });
          await context.enqueue(write, wrong as unknown as Task);
        });
        await expect(refused).rejects.toThrow(
          /the payload of queue-one\.write does not fit its schema: \/\w+/,
        );
        expect(await rows()).toEqual([]);
      },
    );
  });

  describe("leases", () => {
    const held = { state: "running", lease_owner: "another-node", attempts: 3 } as const;
    const machineMs = () => kernel.clock.machineNowMs();

    it("a silent node's work is taken over, and its attempt counts", async () => {
      const id = await as((context) => context.enqueue(write, { word: "a" }));
      await change(id, { ...held, lease_until: machineMs() - 1000 });
      expect(await drainLeft()).toMatchObject([{ id, outcome: "done" }]);
      expect(ran).toMatchObject([{ word: "a", attempt: { attempt: 4, lastAttempt: false } }]);
    });
    it("work that another node holds is left to it", async () => {
      const id = await as((context) => context.enqueue(write, { word: "a" }));
      await change(id, { ...held, lease_until: machineMs() + 60_000 });
      expect(await drainLeft()).toEqual([]);
      expect((await rows()).filter((row) => row.id === id)).toMatchObject([{ ...held }]);
    });
    it("work that was taken over changes nothing any more", async () => {
      const id = await as((context) => context.enqueue(manual, { word: "a" }));
      await change(id, { attempts: 7 });
      meanwhile = async (context) => {
        await change(id, { lease_owner: "another-node" });
        await context.transact((inner) => inner.enqueue(write, { word: "never" }).then(() => {}));
      };
      expect(await drain()).toMatchObject([{ id, outcome: "retry" }]);
      expect(await rows()).toMatchObject([
        { id, state: "running", lease_owner: "another-node", attempts: 8, error: null },
      ]);
    });
    it("work that was taken over is finished by nobody else", async () => {
      const id = await as((context) => context.enqueue(manual, { word: "a" }));
      meanwhile = async () => {
        await change(id, { lease_owner: "another-node" });
      };
      expect(await drain()).toMatchObject([{ id, outcome: "retry" }]);
      expect(await rows()).toMatchObject([{ id, state: "running", lease_owner: "another-node" }]);
    });
    it("a failure of work that was taken over does not make it wait", async () => {
      const id = await as((context) => context.enqueue(manual, { word: "a", failures: 1 }));
      meanwhile = async () => {
        await change(id, { lease_owner: "another-node" });
      };
      await drain();
      expect(await rows()).toMatchObject([
        { id, state: "running", lease_owner: "another-node", error: null },
      ]);
    });
    it("work whose row is gone changes nothing", async () => {
      await as((context) => context.enqueue(manual, { word: "a" }));
      meanwhile = async (context) => {
        await kernel.database.transact((db) => db.deleteFrom("medley_job").execute());
        await context.transact((inner) => inner.enqueue(write, { word: "never" }).then(() => {}));
      };
      expect(await drain()).toMatchObject([{ outcome: "retry" }]);
      expect(await rows()).toEqual([]);
    });
    it("of a node that stopped in the middle are released, and the attempt does not count", async () => {
      const id = await as((context) => context.enqueue(write, { word: "a" }));
      await change(id, { ...held, lease_until: machineMs() + 60_000 });
      await kernel.database.transact((db) => releaseAll(db, "another-node"));
      expect(await rows()).toMatchObject([{ state: "waiting", attempts: 2, lease_owner: null }]);
    });
    /** `drain` looks at what waits; what is held by others is found when work is claimed. */
    async function drainLeft() {
      await as((context) => context.enqueue(elsewhere, { word: "beside" }));
      const left = await drain();
      ran.splice(0, ran.length, ...ran.filter(({ word }) => word !== "beside"));
      return left.filter(({ name }) => name !== elsewhere.name);
    }
  });
});
