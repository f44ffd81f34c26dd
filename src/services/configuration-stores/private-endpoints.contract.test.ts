/** Private endpoint connections and private link resources of configuration stores, over HTTP. */
import { expect, it } from "vitest";
import {
  configurationServices,
  makeStore,
  managementCall,
  storePath,
} from "../../../tests/support/configuration-stores.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "private endpoints of configuration stores",
  (instance) => {
    const call = managementCall(instance);

    it("have private endpoint connections with approval states", async () => {
      await makeStore(instance(), "connected");
      const base = `${storePath("connected")}/privateEndpointConnections`;
      const state = (status?: string, description?: string) => ({
        properties: { privateLinkServiceConnectionState: { status, description } },
      });
      const endpoint = {
        id: "/subscriptions/x/resourceGroups/y/providers/Vendor.Network/privateEndpoints/z",
      };
      const made = await call("PUT", `${base}/office`, {
        properties: { ...state().properties, privateEndpoint: endpoint },
      });
      expect([made.status, made.body]).toEqual([
        201,
        {
          id: `${base.replace("/management", "")}/office`,
          name: "office",
          type: "Vendor.AppConfiguration/configurationStores/privateEndpointConnections",
          properties: {
            provisioningState: "Succeeded",
            privateEndpoint: endpoint,
            privateLinkServiceConnectionState: {
              status: "Pending",
              description: "",
              actionsRequired: "None",
            },
          },
        },
      ]);
      const approved = await call("PUT", `${base}/office`, state("Approved", "welcome"));
      expect([approved.status, approved.body.properties.privateEndpoint]).toEqual([200, endpoint]);
      expect((await call("PUT", `${base}/office`, state("Pending"))).status).toBe(409);
      expect((await call("PUT", `${base}/office`, state("Maybe"))).status).toBe(400);
      expect((await call("PUT", `${base}/office`, {})).status).toBe(400);
      const other = await call("PUT", `${base}/office`, {
        properties: { ...state().properties, privateEndpoint: { id: `${endpoint.id}2` } },
      });
      expect(other.body.error.code).toBe("InvalidPrivateEndpoint");
      expect((await call("GET", `${base}/office`)).body).toEqual(approved.body);
      expect((await call("GET", base)).body.value).toEqual([approved.body]);
      expect((await call("DELETE", `${base}/office`)).status).toBe(200);
      expect((await call("DELETE", `${base}/office`)).status).toBe(204);
      const orphan = await call("PUT", `${storePath("no-such-store")}/privateEndpointConnections/x`, state());
      expect(orphan.status).toBe(404);
    });

    it("say what private endpoints can reach", async () => {
      await makeStore(instance(), "reachable");
      const base = `${storePath("reachable")}/privateLinkResources`;
      const { value } = (await call("GET", base)).body;
      expect(value).toEqual([
        {
          id: `${base.replace("/management", "")}/configurationStores`,
          name: "configurationStores",
          type: "Vendor.AppConfiguration/configurationStores/privateLinkResources",
          properties: { groupId: "configurationStores", requiredMembers: ["configurationStores"] },
        },
      ]);
      expect((await call("GET", `${base}/ConfigurationStores`)).body).toEqual(value[0]);
      expect((await call("GET", `${base}/else`)).status).toBe(404);
      expect((await call("GET", `${storePath("not-there")}/privateLinkResources`)).status).toBe(404);
    });
  },
  { services: configurationServices },
);
