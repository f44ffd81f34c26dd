/** Jobs, time travel, the outbox, faults, the request log. */
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, pause } from "../support/eventually.ts";
import { type Instance, onBothDatabases, startInstance } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const options = { services: [], extraServices: allSamples };
const admin = { authorization: "Bearer first-token-0001" };
const key = { "x-vendor-key": "first-api-key-0001" };

const put = (instance: Instance, id: string) =>
  instance.send("PUT", `/sample-key/notes/${id}`, { headers: key, body: { text: "x" } });
const count = (instance: Instance, id: string, body: unknown = {}) =>
  instance.send("POST", `/sample-key/notes/${id}:count`, { headers: key, body });
const countOf = async (instance: Instance, id: string): Promise<number> =>
  (await instance.send("GET", `/sample-key/notes/${id}`, { headers: key })).body.count;

onBothDatabases(
  "durable work",
  (instance) => {
    it("runs a job that was added with a change, and none of a change that was undone", async () => {
      await put(instance(), "counted");
      await count(instance(), "counted");
      await eventually(async () => (await countOf(instance(), "counted")) === 1);
      expect((await count(instance(), "counted", { fail: true })).status).toBe(409);
      await pause(200);
      expect(await countOf(instance(), "counted")).toBe(1);
    });
    it("keeps and runs everything once, although changes of the same moment fail after they have written", async () => {
      const ids = Array.from({ length: 20 }, (_, at) => `together-${at}`);
      const made = await Promise.all(ids.map((id) => put(instance(), id)));
      const counted = await Promise.all(
        ids.flatMap((id, at) => [
          count(instance(), id, { fail: true }),
          count(instance(), id, at % 2 === 0 ? {} : { fail: true }),
          put(instance(), id),
          put(instance(), `${id}-second`),
        ]),
      );
      expect(made.map(({ status }) => status)).toEqual(ids.map(() => 201));
      expect(counted.map(({ status }) => status)).toEqual(
        ids.flatMap((_, at) => [409, at % 2 === 0 ? 202 : 409, 409, 201]),
      );
      const counts = () => Promise.all(ids.map((id) => countOf(instance(), id)));
      await eventually(async () => (await counts()).filter((one) => one > 0).length === 10);
      await pause(200);
      expect(await counts()).toEqual(ids.map((_, at) => (at % 2 === 0 ? 1 : 0)));
    });
    it("advances time through all due work in order and answers what ran", async () => {
      await instance().clock.freeze();
      for (const id of ["late", "early", "never"]) await put(instance(), id);
      await count(instance(), "late", { delayMs: 7_200_000 });
      await count(instance(), "early", { delayMs: 3_600_000 });
      await count(instance(), "never", { delayMs: 36_000_000 });
      const before = instance().clock.nowMs();
      const { body } = await instance().send("POST", "/_medley/clock/advance", {
        headers: admin,
        body: { by: "3h" },
      });
      const mine = body.ran.filter(({ job }: { job: string }) => job === "sample-key.count");
      expect(mine.map(({ at }: { at: string }) => Date.parse(at) - before)).toEqual([3_600_000, 7_200_000]);
      expect(body.frozen).toBe(true);
      expect(Date.parse(body.now) - before).toBe(10_800_000);
      expect([
        await countOf(instance(), "early"),
        await countOf(instance(), "late"),
        await countOf(instance(), "never"),
      ]).toEqual([1, 1, 0]);
      await instance().clock.resume();
    });
    it("retries with backoff on the clock, and its effect happens once", async () => {
      await instance().clock.freeze();
      await put(instance(), "retried");
      await count(instance(), "retried", { delayMs: 1000, failures: 3 });
      const ran = await instance().clock.advance("1m");
      expect(ran.filter(({ name }) => name === "sample-key.count").map(({ outcome }) => outcome)).toEqual([
        "retry",
        "retry",
        "retry",
        "done",
      ]);
      expect(await countOf(instance(), "retried")).toBe(1);
      await instance().clock.resume();
    });
    it("gives up after the last attempt and says why", async () => {
      await instance().clock.freeze();
      await put(instance(), "hopeless");
      const { body } = await count(instance(), "hopeless", { failures: 100 });
      await instance().clock.advance("2h");
      const { body: listed } = await instance().send("GET", "/_medley/jobs?state=failed", { headers: admin });
      expect(listed.jobs.find(({ id }: { id: string }) => id === body.job)).toMatchObject({
        attempts: 8,
        error: "failing as asked",
      });
      expect(await countOf(instance(), "hopeless")).toBe(0);
      await instance().clock.resume();
    });
    it("tells what is due next, makes it due now, calls it off, and tries again what failed", async () => {
      const ask = (method: string, path: string, as = admin) =>
        instance().send(method, `/_medley${path}`, { headers: as });
      await instance().clock.freeze();
      const made: string[] = [];
      for (const [id, delayMs] of [
        ["sooner", 3_600_000],
        ["later", 7_200_000],
        ["dropped", 7_300_000],
      ] as const) {
        await put(instance(), id);
        made.push((await count(instance(), id, { delayMs })).body.job);
      }
      const due = async () =>
        (await ask("GET", "/due?service=sample-key")).body.due
          .map(({ id }: { id: string }) => id)
          .filter((id: string) => made.includes(id));
      expect(await due()).toEqual(made);
      const [sooner = "", later = "", dropped = ""] = made;
      const before = (await ask("GET", "/jobs/counts?service=sample-key")).body;
      expect((await ask("POST", `/jobs/${dropped}/cancel`)).status).toBe(204);
      expect((await ask("GET", `/jobs/${dropped}`)).status).toBe(404);
      const after = (await ask("GET", "/jobs/counts?service=sample-key")).body;
      expect(after.waiting).toBe(before.waiting - 1);
      expect((await ask("POST", `/jobs/${later}/retry`)).body).toMatchObject({ id: later, state: "waiting" });
      await eventually(async () => (await countOf(instance(), "later")) === 1);
      expect((await ask("POST", `/jobs/${later}/cancel`)).status).toBe(409);
      expect((await ask("POST", `/jobs/${later}/retry`)).status).toBe(409);
      const other = { authorization: "Bearer second-token-0002" };
      expect((await ask("GET", `/jobs/${sooner}`, other)).status).toBe(404);
      expect((await ask("POST", `/jobs/${sooner}/cancel`, other)).status).toBe(403);
      const { body: failed } = await ask("GET", "/jobs?state=failed&service=sample-key&limit=1");
      const [hopeless] = failed.jobs;
      expect((await ask("POST", `/jobs/${hopeless.id}/retry`)).body).toMatchObject({
        attempts: 0,
        error: null,
      });
      await instance().clock.advance("3h");
      expect(await countOf(instance(), "sooner")).toBe(1);
      expect((await ask("GET", `/jobs/${hopeless.id}`)).body.state).toBe("failed");
      await instance().clock.resume();
    });
    it("repeats a job on its schedule", async () => {
      const ran = await instance().clock.advance("73h");
      expect(ran.filter(({ name }) => name === "sample-key.tick").length).toBeGreaterThanOrEqual(3);
    });
    describe("the outbox", () => {
      const received: { headers: IncomingHttpHeaders; body: string }[] = [];
      let failures = 2;
      const receiver = createServer((request, response) => {
        let body = "";
        request.on("data", (chunk) => {
          body += chunk;
        });
        request.on("end", () => {
          received.push({ headers: request.headers, body });
          failures -= 1;
          response
            .writeHead(failures >= 0 ? 503 : 200)
            .end("x".repeat(request.url === "/long" ? 100_000 : 0));
        });
      });
      beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", () => resolve())));
      afterAll(() => new Promise<void>((resolve) => receiver.close(() => resolve())));

      it("delivers by HTTP with retries and a signature, and keeps how it went", async () => {
        failures = 2;
        received.length = 0;
        await put(instance(), "hooked");
        const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
        await count(instance(), "hooked", { webhook });
        await eventually(async () => received.length >= 1);
        await instance().clock.advance("1m");
        expect(received).toHaveLength(3);
        const { headers, body } = received[2]!;
        const expected = createHmac("sha256", "sample")
          .update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`)
          .digest("base64");
        expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
        const { body: outbox } = await instance().send("GET", "/_medley/outbox?kind=webhook", {
          headers: admin,
        });
        expect(outbox.messages[0]).toMatchObject({
          target: webhook,
          state: "delivered",
          attempts: 3,
          answerStatus: 200,
        });
      });
      it("delivers where the receiver's answer is long", async () => {
        failures = 0;
        received.length = 0;
        await put(instance(), "talkative");
        const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/long`;
        await count(instance(), "talkative", { webhook });
        await eventually(async () => {
          const { body: outbox } = await instance().send(
            "GET",
            "/_medley/outbox?kind=webhook&state=delivered",
            {
              headers: admin,
            },
          );
          return outbox.messages.some(({ target }: { target: string }) => target === webhook);
        }, "the delivery");
        expect(received).toHaveLength(1);
      });
      it("refuses to reach into private networks and says so", async () => {
        await put(instance(), "curious");
        await count(instance(), "curious", { webhook: "http://169.254.169.254/latest/meta-data" });
        await instance().clock.advance("1h");
        const { body: outbox } = await instance().send("GET", "/_medley/outbox?kind=webhook&state=failed", {
          headers: admin,
        });
        expect(outbox.messages[0].target).toContain("169.254.169.254");
        expect(outbox.messages[0].error).toMatch(/may not be reached/);
        expect(outbox.messages[0].attempts).toBe(6);
      });
    });
  },
  options,
);

