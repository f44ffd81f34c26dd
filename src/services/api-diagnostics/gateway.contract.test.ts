/** An instance's gateway over HTTP: what it hands on and what it refuses. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { newGateway } from "../../../tests/support/gateway.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

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
      "/cookies": (_request, response) =>
        void response
          .writeHead(200, {
            "set-cookie": ["own=1", "medley_console=planted; Path=/_medley", "=identity_session=x"],
            "clear-site-data": '"*"',
            "service-worker-allowed": "/",
          })
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

    const newInstance = () => newGateway(instance, backend);

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

    it("hands no cookie of this server's on or back, and nothing that concerns the whole host", async () => {
      const { api, call } = newInstance();
      await api();
      const headers = { cookie: "own=1; medley_console=secret", authorization: "Bearer its-own" };
      const answered = await call("GET", "/orders/cookies", { headers });
      expect(backend.last.headers).toMatchObject({ cookie: "own=1", authorization: "Bearer its-own" });
      expect(answered.headers.getSetCookie()).toEqual(["own=1"]);
      expect(answered.headers.get("clear-site-data")).toBeNull();
      expect(answered.headers.get("service-worker-allowed")).toBeNull();
    });

    describe("a backend, which may be a stranger's,", () => {
      const { first, second } = accounts;
      const accessKey = first.accessKeys[0]?.id ?? "";
      const basic = (username: string) => `Basic ${Buffer.from(`${username}:guessed`).toString("base64")}`;
      const signed = (id: string) =>
        `AWS4-HMAC-SHA256 Credential=${id}/20260101/local/x/aws4_request, SignedHeaders=host, Signature=00`;
      const heard = async (path: string, headers: Record<string, string>) => {
        const { api, call } = newInstance();
        await api();
        expect((await call("GET", `/orders${path}`, { headers })).status).toBe(200);
        return backend.last;
      };
      it.each([
        ["a token of an account", "authorization", `Bearer ${first.tokens[0]}`],
        ["one in other words", "authorization", `bearer   ${second.tokens[0]}`],
        ["a token without a scheme", "authorization", String(first.tokens[0])],
        ["a user's name and password", "authorization", basic("first")],
        ["a signature of an access key", "authorization", signed(accessKey)],
        ["a key of an account", "vendor-subscription-key", String(first.apiKeys[0])],
        ["a key in another header", "x-vendor-api-key", String(second.apiKeys[0])],
        ["a token in another header", "x-auth-token", String(first.tokens[0])],
        ["a token with its scheme in another header", "x-auth-token", `Bearer ${first.tokens[0]}`],
        ["a key after another scheme", "authorization", `ApiKey ${first.apiKeys[0]}`],
        ["a token among others", "authorization", `Bearer ${first.tokens[0]}, Bearer other`],
        ["a token that was forwarded", "x-forwarded-authorization", `Bearer ${first.tokens[0]}`],
        ["a password with a blank in it", "authorization", basic("first").replace("Zm", "Zm ")],
      ])("hears nothing of %s", async (_what, name, value) => {
        expect((await heard("/7", { [name]: value, "x-own": "1" })).headers).toMatchObject({ "x-own": "1" });
        expect(backend.last.headers).not.toHaveProperty(name);
      });
      it.each([
        ["authorization", "Bearer its-own-secret"],
        ["authorization", "Bearer head.claims.signature"],
        ["authorization", basic("its-own-user")],
        ["authorization", signed("ITSOWNKEY")],
        ["authorization", "Digest username=x"],
        ["x-vendor-api-key", "its-own-key"],
      ])("hears its own: %s: %s", async (name, value) => {
        expect((await heard("/7", { [name]: value })).headers).toHaveProperty(name, value);
      });
      it("finds none in the address either, and what is its own as it was sent", async () => {
        const { url } = await heard(`/7?a=1&subscription-key=${first.apiKeys[0]}&own-key=x%20y&b`, {});
        expect(url).toBe("/v1/7?a=1&own-key=x%20y&b");
        expect((await heard(`/7?access_token=${first.tokens[0]}`, {})).url).toBe("/v1/7");
        expect((await heard(`/7?token=Bearer%20${first.tokens[0]}`, {})).url).toBe("/v1/7");
      });
      it("hears the key of the subscription that let the caller in", async () => {
        const { api, call, put, at } = newInstance();
        await api({ subscriptionRequired: true });
        await put("subscriptions/mobile", { scope: "/apis/orders", displayName: "Mobile" });
        const { primaryKey } = (await instance().bearer("POST", at("subscriptions/mobile/listSecrets"))).body;
        const headers = { "vendor-subscription-key": primaryKey, authorization: "Bearer its-own" };
        expect((await call("GET", "/orders/7", { headers })).status).toBe(200);
        expect(backend.last.headers).toMatchObject(headers);
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
