/** Functions that run: in every style, and badly. */
import { get, request } from "node:http";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions } from "../../../tests/support/functions.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const STYLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "plain exports": { "index.js": "exports.target = (q, s) => s.send('ok');" },
  "a module": {
    "package.json": '{"type":"module"}',
    "index.js": "export const target = (q, s) => s.send('ok');",
  },
  "a module by its name": {
    "package.json": '{"main":"lib/main.mjs"}',
    "lib/main.mjs": "export function target(q, s) { s.send('ok'); }",
  },
  "the framework's registration": {
    "index.js": "require('@google-cloud/functions-framework').http('target', (q, s) => { s.send('ok'); });",
  },
  "the framework's registration in a module": {
    "package.json": '{"type":"module"}',
    "index.js":
      "import { http } from '@google-cloud/functions-framework'; http('target', async (q, s) => { s.send('ok'); });",
  },
  "a typed function": {
    "index.js": "require('@google-cloud/functions-framework').typed('target', ({ word = 'ok' }) => word);",
  },
  "packages that it brings": {
    "index.js": "exports.target = (q, s) => s.send(require('own-package'));",
    "node_modules/own-package/package.json": '{"main":"main.js"}',
    "node_modules/own-package/main.js": "module.exports = 'ok';",
  },
  "a nested name": { "index.js": "exports.deep = { target: (q, s) => s.send('ok') };" },
};
const BAD = `
const held = [];
exports.bad = async (request, response) => {
  const { how } = request.query;
  if (how === "throw") throw new Error("thrown on purpose");
  if (how === "crash") process.exit(3);
  if (how === "later") { setTimeout(() => { throw new Error("later on purpose"); }, 5); return; }
  if (how === "rejection") { Promise.reject(new Error("rejected on purpose")); return; }
  if (how === "loop") for (;;) {}
  if (how === "never") return;
  if (how === "half") { response.writeHead(200); response.write("half"); return; }
  if (how === "memory") for (;;) { held.push(Buffer.alloc(8e6, 1)); await new Promise((r) => setTimeout(r, 5)); }
  if (how === "heap") for (;;) { held.push(new Array(1e5).fill(0).map((_, n) => ({ n }))); }
  if (how === "headers") { for (let n = 0; n < 500; n += 1) response.setHeader("x-" + n, "a".repeat(1000)); }
  if (how === "slow") await new Promise((resolve) => setTimeout(resolve, 700));
  response.send("fine");
};`;

