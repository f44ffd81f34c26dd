/** Descriptions and revisions of APIs over HTTP: imported, exported, copied, called, released. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { newGateway } from "../../../tests/support/gateway.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { mainThreadShareOf } from "../../../tests/support/processor-time.ts";

const MATCH = { headers: { "if-match": "*" } };
const order = { type: "object", properties: { id: { type: "string" } } };
const documentFor = (url: string) => ({
  openapi: "3.0.1",
  info: { title: "Orders", description: "Of the shop.", version: "1" },
  servers: [{ url: `${url}/imported` }],
  paths: {
    "/": {
      get: {
        operationId: "list",
        summary: "List orders",
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer", default: 10 } },
          { name: "state", in: "query", required: true, schema: { enum: ["open", "done"], type: "string" } },
          { $ref: "#/components/parameters/trace" },
        ],
        responses: {
          200: {
            description: "Orders.",
            headers: { "x-count": { schema: { type: "integer" } } },
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/Order" } },
              },
            },
          },
        },
      },
    },
    "/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      put: {
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } },
        responses: { 204: { description: "Kept." } },
      },
    },
  },
  components: {
    schemas: { Order: order },
    parameters: {
      trace: { name: "x-trace", in: "header", description: "For logs.", schema: { type: "string" } },
    },
  },
});

onBothDatabases(
  "descriptions and revisions",
  (instance) => {
    const backend = new Backend();
    beforeAll(() => backend.start());
    afterAll(() => backend.stop());
    function newShop() {
      const gateway = newGateway(instance, backend);
      const send = (method: string, path: string, body?: object) =>
        instance().bearer(method, gateway.at(path), { ...MATCH, ...(body && { body }) });
      const names = async (path: string): Promise<string[]> =>
        (await send("GET", path)).body.value.map(({ name }: { name: string }) => name);
      const read = async (path: string) => (await send("GET", path)).body.properties;
      return { ...gateway, send, names, read };
    }

    it("an API that is denied by its name is closed under its other names too", async () => {
      const token = "denied-revision-token-1";
      const denied = {
        effect: "Deny",
        actions: ["Vendor.ApiManagement/service/apis/read"],
        resources: ["*/apis/closed"],
      };
      const policies = [{ effect: "Allow", actions: ["*"], resources: ["*"] }, denied];
      const account = { id: "787878787878", tokens: [token], policies };
      const loaded = await instance().bearer("POST", "/_medley/credentials", {
        body: { accounts: [account] },
      });
      expect(loaded.status).toBe(201);
      const send = async (method: string, api: string, body?: object) => {
        const root = "/management/subscriptions/denied/resourceGroups/apis/providers/Vendor.ApiManagement";
        const path = `${root}/service/closing/apis/${api}?api-version=2019-12-01-preview`;
        const headers = { authorization: `Bearer ${token}` };
        return (await instance().send(method, path, { headers, ...(body && { body }) })).status;
      };
      for (const name of ["open", "closed"]) {
        const properties = { path: name, displayName: name, serviceUrl: "https://example.org" };
        expect(await send("PUT", name, { properties })).toBeLessThan(300);
      }
      const read = ["open", "open;rev=1", "closed", "closed;rev=1", "CLOSED;rev=1", "closed%3Brev=1"];
      expect(await Promise.all(read.map((name) => send("GET", name)))).toEqual([
        200, 200, 403, 403, 403, 403,
      ]);
    });
    it("an API is made of a description, and described by it again", async () => {
      const { put, send, call, names, read, at, name } = newShop();
      const value = JSON.stringify(documentFor(backend.url));
      const made = await put("apis/orders", {
        path: "orders",
        format: "openapi+json",
        value,
        subscriptionRequired: false,
      });
      expect(made.properties).toMatchObject({
        displayName: "Orders",
        description: "Of the shop.",
        serviceUrl: `${backend.url}/imported`,
      });
      expect(made.properties).not.toHaveProperty("value");
      expect(await names("apis/orders/operations")).toEqual(["list", "put-id"]);
      expect(await read("apis/orders/operations/list")).toMatchObject({
        displayName: "List orders",
        method: "GET",
        urlTemplate: "/",
        request: {
          queryParameters: [
            { name: "limit", type: "integer", defaultValue: "10" },
            { name: "state", type: "string", required: true, values: ["open", "done"] },
          ],
          headers: [{ name: "x-trace", type: "string", description: "For logs." }],
        },
      });
      expect((await call("PUT", "/orders/7", { body: {} })).body.url).toBe("/imported/7");
      expect((await call("DELETE", "/orders/7")).status).toBe(404);

      const exported = (
        await instance().bearer("GET", `${at("apis/orders")}&export=true&format=openapi%2Bjson`)
      ).body;
      expect(exported).toMatchObject({ name: "orders", format: "openapi+json" });
      const { paths, servers, components, info } = exported.value;
      expect([info.title, servers]).toEqual([
        "Orders",
        [{ url: `${instance().url}/gateway/${name}/orders` }],
      ]);
      expect(components.schemas.Order).toEqual(order);
      expect(paths["/"].get.parameters).toHaveLength(3);
      expect(paths["/{id}"].put.requestBody.content["application/json"].schema.$ref).toMatch(/Order$/);
      // What is exported can be imported, as YAML as well, and says the same again.
      const yaml = (await instance().bearer("GET", `${at("apis/orders")}&export=true&format=openapi`)).body
        .value;
      expect(yaml).toMatch(/^openapi: /);
      await put("apis/copy", { path: "copy", format: "openapi", value: yaml, serviceUrl: backend.url });
      const copy = (await instance().bearer("GET", `${at("apis/copy")}&export=true&format=openapi%2Bjson`))
        .body.value;
      expect([copy.paths, copy.components]).toEqual([paths, components]);

      // Another description takes the place of the first; an operation that stays keeps its policies.
      const policy = {
        format: "rawxml",
        value: '<policies><inbound><mock-response status-code="204" /></inbound></policies>',
      };
      await put("apis/orders/operations/put-id/policies/policy", policy);
      const { get: _gone, ...rest } = documentFor(backend.url).paths["/"];
      const fewer = { ...documentFor(backend.url), paths: { ...documentFor(backend.url).paths, "/": rest } };
      await put("apis/orders", {
        path: "orders",
        format: "openapi+json",
        value: JSON.stringify(fewer),
        subscriptionRequired: false,
      });
      expect(await names("apis/orders/operations")).toEqual(["put-id"]);
      expect((await call("PUT", "/orders/7", { body: {} })).status).toBe(204);
      expect((await send("GET", "apis/orders/schemas/imported")).status).toBe(200);
    });

    it.each([
      ["not JSON", "openapi+json", "{", "not JSON"],
      ["not YAML", "openapi", "a: [", "Line 1"],
      ["another version", "openapi+json", '{"swagger":"2.0"}', "OpenAPI 3"],
      ["no title", "openapi", "openapi: 3.0.0\npaths: {}", "info.title"],
      [
        "references that lead out",
        "openapi+json",
        '{"openapi":"3.0.0","info":{"title":"x"},"paths":{"/a":{"$ref":"http://else.example/x"}}}',
        "leads out",
      ],
      [
        "references that lead nowhere",
        "openapi+json",
        '{"openapi":"3.0.0","info":{"title":"x"},"paths":{"/a":{"get":{"$ref":"#/paths/~1a/get"}}}}',
        "without end",
      ],
      [
        "too many operations",
        "openapi+json",
        JSON.stringify({
          openapi: "3.1.0",
          info: { title: "x" },
          paths: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`/${index}`, { get: {} }])),
        }),
        "200 operations",
      ],
    ])("a description is refused: %s", async (_what, format, value, told) => {
      const { send } = newShop();
      const made = await send("PUT", "apis/wrong", { properties: { path: "wrong", format, value } });
      expect([made.status, made.body.error?.code]).toEqual([400, "ValidationError"]);
      expect(made.body.error.message).toContain(told);
    });

    it("a description in YAML is read beside the main thread, which serves others", async () => {
      const { send } = newShop();
      const refuse = async (value: string) => {
        const body = { properties: { path: "hostile", format: "openapi", value } };
        expect((await send("PUT", "apis/hostile", body)).body.error?.message).toContain("Line ");
      };
      await refuse("a: [");
      const share = await mainThreadShareOf(() => refuse("]\n".repeat(30_000)));
      expect(share ?? 0).toBeLessThan(0.5);
    });

    it("a revision is a copy with an address of its own, until a release makes it the current one", async () => {
      const { api, put, send, call, names, read, at } = newShop();
      await api({ path: "shop/orders" });
      await put("apis/orders/operations/read", { displayName: "r", method: "GET", urlTemplate: "/{id}" });
      const header = (text: string) => ({
        value: `<policies><inbound><set-header name="X-Rev" exists-action="override"><value>${text}</value></set-header></inbound></policies>`,
      });
      await put("apis/orders/operations/read/policies/policy", header("one"));
      const second = await put("apis/orders;rev=2", {
        path: "shop/orders",
        sourceApiId: "/apis/orders",
        apiRevisionDescription: "Faster.",
      });
      expect(second).toMatchObject({
        name: "orders;rev=2",
        properties: { apiRevision: "2", isCurrent: false },
      });
      expect(await names("apis")).toEqual(["orders", "orders;rev=2"]);
      expect(await names("apis/orders;rev=2/operations")).toEqual(["read"]);
      await put(
        "apis/orders;rev=2/operations/read/policies/policy",
        header("@(&quot;two &quot; + context.Api.Revision)"),
      );
      await send("PATCH", "apis/orders;rev=2", { properties: { serviceUrl: `${backend.url}/v2` } });
      const seen = async (path: string) => [
        (await call("GET", path)).body.url,
        backend.last.headers["x-rev"],
      ];
      expect(await seen("/shop/orders/7")).toEqual(["/v1/7", "one"]);
      expect(await seen("/shop/orders;rev=1/7")).toEqual(["/v1/7", "one"]);
      expect(await seen("/shop/orders;rev=2/7")).toEqual(["/v2/7", "two 2"]);

      await put("apis/orders/releases/summer", { apiId: "/apis/orders;rev=2", notes: "Faster orders." });
      expect(await seen("/shop/orders/7")).toEqual(["/v2/7", "two 2"]);
      expect(await seen("/shop/orders;rev=1/7")).toEqual(["/v1/7", "one"]);
      expect(await read("apis/orders")).toMatchObject({ apiRevision: "2", isCurrent: true });
      expect(await read("apis/orders;rev=2")).toMatchObject({ apiRevision: "2", isCurrent: true });
      expect(await read("apis/orders;rev=1")).toMatchObject({ apiRevision: "1", isCurrent: false });
      const revisions = (await send("GET", "apis/orders/revisions")).body.value;
      expect(
        revisions.map(({ apiId, isCurrent, description }: any) => [apiId, isCurrent, description]),
      ).toEqual([
        ["/apis/orders;rev=2", true, "Faster."],
        ["/apis/orders;rev=1", false, undefined],
      ]);
      const current = await instance().bearer("GET", `${at("apis")}&$filter=isCurrent eq true`);
      expect(current.body.value).toHaveLength(1);
      // Back again, and then everything goes.
      await put("apis/orders/releases/back", { apiId: "/apis/orders;rev=1" });
      expect(await seen("/shop/orders/7")).toEqual(["/v1/7", "one"]);
      expect(await names("apis/orders/releases")).toEqual(["back", "summer"]);
      const refused = await send("DELETE", "apis/orders");
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        expect.stringContaining("other revisions"),
      ]);
      const gone = await instance().bearer("DELETE", `${at("apis/orders")}&deleteRevisions=true`, MATCH);
      expect([gone.status, await names("apis")]).toEqual([200, []]);
      expect((await call("GET", "/shop/orders;rev=2/7")).status).toBe(404);
    });

    it.each([
      ["of an API that is not there", "none;rev=2", { path: "x" }, "There is no API 'none'"],
      ["with another path", "orders;rev=2", { path: "x" }, "All revisions answer at"],
      ["with another number", "orders;rev=2", { path: "orders", apiRevision: "3" }, "revision 2"],
      ["that is the current one", "orders;rev=2", { path: "orders", isCurrent: true }, "A release"],
      ["of another API", "orders;rev=2", { path: "orders", sourceApiId: "/apis/none" }, "sourceApiId"],
      ["by its path", "more", { path: "more;rev=3" }, "path holds"],
    ])("a revision is refused: %s", async (_what, id, properties, told) => {
      const { api, send } = newShop();
      await api();
      const made = await send("PUT", `apis/${id}`, { properties });
      expect([made.status, made.body.error?.code]).toEqual([400, "ValidationError"]);
      expect(made.body.error.message).toContain(told);
    });
    it("a release names a revision of its own API", async () => {
      const { api, send } = newShop();
      await api();
      await api({}, "other");
      for (const apiId of ["/apis/other", "/apis/none", "orders", "/apis/orders;rev=5"])
        expect((await send("PUT", "apis/orders/releases/r", { properties: { apiId } })).status).toBe(400);
      // The first revision may be named by its number before it is there, as tools for infrastructure do.
      const first = await send("PUT", "apis/fresh;rev=1", { properties: { path: "fresh" } });
      expect([first.status, first.body.name]).toEqual([201, "fresh"]);
    });
  },
  { services: ["api-diagnostics", "resource-manager"], provisioningSeconds: 0 },
);
