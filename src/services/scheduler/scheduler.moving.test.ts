/** Jobs that are changed or deleted while they run: their schedule moves, and what is under way still ends well. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { firingStage, minuteMs, schedulerServices } from "../../../tests/support/scheduler.ts";

const dayMs = 86_400_000;

onBothDatabases(
  "a job whose schedule is moved",
  (instance) => {
    const stage = firingStage(instance);
    const { receiver, send, put, patch, get, history, queueAction, sentAt, request } = stage;
    const { at, soon, advance, advanceTo, now } = stage;
    const everyMinute = (count: number) => ({ frequency: "Minute", interval: 1, count });

    it("counts its runs anew when it starts at another time", async () => {
      const start = soon();
      await put("anew", { startTime: at(start), recurrence: everyMinute(5), action: queueAction("anew") });
      await advanceTo(start + minuteMs);
      expect(await sentAt("anew")).toHaveLength(2);
      const next = start + 3 * dayMs;
      await put("anew", { startTime: at(next), recurrence: everyMinute(2), action: queueAction("anew") });
      expect(await get("anew")).toMatchObject({
        state: "Enabled",
        status: { nextExecutionTime: at(next), executionCount: 2 },
      });
      await advanceTo(next + 10 * minuteMs);
      expect(await sentAt("anew")).toHaveLength(4);
      expect(await get("anew")).toMatchObject({ state: "Completed", status: { executionCount: 4 } });
    });
    it("goes on counting when only its count or its end changes", async () => {
      const start = soon();
      await put("more", { startTime: at(start), recurrence: everyMinute(3), action: queueAction("more") });
      await advanceTo(start + minuteMs);
      await patch("more", { recurrence: { count: 4, endTime: at(start + dayMs) } });
      await advanceTo(start + 20 * minuteMs);
      expect(await sentAt("more")).toHaveLength(4);
    });
    it("runs once more when it becomes a job that runs once, at another time", async () => {
      const start = soon();
      const action = queueAction("once");
      await put("once", { startTime: at(start), recurrence: everyMinute(5), action });
      await advanceTo(start);
      const next = start + dayMs;
      await put("once", { startTime: at(next), action });
      expect(await get("once")).toMatchObject({ state: "Enabled", status: { nextExecutionTime: at(next) } });
      await advanceTo(next + dayMs);
      expect(await sentAt("once")).toHaveLength(2);
      expect((await get("once")).state).toBe("Completed");
    });
    it("is completed when it loses its recurrence after it ran", async () => {
      const start = soon();
      await put("ended", { startTime: at(start), recurrence: everyMinute(5), action: queueAction("ended") });
      await advanceTo(start);
      await patch("ended", { recurrence: null });
      expect((await get("ended")).state).toBe("Completed");
      await advance("10m");
      expect(await sentAt("ended")).toHaveLength(1);
    });
    it("runs at its new time although an earlier run is still being retried", async () => {
      receiver.reply = () => ({ status: 503 });
      const retryPolicy = { retryType: "Fixed", retryInterval: "PT1M", retryCount: 3 };
      await put("retried", { action: { ...request(), retryPolicy } });
      await advance(0);
      expect(await history("retried")).toMatchObject([{ status: "Failed", retryCount: 0 }]);
      const next = soon() + 60 * minuteMs;
      await patch("retried", { startTime: at(next) });
      expect((await get("retried")).status.nextExecutionTime).toBe(at(next));
      await advanceTo(next - minuteMs);
      expect(await get("retried")).toMatchObject({ state: "Enabled", status: { faultedCount: 1 } });
      receiver.reply = () => ({ status: 200 });
      await advanceTo(next);
      expect((await history("retried")).at(-1)).toMatchObject({
        status: "Completed",
        retryCount: 0,
        expectedExecutionTime: at(next),
      });
      expect((await get("retried")).state).toBe("Completed");
    });

    it("gives up its retries when it is disabled, even if it is enabled again before they are due", async () => {
      receiver.reply = () => ({ status: 503 });
      const start = soon();
      const retryPolicy = { retryType: "Fixed", retryInterval: "PT10M", retryCount: 2 };
      const recurrence = { frequency: "Hour", interval: 1 };
      await put("rested", { startTime: at(start), recurrence, action: { ...request(), retryPolicy } });
      for (const rest of [
        () => patch("rested", { state: "Disabled" }).then(() => patch("rested", { state: "Enabled" })),
        () => send("POST", "/disable").then(() => send("POST", "/enable")),
      ]) {
        await advanceTo(start + 60 * minuteMs * Math.ceil((now() - start) / (60 * minuteMs)));
        receiver.received.length = 0;
        await rest();
        await advance("40m");
        expect(receiver.received).toEqual([]);
        await advance("20m");
      }
      const statuses = (await history("rested")).map(({ status, retryCount }) => [status, retryCount]);
      expect(statuses).toEqual([
        ["Failed", 0],
        ["Failed", 0],
        ["Failed", 0],
      ]);
      await send("DELETE", "/jobs/rested");
    });
    it("is gone for good when it is deleted while its request is under way", async () => {
      receiver.reply = () => ({ status: 500, delayMs: 300 });
      await put("gone", { action: request() });
      const running = advance(0);
      await receiver.waitFor(1);
      await send("DELETE", "/jobs/gone");
      await running;
      await advance("10m");
      expect(receiver.received).toHaveLength(1);
      await put("gone", { startTime: at(now() + dayMs), action: request() });
      expect(await history("gone")).toEqual([]);
      expect((await get("gone")).status).toMatchObject({ executionCount: 0, failureCount: 0 });
    });
    it("sends its own headers instead of ours, however they are spelt, and a body with any method", async () => {
      const headers = { "X-Scheduler-Job": "mine", Authorization: "Token t" };
      await put("headers", { action: request({ method: "GET", headers, body: "asked" }) });
      await advance(0);
      expect(receiver.received).toMatchObject([
        { method: "GET", body: "asked", headers: { "x-scheduler-job": "mine", authorization: "Token t" } },
      ]);
    });
  },
  { services: schedulerServices },
);
