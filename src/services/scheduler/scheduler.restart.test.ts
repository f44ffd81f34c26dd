/** Jobs outlive the process: restarts, downtime, and a power cut in the middle of a run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultConfig } from "#kernel/config";
import { type HttpReceiver, startHttpReceiver } from "../../../tests/support/http-receiver.ts";
import { createDatabase, type Instance, startInstance } from "../../../tests/support/medley.ts";
import { type NodeProcess, startServe } from "../../../tests/support/processes.ts";
import { openKernel } from "../../app/app.ts";

const version = "api-version=2016-03-01";
const minuteMs = 60_000;
const services = ["scheduler", "resource-manager"];
const path =
  "/management/subscriptions/restart/resourceGroups/rg/providers/Vendor.Scheduler/jobCollections/c";

type Storage = { readonly data: string; readonly database?: string };

/** The clock goes on while nothing runs. */
async function letTimePass({ data, database }: Storage, ms: number): Promise<void> {
  const { kernel } = await openKernel({ ...defaultConfig, dataFolder: data, databaseUrl: database }, []);
  kernel.clock.standAt(kernel.clock.nowMs() + ms);
  await kernel.sharedClock.save();
  await kernel.database.close();
}

describe.each(["sqlite", "postgres"] as const)("a scheduler that is started again on %s", (kind) => {
  let receiver: HttpReceiver;
  let storage: Storage;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
  });
  afterAll(() => receiver.stop());
  beforeEach(async () => {
    storage = {
      data: mkdtempSync(join(tmpdir(), "scheduler-restart-")),
      ...(kind === "postgres" && { database: await createDatabase() }),
    };
    receiver.received.length = 0;
    receiver.reply = () => ({ status: 200 });
    return () => rmSync(storage.data, { recursive: true, force: true });
  });

  const start = (): Promise<Instance> => startInstance({ services, ...storage });
  const client = (url: string) => {
    const call = async (method: string, below: string, body?: unknown) => {
      const response = await fetch(`${url}${path}${below}?${version}`, {
        method,
        headers: { authorization: "Bearer first-token-0001", "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      expect(response.status, text).toBeLessThan(300);
      return text === "" ? undefined : JSON.parse(text);
    };
    return {
      prepare: () => call("PUT", "", { location: "westus", properties: {} }),
      put: (properties: Record<string, unknown>) => call("PUT", "/jobs/job", { properties }),
      get: async () => (await call("GET", "/jobs/job")).properties,
      /** Oldest first. */
      history: async () =>
        (await call("GET", "/jobs/job/history")).value
          .map(({ properties }: { properties: unknown }) => properties)
          .reverse(),
    };
  };
  const action = () => ({ type: "Http", request: { uri: `${receiver.url}/hook`, method: "POST" } });
  const at = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");

  it("goes on with schedules and retries where it stopped", async () => {
    const first = await start();
    await first.clock.freeze();
    const startMs = Math.ceil((first.clock.nowMs() + 1) / minuteMs) * minuteMs;
    await client(first.url).prepare();
    receiver.reply = () => ({ status: receiver.received.length === 1 ? 500 : 200 });
    await client(first.url).put({
      startTime: at(startMs),
      recurrence: { frequency: "Hour", count: 2 },
      action: { ...action(), retryPolicy: { retryType: "Fixed", retryInterval: "PT10M", retryCount: 1 } },
    });
    await first.clock.advance(startMs - first.clock.nowMs());
    await first.stop();
    expect(receiver.received).toHaveLength(1);
    const second = await start();
    expect(second.clock.nowMs()).toBe(startMs);
    await second.clock.advance("10m");
    expect(receiver.received).toHaveLength(2);
    await second.stop();
    const third = await start();
    await third.clock.advance("2h");
    expect(receiver.received).toHaveLength(3);
    const { get, history } = client(third.url);
    expect((await get()).state).toBe("Completed");
    expect((await history()).map((entry: { startTime: string }) => entry.startTime)).toEqual(
      [0, 10, 60].map((minutes) => at(startMs + minutes * minuteMs)),
    );
    await third.stop();
  });

  it("has committed what came before, when somebody whom it calls asks", async () => {
    const instance = await start();
    await instance.clock.freeze();
    const { prepare, put, get, history } = client(instance.url);
    await prepare();
    const seen: unknown[] = [];
    const ask = async () => {
      const { status } = await get();
      seen.push([status.executionCount, (await history()).length]);
    };
    receiver.reply = () => ({ status: 200, until: ask() });
    await put({ recurrence: { frequency: "Minute", interval: 10, count: 4 }, action: action() });
    await instance.clock.advance("2h");
    expect(seen).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 3],
    ]);
    await instance.stop();
  });

  it("makes up for what it missed with one run, expected at the first occurrence missed", async () => {
    const first = await start();
    await first.clock.freeze();
    const startMs = Math.ceil((first.clock.nowMs() + 1) / minuteMs) * minuteMs;
    await client(first.url).prepare();
    await client(first.url).put({
      startTime: at(startMs),
      recurrence: { frequency: "Minute", interval: 10, count: 4 },
      action: action(),
    });
    await first.clock.advance(startMs - first.clock.nowMs());
    await first.stop();
    await letTimePass(storage, 45 * minuteMs);
    const second = await start();
    await second.clock.advance(0);
    expect(receiver.received).toHaveLength(2);
    const { get, history } = client(second.url);
    expect((await history()).at(-1)).toMatchObject({
      expectedExecutionTime: at(startMs + 10 * minuteMs),
      startTime: at(startMs + 45 * minuteMs),
    });
    expect((await get()).status).toMatchObject({
      executionCount: 2,
      nextExecutionTime: at(startMs + 50 * minuteMs),
    });
    await second.clock.advance("3h");
    expect(receiver.received).toHaveLength(4);
    expect((await get()).state).toBe("Completed");
    await second.stop();
  });

  it("repeats a request that a power cut interrupted, and notes it once", async () => {
    const serve = (): Promise<NodeProcess> =>
      startServe(
        ...["--services", services.join(","), "--data", storage.data, "--job-poll-ms", "25"],
        ...["--credentials", join(import.meta.dirname, "../../../tests/support/credentials.json")],
        ...["--job-lease-seconds", "1"],
        ...(storage.database === undefined ? [] : ["--database", storage.database]),
      );
    receiver.reply = () => ({ status: 200, delayMs: receiver.received.length === 1 ? 20_000 : 0 });
    const first = await serve();
    await client(first.url).prepare();
    await client(first.url).put({ action: action() });
    await receiver.waitFor(1);
    await first.kill("SIGKILL");
    const second = await serve();
    try {
      await receiver.waitFor(2);
      const { get, history } = client(second.url);
      await expect.poll(async () => (await get()).state).toBe("Completed");
      const [one, two] = receiver.received.map(({ headers }) => headers);
      expect(two?.["x-scheduler-run-id"]).toBe(one?.["x-scheduler-run-id"]);
      expect(two?.["x-scheduler-attempt"]).toBe("MainAction-0");
      expect(await history()).toMatchObject([{ status: "Completed", retryCount: 0 }]);
      expect((await get()).status).toMatchObject({ executionCount: 1, failureCount: 0 });
      expect(receiver.received).toHaveLength(2);
    } finally {
      await second.kill("SIGTERM");
    }
  }, 60_000);
});
