/** Jobs that really fire, on a clock that is stopped and moved: at a real HTTP server, and into the outbox. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  clientCertificatePassword,
  clientCertificatePfx,
} from "../../../tests/support/client-certificate.ts";
import { type HttpReceiver, startHttpReceiver } from "../../../tests/support/http-receiver.ts";
import { accounts, type Instance, onBothDatabases } from "../../../tests/support/medley.ts";

const version = "api-version=2016-03-01";
const minuteMs = 60_000;
const services = ["scheduler", "resource-manager"];
const path = "/management/subscriptions/firing/resourceGroups/rg/providers/Vendor.Scheduler/jobCollections/c";

type Entry = {
  status: string;
  actionName: string;
  retryCount: number;
  repeatCount: number;
  message: string;
  startTime: string;
  expectedExecutionTime: string;
};

onBothDatabases(
  "a job that fires",
  (instance: () => Instance) => {
    let receiver: HttpReceiver;
    beforeAll(async () => {
      receiver = await startHttpReceiver();
      await instance().clock.freeze();
      await send("PUT", "", { location: "westus", properties: {} });
    });
    afterAll(() => receiver.stop());
    beforeEach(() => {
      receiver.received.length = 0;
      receiver.reply = () => ({ status: 200, body: "fine" });
    });

    const send = async (method: string, below: string, body?: unknown) => {
      const answered = await instance().bearer(method, `${path}${below}?${version}`, { body });
      expect(answered.status, answered.text).toBeLessThan(300);
      return answered.body;
    };
    const put = (name: string, properties: Record<string, unknown>) =>
      send("PUT", `/jobs/${name}`, { properties });
    const get = async (name: string) => (await send("GET", `/jobs/${name}`)).properties;
    /** Oldest first. */
    const history = async (name: string): Promise<Entry[]> => {
      const entries: { properties: Entry }[] = [];
      let url: string | undefined = `${path}/jobs/${name}/history?${version}`;
      while (url) {
        const { body } = await instance().bearer("GET", url);
        entries.push(...body.value);
        url = body.nextLink;
      }
      return entries.map(({ properties }) => properties).reverse();
    };
    const outbox = async (kind: string) =>
      (await instance().bearer("GET", `/_medley/outbox?service=scheduler&kind=${kind}`)).body.messages;
    const queueAction = (message: string) => ({
      type: "StorageQueue",
      queueMessage: { storageAccount: "a", queueName: "calendar", message },
    });
    /** When messages of this text were put into the queue. */
    const sentAt = async (message: string): Promise<Date[]> => {
      const { body } = await instance().bearer("GET", "/_medley/outbox?kind=queue&limit=1000");
      return body.messages
        .filter((one: { body: string }) => one.body === message)
        .map((one: { createdAt: string }) => new Date(one.createdAt));
    };
    const request = (more: Record<string, unknown> = {}) => ({
      type: "Http",
      request: { uri: `${receiver.url}/hook`, method: "POST", ...more },
    });
    const now = () => instance().clock.nowMs();
    const at = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");
    /** The next full minute, so that texts are short. */
    const soon = () => Math.ceil((now() + 1) / minuteMs) * minuteMs;
    const advance = (by: string | number) => instance().clock.advance(by);
    const advanceTo = (ms: number) => advance(ms - now());

    it("sends its method, headers, body and credentials", async () => {
      await put("call", {
        action: request({
          method: "put",
          headers: { "Content-Type": "application/json", "X-Colour": "blue", Host: "elsewhere" },
          body: '{"a":1}',
          authentication: { type: "Basic", username: "ann", password: "p:w" },
        }),
      });
      await advance(0);
      expect(receiver.received).toHaveLength(1);
      const [{ method, url, headers, body }] = receiver.received as [HttpReceiver["received"][0]];
      expect([method, url, body]).toEqual(["PUT", "/hook", '{"a":1}']);
      expect(headers).toMatchObject({
        "content-type": "application/json",
        "x-colour": "blue",
        host: new URL(receiver.url).host,
        authorization: `Basic ${Buffer.from("ann:p:w").toString("base64")}`,
        "x-scheduler-attempt": "MainAction-0",
      });
      expect(await history("call")).toMatchObject([
        {
          status: "Completed",
          actionName: "MainAction",
          message: `PUT ${receiver.url}/hook answered 200. Body: fine`,
        },
      ]);
      expect(await get("call")).toMatchObject({ state: "Completed", status: { executionCount: 1 } });
      expect((await get("call")).status.nextExecutionTime).toBeUndefined();
    });

    it("fires exactly the occurrences that fall due, in order, and is then completed", async () => {
      const start = soon();
      const recurrence = { frequency: "Minute", interval: 5, count: 4 };
      await put("second", {
        startTime: at(start + 2 * minuteMs),
        recurrence,
        action: request({ body: "second" }),
      });
      await put("first", { startTime: at(start), recurrence, action: request({ body: "first" }) });
      await advanceTo(start - 1);
      expect(receiver.received).toEqual([]);
      await advanceTo(start);
      expect(receiver.received.map(({ body }) => body)).toEqual(["first"]);
      expect((await get("first")).status).toMatchObject({
        executionCount: 1,
        lastExecutionTime: at(start),
        nextExecutionTime: at(start + 5 * minuteMs),
      });
      await advanceTo(start + 7 * minuteMs);
      expect(receiver.received.map(({ body }) => body)).toEqual(["first", "second", "first", "second"]);
      await advance("3h");
      expect(receiver.received.map(({ body }) => body)).toEqual(Array(4).fill(["first", "second"]).flat());
      const expected = [0, 5, 10, 15].map((minutes) => at(start + minutes * minuteMs));
      const runs = await history("first");
      expect(runs.map(({ expectedExecutionTime }) => expectedExecutionTime)).toEqual(expected);
      expect(runs.map(({ startTime }) => startTime)).toEqual(expected);
      expect(runs.map(({ repeatCount }) => repeatCount)).toEqual([1, 2, 3, 4]);
      expect((await get("first")).state).toBe("Completed");
    });

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

    it("puts messages into queues and topics, where they can be read", async () => {
      await put("to-storage", {
        action: {
          type: "StorageQueue",
          queueMessage: { storageAccount: "acct", queueName: "q1", message: "m1", sasToken: "s3cret-token" },
        },
      });
      const bus = {
        namespace: "ns",
        message: "<m2/>",
        brokeredMessageProperties: { label: "greeting", contentType: "text/xml", timeToLive: "PT1H" },
        customMessageProperties: { colour: "red" },
        authentication: { type: "SharedAccessKey", sasKeyName: "root", sasKey: "s3cret-key" },
      };
      await put("to-queue", {
        action: { type: "ServiceBusQueue", serviceBusQueueMessage: { ...bus, queueName: "q2" } },
      });
      await put("to-topic", {
        action: { type: "ServiceBusTopic", serviceBusTopicMessage: { ...bus, topicPath: "t1" } },
      });
      await advance(0);
      const queued = await outbox("queue");
      expect(queued.find(({ target }: { target: string }) => target === "acct/q1")).toMatchObject({
        body: "m1",
        state: "recorded",
      });
      expect(queued.find(({ target }: { target: string }) => target === "ns/q2")).toMatchObject({
        subject: "greeting",
        body: "<m2/>",
        headers: { label: "greeting", contentType: "text/xml", colour: "red", timeToLive: "PT1H" },
      });
      expect(await outbox("topic")).toMatchObject([{ target: "ns/t1", kind: "topic" }]);
      expect(JSON.stringify([queued, await outbox("topic")])).not.toContain("s3cret");
      for (const name of ["to-storage", "to-queue", "to-topic"])
        expect(await history(name)).toMatchObject([{ status: "Completed" }]);
    });

    it("notes addresses it may not reach, and those that do not answer, as failures", async () => {
      const once = { retryType: "None" };
      await put("metadata", {
        action: { ...request({ uri: "http://169.254.169.254/latest" }), retryPolicy: once },
      });
      await put("nowhere", { action: { ...request({ uri: "http://127.0.0.1:1/" }), retryPolicy: once } });
      await put("private", { action: { ...request({ uri: "http://10.1.2.3/" }), retryPolicy: once } });
      await advance(0);
      for (const name of ["metadata", "nowhere", "private"]) {
        expect((await history(name)).map(({ status }) => status)).toEqual(["Failed"]);
        expect((await get(name)).state).toBe("Faulted");
      }
      expect((await history("metadata"))[0]?.message).toContain("not answered");
    });

    it("keeps an excerpt of what came back, and no bytes that are not text", async () => {
      receiver.reply = ({ url }) =>
        url.startsWith("/long")
          ? { status: 200, body: "x".repeat(200_000) }
          : { status: 200, body: "a\u0000b" };
      await put("long", { action: request({ uri: `${receiver.url}/long?key=s3cret` }) });
      await put("binary", { action: request({ uri: `${receiver.url}/binary` }) });
      await advance(0);
      const [long] = await history("long");
      expect(long?.message).toMatch(/\/long answered 200\. Body: x{1000}…$/);
      expect((await history("binary"))[0]?.message).toContain("It sent 3 bytes.");
    });

    it("fetches a token from its tenant's endpoint for every attempt", async () => {
      receiver.reply = ({ url }) =>
        url === "/token"
          ? { status: 200, body: JSON.stringify({ token_type: "Bearer", access_token: "t0ken" }) }
          : { status: 200 };
      const authentication = {
        type: "ActiveDirectoryOAuth",
        tenant: `${receiver.url}/token`,
        audience: "https://api.example.org/",
        clientId: "client",
        secret: "s3cret",
      };
      const shown = await put("oauth", {
        action: { ...request({ authentication }), retryPolicy: { retryType: "None" } },
      });
      expect(JSON.stringify(shown)).not.toContain("s3cret");
      await advance(0);
      const [token, call] = receiver.received;
      expect(Object.fromEntries(new URLSearchParams(token?.body))).toEqual({
        grant_type: "client_credentials",
        client_id: "client",
        client_secret: "s3cret",
        resource: "https://api.example.org/",
      });
      expect(call?.headers.authorization).toBe("Bearer t0ken");
      receiver.reply = () => ({ status: 401, body: "{}" });
      await send("POST", "/jobs/oauth/run");
      await advance(0);
      expect((await history("oauth")).at(-1)).toMatchObject({
        status: "Failed",
        message: `No access token was issued: ${receiver.url} answered 401 to the request for one.`,
      });
    });

    it("shows whose certificate it presents, and never the certificate itself", async () => {
      const authentication = {
        type: "ClientCertificate",
        pfx: clientCertificatePfx,
        password: clientCertificatePassword,
      };
      const https = {
        type: "Https",
        request: { uri: "https://127.0.0.1:1/", method: "GET", authentication },
      };
      const { properties } = await put("certified", {
        action: { ...https, retryPolicy: { retryType: "None" } },
      });
      expect(properties.action.request.authentication).toEqual({
        type: "ClientCertificate",
        certificateSubjectName: "O=Example, CN=scheduler client",
        certificateThumbprint: expect.stringMatching(/^[0-9A-F]{40}$/),
        certificateExpirationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
      const again = await put("certified", properties);
      expect(again.properties.action).toEqual(properties.action);
      await advance(0);
      expect((await history("certified")).map(({ status }) => status)).toContain("Failed");
      const wrong = await instance().bearer("PUT", `${path}/jobs/wrong?${version}`, {
        body: {
          properties: {
            action: {
              ...https,
              request: { ...https.request, authentication: { ...authentication, password: "no" } },
            },
          },
        },
      });
      expect([wrong.status, wrong.body.error.target]).toEqual([
        400,
        "properties.action.request.authentication.pfx",
      ]);
    });

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
      expect(properties.status.nextExecutionTime).toBe(at(start + 5 * 60 * minuteMs));
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
        instance().bearer(method, `${other}${below}?${version}`, { body });
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
      const patched = await instance().bearer("PATCH", `${path}/jobs/anew?${version}`, {
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

    it("ends where its collection's quota ends it", async () => {
      const other = path.replace(/c$/, "capped");
      const call = (method: string, below: string, body?: unknown) =>
        instance().bearer(method, `${other}${below}?${version}`, { body });
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
        instance().bearer("GET", `${path}/jobs/paged/history?${version}&${query}`);
      const positions = ({ body }: { body: { value: { name: string }[] } }) =>
        body.value.map(({ name }) => Number(name.split("/")[2]));
      const first = await list("$top=4");
      expect(positions(first)).toEqual([9, 8, 7, 6]);
      expect(positions(await instance().bearer("GET", first.body.nextLink))).toEqual([5, 4, 3, 2]);
      const failed = await list(`$filter=${encodeURIComponent("status eq 'Failed'")}`);
      expect(positions(failed)).toEqual([9, 6, 3]);
      expect(positions(await list("$top=2&$skip=7"))).toEqual([2, 1]);
      const recent = await list(
        `$filter=${encodeURIComponent(`startTime ge ${at(start + 6 * minuteMs)} and status ne 'Failed'`)}`,
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

    it("leaves other accounts' schedules alone", async () => {
      const mine = path.replace("/firing/", "/firing-two/");
      const token = { authorization: `Bearer ${accounts.second.tokens[0]}` };
      const call = (method: string, below: string, body?: unknown) =>
        instance().send(method, `${mine}${below}?${version}`, { body, headers: token });
      await call("PUT", "", { location: "westus", properties: {} });
      await call("PUT", "/jobs/call", { properties: { action: request({ body: "second account" }) } });
      await advance(0);
      expect(receiver.received.map(({ body }) => body)).toEqual(["second account"]);
      expect((await call("GET", "/jobs/call/history")).body.value).toHaveLength(1);
      expect(await history("call")).toHaveLength(0);
    });
  },
  { services },
);
