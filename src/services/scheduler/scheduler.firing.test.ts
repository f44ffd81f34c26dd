/** Jobs that really fire, on a clock that is stopped and moved: at a real HTTP server, and into the outbox. */
import { expect, it } from "vitest";
import {
  clientCertificatePassword,
  clientCertificatePfx,
} from "../../../tests/support/client-certificate.ts";
import type { HttpReceiver } from "../../../tests/support/http-receiver.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import * as support from "../../../tests/support/scheduler.ts";

onBothDatabases(
  "a job that fires",
  (instance) => {
    const { path, receiver, send, put, get, history, outbox, request, at, soon, advance, advanceTo } =
      support.firingStage(instance);

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
        startTime: at(start + 2 * support.minuteMs),
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
        nextExecutionTime: at(start + 5 * support.minuteMs),
      });
      await advanceTo(start + 7 * support.minuteMs);
      expect(receiver.received.map(({ body }) => body)).toEqual(["first", "second", "first", "second"]);
      await advance("3h");
      expect(receiver.received.map(({ body }) => body)).toEqual(Array(4).fill(["first", "second"]).flat());
      const expected = [0, 5, 10, 15].map((minutes) => at(start + minutes * support.minuteMs));
      const runs = await history("first");
      expect(runs.map(({ expectedExecutionTime }) => expectedExecutionTime)).toEqual(expected);
      expect(runs.map(({ startTime }) => startTime)).toEqual(expected);
      expect(runs.map(({ repeatCount }) => repeatCount)).toEqual([1, 2, 3, 4]);
      expect((await get("first")).state).toBe("Completed");
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
        url.startsWith("/binary")
          ? { status: 200, body: "a\u0000b" }
          : { status: 200, body: "x".repeat(Number(/\d+/.exec(url)?.[0])) };
      for (const length of [1000, 1001, 200_000])
        await put(`long${length}`, { action: request({ uri: `${receiver.url}/${length}?key=s3cret` }) });
      await put("binary", { action: request({ uri: `${receiver.url}/binary` }) });
      await advance(0);
      const messageOf = async (length: number) => (await history(`long${length}`))[0]?.message;
      expect(await messageOf(1000)).toMatch(/\/1000 answered 200\. Body: x{1000}$/);
      expect(await messageOf(1001)).toMatch(/\/1001 answered 200\. Body: x{1000}…$/);
      expect(await messageOf(200_000)).toMatch(/\/200000 answered 200\. Body: x{1000}…$/);
      expect((await history("binary"))[0]?.message).toContain("It sent 3 bytes.");
    });

    it("keeps 4000 characters of a message", async () => {
      receiver.reply = () => ({ status: 200 });
      // Written in full, each of these letters takes six characters.
      const letters = "ä".repeat(600);
      const start = `GET ${receiver.url}/`.length + 3600;
      const pathOf = (length: number) => letters + "x".repeat(length - start - " answered 200.".length);
      for (const length of [4000, 4001])
        await put(`told${length}`, {
          action: request({ uri: `${receiver.url}/${pathOf(length)}`, method: "GET" }),
        });
      await advance(0);
      const messageOf = async (length: number) => (await history(`told${length}`))[0]?.message ?? "";
      expect([(await messageOf(4000)).length, (await messageOf(4001)).length]).toEqual([4000, 4000]);
      expect(await messageOf(4000)).toMatch(/x answered 200\.$/);
      expect(await messageOf(4001)).toMatch(/x answered 200$/);
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

    it("reads 64 KB of an answer with a token", async () => {
      const answerOf = (bytes: number) => {
        const text = JSON.stringify({ access_token: "t0ken", more: "" });
        return text.replace('"more":"', `"more":"${"x".repeat(bytes - text.length)}`);
      };
      receiver.reply = ({ url = "" }) =>
        url.startsWith("/token")
          ? { status: 200, body: answerOf(Number(url.split("/")[2])) }
          : { status: 200 };
      for (const bytes of [65_536, 65_537]) {
        const tenant = `${receiver.url}/token/${bytes}`;
        const own = {
          type: "ActiveDirectoryOAuth",
          audience: "https://api.example.org/",
          clientId: "client",
        };
        const authentication = { ...own, tenant, secret: "s3cret" };
        const retryPolicy = { retryType: "None" };
        await put(`token${bytes}`, { action: { ...request({ authentication }), retryPolicy } });
      }
      await advance(0);
      const statusOf = async (bytes: number) => (await history(`token${bytes}`)).at(-1)?.status;
      expect([await statusOf(65_536), await statusOf(65_537)]).toEqual(["Completed", "Failed"]);
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
      const wrong = await instance().bearer("PUT", `${path}/jobs/wrong?${support.schedulerVersion}`, {
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

    it("is quoted word for word, whatever spelling it is read in", async () => {
      const words = "Vendor.Scheduler/jobs, Microsoft.Scheduler/jobs, /providers/Vendor.Web/sites/a";
      const brokered = { label: words, to: "Vendor.Storage" };
      const custom = { type: "Microsoft.Web", id: "Vendor.Web", message: words };
      const serviceBusTopicMessage = {
        namespace: "bus",
        topicPath: "t",
        message: words,
        brokeredMessageProperties: brokered,
        customMessageProperties: custom,
      };
      receiver.reply = () => ({ status: 500, body: words });
      const makers = `${path.replace("Vendor.", "Microsoft.")}/jobs/quoted`;
      const made = await instance().bearer("PUT", `${makers}?${support.schedulerVersion}`, {
        body: {
          properties: {
            action: {
              ...request({ headers: { "x-about": words, id: "Microsoft.Web" }, body: words }),
              retryPolicy: { retryType: "None" },
              errorAction: { type: "ServiceBusTopic", serviceBusTopicMessage },
            },
          },
        },
      });
      expect(made.status, made.text).toBe(201);
      await advance(0);
      for (const url of [`${path}/jobs/quoted`, makers]) {
        const { body } = await instance().bearer("GET", `${url}/history?${support.schedulerVersion}`);
        expect(body.value.at(-1).properties.message).toBe(
          `POST ${receiver.url}/hook answered 500. Body: ${words}`,
        );
        const job = (await instance().bearer("GET", `${url}?${support.schedulerVersion}`)).body;
        expect(job.type.startsWith("Microsoft.")).toBe(url === makers);
        const { request: called, errorAction } = job.properties.action;
        expect([called.body, called.headers]).toEqual([words, { "x-about": words, id: "Microsoft.Web" }]);
        expect(errorAction.serviceBusTopicMessage).toEqual(serviceBusTopicMessage);
      }
      expect(receiver.received[0]).toMatchObject({ body: words, headers: { id: "Microsoft.Web" } });
      expect(await outbox("topic")).toContainEqual(expect.objectContaining({ target: "bus/t", body: words }));
    });

    it("leaves other accounts' schedules alone", async () => {
      const before = await history("call");
      const mine = path.replace("/firing/", "/firing-two/");
      const token = { authorization: `Bearer ${accounts.second.tokens[0]}` };
      const call = (method: string, below: string, body?: unknown) =>
        instance().send(method, `${mine}${below}?${support.schedulerVersion}`, { body, headers: token });
      await call("PUT", "", { location: "westus", properties: {} });
      await call("PUT", "/jobs/call", { properties: { action: request({ body: "second account" }) } });
      await advance(0);
      expect(receiver.received.map(({ body }) => body)).toEqual(["second account"]);
      expect((await call("GET", "/jobs/call/history")).body.value).toHaveLength(1);
      expect(await history("call")).toEqual(before);
    });
  },
  { services: support.schedulerServices },
);
