/** Jobs that fail: retries by policy, error actions, and occurrences that fall due meanwhile. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { firingStage, minuteMs, schedulerServices } from "../../../tests/support/scheduler.ts";

onBothDatabases(
  "a job that fails",
  (instance) => {
    const { receiver, put, get, history, at, soon, advance, advanceTo, request } = firingStage(instance);

    it("retries at the interval it is told, until it succeeds", async () => {
      const start = soon();
      let failures = 2;
      receiver.reply = () => (failures-- > 0 ? { status: 503, body: "later" } : { status: 204 });
      await put("retried", {
        startTime: at(start),
        action: { ...request(), retryPolicy: { retryType: "Fixed", retryInterval: "PT2M", retryCount: 3 } },
      });
      await advanceTo(start + 2 * minuteMs - 1);
      expect(receiver.received).toHaveLength(1);
      expect(await get("retried")).toMatchObject({ state: "Enabled", status: { failureCount: 1 } });
      await advance("1h");
      expect(receiver.received).toHaveLength(3);
      const runs = await history("retried");
      expect(runs.map(({ status, retryCount }) => [status, retryCount])).toEqual([
        ["Failed", 0],
        ["Failed", 1],
        ["Completed", 2],
      ]);
      expect(runs.map(({ startTime }) => startTime)).toEqual([0, 2, 4].map((m) => at(start + m * minuteMs)));
      expect(new Set(runs.map(({ expectedExecutionTime }) => expectedExecutionTime))).toEqual(
        new Set([at(start)]),
      );
      expect(receiver.received.map(({ headers }) => headers["x-scheduler-attempt"])).toEqual([
        "MainAction-0",
        "MainAction-1",
        "MainAction-2",
      ]);
      expect(new Set(receiver.received.map(({ headers }) => headers["x-scheduler-run-id"])).size).toBe(1);
      expect(await get("retried")).toMatchObject({
        state: "Completed",
        status: { executionCount: 1, failureCount: 2, faultedCount: 0 },
      });
    });

    it("tries five times in two minutes by default, then is faulted and carries out its error action", async () => {
      const start = soon();
      receiver.reply = ({ url }) => ({ status: url === "/alarm" ? 200 : 500 });
      await put("faulted", {
        startTime: at(start),
        action: {
          ...request(),
          errorAction: { type: "Http", request: { uri: `${receiver.url}/alarm`, method: "GET" } },
        },
      });
      await advance("1h");
      expect(receiver.received.map(({ url }) => url)).toEqual([...Array(5).fill("/hook"), "/alarm"]);
      const runs = await history("faulted");
      expect(
        runs.map(({ actionName, status, retryCount }) => `${actionName} ${status} ${retryCount}`),
      ).toEqual([
        "MainAction Failed 0",
        "MainAction Failed 1",
        "MainAction Failed 2",
        "MainAction Failed 3",
        "MainAction Failed 4",
        "ErrorAction Completed 0",
      ]);
      expect(runs.at(-1)?.startTime).toBe(at(start + 2 * minuteMs));
      expect(await get("faulted")).toMatchObject({
        state: "Faulted",
        status: { executionCount: 1, failureCount: 5, faultedCount: 1 },
      });
    });

    it("retries its error action by that action's own policy", async () => {
      receiver.reply = () => ({ status: 500 });
      const retryPolicy = { retryType: "Fixed", retryInterval: "PT20S", retryCount: 1 };
      await put("doubly", {
        action: {
          ...request(),
          retryPolicy: { retryType: "None" },
          errorAction: { ...request(), retryPolicy },
        },
      });
      await advance("1h");
      expect(
        (await history("doubly")).map(({ actionName, retryCount }) => `${actionName} ${retryCount}`),
      ).toEqual(["MainAction 0", "ErrorAction 0", "ErrorAction 1"]);
      expect((await get("doubly")).state).toBe("Faulted");
    });

    it("goes on after a faulted occurrence while there are more", async () => {
      const start = soon();
      receiver.reply = () => ({ status: receiver.received.length === 1 ? 500 : 200 });
      await put("survivor", {
        startTime: at(start),
        recurrence: { frequency: "Hour", count: 2 },
        action: { ...request(), retryPolicy: { retryType: "None" } },
      });
      await advanceTo(start);
      expect(await get("survivor")).toMatchObject({ state: "Enabled", status: { faultedCount: 1 } });
      await advance("1h");
      expect(await get("survivor")).toMatchObject({ state: "Completed", status: { executionCount: 2 } });
    });

    it("postpones what falls due while it is still retrying, and makes up for it once", async () => {
      const start = soon();
      receiver.reply = () => ({ status: receiver.received.length <= 3 ? 500 : 200 });
      await put("busy", {
        startTime: at(start),
        recurrence: { frequency: "Minute", count: 4 },
        action: { ...request(), retryPolicy: { retryType: "Fixed", retryInterval: "PT50S", retryCount: 3 } },
      });
      await advance("1h");
      const runs = await history("busy");
      expect(
        runs.map(({ status, expectedExecutionTime, startTime }) => {
          const since = (text: string) => (Date.parse(text) - start) / 1000;
          return `${status} ${since(expectedExecutionTime)} at ${since(startTime)}`;
        }),
      ).toEqual([
        "Failed 0 at 0",
        "Failed 0 at 50",
        "Postponed 60 at 60",
        "Failed 0 at 100",
        "Postponed 120 at 120",
        "Completed 0 at 150",
        "Completed 60 at 150",
        "Completed 180 at 180",
        "Completed 240 at 240",
      ]);
      expect(await get("busy")).toMatchObject({ state: "Completed", status: { executionCount: 4 } });
    });
  },
  { services: schedulerServices },
);
