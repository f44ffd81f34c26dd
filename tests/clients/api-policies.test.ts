/** A shop's gateway made useful by policies, with the public management client: limits, headers, a cache, a mock. */
import { ApiManagementClient } from "@azure/arm-apimanagement";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backend } from "../support/backend.ts";
import { msRestJsCredentials, msRestJsOptions, ways, wireTo } from "../support/management-clients.ts";
import { onBothDatabases } from "../support/medley.ts";

const GROUP = "apis";
const inbound = (text: string): string => `<policies><inbound><base />${text}</inbound></policies>`;

onBothDatabases(
  "policies of a gateway",
  (instance) => {
    const backend = new Backend();
    beforeAll(() => backend.start());
    afterAll(() => backend.stop());

    it.each(ways.filter(({ scheme }) => scheme === "http"))(
      "are set, read and deleted in the spelling $spelling",
      async (way) => {
        const wire = wireTo(instance(), way, { mount: "/management" });
        const client = new ApiManagementClient(
          msRestJsCredentials(wire),
          `policies-${way.spelling}`,
          msRestJsOptions(wire),
        );
        client.apiVersion = "2019-12-01-preview";
        const shop = `policed-${way.spelling}`;
        const service = await client.apiManagementService.createOrUpdate(GROUP, shop, {
          location: "westeurope",
          sku: { name: "Developer", capacity: 1 },
          publisherEmail: "ann@example.org",
          publisherName: "Ann",
        });
        await client.api.createOrUpdate(GROUP, shop, "orders", {
          path: "orders",
          displayName: "Orders",
          serviceUrl: backend.url,
          protocols: ["http"],
          subscriptionRequired: false,
        });
        await client.apiOperation.createOrUpdate(GROUP, shop, "orders", "read", {
          displayName: "Read an order",
          method: "GET",
          urlTemplate: "/{id}",
          templateParameters: [{ name: "id", type: "string", required: true }],
        });
        const ask = (path: string) => fetch(`${service.gatewayUrl}${path}`);

        await client.namedValue.createOrUpdate(GROUP, shop, "shop-key", {
          displayName: "shop-key",
          value: "open sesame",
          secret: true,
        });
        expect((await client.namedValue.get(GROUP, shop, "shop-key")).value).toBeUndefined();
        expect((await client.namedValue.listValue(GROUP, shop, "shop-key")).value).toBe("open sesame");
        await client.policy.createOrUpdate(GROUP, shop, {
          format: "rawxml",
          value: inbound(
            '<set-header name="X-Trace" exists-action="override"><value>@(context.RequestId)</value></set-header>' +
              '<set-header name="X-Key" exists-action="override"><value>{{shop-key}}</value></set-header>',
          ),
        });
        const made = await client.apiPolicy.createOrUpdate(GROUP, shop, "orders", {
          format: "xml",
          value: inbound(
            '<rate-limit-by-key calls="2" renewal-period="60" counter-key="@(context.Request.MatchedParameters[&quot;id&quot;])" />',
          ),
        });
        expect([made.name, made.format]).toEqual(["policy", "xml"]);
        await client.apiOperationPolicy.createOrUpdate(GROUP, shop, "orders", "read", {
          format: "rawxml",
          value: inbound(
            '<choose><when condition="@(context.Request.MatchedParameters["id"] == "teapot")"><return-response><set-status code="418" reason="Teapot" /></return-response></when></choose>',
          ),
        });
        expect((await ask("/orders/teapot")).status).toBe(418);
        expect([(await ask("/orders/7")).status, (await ask("/orders/7")).status]).toEqual([200, 200]);
        expect(backend.last.headers["x-trace"]).toMatch(/^[-0-9a-f]{36}$/);
        expect(backend.last.headers["x-key"]).toBe("open sesame");
        expect((await ask("/orders/7")).status).toBe(429);
        expect((await ask("/orders/8")).status).toBe(200);

        const read = await client.apiOperationPolicy.get(GROUP, shop, "orders", "read");
        expect(read.value).toContain("teapot");
        expect((await client.apiPolicy.listByApi(GROUP, shop, "orders")).value).toHaveLength(1);
        await expect(
          client.apiPolicy.createOrUpdate(GROUP, shop, "orders", {
            format: "rawxml",
            value: inbound('<set-variable name="x" value="@(context.Deployment.Region)" />'),
          }),
        ).rejects.toMatchObject({
          statusCode: 400,
          message: expect.stringMatching(
            /'set-variable' on line 1, column \d+: context.Deployment is not supported/,
          ),
        });
        await client.apiOperationPolicy.deleteMethod(GROUP, shop, "orders", "read", "*");
        await client.apiPolicy.deleteMethod(GROUP, shop, "orders", "*");
        await client.policy.deleteMethod(GROUP, shop, "*");
        expect([(await ask("/orders/teapot")).status, (await ask("/orders/7")).status]).toEqual([200, 200]);
      },
    );
  },
  { services: ["api-diagnostics", "resource-manager"], provisioningSeconds: 0 },
);
