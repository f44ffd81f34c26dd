/** An instance's gateway over HTTP: what it hands on, what it refuses, and what its diagnostics keep of each call. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const VERSION = "api-version=2019-12-01-preview";
const MASKED = "***";

onBothDatabases(
  "a gateway",
  (instance) => {
    const backend = new Backend({
      "/broken": (_request, response) => void response.socket?.destroy(),
      "/silent": () => {},
      "/missing": (_request, response) => void response.writeHead(404).end("no such order"),
      "/hops": (_request, response) =>
        void response
          .writeHead(200, { connection: "x-mine", "x-mine": "1", "keep-alive": "timeout=9", "x-kept": "1" })
          .end("ok"),
    });
    beforeAll(() => backend.start());
    afterAll(() => backend.stop());

    /** Until the other side closes. */
    const raw = (text: string): Promise<string> =>
      new Promise((resolve) => {
        let heard = "";
        const socket = connect(Number(new URL(instance().url).port), "127.0.0.1", () => socket.write(text));
        socket.on("data", (part) => {
          heard += part;
        });
        socket.on("close", () => resolve(heard));
        socket.on("error", () => resolve(heard));
      });

    let count = 0;
    /** An instance of its own, with what one needs to fill it. */
    function newInstance() {
      count += 1;
      const name = `shop${count}`;
      const root = `/management/subscriptions/gateways/resourceGroups/apis/providers/Vendor.ApiManagement/service/${name}`;
      const at = (path: string): string => `${root}/${path}?${VERSION}`;
      const put = async (path: string, properties: object) => {
        const made = await instance().bearer("PUT", at(path), { body: { properties } });
        expect([path, made.status, made.body]).toEqual([
          path,
          expect.toSatisfy((status) => status < 300),
          made.body,
        ]);
        return made.body;
      };
      const api = (properties: object = {}, id = "orders") =>
        put(`apis/${id}`, {
          path: id,
          displayName: id,
          serviceUrl: `${backend.url}/v1`,
          subscriptionRequired: false,
          ...properties,
        });
      const call = (method: string, path: string, options = {}) =>
        instance().send(method, `/gateway/${name}${path}`, options);
      const messages = async (kind: string) => {
        const { body } = await instance().bearer("GET", `/_medley/outbox?kind=${kind}&limit=1000`);
        return body.messages.filter(({ target }: { target: string }) => target.includes(`/${name}/`));
      };
      /** So many, once they are there. */
      const logged = async (wanted: number, kind = "applicationInsights") => {
        let records: any[] = [];
        await eventually(async () => {
          const sent = await messages(kind);
          records = sent
            .filter(({ subject }: { subject: string }) => subject === "GatewayLogs")
            .flatMap(
              ({ body }: { body: any }) => (typeof body === "string" ? JSON.parse(body) : body).records,
            );
          return records.length >= wanted;
        }, `${wanted} records`);
        expect(records).toHaveLength(wanted);
        return records;
      };
      return { name, root, at, put, api, call, logged, messages };
    }

    describe("hands on", () => {
      it("what an API takes, to its backend, by path and by host", async () => {
        const { api, call, name } = newInstance();
        await api();
        const answered = await call("POST", "/orders/7?a=1&b=%20", {
          body: { amount: 3 },
          headers: { "x-own": "kept" },
        });
        expect([answered.status, answered.body]).toEqual([200, { method: "POST", url: "/v1/7?a=1&b=%20" }]);
        expect(answered.headers.get("x-backend")).toBe("yes");
        expect(backend.last).toMatchObject({ method: "POST", body: '{"amount":3}' });
        expect(backend.last.headers).toMatchObject({
          "x-own": "kept",
          host: new URL(backend.url).host,
          "x-forwarded-proto": "http",
          "x-forwarded-host": new URL(instance().url).host,
          "x-forwarded-for": expect.stringMatching(/127\.0\.0\.1$/),
        });
        const byHost = await raw(
          `GET /orders HTTP/1.1\r\nHost: ${name}.api.localhost\r\nConnection: close\r\n\r\n`,
        );
        expect(byHost).toContain('{"method":"GET","url":"/v1"}');
      });
      it("to the API of the longest path, and to none by half a word", async () => {
        const { api, call } = newInstance();
        await api({ path: "" }, "all");
        await api({ path: "orders", serviceUrl: `${backend.url}/short` }, "short");
        await api({ path: "orders/archive", serviceUrl: `${backend.url}/long` }, "long");
        expect((await call("GET", "/orders/archive/1")).body.url).toBe("/long/1");
        expect((await call("GET", "/Orders/1")).body.url).toBe("/short/1");
        expect((await call("GET", "/ordersx/1")).body.url).toBe("/v1/ordersx/1");
      });
      it("what the declared operations take, and nothing else", async () => {
        const { api, call, put, at } = newInstance();
        await api();
        const operation = (id: string, method: string, urlTemplate: string) =>
          put(`apis/orders/operations/${id}`, { displayName: id, method, urlTemplate });
        await operation("read", "get", "/{id}");
        await operation("newest", "GET", "/newest");
        await operation("files", "PUT", "/{id}/files/*");
        expect((await call("GET", "/orders/7")).status).toBe(200);
        expect((await call("PUT", "/orders/7/files/a/b")).status).toBe(200);
        for (const [method, path] of [
          ["POST", "/orders/7"],
          ["GET", "/orders"],
          ["GET", "/orders/7/8"],
          ["PUT", "/orders/7/file"],
          ["GET", "/elsewhere"],
        ] as const) {
          const refused = await call(method, path);
          expect([path, refused.status, refused.body]).toEqual([
            path,
            404,
            { statusCode: 404, message: "Resource not found" },
          ]);
        }
        const listed = await instance().bearer("GET", at("apis/orders/operations"));
        expect(listed.body.value.map(({ name }: { name: string }) => name)).toEqual([
          "files",
          "newest",
          "read",
        ]);
      });
      it("nothing that is between two neighbours only, either way", async () => {
        const { api, call } = newInstance();
        await api();
        const answered = await call("GET", "/orders/hops", {
          headers: {
            "x-secret-hop": "1",
            "proxy-authorization": "Basic x",
            te: "trailers",
            "x-medley-check": "1",
          },
        });
        for (const name of ["proxy-authorization", "te", "x-medley-check"])
          expect(backend.last.headers).not.toHaveProperty(name);
        expect(answered.headers.get("x-kept")).toBe("1");
        expect(answered.headers.get("x-mine")).toBeNull();
      });
    });

    describe("refuses", () => {
      it("whoever has no key where one is needed", async () => {
        const { api, call, put, at } = newInstance();
        await api({ subscriptionRequired: true });
        await api({ subscriptionRequired: true }, "other");
        await put("subscriptions/mobile", { scope: "/apis/orders", displayName: "Mobile" });
        const keys = (await instance().bearer("POST", at("subscriptions/mobile/listSecrets"))).body;
        const withKey = (key: string, path = "/orders") =>
          call("GET", path, { headers: { "ocp-apim-subscription-key": key } });
        const none = await call("GET", "/orders");
        expect([none.status, none.body.statusCode, none.headers.get("www-authenticate")]).toEqual([
          401,
          401,
          expect.stringContaining('name="Ocp-Apim-Subscription-Key"'),
        ]);
        expect((await withKey("wrong")).status).toBe(401);
        expect((await withKey(keys.primaryKey)).status).toBe(200);
        expect((await call("GET", `/orders?subscription-key=${keys.secondaryKey}`)).status).toBe(200);
        expect((await withKey(keys.primaryKey, "/other")).status).toBe(401);
        await instance().bearer("POST", at("subscriptions/mobile/regeneratePrimaryKey"));
        expect((await withKey(keys.primaryKey)).status).toBe(401);
        expect((await withKey(keys.secondaryKey)).status).toBe(200);
        await put("subscriptions/mobile", { scope: "/apis", displayName: "Mobile", state: "suspended" });
        expect((await withKey(keys.secondaryKey)).status).toBe(401);
      });
      it("paths that lead elsewhere, upgrades, loops, and addresses that nobody has", async () => {
        const { api, call, name } = newInstance();
        await api();
        await api({ serviceUrl: `${instance().url}/gateway/${name}/loop` }, "loop");
        const before = backend.asked.length;
        for (const path of ["/orders/../../admin", "/orders/%2e%2e/admin", "/orders/.%2E/admin"])
          expect(
            await raw(`GET /gateway/${name}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
          ).toMatch(/^HTTP\/1.1 400 /);
        expect(
          await raw(
            `POST /gateway/${name}/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
          ),
        ).toMatch(/^HTTP\/1.1 400 /);
        const upgrade = "Connection: upgrade, close\r\nUpgrade: websocket\r\n";
        expect(await raw(`GET /gateway/${name}/orders HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`)).toMatch(
          /^HTTP\/1.1 501 /,
        );
        expect(backend.asked.length).toBe(before);
        expect((await call("GET", "/loop")).status).toBe(508);
        expect((await instance().send("GET", "/gateway/nobody/orders")).status).toBe(404);
        expect((await instance().send("GET", "/gateway/%00/orders")).status).toBe(400);
      });
      it("in plain words where the backend fails, does not answer, or is not there", async () => {
        const { api, call } = newInstance();
        await api();
        await api({ serviceUrl: "http://127.0.0.1:9" }, "closed");
        await api({ serviceUrl: "http://169.254.169.254/" }, "private");
        await api({ serviceUrl: undefined }, "nowhere");
        for (const [path, status] of [
          ["/orders/broken", 502],
          ["/closed", 502],
          ["/private", 502],
          ["/nowhere", 502],
          ["/orders/silent", 504],
        ] as const) {
          const failed = await call("GET", path);
          expect([path, failed.status, failed.body.statusCode]).toEqual([path, status, status]);
          expect(failed.text).not.toContain("169.254");
        }
      });
    });

    describe("logs", () => {
      const loggerId = "/loggers/main";
      it("as each diagnostic wants it, and an API's own in the place of the instance's", async () => {
        const { api, call, put, logged, at } = newInstance();
        await api();
        await api({}, "quiet");
        await put("loggers/main", {
          loggerType: "applicationInsights",
          credentials: { instrumentationKey: "11111111-2222-4333-8444-555555555555" },
        });
        const kept = { headers: ["X-Kept", "Content-Type"], body: { bytes: 4 } };
        await put("diagnostics/applicationinsights", {
          loggerId,
          logClientIp: true,
          verbosity: "verbose",
          frontend: { request: kept, response: { body: { bytes: 8 } } },
          backend: { request: { headers: ["host"] }, response: { headers: ["x-backend"] } },
        });
        await put("apis/quiet/diagnostics/applicationinsights", { loggerId, sampling: { percentage: 0 } });
        await call("GET", "/quiet/1");
        await call("POST", "/orders/7?a=1", {
          body: "h\u00e9\u00e9llo",
          headers: { "content-type": "text/plain", "x-kept": "yes", "x-other": "no" },
        });
        const [record] = await logged(1);
        expect(record).toMatchObject({
          category: "GatewayLogs",
          isRequestSuccess: true,
          callerIpAddress: expect.stringContaining("127.0.0.1"),
          resourceId: expect.stringContaining("/service/shop"),
          properties: {
            method: "POST",
            apiId: "orders",
            responseCode: 200,
            backendResponseCode: 200,
            backendUrl: `${backend.url}/v1/7?a=1`,
            requestHeaders: { "X-Kept": "yes", "Content-Type": "text/plain" },
            // Four bytes: the letter that would be cut is left out.
            requestBody: "h\u00e9",
            responseBody: '{"method',
            requestSize: 8,
            backendRequestHeaders: { host: new URL(backend.url).host },
            backendResponseHeaders: { "x-backend": "yes" },
            traceRecords: expect.arrayContaining([expect.objectContaining({ source: "forward-request" })]),
          },
        });
        expect(record.properties).not.toHaveProperty("responseHeaders");
        const shown = await instance().bearer("GET", at("traffic"));
        expect(shown.body.value.map(({ api: of, kept: [one] }: any) => [of, one.isLogged, one.of])).toEqual([
          ["quiet", false, "api"],
          ["orders", true, "instance"],
        ]);
      });
      it("only what lies within the sample, and errors whatever it says", async () => {
        const { api, call, put, logged } = newInstance();
        await api();
        await put("diagnostics/monitor", {
          loggerId: "/loggers/m",
          sampling: { samplingType: "fixed", percentage: 0 },
          alwaysLog: "allErrors",
        });
        await call("GET", "/orders/1");
        await call("GET", "/orders/missing");
        const [record] = await logged(1, "azureMonitor");
        expect(record).toMatchObject({ isRequestSuccess: false, properties: { responseCode: 404 } });
      });
      it("nothing of what is masked, and no key", async () => {
        const { api, call, put, logged } = newInstance();
        await api({ subscriptionRequired: false });
        const dataMasking = {
          headers: [
            { value: "authorization", mode: "Mask" },
            { value: "X-Hidden", mode: "Hide" },
          ],
          queryParams: [
            { value: "card", mode: "Mask" },
            { value: "pin", mode: "Hide" },
          ],
        };
        const request = { headers: ["Authorization", "x-hidden", "x-open"], dataMasking };
        await put("diagnostics/applicationinsights", {
          loggerId,
          frontend: { request },
          backend: { request },
        });
        await call("GET", "/orders?card=4111&pin=1234&open=1&subscription-key=secret&c%61rd=5", {
          headers: { authorization: "Bearer x", "x-hidden": "h", "x-open": "o" },
        });
        const [{ properties }] = await logged(1);
        const query = `card=${MASKED}&open=1&subscription-key=${MASKED}&c%61rd=${MASKED}`;
        expect(properties.url.split("?")[1]).toBe(query);
        expect(properties.backendUrl.split("?")[1]).toBe(query);
        expect(properties.requestHeaders).toEqual({ Authorization: MASKED, "x-open": "o" });
        expect(backend.last.headers.authorization).toBe("Bearer x");
      });
      it("under the mark that callers and backends share", async () => {
        const { api, call, put, logged } = newInstance();
        await api();
        await put("diagnostics/applicationinsights", { loggerId, httpCorrelationProtocol: "W3C" });
        const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        await call("GET", "/orders", { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
        expect(backend.last.headers.traceparent).toMatch(
          new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`),
        );
        const [record] = await logged(1);
        expect(record).toMatchObject({ correlationId: trace, parentId: "00f067aa0ba902b7" });
        await put("diagnostics/applicationinsights", { loggerId, httpCorrelationProtocol: "Legacy" });
        await call("GET", "/orders", { headers: { "request-id": "|abc.1." } });
        expect(backend.last.headers["request-id"]).toMatch(/^\|abc\.1\.[0-9a-f]{16}_$/);
      });
      it("from the next call on when a diagnostic changes, and nothing once it is gone", async () => {
        const { api, call, put, at, logged, messages } = newInstance();
        await api();
        await put("diagnostics/applicationinsights", { loggerId, sampling: { percentage: 0 } });
        await call("GET", "/orders/1");
        await put("diagnostics/applicationinsights", { loggerId });
        await call("GET", "/orders/2");
        await instance().bearer("DELETE", at("diagnostics/applicationinsights"), {
          headers: { "if-match": "*" },
        });
        await call("GET", "/orders/3");
        const [record] = await logged(1);
        expect(record.properties.url).toContain("/orders/2");
        const traffic = (await instance().bearer("GET", at("traffic"))).body.value;
        expect(traffic.map(({ kept }: any) => kept.length)).toEqual([1, 1, 0]);
        expect(await messages("applicationInsights")).toHaveLength(1);
      });
      it("and counts, where metrics are asked for", async () => {
        const { api, call, put, messages } = newInstance();
        await api();
        await put("diagnostics/applicationinsights", {
          loggerId,
          metrics: true,
          sampling: { percentage: 0 },
        });
        await Promise.all([1, 2, 3].map(() => call("GET", "/orders")));
        let requests = 0;
        await eventually(async () => {
          const sent = await messages("applicationInsights");
          const bodies = sent.map(({ body }: { body: any }) =>
            typeof body === "string" ? JSON.parse(body) : body,
          );
          requests = bodies
            .flatMap(({ metrics = [] }: any) => metrics)
            .reduce((sum: number, { Requests }: any) => sum + Requests, 0);
          return requests >= 3;
        }, "three calls counted");
        expect(requests).toBe(3);
      });
      it("to the endpoint that a logger names, as the telemetry it takes", async () => {
        const { api, call, put } = newInstance();
        await api();
        await put("loggers/main", {
          loggerType: "applicationInsights",
          isBuffered: false,
          credentials: { connectionString: `InstrumentationKey=abc;IngestionEndpoint=${backend.url}/ingest` },
        });
        await put("diagnostics/applicationinsights", { loggerId });
        await call("GET", "/orders/5");
        await eventually(() => backend.asked.some(({ url }) => url === "/ingest/v2.1/track"), "a delivery");
        const sent = JSON.parse(backend.asked.find(({ url }) => url === "/ingest/v2.1/track")?.body ?? "[]");
        expect(sent).toMatchObject([
          { iKey: "abc", data: { baseType: "RequestData", baseData: { responseCode: "200" } } },
        ]);
      });
    });

    it("keeps a logger that a diagnostic uses, and shows none of its credentials", async () => {
      const { put, at, api } = newInstance();
      await api();
      const made = await put("loggers/hub", {
        loggerType: "azureEventHub",
        credentials: { name: "calls", connectionString: "Endpoint=sb://x/;SharedAccessKey=secret" },
      });
      expect(made.properties.credentials).toEqual({
        name: "{{Logger-Credentials-name}}",
        connectionString: "{{Logger-Credentials-connectionString}}",
      });
      await put("apis/orders/diagnostics/hub", { loggerId: "/loggers/hub" });
      const remove = (path: string) =>
        instance().bearer("DELETE", at(path), { headers: { "if-match": "*" } });
      expect([(await remove("loggers/hub")).status, (await remove("loggers/hub")).body.error.code]).toEqual([
        409,
        "ResourceInUse",
      ]);
      expect((await remove("apis/orders/diagnostics/hub")).status).toBe(200);
      expect((await remove("loggers/hub")).status).toBe(200);
    });
    it("shows its traffic on a page that asks for a token itself", async () => {
      const page = await instance().send("GET", "/management/gateway-traffic");
      expect([page.status, page.headers.get("content-type")]).toEqual([
        200,
        expect.stringContaining("text/html"),
      ]);
    });
    it("says what is wrong with settings", async () => {
      const { api, at, put } = newInstance();
      await api();
      const refused = async (path: string, properties: object) => {
        const { status, body } = await instance().bearer("PUT", at(path), { body: { properties } });
        return [status, body.error?.code];
      };
      const invalid = [400, "ValidationError"];
      expect(await refused("apis/other", { path: "/orders/", displayName: "x" })).toEqual(invalid);
      expect(await refused("apis/other", { path: "a b", displayName: "x" })).toEqual(invalid);
      for (const serviceUrl of ["ftp://x", "http://a@b/", "http://x/?q=1", "nonsense"])
        expect(await refused("apis/other", { path: "other", displayName: "x", serviceUrl })).toEqual(invalid);
      expect(
        await refused("apis/orders/operations/x", { displayName: "x", method: "G T", urlTemplate: "/" }),
      ).toEqual(invalid);
      expect(
        await refused("apis/orders/operations/x", { displayName: "x", method: "GET", urlTemplate: "x" }),
      ).toEqual(invalid);
      expect(await refused("loggers/x", { loggerType: "azureEventHub", credentials: { name: "x" } })).toEqual(
        invalid,
      );
      expect(await refused("subscriptions/x", { scope: "/products/x", displayName: "x" })).toEqual(invalid);
      expect(await refused("diagnostics/x", { loggerId: "anything" })).toEqual(invalid);
      await put("loggers/monitor", { loggerType: "azureMonitor" });
    });
  },
  { services: ["api-diagnostics"], gatewayTimeoutSeconds: 2 } as object,
);
