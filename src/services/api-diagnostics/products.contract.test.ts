/** Products and backends over HTTP: whom a key lets in, whose policies count, and when a backend is left alone. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { newGateway } from "../../../tests/support/gateway.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const KEY = "ocp-apim-subscription-key";
const MATCH = { headers: { "if-match": "*" } };
const inbound = (text: string) => ({
  format: "rawxml",
  value: `<policies><inbound><base />${text}</inbound></policies>`,
});
const level = (name: string) =>
  inbound(`<set-header name="X-Levels" exists-action="append"><value>${name}</value></set-header>`);

onBothDatabases(
  "products and backends",
  (instance) => {
    let status = 200;
    const backend = new Backend({
      "/flaky": (_request, response) =>
        void response.writeHead(status, { "retry-after": "300" }).end(`status ${status}`),
      "/broken": (_request, response) => void response.socket?.destroy(),
    });
    beforeAll(() => backend.start());
    afterAll(() => backend.stop());

    async function shop() {
      const gateway = newGateway(instance, backend);
      await gateway.api({ subscriptionRequired: true });
      await gateway.api({ subscriptionRequired: true }, "other");
      await gateway.put("products/partners", { displayName: "Partners" });
      const send = (method: string, path: string, body?: object) =>
        instance().bearer(method, gateway.at(path), { ...MATCH, ...(body && { body }) });
      const keyOf = async (sid: string, scope: string) => {
        await gateway.put(`subscriptions/${sid}`, { scope, displayName: sid });
        return (await send("POST", `subscriptions/${sid}/listSecrets`)).body.primaryKey;
      };
      const asked = async (path: string, key?: string) =>
        (await gateway.call("GET", path, { headers: key === undefined ? {} : { [KEY]: key } })).status;
      return { ...gateway, send, keyOf, asked };
    }

    it("a key to a product opens its APIs, and no others", async () => {
      const { send, keyOf, asked } = await shop();
      const key = await keyOf("ann", "/products/partners");
      expect(await asked("/orders/1", key)).toBe(401);
      expect((await send("HEAD", "products/partners/apis/orders")).status).toBe(404);
      expect((await send("PUT", "products/partners/apis/orders")).status).toBe(201);
      const again = await send("PUT", "products/partners/apis/Orders");
      expect([again.status, again.body.name]).toEqual([200, "orders"]);
      expect((await send("HEAD", "products/partners/apis/orders")).status).toBe(204);
      expect([await asked("/orders/1", key), await asked("/other/1", key)]).toEqual([200, 401]);
      const missing = await send("PUT", "products/partners/apis/none");
      expect([missing.status, missing.body.error.code]).toEqual([400, "ValidationError"]);
      const names = async (path: string) =>
        (await send("GET", path)).body.value.map(({ name }: { name: string }) => name);
      expect(await names("products/partners/apis")).toEqual(["orders"]);
      expect(await names("products/partners/subscriptions")).toEqual(["ann"]);
      expect([await names("apis/orders/products"), await names("apis/other/products")]).toEqual([
        ["partners"],
        [],
      ]);
      // A change of the product keeps what is in it.
      await send("PATCH", "products/partners", { properties: { displayName: "Friends" } });
      expect(await asked("/orders/1", key)).toBe(200);
      expect((await send("DELETE", "products/partners/apis/orders")).status).toBe(200);
      expect((await send("DELETE", "products/partners/apis/orders")).status).toBe(204);
      expect(await asked("/orders/1", key)).toBe(401);
    });

    it("a product needs no key where it says so, and none is deleted with subscriptions unawares", async () => {
      const { put, send, keyOf, asked, at } = await shop();
      await send("PUT", "products/partners/apis/orders");
      expect(await asked("/orders/1")).toBe(401);
      await put("products/partners", { displayName: "Partners", subscriptionRequired: false });
      expect([await asked("/orders/1"), await asked("/other/1")]).toEqual([200, 401]);
      await put("products/partners", { displayName: "Partners" });
      const key = await keyOf("ann", "/products/partners");
      const refused = await send("DELETE", "products/partners");
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        expect.stringContaining("has subscriptions"),
      ]);
      const gone = await instance().bearer(
        "DELETE",
        `${at("products/partners")}&deleteSubscriptions=true`,
        MATCH,
      );
      expect(gone.status).toBe(200);
      expect((await send("GET", "subscriptions/ann")).status).toBe(404);
      expect(await asked("/orders/1", key)).toBe(401);
    });

    it("a product decides how subscriptions to it begin, and how many one owner has", async () => {
      const { put, send } = await shop();
      await put("products/partners", { displayName: "P", approvalRequired: true, subscriptionsLimit: 1 });
      const scope = "/products/partners";
      expect(
        (await put("subscriptions/one", { scope, displayName: "1", ownerId: "/users/1" })).properties.state,
      ).toBe("submitted");
      const second = { properties: { scope, displayName: "2", ownerId: "/users/1" } };
      const refused = await send("PUT", "subscriptions/two", second);
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        expect.stringContaining("at the most"),
      ]);
      await put("subscriptions/three", { scope, displayName: "3", ownerId: "/users/2" });
      const none = { properties: { scope: "/products/none", displayName: "4" } };
      expect((await send("PUT", "subscriptions/four", none)).status).toBe(400);
    });

    it("its policies stand between those of the instance and of the API", async () => {
      const { put, send, keyOf, asked } = await shop();
      await send("PUT", "products/partners/apis/orders");
      await put("policies/policy", level("service"));
      await put(
        "products/partners/policies/policy",
        inbound(
          `<set-header name="X-Levels" exists-action="append"><value>@("product " + context.Product.Id + " " + context.Product.Name)</value></set-header>`,
        ),
      );
      await put("apis/orders/policies/policy", level("api"));
      expect(await asked("/orders/1", await keyOf("ann", "/products/partners"))).toBe(200);
      expect(backend.last.headers["x-levels"]).toBe("service, product partners Partners, api");
      expect(await asked("/orders/1", await keyOf("bob", "/apis"))).toBe(200);
      expect(backend.last.headers["x-levels"]).toBe("service, api");
    });

    it("policies lead to backends by name, with what those ask for", async () => {
      const { api, put, send, call } = newShop();
      await api();
      await put("namedValues/key", { displayName: "orders-key", value: "open sesame", secret: true });
      const unknown = await send("PUT", "apis/orders/policies/policy", {
        properties: inbound('<set-backend-service backend-id="second" />'),
      });
      expect([unknown.status, unknown.body.error.message]).toEqual([
        400,
        expect.stringContaining("There is no backend 'second'."),
      ]);
      await put("backends/second", {
        url: `${backend.url}/second`,
        protocol: "http",
        credentials: {
          header: { "x-key": ["{{orders-key}}"] },
          query: { code: ["7"] },
          authorization: { scheme: "Basic", parameter: "YTpi" },
        },
      });
      await put("apis/orders/policies/policy", inbound('<set-backend-service backend-id="Second" />'));
      const { body } = await call("GET", "/orders/1?a=1", { headers: { "x-key": "mine" } });
      expect(body.url).toBe("/second/1?a=1&code=7");
      expect(backend.last.headers).toMatchObject({ "x-key": "open sesame", authorization: "Basic YTpi" });
      const read = await send("GET", "backends/second");
      expect(read.text).not.toContain("YTpi");
      expect(read.body.properties).toEqual({ url: `${backend.url}/second`, protocol: "http" });
      await send("DELETE", "backends/second");
      expect((await call("GET", "/orders/1")).status).toBe(502);
    });
    function newShop() {
      const gateway = newGateway(instance, backend);
      const send = (method: string, path: string, body?: object) =>
        instance().bearer(method, gateway.at(path), { ...MATCH, ...(body && { body }) });
      return { ...gateway, send };
    }

    it("a circuit breaker trips by its rules, and recovers on the clock", async () => {
      const { api, put, call } = newShop();
      await api();
      const breaker = (rule: object) => ({
        url: `${backend.url}/v1`,
        protocol: "http",
        circuitBreaker: { rules: [{ tripDuration: "PT2M", ...rule }] },
      });
      await put(
        "backends/flaky",
        breaker({
          failureCondition: { count: 2, interval: "PT1M", statusCodeRanges: [{ min: 500, max: 599 }] },
        }),
      );
      await put("apis/orders/policies/policy", inbound('<set-backend-service backend-id="flaky" />'));
      const ask = async (path = "/orders/flaky") => (await call("GET", path)).status;
      status = 503;
      expect(await ask()).toBe(503);
      await instance().clock.advance("61s");
      // The first failure is too long ago to count.
      expect(await ask()).toBe(503);
      const before = backend.asked.length;
      expect([await ask(), backend.asked.length - before]).toEqual([503, 1]);
      const open = await call("GET", "/orders/flaky");
      expect([open.status, open.headers.get("retry-after"), open.body.message]).toEqual([
        503,
        "120",
        expect.stringContaining("left alone"),
      ]);
      expect(backend.asked.length - before).toBe(1);
      status = 200;
      await instance().clock.advance("119s");
      expect(await ask()).toBe(503);
      await instance().clock.advance("2s");
      expect([await ask(), backend.asked.length - before]).toEqual([200, 2]);
      // By its own Retry-After, and by connections that fail.
      await put(
        "backends/flaky",
        breaker({
          failureCondition: { count: 1, interval: "PT1M", statusCodeRanges: [{ min: 429, max: 429 }] },
          acceptRetryAfter: true,
        }),
      );
      status = 429;
      expect(await ask()).toBe(429);
      expect((await call("GET", "/orders/flaky")).headers.get("retry-after")).toBe("300");
      await put(
        "backends/flaky",
        breaker({
          failureCondition: { count: 1, interval: "PT1M", errorReasons: ["BackendConnectionFailure"] },
        }),
      );
      expect([await ask("/orders/broken"), await ask("/orders/broken")]).toEqual([502, 503]);
    });

    it.each([
      ["an address that is none", { url: "ftp://x" }, "url"],
      ["a pool", { pool: { services: [] } }, "pool is not supported"],
      ["certificates", { credentials: { certificate: ["x"] } }, "Certificates"],
      ["a header that cannot be", { credentials: { header: { "a b": ["1"] } } }, "name of a header"],
      [
        "a duration that is none",
        {
          circuitBreaker: {
            rules: [
              {
                failureCondition: { count: 1, interval: "1m", errorReasons: ["Timeout"] },
                tripDuration: "PT1M",
              },
            ],
          },
        },
        "interval must be a duration",
      ],
      [
        "a rule without a condition",
        {
          circuitBreaker: {
            rules: [{ failureCondition: { count: 1, interval: "PT1M" }, tripDuration: "PT1M" }],
          },
        },
        "statusCodeRanges or errorReasons",
      ],
      [
        "a percentage",
        {
          circuitBreaker: {
            rules: [
              {
                failureCondition: { count: 1, percentage: 5, interval: "PT1M", errorReasons: ["Timeout"] },
                tripDuration: "PT1M",
              },
            ],
          },
        },
        "percentage is not supported",
      ],
    ])("a backend is refused with %s", async (_what, properties, told) => {
      const { api, send } = newShop();
      await api();
      const made = await send("PUT", "backends/wrong", {
        properties: { url: backend.url, protocol: "http", ...properties },
      });
      expect([made.status, made.body.error?.code]).toEqual([400, "ValidationError"]);
      expect(made.body.error.message).toContain(told);
    });

    it("a document is answered in the format that is asked for", async () => {
      const { api, put, at } = newShop();
      await api();
      const raw = `<policies><inbound><choose><when condition="@(context.Request.Method == "GET" && 1 < 2)"><set-header name="X" exists-action="override"><value>@("<" + "a")</value></set-header></when></choose></inbound></policies>`;
      const escaped = raw
        .replace('"GET" && 1 < 2', "&quot;GET&quot; &amp;&amp; 1 &lt; 2")
        .replace('@("<" + "a")', "@(&quot;&lt;&quot; + &quot;a&quot;)");
      const path = at("apis/orders/policies/policy");
      const read = async (format: string) =>
        (await instance().bearer("GET", `${path}&format=${format}`)).body.properties;
      for (const stored of [
        { format: "rawxml", value: raw },
        { format: "xml", value: escaped },
      ]) {
        await put("apis/orders/policies/policy", stored);
        expect(await read("rawxml")).toEqual({ format: "rawxml", value: raw });
        expect(await read("xml")).toEqual({ format: "xml", value: escaped });
        expect((await instance().bearer("GET", path)).body.properties).toEqual(stored);
      }
    });
  },
  { services: ["api-diagnostics", "resource-manager"], provisioningSeconds: 0 },
);