it.each(["sqlite", "postgres"] as const)(
  "a node that was held up for longer than its leases last does not begin its own work again, on %s",
  async (on) => {
    const instance = await startInstance({ ...options, on, jobLeaseSeconds: 1 });
    await put(instance, "held-up");
    await count(instance, "held-up", { waitMs: 3000 });
    const jobs = async (state: string) =>
      (await instance.send("GET", `/_medley/jobs?kind=sample-key.slow&state=${state}`, { headers: admin }))
        .body.jobs;
    await eventually(async () => (await jobs("running")).length > 0);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    await eventually(async () => (await jobs("done")).length > 0);
    expect(await jobs("done")).toMatchObject([{ attempts: 1 }]);
    expect(await countOf(instance, "held-up")).toBe(1);
    await instance.stop();
  },
);

onBothDatabases(
  "faults and the request log",
  (instance) => {
    it("fails matching requests in the service's own shape, as often as asked", async () => {
      const rule = {
        match: { service: "sample-arm", operation: "sample-arm.notes.list" },
        status: 429,
        error: "TooManyRequests",
        count: 2,
      };
      await instance().send("PUT", "/_medley/faults", { headers: admin, body: { rules: [rule] } });
      const statuses = [];
      for (let i = 0; i < 3; i += 1)
        statuses.push((await instance().bearer("GET", "/sample-arm/notes?api-version=1")).status);
      expect(statuses).toEqual([429, 429, 200]);
      const { body } = await instance().send("GET", "/_medley/faults", { headers: admin });
      expect(body.rules[0]).toMatchObject({ struck: 2, count: 2 });
      expect((await instance().send("DELETE", "/_medley/faults", { headers: admin })).status).toBe(204);
      expect(
        (
          await instance().send("PUT", "/_medley/faults", {
            headers: admin,
            body: { rules: [{ match: {}, status: 200 }] },
          })
        ).status,
      ).toBe(400);
    });
    it("delays matching requests", async () => {
      await instance().send("PUT", "/_medley/faults", {
        headers: admin,
        body: { rules: [{ match: { service: "sample-key" }, latencyMs: 300 }] },
      });
      const start = performance.now();
      expect((await instance().send("GET", "/sample-key/open")).status).toBe(200);
      expect(performance.now() - start).toBeGreaterThan(290);
      await instance().send("DELETE", "/_medley/faults", { headers: admin });
    });
    it("shows recent requests with bodies and without secrets", async () => {
      const sent = await instance().send("POST", "/sample-key/notes?token=hidden-query", {
        headers: { ...key, cookie: "session=hidden-cookie" },
        body: { text: "shown", password: "hidden-password" },
      });
      expect(sent.status).toBe(201);
      const { body, text } = await instance().send("GET", "/_medley/requests?service=sample-key&limit=1", {
        headers: admin,
      });
      expect(body.requests[0]).toMatchObject({
        operation: "sample-key.notes.add",
        status: 201,
        account: "111111111111",
      });
      expect(text).toContain("shown");
      for (const secret of ["hidden-password", "hidden-query", "hidden-cookie", "first-api-key-0001"])
        expect(text).not.toContain(secret);
    });
    it("streams requests as they come", async () => {
      const controller = new AbortController();
      const response = await fetch(`${instance().url}/_medley/requests/stream`, {
        headers: admin,
        signal: controller.signal,
      });
      const reader = response.body!.getReader();
      await reader.read();
      await instance().send("GET", "/sample-key/open");
      let text = "";
      while (!text.includes("sample-key.open")) text += Buffer.from((await reader.read()).value!).toString();
      expect(text).toContain("event: request");
      controller.abort();
    });
    it("counts for Prometheus", async () => {
      await instance().send("GET", "/sample-key/open");
      const { text } = await instance().send("GET", "/_medley/metrics");
      expect(text).toMatch(/medley_requests_total\{operation="sample-key.open",status="200"\} \d+/);
    });
  },
  options,
);
