/** A shop's gateway with products, a backend, a description and revisions, made with the public management client. */
import { ApiManagementClient } from "@azure/arm-apimanagement";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backend } from "../support/backend.ts";
import {
  expectOneSpelling,
  msRestJsCredentials,
  msRestJsOptions,
  ways,
  wireTo,
} from "../support/management-clients.ts";
import { onBothDatabases } from "../support/medley.ts";

const GROUP = "apis";
const description = (url: string) => `openapi: 3.0.1
info: { title: Orders, version: "1" }
servers:
  - url: ${url}/v1
paths:
  /{id}:
    get:
      operationId: read
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses: { "200": { description: The order. } }
`;

onBothDatabases(
  "products of a gateway",
  (instance) => {
    const backend = new Backend();
    beforeAll(() => backend.start());
    afterAll(() => backend.stop());

    it.each(ways.filter(({ scheme }) => scheme === "http"))(
      "are offered, called and changed in the spelling $spelling",
      async (way) => {
        const wire = wireTo(instance(), way, { mount: "/management" });
        const client = new ApiManagementClient(
          msRestJsCredentials(wire),
          `products-${way.spelling}`,
          msRestJsOptions(wire),
        );
        client.apiVersion = "2019-12-01-preview";
        const shop = `offers-${way.spelling}`;
        const at = [GROUP, shop] as const;
        const service = await client.apiManagementService.createOrUpdate(...at, {
          location: "westeurope",
          sku: { name: "Developer", capacity: 1 },
          publisherEmail: "ann@example.org",
          publisherName: "Ann",
        });
        const api = await client.api.createOrUpdate(...at, "orders", {
          path: "orders",
          format: "openapi",
          value: description(backend.url),
        });
        expect(api).toMatchObject({ displayName: "Orders", serviceUrl: `${backend.url}/v1` });
        const exported = await client.apiExport.get(...at, "orders", "openapi+json" as never);
        const { value } = JSON.parse(exported._response.bodyAsText);
        expect(value.paths["/{id}"].get.operationId).toBe("read");

        await client.product.createOrUpdate(...at, "partners", {
          displayName: "Partners",
          subscriptionRequired: true,
          approvalRequired: false,
          state: "published",
        });
        await client.productApi.createOrUpdate(...at, "partners", "orders");
        await client.productApi.checkEntityExists(...at, "partners", "orders");
        expect((await client.apiProduct.listByApis(...at, "orders")).map(({ name }) => name)).toEqual([
          "partners",
        ]);
        await client.backend.createOrUpdate(...at, "second", {
          url: `${backend.url}/second`,
          protocol: "http",
          credentials: { header: { "x-key": ["sesame"] } },
        });
        await client.productPolicy.createOrUpdate(...at, "partners", {
          format: "rawxml",
          value:
            '<policies><inbound><base /><set-backend-service backend-id="second" /></inbound></policies>',
        });
        const read = await client.productPolicy.get(...at, "partners", { format: "xml" });
        expect([read.format, read.value]).toEqual(["xml", expect.stringContaining("backend-id")]);
        await client.subscription.createOrUpdate(...at, "mobile", {
          scope: `${service.id}/products/partners`,
          displayName: "Mobile app",
        });
        const listed = await client.productSubscriptions.list(...at, "partners");
        expect(listed.map(({ name }) => name)).toEqual(["mobile"]);
        const { primaryKey } = await client.subscription.listSecrets(...at, "mobile");
        const ask = async (path: string, key = primaryKey) => {
          const headers = { "Ocp-Apim-Subscription-Key": String(key) };
          const answered = await fetch(`${service.gatewayUrl}${path}`, { headers });
          const { url } = (await answered.json()) as { url?: string };
          return [answered.status, url];
        };
        expect(await ask("/orders/7")).toEqual([200, "/second/7"]);
        expect(backend.last.headers["x-key"]).toBe("sesame");

        await client.api.createOrUpdate(...at, "orders;rev=2", {
          path: "orders",
          sourceApiId: String(api.id),
          apiRevisionDescription: "Policies of its own.",
        });
        await client.apiPolicy.createOrUpdate(...at, "orders;rev=2", {
          format: "rawxml",
          value: `<policies><inbound><set-backend-service base-url="${backend.url}/third" /></inbound></policies>`,
        });
        expect([await ask("/orders/7"), await ask("/orders;rev=2/7")]).toEqual([
          [200, "/second/7"],
          [200, "/third/7"],
        ]);
        await client.apiRelease.createOrUpdate(...at, "orders", "summer", {
          apiId: `${service.id}/apis/orders;rev=2`,
          notes: "New.",
        });
        const revisions = await client.apiRevision.listByService(...at, "orders");
        expect(revisions.map(({ apiRevision, isCurrent }) => [apiRevision, isCurrent])).toEqual([
          ["2", true],
          ["1", false],
        ]);
        expect(await ask("/orders/7")).toEqual([200, "/third/7"]);
        await client.productApi.deleteMethod(...at, "partners", "orders");
        expect((await ask("/orders/7"))[0]).toBe(401);
        await client.product.deleteMethod(...at, "partners", "*", { deleteSubscriptions: true });
        await client.api.deleteMethod(...at, "orders", "*", { deleteRevisions: true });
        await client.backend.deleteMethod(...at, "second", "*");
        expectOneSpelling(wire);
      },
    );
  },
  { services: ["api-diagnostics", "resource-manager"], provisioningSeconds: 0 },
);
