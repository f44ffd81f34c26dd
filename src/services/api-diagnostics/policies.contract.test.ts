/** Policies over HTTP: what each of them does to calls, at which level, and what is refused when it is stored. */
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { newGateway } from "../../../tests/support/gateway.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const SECRET = Buffer.from("0123456789abcdef0123456789abcdef");

onBothDatabases(
  "gateway policies",
  (instance) => {
    let failures = 0;
    const backend = new Backend({
      "/flaky": (_request, response) => {
        failures -= 1;
        response.writeHead(failures >= 0 ? 503 : 200, { "content-type": "text/plain" }).end("at last");
      },
      "/broken": (_request, response) => void response.socket?.destroy(),
    });
    beforeAll(() => backend.start());
    afterAll(() => backend.stop());

    async function gatewayWith(sections: string, format = "rawxml") {
      const gateway = newGateway(instance, backend);
      await gateway.api();
      const value = `<policies>${sections}</policies>`;
      await gateway.put("apis/orders/policies/policy", { format, value });
      return gateway;
    }
    /** Signed by the identity service. */
    async function tokenOfAnn(): Promise<string> {
      const address = "https://shop.example.org";
      const { body: client } = await instance().bearer("POST", "/identity/client", {
        body: { client_name: "Shop", client_uri: address, redirect_uris: [`${address}/answer`] },
      });
      const { body } = await instance().send("POST", "/contributions/1/token", {
        body: new URLSearchParams({
          grant_type: "password",
          scope: "full",
          username: "ann",
          password: "ann-password-1",
          client_id: client.client_id,
          client_secret: client.client_secret,
        }),
      });
      return body.access_token;
    }
    const inbound = (text: string) => gatewayWith(`<inbound><base />${text}</inbound>`);

    it("what callers send leads no rewritten path elsewhere, and makes no headers", async () => {
      const named = await inbound('<rewrite-uri template="/archive/{part}" />');
      const asked = (part: string) => named.call("GET", `/orders/7?part=${part}`);
      expect((await asked("a%2Fb")).body.url).toBe("/v1/archive/a%2Fb");
      const seen = backend.asked.length;
      for (const part of ["..", ".", "%2e%2e", "..%2F..%2Fadmin"]) {
        const { status, body } = await asked(part);
        if (status === 200) expect(body.url).toMatch(/^\/v1\/archive\/[^/]+$/);
        else expect(status).toBe(400);
      }
      expect(backend.asked.slice(seen).filter(({ url }) => !url.startsWith("/v1/archive/"))).toEqual([]);
      const free = await inbound(
        `<rewrite-uri template="@("/archive/" + context.Request.OriginalUrl.Query.GetValueOrDefault("part", ""))" />
        <set-header name="X-Part" exists-action="override">
          <value>@(context.Request.OriginalUrl.Query.GetValueOrDefault("part", ""))</value></set-header>`,
      );
      for (const part of ["../../admin", "..\\..\\admin", "%252e%252e/admin", "x/..", "a/./b"])
        expect([part, (await free.call("GET", `/orders/7?part=${part}`)).status]).toEqual([part, 400]);
      expect((await free.call("GET", "/orders/7?part=a%0d%0aX-Made:%201")).status).toBe(200);
      expect(backend.last.headers["x-made"]).toBeUndefined();
      expect(backend.last.headers["x-part"]).toBe("a??X-Made: 1");
    });

    it("headers, parameters, paths and backends are changed by expressions", async () => {
      const { call, put } = await inbound(`
        <set-variable name="who" value="@(context.Request.Headers.GetValueOrDefault("X-User", "nobody").ToUpper())" />
        <set-header name="X-Who" exists-action="override"><value>@((string)context.Variables["who"] + "/" + context.Request.Method)</value></set-header>
        <set-header name="X-Drop" exists-action="delete" />
        <set-query-parameter name="lang" exists-action="skip"><value>en</value></set-query-parameter>
        <choose>
          <when condition="@(context.Request.OriginalUrl.Query.GetValueOrDefault("old") == "1")">
            <rewrite-uri template="/archive/{id}?by={lang}" />
          </when>
          <otherwise><set-header name="X-New" exists-action="append"><value>yes</value></set-header></otherwise>
        </choose>`);
      await put("apis/orders/operations/read", { displayName: "read", method: "GET", urlTemplate: "/{id}" });
      expect((await call("GET", "/orders/7", { headers: { "x-user": "ann", "x-drop": "1" } })).body.url).toBe(
        "/v1/7?lang=en",
      );
      expect(backend.last.headers).toMatchObject({ "x-who": "ANN/GET", "x-new": "yes" });
      expect(backend.last.headers["x-drop"]).toBeUndefined();
      expect((await call("GET", "/orders/7?old=1&lang=de")).body.url).toBe("/v1/archive/7?old=1&by=de");
      const moved = await inbound(`<set-backend-service base-url="${backend.url}/other" />`);
      expect((await moved.call("GET", "/orders/7")).body.url).toBe("/other/7");
    });

    it("levels hold each other where they say base, and nowhere else", async () => {
      const { api, put, call } = newGateway(instance, backend);
      await api();
      await put("apis/orders/operations/read", { displayName: "r", method: "GET", urlTemplate: "/{id}" });
      await put("apis/orders/operations/list", { displayName: "l", method: "GET", urlTemplate: "/" });
      const document = (name: string, base = "<base />") => ({
        value: `<policies><inbound>${base}<set-header name="X-Levels" exists-action="append"><value>${name}</value></set-header></inbound></policies>`,
      });
      await put("policies/policy", document("service"));
      await put("apis/orders/policies/policy", document("api"));
      await put("apis/orders/operations/read/policies/policy", document("operation"));
      await call("GET", "/orders/7");
      expect(backend.last.headers["x-levels"]).toBe("service, api, operation");
      await call("GET", "/orders");
      expect(backend.last.headers["x-levels"]).toBe("service, api");
      await put("apis/orders/operations/read/policies/policy", document("alone", ""));
      await call("GET", "/orders/7");
      expect(backend.last.headers["x-levels"]).toBe("alone");
    });

    it("an account's own credential is not shown to whoever writes policies", async () => {
      const { call } = await inbound(
        `<set-header name="X-Copy" exists-action="override"><value>@(context.Request.Headers.GetValueOrDefault("Authorization", "none") + context.Request.OriginalUrl.Query.GetValueOrDefault("access_token", "none"))</value></set-header>`,
      );
      const [token] = accounts.second.tokens;
      await call("GET", `/orders/1?access_token=${token}`, { headers: { authorization: `Bearer ${token}` } });
      expect(backend.last.headers["x-copy"]).toBe("nonenone");
    });

    it("calls are limited by key, by quota, and by what they show", async () => {
      const limited = await inbound(
        '<rate-limit-by-key calls="2" renewal-period="60" counter-key="@(context.Request.Headers.GetValueOrDefault("X-User",""))" remaining-calls-header-name="x-left" />',
      );
      const as = (user: string) => limited.call("GET", "/orders/1", { headers: { "x-user": user } });
      expect((await as("ann")).headers.get("x-left")).toBe("1");
      expect((await as("ann")).status).toBe(200);
      const third = await as("ann");
      expect([third.status, third.headers.get("retry-after"), third.body.statusCode]).toEqual([
        429,
        expect.stringMatching(/^\d+$/),
        429,
      ]);
      expect((await as("bob")).status).toBe(200);
      const quota = await inbound('<quota-by-key calls="1" renewal-period="3600" counter-key="all" />');
      expect((await quota.call("GET", "/orders/1")).status).toBe(200);
      const over = await quota.call("GET", "/orders/1");
      expect([over.status, over.body.message]).toEqual([
        403,
        expect.stringMatching(/replenished in 0[01]:\d\d:\d\d\.$/),
      ]);
      await instance().clock.advance("61m");
      expect([(await quota.call("GET", "/orders/1")).status, (await as("ann")).status]).toEqual([200, 200]);
      const checked = await inbound(
        '<check-header name="X-App" failed-check-httpcode="401" failed-check-error-message="Not this app" ignore-case="true"><value>shop</value></check-header>',
      );
      expect((await checked.call("GET", "/orders/1", { headers: { "x-app": "SHOP" } })).status).toBe(200);
      expect((await checked.call("GET", "/orders/1")).body).toEqual({
        statusCode: 401,
        message: "Not this app",
      });
    });

    it("tokens are checked by the keys that a policy names, or that the identity service publishes", async () => {
      const rules = `<audiences><audience>shop</audience></audiences><required-claims><claim name="roles" match="any"><value>buyer</value></claim></required-claims>`;
      const byKey = await inbound(
        `<validate-jwt header-name="Authorization" require-scheme="Bearer"><issuer-signing-keys><key>${SECRET.toString("base64")}</key></issuer-signing-keys>${rules}</validate-jwt>`,
      );
      const token = (claims: object, seconds = 600) =>
        new SignJWT({ ...claims })
          .setProtectedHeader({ alg: "HS256" })
          .setExpirationTime(Math.floor(instance().clock.nowMs() / 1000) + seconds)
          .sign(SECRET);
      const ask = async (shown: string | undefined) =>
        byKey.call("GET", "/orders/1", {
          headers: shown === undefined ? {} : { authorization: `Bearer ${shown}` },
        });
      const good = await token({ aud: "shop", roles: ["buyer", "x"] });
      expect((await ask(good)).status).toBe(200);
      for (const bad of [
        undefined,
        "no.such.token",
        await token({ aud: "other", roles: ["buyer"] }),
        await token({ aud: "shop", roles: ["seller"] }),
        await token({ aud: "shop", roles: ["buyer"] }, -10),
        `${good.slice(0, -4)}AAAA`,
      ])
        expect((await ask(bad)).status).toBe(401);
      const own = await inbound(
        `<validate-jwt header-name="Authorization"><openid-config url="${instance().url}/identity/.well-known/openid-configuration" /><issuers><issuer>${instance().url}/contributions/1</issuer></issuers></validate-jwt>`,
      );
      const refused = await own.call("GET", "/orders/1", { headers: { authorization: `Bearer ${good}` } });
      expect([refused.status, refused.body.message]).toEqual([
        401,
        expect.stringContaining("Signature validation"),
      ]);
      const shown = await tokenOfAnn();
      const known = await own.call("GET", "/orders/1", { headers: { authorization: `Bearer ${shown}` } });
      expect(known.status, known.text).toBe(200);
    });

    it("browsers are told which origins may call, before any key is asked for", async () => {
      const { call, put } = await inbound(
        `<cors allow-credentials="true"><allowed-origins><origin>https://shop.example</origin></allowed-origins><allowed-methods preflight-result-max-age="300"><method>GET</method></allowed-methods><allowed-headers><header>*</header></allowed-headers></cors>`,
      );
      await put("apis/orders", {
        path: "orders",
        serviceUrl: `${backend.url}/v1`,
        subscriptionRequired: true,
      });
      const preflight = {
        origin: "https://shop.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "x-one",
      };
      const asked = await call("OPTIONS", "/orders/7", { headers: preflight });
      expect([asked.status, Object.fromEntries(asked.headers)]).toEqual([
        200,
        expect.objectContaining({
          "access-control-allow-origin": "https://shop.example",
          "access-control-allow-methods": "GET",
          "access-control-allow-headers": "x-one",
          "access-control-max-age": "300",
        }),
      ]);
      const other = await call("OPTIONS", "/orders/7", {
        headers: { ...preflight, origin: "https://else.example" },
      });
      expect(other.headers.get("access-control-allow-origin")).toBeNull();
      expect((await call("GET", "/orders/7")).status).toBe(401);
      expect((await call("OPTIONS", "/orders/7")).status).toBe(401);
    });

    it("answers are kept, mocked, replaced and tried again", async () => {
      const cached = await gatewayWith(
        `<inbound><cache-lookup vary-by-developer="false" vary-by-developer-groups="false"><vary-by-query-parameter>a</vary-by-query-parameter></cache-lookup></inbound><outbound><cache-store duration="60" /><set-header name="X-Out" exists-action="override"><value>@(context.Response.StatusCode.ToString())</value></set-header></outbound>`,
      );
      const before = backend.asked.length;
      const first = await cached.call("GET", "/orders/1?a=1&b=1");
      const second = await cached.call("GET", "/orders/1?a=1&b=2");
      expect([first.text, first.headers.get("x-out"), backend.asked.length - before]).toEqual([
        second.text,
        "200",
        1,
      ]);
      await cached.call("GET", "/orders/1?a=2");
      await instance().clock.advance("61s");
      await cached.call("GET", "/orders/1?a=1");
      expect(backend.asked.length - before).toBe(3);
      const mocked = await inbound('<mock-response status-code="201" content-type="application/json" />');
      const mock = await mocked.call("GET", "/orders/1");
      expect([mock.status, mock.headers.get("content-type")]).toEqual([201, "application/json"]);
      const replaced = await gatewayWith(
        `<outbound><return-response><set-status code="418" reason="Teapot" /><set-header name="X-Pot" exists-action="override"><value>1</value></set-header><set-body>@("was " + context.Response.StatusCode)</set-body></return-response></outbound>`,
      );
      const pot = await replaced.call("GET", "/orders/1");
      expect([pot.status, pot.headers.get("x-pot"), pot.text]).toEqual([418, "1", "was 200"]);
      const retried = await gatewayWith(
        `<backend><retry condition="@(context.Response.StatusCode == 503)" count="3" interval="0"><forward-request timeout="10" /></retry></backend>`,
      );
      failures = 2;
      expect((await retried.call("GET", "/orders/flaky")).text).toBe("at last");
      failures = 9;
      expect((await retried.call("GET", "/orders/flaky")).status).toBe(503);
      const erring = await gatewayWith(
        `<on-error><set-header name="X-Why" exists-action="override"><value>@(context.LastError.Reason)</value></set-header></on-error>`,
      );
      const broken = await erring.call("GET", "/orders/broken");
      expect([broken.status, broken.headers.get("x-why")]).toEqual([502, "BackendConnectionFailure"]);
    });

    it("named values stand in documents; secret ones are shown by listValue alone", async () => {
      const { api, put, call, at } = newGateway(instance, backend);
      await api();
      const header = (value: string) =>
        `<policies><inbound><set-header name="X-Key" exists-action="override"><value>${value}</value></set-header></inbound></policies>`;
      const document = { format: "rawxml", value: header('@("{{key}}" + "!")') };
      const early = await instance().bearer("PUT", at("apis/orders/policies/policy"), {
        body: { properties: document },
      });
      expect([early.status, early.text]).toEqual([400, expect.stringContaining("no named value 'key'")]);
      await put("namedValues/key-1", { displayName: "key", value: 'a"b\\c', secret: true });
      await put("namedValues/open-1", { displayName: "open", value: "seen" });
      await put("apis/orders/policies/policy", document);
      await call("GET", "/orders/1");
      expect(backend.last.headers["x-key"]).toBe('a"b\\c!');
      const read = async (id: string) =>
        (await instance().bearer("GET", at(`namedValues/${id}`))).body.properties;
      expect([await read("key-1"), await read("open-1")]).toEqual([
        { displayName: "key", secret: true },
        { displayName: "open", secret: false, value: "seen" },
      ]);
      expect((await instance().bearer("POST", at("namedValues/key-1/listValue"))).body).toEqual({
        value: 'a"b\\c',
      });
      await instance().bearer("DELETE", at("namedValues/key-1"), { headers: { "if-match": "*" } });
      const broken = await call("GET", "/orders/1");
      expect([broken.status, broken.body.message]).toEqual([500, "The policies of this API cannot be read."]);
    });

    it("the traffic tells which policy did what", async () => {
      const { call, at } = await inbound(
        '<set-header name="X-A" exists-action="override"><value>1</value></set-header>',
      );
      await call("GET", "/orders/1");
      const { body } = await instance().bearer("GET", at("traffic"));
      expect(body.value.at(-1).policies).toEqual([
        { scope: "api", section: "inbound", policy: "set-header", effect: "X-A" },
      ]);
    });

    it("a document is read, listed and deleted, and then has no effect", async () => {
      const { call, at } = await gatewayWith(
        '<inbound><mock-response status-code="204" /></inbound><outbound><set-header name="X" exists-action="override"><value>@(&quot;a&quot;)</value></set-header></outbound>',
        "xml",
      );
      const path = at("apis/orders/policies/policy");
      const read = await instance().bearer("GET", path);
      expect([read.body.name, read.body.properties.format]).toEqual(["policy", "xml"]);
      const list = await instance().bearer("GET", at("apis/orders/policies"));
      expect(list.body.value).toHaveLength(1);
      expect((await call("GET", "/orders/1")).status).toBe(204);
      const gone = await instance().bearer("DELETE", path, { headers: { "if-match": "*" } });
      expect(gone.status).toBe(200);
      expect((await call("GET", "/orders/1")).status).toBe(200);
    });

    describe("a document is refused", () => {
      it.each([
        ["an unknown policy", "<inbound>\n  <xslt-transform />\n</inbound>", "line 2, column 3"],
        [
          "a policy in the wrong section",
          "<outbound>\n<rewrite-uri template='/x' /></outbound>",
          "line 2, column 1",
        ],
        [
          "an unknown attribute",
          "<inbound><set-variable name='a' value='b' kind='c' /></inbound>",
          "'kind' is not supported",
        ],
        [
          "an unknown member",
          `<inbound><set-variable name="a" value="@(context.User.Id)" /></inbound>`,
          "context.User is not supported",
        ],
        [
          "a method of the platform",
          `<inbound><set-variable name="a" value="@(System.IO.File.ReadAllText("x"))" /></inbound>`,
          "'System' is not supported",
        ],
        [
          "several statements",
          `<inbound><set-variable name="a" value="@{ return 1; }" /></inbound>`,
          "several statements",
        ],
        ["a document that does not end", "<inbound>", "is expected"],
        [
          "no token rules",
          "<inbound><validate-jwt header-name='A' /></inbound>",
          "openid-config or issuer-signing-keys",
        ],
        ["another section", "<sideways />", "line 1, column 11"],
      ])("%s", async (_what, sections, told) => {
        const { api, at } = newGateway(instance, backend);
        await api();
        const properties = { format: "rawxml", value: `<policies>${sections}</policies>` };
        const made = await instance().bearer("PUT", at("apis/orders/policies/policy"), {
          body: { properties },
        });
        expect([made.status, made.body.error?.code]).toEqual([400, "ValidationError"]);
        expect(made.body.error.message).toContain(told);
      });
    });
  },
  { services: ["api-diagnostics", "resource-manager", "identity", "contributions"], provisioningSeconds: 0 },
);
