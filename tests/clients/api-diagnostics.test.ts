/** The management client for API management, unmodified. */
import { ApiManagementClient } from "@azure/arm-apimanagement";
import { TokenCredentials } from "@azure/ms-rest-js";
import { expect, it } from "vitest";
import { onBothDatabases } from "../support/medley.ts";

onBothDatabases(
  "the API management client",
  (instance) => {
    it.each(["/management", ""])("manages diagnostics at %s", async (mount) => {
      const subscription = `client-${mount.length}`;
      const client = new ApiManagementClient(new TokenCredentials("first-token-0001"), subscription, {
        baseUri: `${instance().url}${mount}`,
        longRunningOperationRetryTimeout: 0.05,
      });
      client.apiVersion = "2019-12-01-preview";
      const { diagnostic } = client;
      const loggerId = `/subscriptions/${subscription}/resourceGroups/apis/providers/Microsoft.ApiManagement/service/shop/loggers/main`;
      const made = await diagnostic.createOrUpdate("apis", "shop", "applicationinsights", {
        loggerId,
        sampling: { samplingType: "fixed", percentage: 50 },
      });
      expect(made).toMatchObject({
        name: "applicationinsights",
        type: "Microsoft.ApiManagement/service/diagnostics",
        loggerId,
      });
      const tag = await diagnostic.getEntityTag("apis", "shop", "applicationinsights");
      expect(tag.eTag).toBe(made.eTag);
      await diagnostic.update(
        "apis",
        "shop",
        "applicationinsights",
        { loggerId, alwaysLog: "allErrors" },
        String(made.eTag),
      );
      expect(await diagnostic.get("apis", "shop", "applicationinsights")).toMatchObject({
        alwaysLog: "allErrors",
        sampling: { percentage: 50 },
      });
      for (let i = 0; i < 3; i += 1)
        await diagnostic.createOrUpdate("apis", "shop", `other-${i}`, { loggerId });
      const page = await diagnostic.listByService("apis", "shop", {
        filter: "startswith(name,'other')",
        top: 2,
      });
      expect(page.map(({ name }) => name)).toEqual(["other-0", "other-1"]);
      const next = await diagnostic.listByServiceNext(String(page.nextLink));
      expect(next.map(({ name }) => name)).toEqual(["other-2"]);
      await diagnostic.deleteMethod("apis", "shop", "applicationinsights", "*");
      await expect(diagnostic.get("apis", "shop", "applicationinsights")).rejects.toMatchObject({
        statusCode: 404,
        code: "ResourceNotFound",
      });
      await expect(diagnostic.listByService("apis", "shop", { filter: "name eq" })).rejects.toMatchObject({
        statusCode: 400,
        code: "ValidationError",
      });
    });
  },
  { services: ["api-diagnostics", "resource-manager"] },
);
