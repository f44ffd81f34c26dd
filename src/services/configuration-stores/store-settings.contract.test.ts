/** Settings of a store that decide who may speak to it: access keys, public networks, private endpoints, purges. */
import { expect, it } from "vitest";
import { type AccessKey, sendSigned } from "../../../tests/support/configuration-data.ts";
import * as support from "../../../tests/support/configuration-stores.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "settings of a store",
  (instance) => {
    const call = support.managementCall(instance);
    const set = (name: string, properties: object) => call("PATCH", support.storePath(name), { properties });
    const connect = (name: string, status: string) =>
      call("PUT", `${support.storePath(name)}/privateEndpointConnections/office`, {
        properties: { privateLinkServiceConnectionState: { status } },
      });
    const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
    const NEAR = from("10.1.2.3");
    const FAR = from("203.0.113.7");
    const signed = async (name: string, key: AccessKey | undefined, origin = from("127.0.0.1")) =>
      (await sendSigned(instance(), key!, "GET", `/configuration/${name}/kv?${support.DATA_VERSION}`, origin))
        .status;
    const withToken = async (name: string, origin = from("127.0.0.1")) =>
      (await instance().bearer("GET", `/configuration/${name}/kv?${support.DATA_VERSION}`, origin)).status;

    it("takes a store's keys away while local authentication is off, and makes new ones after", async () => {
      await support.makeStore(instance(), "no-keys");
      const [former] = await support.keysOf(instance(), "no-keys");
      expect(await signed("no-keys", former)).toBe(200);
      const off = await set("no-keys", { disableLocalAuth: true });
      expect([off.status, off.body.properties.disableLocalAuth]).toEqual([200, true]);
      expect(await signed("no-keys", former)).toBe(401);
      expect(await withToken("no-keys")).toBe(200);
      expect(await support.keysOf(instance(), "no-keys")).toEqual([]);
      const regenerated = await call("POST", `${support.storePath("no-keys")}/RegenerateKey`, {
        id: former?.id,
      });
      expect(regenerated.status).toBe(404);
      await set("no-keys", {});
      expect(await support.keysOf(instance(), "no-keys")).toEqual([]);
      await set("no-keys", { disableLocalAuth: false });
      const [next, ...others] = await support.keysOf(instance(), "no-keys");
      expect([others.length, await signed("no-keys", next), await signed("no-keys", former)]).toEqual([
        3, 200, 401,
      ]);
    });

    it("can be made without keys, and a PUT that leaves the setting out brings them back", async () => {
      const body = { ...support.storeBody, properties: { disableLocalAuth: true } };
      await support.makeStore(instance(), "keyless", {}, body);
      expect(await support.keysOf(instance(), "keyless")).toEqual([]);
      await call("PUT", support.storePath("keyless"), support.storeBody);
      expect(await support.keysOf(instance(), "keyless")).toHaveLength(4);
    });

    it("is closed to public networks when it says so, and to all until a private endpoint is approved", async () => {
      await support.makeStore(instance(), "private-store");
      const [key] = await support.keysOf(instance(), "private-store");
      const statuses = async () => [
        await signed("private-store", key, NEAR),
        await signed("private-store", key, FAR),
        await withToken("private-store", NEAR),
        await withToken("private-store", FAR),
      ];
      expect(await statuses()).toEqual([200, 200, 200, 200]);
      const closed = await set("private-store", { publicNetworkAccess: "Disabled" });
      expect(closed.body.properties.publicNetworkAccess).toBe("Disabled");
      expect(await statuses()).toEqual([403, 403, 403, 403]);
      await connect("private-store", "Pending");
      expect(await statuses()).toEqual([403, 403, 403, 403]);
      await connect("private-store", "Approved");
      expect(await statuses()).toEqual([200, 403, 200, 403]);
      expect(await signed("private-store", key)).toBe(200);
      await connect("private-store", "Rejected");
      expect(await statuses()).toEqual([403, 403, 403, 403]);
      await connect("private-store", "Approved");
      const path = `${support.storePath("private-store")}/privateEndpointConnections/office`;
      expect((await call("DELETE", path)).status).toBe(200);
      expect(await statuses()).toEqual([403, 403, 403, 403]);
      await set("private-store", { publicNetworkAccess: "Enabled" });
      expect(await statuses()).toEqual([200, 200, 200, 200]);
    });

    it("closes to public networks by itself once a private endpoint is approved, unless told otherwise", async () => {
      await support.makeStore(instance(), "by-itself");
      const [key] = await support.keysOf(instance(), "by-itself");
      await connect("by-itself", "Approved");
      expect([await signed("by-itself", key, NEAR), await signed("by-itself", key, FAR)]).toEqual([200, 403]);
      await set("by-itself", { publicNetworkAccess: "Enabled" });
      expect(await signed("by-itself", key, FAR)).toBe(200);
    });

    it("tells whoever is refused why", async () => {
      await support.makeStore(
        instance(),
        "telling",
        {},
        {
          ...support.storeBody,
          properties: { publicNetworkAccess: "Disabled" },
        },
      );
      const refused = await instance().bearer("GET", `/configuration/telling/kv?${support.DATA_VERSION}`);
      expect(refused.body.detail).toContain("public network access");
      const shown = await call("POST", `${support.storePath("telling")}/listKeyValue`, { key: "nothing" });
      expect(shown.status).toBe(404);
    });

    it.each([
      ["purge protection", { enablePurgeProtection: true }],
      ["recovery of a deleted store", { createMode: "Recover" }],
    ])("refuses %s, for deleted stores are gone at once", async (_what, properties) => {
      const answer = await call("PUT", support.storePath("not-kept"), { ...support.storeBody, properties });
      expect([answer.status, answer.body.error.code]).toEqual([400, "SoftDeleteNotSupported"]);
      expect((await call("GET", support.storePath("not-kept"))).status).toBe(404);
    });
    it("takes what clients send with these by default, and says that nothing is kept", async () => {
      const properties = {
        enablePurgeProtection: false,
        softDeleteRetentionInDays: 7,
        createMode: "Default",
      };
      const made = await support.makeStore(
        instance(),
        "asks-nothing",
        {},
        { ...support.storeBody, properties },
      );
      expect(made.properties).toMatchObject({ enablePurgeProtection: false, softDeleteRetentionInDays: 0 });
      expect((await call("DELETE", support.storePath("asks-nothing"))).status).toBe(200);
      await support.makeStore(instance(), "asks-nothing");
    });
  },
  { services: support.configurationServices, trustedProxies: ["127.0.0.1"] },
);
