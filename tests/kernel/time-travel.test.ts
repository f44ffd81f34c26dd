/** Long journeys in time: housekeeping runs once, what ran is summed up, and a journey can be watched and stopped. */
import { Type } from "@sinclair/typebox";
import { beforeEach, expect, it } from "vitest";
import { defineService, jobsFor } from "../../src/kernel/operation/index.ts";
import { bearer, plain } from "../../src/kernel/protocols/index.ts";
import { type Instance, onBothDatabases } from "../support/medley.ts";
import { samples } from "../support/sample.ts";

const DAY_MS = 86_400_000;
const key = { "x-vendor-key": "first-api-key-0001" };

/** When each ran, on the clock. */
const ran: Record<"chore" | "caused" | "daily" | "seldom", number[]> = {
  chore: [],
  caused: [],
  daily: [],
  seldom: [],
};
/** What happens inside the daily work. */
let meanwhile: () => Promise<void> = async () => {};

const job = jobsFor<unknown>();
const caused = job({
  name: "long-way.caused",
  payload: Type.Object({}),
  run: async (_payload, { clock }) => void ran.caused.push(clock.nowMs()),
});
const longWay = defineService({
  name: "long-way",
  title: "Long way",
  summary: "Work for journeys in time.",
  mount: "/long-way",
  protocol: plain({ scheme: bearer }),
  operations: [],
  jobs: [
    caused,
    job({
      name: "long-way.chore",
      payload: Type.Object({}),
      repeat: { everySeconds: 3600 },
      housekeeping: true,
      async run(_payload, context) {
        ran.chore.push(context.clock.nowMs());
        await context.enqueue(caused, {});
      },
    }),
    job({
      name: "long-way.daily",
      payload: Type.Object({}),
      transaction: "manual",
      repeat: { everySeconds: 86_400 },
      async run(_payload, { clock }) {
        ran.daily.push(clock.nowMs());
        await meanwhile();
      },
    }),
    job({
      name: "long-way.seldom",
      payload: Type.Object({}),
      repeat: { everySeconds: 3600 },
      async run(_payload, { clock }, attempt) {
        ran.seldom.push(clock.nowMs());
        attempt.restUntil(clock.nowMs() + 10 * DAY_MS);
      },
    }),
  ],
});

const clock = (instance: Instance, method: "GET" | "POST", verb = "", body: unknown = {}) =>
  instance.bearer(method, `/_medley/clock${verb}`, method === "POST" ? { body } : {});
const advance = async (instance: Instance, by: string) =>
  (await clock(instance, "POST", "/advance", { by })).body;
const gapsOf = (instants: readonly number[]) =>
  instants.slice(1).map((instant, index) => instant - (instants[index] as number));

onBothDatabases(
  "a long journey",
  (instance) => {
    beforeEach(async () => {
      await instance().clock.freeze();
      // Whatever was due is done, so that each test counts from its own beginning.
      await instance().clock.advance(0);
      for (const instants of Object.values(ran)) instants.length = 0;
      meanwhile = async () => {};
    });
    it("runs housekeeping once, at its end, and what that causes", async () => {
      const { summary, now, arrived } = await advance(instance(), "365d");
      expect(arrived).toBe(true);
      expect(ran.chore).toEqual([Date.parse(now)]);
      expect(ran.caused).toEqual([Date.parse(now)]);
      expect(summary).toContainEqual({
        job: "long-way.chore",
        housekeeping: true,
        done: 1,
        retried: 0,
        failed: 0,
      });
      expect(summary).toContainEqual({
        job: "medley.prune",
        housekeeping: true,
        done: 1,
        retried: 0,
        failed: 0,
      });
      expect(ran.daily).toHaveLength(365);
      expect(new Set(gapsOf(ran.daily))).toEqual(new Set([DAY_MS]));
    });
    it("leaves out what repeating work has no use for, and keeps its rhythm", async () => {
      await advance(instance(), "100d");
      expect(ran.seldom).toHaveLength(10);
      expect(new Set(gapsOf(ran.seldom))).toEqual(new Set([10 * DAY_MS]));
    });
    it("sums up what ran, failures first, and lists a thousand runs", async () => {
      const notes = "/sample-key/notes/counted";
      await instance().send("PUT", notes, { headers: key, body: { text: "x" } });
      const count = (body: unknown) => instance().send("POST", `${notes}:count`, { headers: key, body });
      await count({ delayMs: DAY_MS, failures: 100 });
      for (let hour = 1; hour <= 3; hour += 1) await count({ delayMs: hour * 1000 });
      const { summary, runs, ran: listed } = await advance(instance(), "1200d");
      expect(summary[0]).toEqual({
        job: "sample-key.count",
        housekeeping: false,
        done: 3,
        retried: 7,
        failed: 1,
      });
      const total = summary.reduce(
        (sum: number, { done, retried, failed }: Record<string, number>) => sum + done! + retried! + failed!,
        0,
      );
      expect(runs).toBe(total);
      expect(runs).toBeGreaterThan(1200);
      expect(listed).toHaveLength(1000);
    });
    it("can be watched and stopped: time stays where it has come to, and nothing runs twice", async () => {
      const startMs = instance().clock.nowMs();
      meanwhile = async () => {
        if (ran.daily.length !== 3) return;
        const { body } = await clock(instance(), "GET");
        expect(Date.parse(body.journey.from)).toBe(startMs);
        expect(Date.parse(body.journey.to)).toBe(startMs + 30 * DAY_MS);
        expect(body.journey.runs).toBeGreaterThanOrEqual(2);
        expect(body.journey.percent).toBe(
          Math.floor((((ran.daily[2] as number) - startMs) / (30 * DAY_MS)) * 100),
        );
        expect(body.journey.remainingSeconds).toBeGreaterThanOrEqual(1);
        expect((await clock(instance(), "POST", "/cancel")).status).toBe(200);
      };
      const stopped = await advance(instance(), "30d");
      expect(stopped).toMatchObject({ arrived: false, frozen: true });
      expect(stopped).not.toHaveProperty("journey");
      expect(ran.daily).toHaveLength(3);
      expect(stopped.summary.map(({ job }: { job: string }) => job)).not.toContain("long-way.chore");
      expect(Date.parse(stopped.now)).toBe(ran.daily[2]);
      expect(await advance(instance(), "27d")).toMatchObject({ arrived: true });
      expect(ran.daily).toHaveLength(30);
      expect(new Set(gapsOf(ran.daily))).toEqual(new Set([DAY_MS]));
    });
    it("that nobody is on cannot be stopped", async () => {
      const { status, body } = await clock(instance(), "POST", "/cancel");
      expect(status).toBe(409);
      expect(body.error.message).toContain("Nobody is moving time");
    });
  },
  { services: [], extraServices: [longWay, samples.key] },
);
