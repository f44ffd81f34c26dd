/** What an instance's diagnostics keep of each call, over HTTP. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { newGateway } from "../../../tests/support/gateway.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const MASKED = "***";

onBothDatabases(
  "a gateway logs",
  (instance) => {
    const backend = new Backend({
      "/missing": (_request, response) => void response.writeHead(404).end("no such order"),
    });
    beforeAll(() => backend.start());
    afterAll(() => backend.stop());
    const newInstance = () => newGateway(instance, backend);
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
    it("in the words of whoever reads them, and texts of callers as they came", async () => {
      const { api, call, put, logged, at, root } = newInstance();
      await api({ subscriptionRequired: true });
      await put("loggers/main", {
        loggerType: "applicationInsights",
        credentials: { instrumentationKey: "11111111-2222-4333-8444-555555555555" },
      });
      await put("diagnostics/applicationinsights", {
        loggerId,
        frontend: {
          request: { headers: ["apimSubscriptionId", "gatewaySubscriptionId"], body: { bytes: 99 } },
        },
      });
      await put("subscriptions/mobile", { scope: `${root}/apis/orders`, displayName: "Mobile" });
      const { body: keys } = await instance().bearer("POST", at("subscriptions/mobile/listSecrets"), {});
      const body = '{"apimSubscriptionId":"Vendor.ApiManagement","gatewaySubscriptionId":"x"}';
      const written = { apimSubscriptionId: "a", gatewaySubscriptionId: "b" };
      const headers = { "Ocp-Apim-Subscription-Key": keys.primaryKey, ...written };
      expect((await call("POST", "/orders/7", { body, headers })).status).toBe(200);
      const [kept] = await logged(1);
      const id = root.replace("/management", "");
      expect(kept).toMatchObject({ resourceId: id, properties: { gatewaySubscriptionId: "mobile" } });
      const read = async (path: string) => (await instance().bearer("GET", path)).body.value[0].kept[0];
      const ours = await read(at("traffic"));
      const makers = await read(at("traffic").replace("Vendor.", "Microsoft."));
      const makersRoot = id.replace("Vendor.", "Microsoft.");
      expect(ours.record.properties).toMatchObject({ gatewaySubscriptionId: "mobile", requestBody: body });
      expect(ours.record.properties).not.toHaveProperty("apimSubscriptionId");
      expect(makers.logger).toBe(`${makersRoot}/loggers/main`);
      expect(makers.record.resourceId).toBe(makersRoot);
      expect(makers.record.properties).toMatchObject({ apimSubscriptionId: "mobile", requestBody: body });
      expect(makers.record.properties).not.toHaveProperty("gatewaySubscriptionId");
      for (const { record } of [ours, makers]) expect(record.properties.requestHeaders).toEqual(written);
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
        backend: { request: { headers: request.headers } },
      });
      await call("GET", "/orders?card=4111&pin=1234&open=1&subscription-key=secret&c%61rd=5", {
        headers: { authorization: "Bearer x", "x-hidden": "h", "x-open": "o" },
      });
      const [{ properties }] = await logged(1);
      const query = `card=${MASKED}&open=1&subscription-key=${MASKED}&c%61rd=${MASKED}`;
      expect(properties.url.split("?")[1]).toBe(query);
      expect(properties.backendUrl.split("?")[1]).toBe(query);
      expect(properties.requestHeaders).toEqual({ Authorization: MASKED, "x-open": "o" });
      expect(properties.backendRequestHeaders).toEqual({ Authorization: MASKED, "x-open": "o" });
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

    it("to the hub that a logger names, signed with its key", async () => {
      const { api, call, put } = newInstance();
      await api();
      const [keyName, key] = ["sender", "c2VjcmV0IG9mIHRoZSBodWI="];
      await put("loggers/hub", {
        loggerType: "azureEventHub",
        isBuffered: false,
        credentials: {
          name: "calls",
          connectionString: `Endpoint=${backend.url}/;SharedAccessKeyName=${keyName};SharedAccessKey=${key}`,
        },
      });
      await put("diagnostics/hub", { loggerId: "/loggers/hub" });
      await call("GET", "/orders/6");
      await eventually(() => backend.asked.some(({ url }) => url === "/calls/messages"), "a delivery");
      const sent = backend.asked.find(({ url }) => url === "/calls/messages");
      expect(JSON.parse(sent?.body ?? "").records).toMatchObject([{ properties: { responseCode: 200 } }]);
      const [scheme, members = ""] = sent?.headers.authorization?.split(" ") ?? [];
      const { sr, se, skn, sig } = Object.fromEntries(new URLSearchParams(members));
      expect([scheme, sr, skn]).toEqual(["SharedAccessSignature", `${backend.url}/calls`, keyName]);
      const signed = createHmac("sha256", key).update(`${encodeURIComponent(sr ?? "")}\n${se}`);
      expect(sig).toBe(signed.digest("base64"));
    });
    it("to loggers that stay while a diagnostic uses them, and show none of their credentials", async () => {
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
  },
  { services: ["api-diagnostics"] } as object,
);