onBothDatabases(
  "running functions",
  (instance) => {
    const functions = new Functions(instance);

    describe("styles", () => {
      it.each(Object.keys(STYLES))("%s", async (style) => {
        const id = `style-${style.replace(/[^a-z]/g, "")}`.slice(0, 60);
        const url = await functions.running(id, {
          source: STYLES[style] ?? {},
          entryPoint: style === "a nested name" ? "deep.target" : "target",
        });
        const isTyped = style === "a typed function";
        const answer = await functions.call(url, isTyped ? { method: "POST", body: {} } : {});
        expect(answer.body).toBe("ok");
        if (isTyped) {
          expect((await functions.call(url, { method: "POST", body: { word: "hi" } })).text).toBe('"hi"');
          expect((await functions.call(url, { method: "POST", body: "{" })).status).toBe(400);
        }
      });
      it("typed functions of the public framework, with formats of their own", async () => {
        const registry = "node_modules/@google-cloud/functions-framework/build/src";
        const url = await functions.running("typed-own", {
          source: {
            // What a source that brings the framework registers, and where.
            [`${registry}/function_registry.js`]:
              "const all = new Map(); exports.getRegisteredFunction = (name) => all.get(name); exports.typed = (name, userFunction) => all.set(name, { name, signatureType: 'typed', userFunction });",
            [`${registry}/package.json`]: "{}",
            "index.js": `require("./${registry}/function_registry.js").typed("typed-own", {
              handler: async (words) => [...words].reverse(),
              format: {
                deserializeRequest: (request) => [request.header("X-First"), ...request.body().split(" ")],
                serializeResponse: (response, words) => { response.setHeader("x-own", "1"); response.write(words[0]); response.end(" " + words.slice(1).join(" ")); },
              },
            });`,
          },
        });
        const headers = { "content-type": "text/plain", "x-first": "a" };
        const answer = await functions.call(url, { method: "POST", body: "b c", headers });
        expect([answer.text, answer.headers.get("x-own")]).toEqual(["c b a", "1"]);
      });
      it("functions of the first generation take data and context", async () => {
        const topic = "projects/demo/topics/orders";
        const source =
          "exports.background = (data, context, done) => { console.log(JSON.stringify({ data, context })); done(); };";
        const trigger = { eventType: "google.cloud.pubsub.topic.v1.messagePublished", pubsubTopic: topic };
        const body = {
          ...(await functions.bodyOf("background", { source, trigger })),
          environment: "GEN_1",
        };
        const path = `${functions.place}/functions?functionId=background`;
        expect((await functions.ended(await functions.send("POST", path, { body }))).error).toBeUndefined();
        const message = { data: "aGk=", attributes: { a: "1" }, messageId: "7" };
        const event = {
          specversion: "1.0",
          id: "e-1",
          time: "2026-01-02T03:04:05Z",
          type: trigger.eventType,
          source: `//pubsub.googleapis.com/${topic}`,
          data: { message, subscription: "projects/demo/subscriptions/s" },
        };
        const sent = await instance().bearer("POST", "/_medley/events", {
          body: JSON.stringify(event),
          headers: { "content-type": "application/cloudevents+json" },
        });
        expect(sent.status, sent.text).toBeLessThan(300);
        const line = await eventually(
          async () => (await functions.lines("background")).find(({ text }) => text.includes("e-1"))?.text,
          "the function's line",
        );
        const type = "type.googleapis.com/google.pubsub.v1.PubsubMessage";
        expect(JSON.parse(line)).toEqual({
          data: { "@type": type, ...message },
          context: {
            eventId: "e-1",
            timestamp: "2026-01-02T03:04:05Z",
            eventType: "google.pubsub.topic.publish",
            resource: { service: "pubsub.googleapis.com", name: topic, type },
          },
        });
      });
      it("requests and answers are what people know", async () => {
        const source = `exports.echo = (request, response) => {
          response.set("x-own", "1").cookie("a", "b c").status(202).json({
            method: request.method, path: request.path, query: request.query, body: request.body, raw: request.rawBody.toString(),
            type: request.get("content-type"), host: request.hostname, proto: request.protocol, ip: request.ip,
          });
        };`;
        const url = await functions.running("echo", { source });
        const answer = await functions.call(`${url}/a%20b?x=1&x=2`, {
          method: "POST",
          body: new URLSearchParams({ field: "value" }),
          headers: { "x-medley-check": "guess" },
        });
        expect(answer.status).toBe(202);
        expect(answer.headers.get("set-cookie")).toBe("a=b%20c; Path=/");
        expect(answer.body).toMatchObject({
          method: "POST",
          path: "/a%20b",
          query: { x: ["1", "2"] },
          body: { field: "value" },
          raw: "field=value",
          proto: "http",
          ip: "127.0.0.1",
        });
        expect(
          (
            await functions.call(url, {
              method: "POST",
              body: "{",
              headers: { "content-type": "application/json" },
            })
          ).status,
        ).toBe(400);
      });
      it("answers at a host of its own as well", async () => {
        const { port, pathname } = new URL(await functions.urlOf("echo"));
        const host = `${pathname.split("/").pop()}.functions.localhost:${port}`;
        const status = await new Promise<number | undefined>((resolve, reject) =>
          get({ port, path: "/own/path", headers: { host } }, ({ statusCode }) => resolve(statusCode)).on(
            "error",
            reject,
          ),
        );
        expect(status).toBe(202);
      });
      it("large answers and bodies stream", async () => {
        const source = `exports.large = (request, response) => {
          if (request.method === "PUT") { response.send(String(request.rawBody.length)); return; }
          response.writeHead(200, { "content-type": "application/octet-stream" });
          for (let n = 0; n < 50; n += 1) response.write(Buffer.alloc(200000, n));
          response.end();
        };`;
        const url = await functions.running("large", { source });
        expect((await functions.call(url)).bytes.length).toBe(10_000_000);
        expect((await functions.call(url, { method: "PUT", body: Buffer.alloc(5_000_000) })).text).toBe(
          "5000000",
        );
      });
      it("runs Python where the machine has it", async () => {
        const runtimes = (await functions.send("GET", `${functions.place}/runtimes?filter=name%3Dpython311`))
          .body.runtimes;
        const source = {
          "main.py":
            "import functions_framework\n\n@functions_framework.http\ndef target(request):\n    print('called')\n    return {'hello': request.args.get('name')}, 201\n",
        };
        const ended = await functions.create("python-function", {
          source,
          runtime: "python311",
          entryPoint: "target",
          open: true,
        });
        if (runtimes[0].warnings.length > 0) {
          expect(ended.error.message).toContain("python3");
          return;
        }
        const answer = await functions.call(`${ended.response.serviceConfig.uri}?name=ann`);
        expect([answer.status, answer.body]).toEqual([201, { hello: "ann" }]);
        const isTold = async () =>
          (await functions.lines("python-function")).some(({ text }) => text === "called");
        await eventually(isTold, "its line in the log");
      });
    });

    describe("bad ones are contained", () => {
      it.each([
        ["throw", 500, "thrown on purpose"],
        ["crash", 500, "ended with status 3"],
        ["later", 500, "later on purpose"],
        ["rejection", 500, "rejected on purpose"],
        ["loop", 504, "took longer"],
        ["never", 504, "in time"],
        ["memory", 500, "emory"],
        ["heap", 500, "Memory limit"],
        ["headers", 502, "could not be understood"],
      ])("%s", async (how, status, words) => {
        const id = `bad-${how}`;
        const url = await functions.running(id, {
          source: BAD,
          entryPoint: "bad",
          // Only a timeout may depend on the clock: on a busy machine a heap takes long to fill.
          service: { timeoutSeconds: status === 504 ? 2 : 120, availableMemory: "64M" },
        });
        const answer = await functions.call(`${url}?how=${how}`);
        expect(answer.status).toBe(status);
        await eventually(
          async () => (await functions.lines(id)).some(({ text }) => text.includes(words)),
          `a line about ${words}`,
        );
        expect((await functions.call(url)).text).toBe("fine");
      });
      it("an answer that is begun and never ended is cut off", async () => {
        const url = await functions.running("bad-half", {
          source: BAD,
          entryPoint: "bad",
          service: { timeoutSeconds: 1 },
        });
        await expect(functions.call(`${url}?how=half`)).rejects.toThrow();
      });
      it("more requests than its instances take wait, and none is lost", async () => {
        const url = await functions.running("crowded", {
          source: BAD,
          entryPoint: "bad",
          service: { maxInstanceCount: 2, timeoutSeconds: 30 },
        });
        const answers = await Promise.all(Array.from({ length: 6 }, () => functions.call(`${url}?how=slow`)));
        expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(["fine"]));
      });
      it("a caller who leaves while waiting is not served, and nobody waits behind that caller", async () => {
        const source =
          "const seen = []; exports.left = (q, s) => s.send(seen.push(q.query.name) + seen.join());";
        const service = { maxInstanceCount: 1, maxInstanceRequestConcurrency: 1 };
        const url = await functions.running("left", { source, service });
        const figure = async (name: string) =>
          (await functions.send("GET", `${functions.nameOf("left")}/figures`)).body[name];
        const first = request(`${url}?name=first`, { method: "POST", headers: { "content-length": 4 } });
        const answered = new Promise((resolve) => first.once("response", resolve));
        first.write("ha");
        await eventually(async () => (await figure("busy")) === 1, "a request that is under way");
        const gone = new AbortController();
        const left = fetch(`${url}?name=gone`, { signal: gone.signal });
        const patient = functions.call(`${url}?name=patient`);
        await eventually(async () => (await figure("waiting")) === 2, "requests that wait");
        gone.abort();
        await expect(left).rejects.toThrow();
        await eventually(async () => (await figure("waiting")) === 1, "a shorter queue");
        first.end("lf");
        await answered;
        expect((await patient).text).toBe("2first,patient");
      });
      it("processes end when nobody needs them, on the clock", async () => {
        const source =
          "exports.self = (q, s) => s.send(String(process.pid) + process.env.K_REVISION + Math.random());const id = Math.random(); exports.who = (q, s) => s.send(String(id));";
        const url = await functions.running("resting", { source, entryPoint: "who" });
        const first = (await functions.call(url)).text;
        expect((await functions.call(url)).text).toBe(first);
        await instance().clock.advance("2m");
        expect((await functions.call(url)).text).not.toBe(first);
      });
    });

    describe("logs", () => {
      it("know severities and can be followed", async () => {
        const source = `exports.talks = (request, response) => {
          console.log("plain"); console.error("bad"); console.log(JSON.stringify({ severity: "warning", message: "careful" }));
          response.end();
        };`;
        const url = await functions.running("talks", { source });
        const following = await fetch(
          `${instance().url}/functions/v2/${functions.nameOf("talks")}/logs:follow`,
          {
            headers: { authorization: `Bearer ${functions.token}` },
          },
        );
        const reader = following.body!.getReader();
        let heard = Buffer.from((await reader.read()).value!).toString();
        await functions.call(url);
        while (!heard.includes("careful")) heard += Buffer.from((await reader.read()).value!).toString();
        await reader.cancel();
        const lines = await functions.lines("talks");
        expect(lines.map(({ severity, text }) => `${severity} ${text}`).sort()).toEqual([
          "ERROR bad",
          "INFO plain",
          "WARNING careful",
        ]);
      });
    });

    it("no more than fifty follow what one function writes", async () => {
      await functions.running("followed", { source: "exports.followed = (q, s) => s.end();" });
      const leaving = new AbortController();
      const follow = () =>
        fetch(`${instance().url}/functions/v2/${functions.nameOf("followed")}/logs:follow`, {
          headers: { authorization: `Bearer ${functions.token}` },
          signal: leaving.signal,
        });
      const refused = await eventually(async () => {
        const following = await follow();
        return following.status === 429 && following;
      }, "one follower too many");
      expect(((await refused.json()) as { error: object }).error).toMatchObject({
        status: "RESOURCE_EXHAUSTED",
      });
      leaving.abort();
    });

    describe("events", () => {
      const counter = `let calls = 0;
        require("@google-cloud/functions-framework").cloudEvent("takes", (event) => {
          calls += 1;
          console.log("event " + event.id + " " + event.type + " " + JSON.stringify(event.data));
          if (event.data?.fail >= calls) throw new Error("not yet");
        });`;
      const publish = (body: object, headers: Record<string, string> = {}) =>
        instance().bearer("POST", "/_medley/events", { body, headers });
      const trigger = {
        eventType: "order.placed",
        eventFilters: [{ attribute: "shop", value: "north/*", operator: "match-path-pattern" }],
      };
      it("call those that want them, in either HTTP mode", async () => {
        await functions.create("takes", { source: counter, trigger });
        const event = {
          specversion: "1.0",
          id: "e-1",
          source: "/shop",
          type: "order.placed",
          shop: "north/1",
          data: { total: 3 },
        };
        expect((await publish(event)).body).toEqual({ functions: 1 });
        expect((await publish({ ...event, shop: "south/1" })).body).toEqual({ functions: 0 });
        expect(
          (
            await publish(
              { total: 4 },
              { "ce-id": "e-2", "ce-source": "/shop", "ce-type": "order.placed", "ce-shop": "north/2" },
            )
          ).body,
        ).toEqual({ functions: 1 });
        expect((await publish({ specversion: "1.0", type: "x" })).status).toBe(400);
        const lines = await eventually(async () => {
          const all = (await functions.lines("takes")).filter(({ text }) => text.startsWith("event"));
          return all.length === 2 && all;
        }, "two events");
        expect(lines.map(({ text }) => text).sort()).toEqual([
          'event e-1 order.placed {"total":3}',
          'event e-2 order.placed {"total":4}',
        ]);
      });
      it("are tried again where the trigger says so", async () => {
        await functions.create("tries", {
          source: counter.replaceAll("takes", "tries"),
          trigger: { eventType: "retried", retryPolicy: "RETRY_POLICY_RETRY" },
        });
        await functions.create("gives-up", {
          source: counter.replaceAll("takes", "gives-up"),
          trigger: { eventType: "retried" },
        });
        await publish({ specversion: "1.0", id: "e-3", source: "/s", type: "retried", data: { fail: 2 } });
        const countOf = async (id: string) =>
          (await functions.lines(id)).filter(({ text }) => text.startsWith("event")).length;
        await eventually(async () => {
          await instance().clock.advance("10m");
          return (await countOf("tries")) === 3;
        }, "three tries");
        expect(await countOf("gives-up")).toBe(1);
      });
    });
  },
  { functionsIdleSeconds: 60 } as object,
);
