/** The public management client for API management, as its users run it: over http and https, in both spellings. */
import { ApiManagementClient } from "@azure/arm-apimanagement";
import { expect, it } from "vitest";
import {
  expectOneSpelling,
  expectSameInBothSpellings,
  msRestJsCredentials,
  msRestJsOptions,
  type Way,
  type Wire,
  ways,
  wireTo,
} from "../support/management-clients.ts";
import { onBothDatabases } from "../support/medley.ts";

const GROUP = "apis";

function clientOn(wire: Wire, subscription: string): ApiManagementClient {
  const client = new ApiManagementClient(msRestJsCredentials(wire), subscription, msRestJsOptions(wire));
  client.apiVersion = "2019-12-01-preview";
  return client;
}
const loggerOf = (subscription: string, { spelling }: Way) =>
  `/subscriptions/${subscription}/resourceGroups/${GROUP}/providers/${spelling}.ApiManagement/service/shop/loggers/main`;
const namesOf = (listed: readonly { readonly name?: string }[]) => listed.map(({ name }) => name);

onBothDatabases(
  "the API management client",
  (instance) => {
    const atMount = ways.map((way) => ({ ...way, mount: "/management" }));
    const atRoot = [ways[0]!, ways[3]!].map((way) => ({ ...way, mount: "" }));

    it.concurrent.each([...atMount, ...atRoot])(
      "manages diagnostics over $scheme in the spelling $spelling at $mount",
      async ({ mount, ...way }) => {
        const wire = wireTo(instance(), way, { mount });
        const subscription = `diagnostics-${way.scheme}-${way.spelling}-${mount.length}`;
        const loggerId = loggerOf(subscription, way);
        const { apiManagementService: services, diagnostic } = clientOn(wire, subscription);

        const service = await services.createOrUpdate(GROUP, "shop", {
          location: "westeurope",
          sku: { name: "Developer", capacity: 1 },
          publisherEmail: "ann@example.org",
          publisherName: "Ann",
        });
        expect(service).toMatchObject({
          type: `${way.spelling}.ApiManagement/service`,
          provisioningState: "Succeeded",
          gatewayUrl: expect.stringContaining("shop"),
        });
        const made = await diagnostic.createOrUpdate(GROUP, "shop", "applicationinsights", {
          loggerId,
          sampling: { samplingType: "fixed", percentage: 50 },
        });
        expect(made).toMatchObject({
          id: `${service.id}/diagnostics/applicationinsights`,
          name: "applicationinsights",
          type: `${way.spelling}.ApiManagement/service/diagnostics`,
          loggerId,
        });

        const tag = await diagnostic.getEntityTag(GROUP, "shop", "applicationinsights");
        expect(tag.eTag).toBe(made.eTag);
        const change = { loggerId, alwaysLog: "allErrors" } as const;
        await diagnostic.update(GROUP, "shop", "applicationinsights", change, String(made.eTag));
        await expect(
          diagnostic.update(GROUP, "shop", "applicationinsights", change, String(made.eTag)),
        ).rejects.toMatchObject({ statusCode: 412 });
        expect(await diagnostic.get(GROUP, "shop", "applicationinsights")).toMatchObject({
          alwaysLog: "allErrors",
          sampling: { percentage: 50 },
        });

        await expectSameInBothSpellings(instance(), String(made.id), "2019-12-01-preview");

        for (const name of ["appold", "other-0", "other-1", "other-2"])
          await diagnostic.createOrUpdate(GROUP, "shop", name, { loggerId });
        const chosen = await diagnostic.listByService(GROUP, "shop", {
          filter: "startswith(name,'app') and name ne 'appold'",
        });
        expect(namesOf(chosen)).toEqual(["applicationinsights"]);
        const page = await diagnostic.listByService(GROUP, "shop", {
          filter: "startswith(name,'other')",
          top: 2,
        });
        expect(namesOf(page)).toEqual(["other-0", "other-1"]);
        const next = await diagnostic.listByServiceNext(String(page.nextLink));
        expect([namesOf(next), next.nextLink]).toEqual([["other-2"], undefined]);

        await diagnostic.deleteMethod(GROUP, "shop", "applicationinsights", "*");
        await expect(diagnostic.get(GROUP, "shop", "applicationinsights")).rejects.toMatchObject({
          statusCode: 404,
          code: "ResourceNotFound",
        });
        await expect(diagnostic.listByService(GROUP, "shop", { filter: "name eq" })).rejects.toMatchObject({
          statusCode: 400,
          code: "ValidationError",
        });
        await services.deleteMethod(GROUP, "shop");
        await expect(services.get(GROUP, "shop")).rejects.toMatchObject({ statusCode: 404 });
        expectOneSpelling(wire);
      },
    );

    it("is refused over https by a client that does not know the authority", async () => {
      const wire = {
        ...wireTo(instance(), { scheme: "https", spelling: "Microsoft" }),
        authority: undefined,
      };
      await expect(clientOn(wire, "strangers").diagnostic.listByService(GROUP, "shop")).rejects.toThrow(
        /certificate/,
      );
    });
  },
  { services: ["api-diagnostics", "resource-manager"], tls: true, provisioningSeconds: 0.1 },
);
