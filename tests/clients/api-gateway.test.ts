/** A shop's gateway from beginning to end: made with the public management client, called by a shopper, its log read. */
import { ApiManagementClient } from "@azure/arm-apimanagement";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backend } from "../support/backend.ts";
import { eventually } from "../support/eventually.ts";
import {
  expectOneSpelling,
  msRestJsCredentials,
  msRestJsOptions,
  ways,
  wireTo,
} from "../support/management-clients.ts";
import { onBothDatabases } from "../support/medley.ts";

const GROUP = "apis";

onBothDatabases(
  "an API gateway",
  (instance) => {
    const backend = new Backend();
    beforeAll(() => backend.start());
    afterAll(() => backend.stop());

    it.each(ways.filter(({ scheme }) => scheme === "http"))(
      "serves a shop, made in the spelling $spelling",
      async (way) => {
        const wire = wireTo(instance(), way, { mount: "/management" });
        const subscription = `gateway-${way.spelling}`;
        const client = new ApiManagementClient(
          msRestJsCredentials(wire),
          subscription,
          msRestJsOptions(wire),
        );
        client.apiVersion = "2019-12-01-preview";
        const shop = `shop-${way.spelling}`;
        const service = await client.apiManagementService.createOrUpdate(GROUP, shop, {
          location: "westeurope",
          sku: { name: "Developer", capacity: 1 },
          publisherEmail: "ann@example.org",
          publisherName: "Ann",
        });
        const api = await client.api.createOrUpdate(GROUP, shop, "orders", {
          path: "orders",
          displayName: "Orders",
          serviceUrl: backend.url,
          protocols: ["http"],
          subscriptionRequired: true,
        });
        expect(api).toMatchObject({
          name: "orders",
          path: "orders",
          isCurrent: true,
          subscriptionRequired: true,
        });
        await client.apiOperation.createOrUpdate(GROUP, shop, "orders", "read", {
          displayName: "Read an order",
          method: "GET",
          urlTemplate: "/{id}",
          templateParameters: [{ name: "id", type: "string", required: true }],
        });
        const logger = await client.logger.createOrUpdate(GROUP, shop, "insights", {
          loggerType: "applicationInsights",
          credentials: { instrumentationKey: "11111111-2222-4333-8444-555555555555" },
        });
        await client.apiDiagnostic.createOrUpdate(GROUP, shop, "orders", "applicationinsights", {
          loggerId: String(logger.id),
          alwaysLog: "allErrors",
          frontend: { response: { body: { bytes: 100 } } },
        });
        await client.subscription.createOrUpdate(GROUP, shop, "mobile", {
          scope: String(api.id),
          displayName: "Mobile app",
        });
        const { primaryKey } = await client.subscription.listSecrets(GROUP, shop, "mobile");

        const gatewayUrl = String(service.gatewayUrl);
        expect((await fetch(`${gatewayUrl}/orders/7`)).status).toBe(401);
        const headers = { "Ocp-Apim-Subscription-Key": String(primaryKey) };
        const answered = await fetch(`${gatewayUrl}/orders/7`, { headers });
        expect(await answered.json()).toEqual({ method: "GET", url: "/7" });
        const kept = await eventually(async () => {
          const { body } = await instance().bearer("GET", "/_medley/outbox?kind=applicationInsights");
          const own = body.messages.filter(({ target }: { target: string }) => target.includes(`/${shop}/`));
          const records = own.flatMap(
            (message: { body: any }) =>
              (typeof message.body === "string" ? JSON.parse(message.body) : message.body).records,
          );
          return records.length >= 2 && records;
        }, "two records");
        expect(kept.map(({ properties }: any) => [properties.responseCode, properties.operationId])).toEqual(
          expect.arrayContaining([
            [401, "read"],
            [200, "read"],
          ]),
        );
        expect(kept.find(({ properties }: any) => properties.responseCode === 200).properties).toMatchObject({
          gatewaySubscriptionId: "mobile",
          responseBody: '{"method":"GET","url":"/7"}',
        });

        await expect(client.logger.deleteMethod(GROUP, shop, "insights", "*")).rejects.toMatchObject({
          statusCode: 409,
        });
        expect((await client.api.listByService(GROUP, shop)).map(({ name }) => name)).toEqual(["orders"]);
        await client.subscription.regeneratePrimaryKey(GROUP, shop, "mobile");
        expect((await fetch(`${gatewayUrl}/orders/7`, { headers })).status).toBe(401);
        await client.api.update(GROUP, shop, "orders", { subscriptionRequired: false }, "*");
        expect((await fetch(`${gatewayUrl}/orders/7`)).status).toBe(200);
        await client.api.deleteMethod(GROUP, shop, "orders", "*");
        expect((await fetch(`${gatewayUrl}/orders/7`)).status).toBe(404);
        await client.logger.deleteMethod(GROUP, shop, "insights", "*");
        expectOneSpelling(wire);
      },
    );
  },
  { services: ["api-diagnostics", "resource-manager"], provisioningSeconds: 0 },
);
