/** States of jobs over time: resting, finished, run by hand, ended by a quota, and the calendar they keep to. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import * as support from "../../../tests/support/scheduler.ts";

onBothDatabases(
  "a job in time",
  (instance) => {
    const {
      path,
      receiver,
      send,
      put,
      get,
      history,
      queueAction,
      sentAt,
      request,
      at,
      soon,
      advance,
      advanceTo,
    } = support.firingStage(instance);

    it("rests while it is disabled, gives up what it was retrying, and does not make up for it", async () => {
      const start = soon();
      receiver.reply = () => ({ status: 500 });
      await put("resting", { startTime: at(start), recurrence: { frequency: "Hour" }, action: request() });
      await advanceTo(start);
      await send("PATCH", "/jobs/resting", { properties: { state: "Disabled" } });
      await advance("5h");
      expect(receiver.received).toHaveLength(1);
      receiver.reply = () => ({ status: 200 });
      const { properties } = await send("PATCH", "/jobs/resting", { properties: { state: "Enabled" } });
      expect(properties.status.nextExecutionTime).toBe(at(start + 5 * 60 * support.minuteMs));
      await advance("1h");
      expect(receiver.received).toHaveLength(3);
      await send("DELETE", "/jobs/resting");
      await advance("3h");
      expect(receiver.received).toHaveLength(3);
    });

    it("rests with its collection, and a job that has yet to run its only time then runs at once", async () => {
      const start = soon();
      const other = path.replace(/c$/, "rests");
      const call = (method: string, below: string, body?: unknown) =>
        instance().bearer(method, `${other}${below}?${support.schedulerVersion}`, { body });
      await call("PUT", "", { location: "westus", properties: {} });
      await call("PUT", "/jobs/hourly", {
        properties: {
          startTime: at(start),
          recurrence: { frequency: "Hour" },
          action: request({ body: "hourly" }),
        },
      });
      await call("PUT", "/jobs/once", {
        properties: { startTime: at(start), action: request({ body: "once" }) },
      });
      expect((await call("POST", "/disable")).status).toBe(200);
      const { body: resting } = await call("GET", "/jobs/hourly");
      expect(resting.properties.status.nextExecutionTime).toBeUndefined();
      await advance("150m");
      expect(receiver.received).toEqual([]);
      expect((await call("POST", "/enable")).status).toBe(200);
      await advance(0);
      expect(receiver.received.map(({ body }) => body)).toEqual(["once"]);
      await advance("1h");
      expect(receiver.received.map(({ body }) => body)).toEqual(["once", "hourly"]);
      await call("DELETE", "");
      await advance("1d");
      expect(receiver.received).toHaveLength(2);
    });

    it("is finished once and for all unless it is defined anew", async () => {
      await put("anew", { action: request() });
      await advance(0);
      expect((await get("anew")).state).toBe("Completed");
      const patched = await instance().bearer("PATCH", `${path}/jobs/anew?${support.schedulerVersion}`, {
        body: { properties: { state: "Enabled" } },
      });
      expect([patched.status, patched.body.error.code]).toEqual([409, "JobIsFinished"]);
      await put("anew", { action: request() });
      await advance(0);
      expect(receiver.received).toHaveLength(2);
      expect(await get("anew")).toMatchObject({ state: "Completed", status: { executionCount: 1 } });
      expect(await history("anew")).toHaveLength(2);
    });

    it("does not fire again because the same definition is put again", async () => {
      const definition = { recurrence: { frequency: "Hour" }, action: request() };
      await put("same", definition);
      await advance(0);
      const { status } = await get("same");
      await put("same", definition);
      await advance("1m");
      expect(receiver.received).toHaveLength(1);
      expect((await get("same")).status).toEqual(status);
      await send("DELETE", "/jobs/same");
    });

    it("runs by hand beside its schedule, and the run does not count", async () => {
      const start = soon();
      await put("both", {
        startTime: at(start),
        recurrence: { frequency: "Hour", count: 2 },
        action: request(),
      });
      await send("POST", "/jobs/both/run");
      await advance(0);
      expect(receiver.received).toHaveLength(1);
      await advance("5h");
      expect(receiver.received).toHaveLength(3);
      expect(await get("both")).toMatchObject({ state: "Completed", status: { executionCount: 3 } });
      await send("POST", "/jobs/both/run");
      await advance(0);
      expect(receiver.received).toHaveLength(4);
      expect((await get("both")).state).toBe("Completed");
    });

    it("runs by hand ten times at once, and not once more until one has ended", async () => {
      let release = () => {};
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      receiver.reply = () => ({ status: 200, until });
      await put("hand", { state: "Disabled", action: request() });
      const run = () => instance().bearer("POST", `${path}/jobs/hand/run?${support.schedulerVersion}`);
      for (let count = 1; count <= 10; count += 1) expect((await run()).status).toBe(200);
      await receiver.waitFor(10);
      const refused = await run();
      expect([refused.status, refused.body.error.code]).toEqual([409, "TooManyRuns"]);
      release();
      await advance(0);
      expect((await run()).status).toBe(200);
      await receiver.waitFor(11);
      await advance(0);
      await send("DELETE", "/jobs/hand");
    });

    it("ends where its collection's quota ends it", async () => {
      const other = path.replace(/c$/, "capped");
      const call = (method: string, below: string, body?: unknown) =>
        instance().bearer(method, `${other}${below}?${support.schedulerVersion}`, { body });
      await call("PUT", "", { location: "westus", properties: { quota: { maxJobOccurrence: 3 } } });
      await call("PUT", "/jobs/endless", {
        properties: { startTime: at(soon()), recurrence: { frequency: "Minute" }, action: request() },
      });
      await advance("1h");
      expect(receiver.received).toHaveLength(3);
      expect((await call("GET", "/jobs/endless")).body.properties.state).toBe("Completed");
    });

    it("keeps to the end of the month", async () => {
      await put("month-end", {
        startTime: at(soon()),
        recurrence: { frequency: "Month", schedule: { monthDays: [-1], hours: [17], minutes: [0] } },
        action: queueAction("month-end"),
      });
      await advance("62d");
      const ends = await sentAt("month-end");
      expect(ends.length).toBeGreaterThanOrEqual(2);
      for (const end of ends) {
        expect(new Date(end.getTime() + 86_400_000).getUTCDate()).toBe(1);
        expect(end.toISOString().slice(11, 16)).toBe("17:00");
      }
      await send("DELETE", "/jobs/month-end");
    });

    it("keeps to the clock of a time zone when summer time comes or goes", async () => {
      await put("paris", {
        startTime: at(soon()),
        recurrence: { frequency: "Week", timeZone: "Europe/Paris", schedule: { hours: [9], minutes: [0] } },
        action: queueAction("paris"),
      });
      await advance("215d");
      const mornings = await sentAt("paris");
      expect(mornings.length).toBeGreaterThanOrEqual(30);
      expect(new Set(mornings.map((morning) => morning.getUTCHours()))).toEqual(new Set([7, 8]));
      const paris = new Intl.DateTimeFormat("en-GB", {
        timeZone: "Europe/Paris",
        hour: "2-digit",
        minute: "2-digit",
      });
      for (const morning of mornings) expect(paris.format(morning)).toBe("09:00");
      await send("DELETE", "/jobs/paris");
    }, 120_000);

    it("pages through its history, newest first, by status", async () => {
      const start = soon();
      receiver.reply = () => ({ status: receiver.received.length % 3 === 0 ? 500 : 200 });
      await put("paged", {
        startTime: at(start),
        recurrence: { frequency: "Minute", count: 9 },
        action: { ...request(), retryPolicy: { retryType: "None" } },
      });
      await advance("1h");
      const list = (query: string) =>
        instance().bearer("GET", `${path}/jobs/paged/history?${support.schedulerVersion}&${query}`);
      const positions = ({ body }: { body: { value: { name: string }[] } }) =>
        body.value.map(({ name }) => Number(name.split("/")[2]));
      const first = await list("$top=4");
      expect(positions(first)).toEqual([9, 8, 7, 6]);
      expect(positions(await instance().bearer("GET", first.body.nextLink))).toEqual([5, 4, 3, 2]);
      const failed = await list(`$filter=${encodeURIComponent("status eq 'Failed'")}`);
      expect(positions(failed)).toEqual([9, 6, 3]);
      expect(positions(await list("$top=2&$skip=7"))).toEqual([2, 1]);
      const recent = await list(
        `$filter=${encodeURIComponent(`startTime ge ${at(start + 6 * support.minuteMs)} and status ne 'Failed'`)}`,
      );
      expect(positions(recent)).toEqual([8, 7]);
      for (const query of [
        "$top=0",
        "$top=101",
        "$skip=-1",
        "$filter=status",
        "$filter=colour%20eq%20'x'",
        "$skipToken=x",
      ])
        expect((await list(query)).status).toBe(400);
      await advance("61d");
      expect(positions(await list(""))).toEqual([]);
    });
  },
  { services: support.schedulerServices },
);
