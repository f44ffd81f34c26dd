/** Access keys, identities and data of configuration stores, over HTTP. */
import { expect, it } from "vitest";
import { sendSigned } from "../../../tests/support/configuration-data.ts";
import * as support from "../../../tests/support/configuration-stores.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "identities, keys and data of configuration stores",
  (instance) => {
    const call = support.managementCall(instance);

    it("keep the ids of identities while they last", async () => {
      const user =
        "/subscriptions/s/resourceGroups/g/providers/Vendor.ManagedIdentity/userAssignedIdentities/u";
      const { identity } = await support.makeStore(
        instance(),
        "identified",
        {},
        {
          ...support.storeBody,
          identity: { type: "SystemAssigned, UserAssigned", userAssignedIdentities: { [user]: {} } },
        },
      );
      expect(identity).toEqual({
        type: "SystemAssigned, UserAssigned",
        principalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        tenantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        userAssignedIdentities: { [user]: { clientId: expect.any(String), principalId: expect.any(String) } },
      });
      const tagged = await call("PATCH", support.storePath("identified"), { tags: { x: "y" } });
      expect(tagged.body.identity).toEqual(identity);
      const without = await call("PATCH", support.storePath("identified"), {
        identity: { type: "SystemAssigned", userAssignedIdentities: { [user]: null } },
      });
      expect(without.body.identity.principalId).toBe(identity.principalId);
      expect(without.body.identity.userAssignedIdentities).toBeUndefined();
      const none = await call("PATCH", support.storePath("identified"), { identity: { type: "None" } });
      expect(none.body.identity).toBeUndefined();
    });

    it("give up identities with their type, and know them in any casing", async () => {
      const user =
        "/subscriptions/s/resourceGroups/g/providers/Vendor.ManagedIdentity/userAssignedIdentities/u";
      const path = support.storePath("changing-identity");
      const { identity } = await support.makeStore(
        instance(),
        "changing-identity",
        {},
        { ...support.storeBody, identity: { type: "UserAssigned", userAssignedIdentities: { [user]: {} } } },
      );
      const patch = async (wanted: object | null) => {
        const answer = await call("PATCH", path, { identity: wanted });
        return answer.status === 200 ? answer.body.identity : answer.body.error.code;
      };
      expect(await patch({ userAssignedIdentities: { [user.toUpperCase()]: {} } })).toEqual(identity);
      const more = await patch({ userAssignedIdentities: { [`${user}2`]: {} } });
      expect(Object.keys(more.userAssignedIdentities)).toEqual([user, `${user}2`]);
      const fewer = await patch({ userAssignedIdentities: { [`${user.toUpperCase()}2`]: null } });
      expect(fewer).toEqual(identity);
      expect(await patch({ userAssignedIdentities: { [user]: null } })).toBe("InvalidIdentity");
      const system = await patch({ type: "SystemAssigned" });
      expect(system).toEqual({
        type: "SystemAssigned",
        principalId: expect.any(String),
        tenantId: expect.any(String),
      });
      expect(await patch({ type: "None", userAssignedIdentities: { [user]: {} } })).toBe("InvalidIdentity");
      expect(await patch({ type: "UserAssigned", userAssignedIdentities: { [user]: {} } })).toMatchObject({
        type: "UserAssigned",
      });
      expect(await patch({ type: "None" })).toBeUndefined();
      expect(await patch({ type: "SystemAssigned" })).toBeDefined();
      expect(await patch(null)).toBeUndefined();
    });

    it("hand out keys in any casing of the path, and regenerate one of them", async () => {
      await support.makeStore(instance(), "key-paths");
      const keys = await support.keysOf(instance(), "key-paths");
      const lower = await call("POST", `${support.storePath("key-paths")}/listkeys`);
      expect(lower.body.value).toEqual(keys);
      const regenerate = (id: unknown) =>
        call("POST", `${support.storePath("key-paths")}/RegenerateKey`, { id });
      const [primary, secondary] = keys;
      const fresh = await regenerate(primary!.id);
      expect(fresh.status).toBe(200);
      expect(fresh.body).toMatchObject({ id: primary!.id, name: "Primary", readOnly: false });
      expect(fresh.body.value).not.toBe(primary!.value);
      const path = `/configuration/key-paths/kv?${support.VERSION.replace("2019-11-01-preview", "1.0")}`;
      expect((await sendSigned(instance(), primary!, "GET", path)).status).toBe(401);
      expect((await sendSigned(instance(), fresh.body, "GET", path)).status).toBe(200);
      expect((await sendSigned(instance(), secondary!, "GET", path)).status).toBe(200);
      expect((await regenerate("nobody")).body.error.code).toBe("AccessKeyNotFound");
      expect((await regenerate(undefined)).status).toBe(400);
    });

    it("read the same key-values that the store's own endpoint writes", async () => {
      await support.makeStore(instance(), "both-sides");
      const [key] = await support.keysOf(instance(), "both-sides");
      const written = await sendSigned(
        instance(),
        key!,
        "PUT",
        "/configuration/both-sides/kv/color?label=prod&api-version=1.0",
        {
          body: { value: "red", content_type: "text/plain", tags: { a: "b" } },
        },
      );
      const read = await call("POST", `${support.storePath("both-sides")}/listKeyValue`, {
        key: "color",
        label: "prod",
      });
      expect(read.status).toBe(200);
      expect(read.body).toEqual({
        key: "color",
        label: "prod",
        value: "red",
        contentType: "text/plain",
        eTag: written.body.etag,
        lastModified: expect.stringMatching(/Z$/),
        locked: false,
        tags: { a: "b" },
      });
      const missing = await call("POST", `${support.storePath("both-sides")}/listKeyValue`, { key: "color" });
      expect([missing.status, missing.body.error.code]).toEqual([404, "KeyValueNotFound"]);
      expect((await call("POST", `${support.storePath("both-sides")}/listKeyValue`, {})).status).toBe(400);
    });

    it("take their data with them, also when their resource group goes", async () => {
      const place = { group: "doomed" };
      await support.makeStore(instance(), "doomed-store", place);
      const [key] = await support.keysOf(instance(), "doomed-store", place);
      const path = "/configuration/doomed-store/kv/k?api-version=1.0";
      expect((await sendSigned(instance(), key!, "PUT", path, { body: { value: "v" } })).status).toBe(200);
      await instance().bearer(
        "DELETE",
        "/management/subscriptions/sub-1/resourceGroups/doomed?api-version=2021-04-01",
      );
      expect((await sendSigned(instance(), key!, "GET", path)).status).toBe(401);
      await support.makeStore(instance(), "doomed-store");
      const [again] = await support.keysOf(instance(), "doomed-store");
      expect((await sendSigned(instance(), again!, "GET", path)).status).toBe(404);
    });

    it("come with demo data, once", async () => {
      const seed = () =>
        instance().bearer("POST", "/_medley/seed", { body: { services: ["configuration-stores"] } });
      const values = () =>
        instance().bearer("GET", "/configuration/lantern-settings-111111111111/kv?api-version=2023-11-01");
      expect((await seed()).body).toMatchObject({ seeded: ["configuration-stores"] });
      const first = await values();
      expect(first.body.items).toHaveLength(11);
      expect((await seed()).status).toBe(200);
      expect((await values()).body.etag).toBe(first.body.etag);
    });
    it("show their latest change in the console, JSON line by line", async () => {
      const query = new URLSearchParams({
        view: "Configuration stores",
        row: "lantern-settings-111111111111",
      });
      const { body } = await instance().bearer("GET", `/_medley/views/configuration-stores/detail?${query}`);
      const [, difference] = body.widgets;
      expect(difference).toMatchObject({
        kind: "diff",
        title: "Latest of .appconfig.featureflag/new-search",
      });
      const added = difference.after.split("\n").filter((line: string) => !difference.before.includes(line));
      expect(added.map((line: string) => line.trim())).toContain('"name": "Microsoft.Targeting",');
    });

    it("show no secret in the request log", async () => {
      await support.makeStore(instance(), "discreet");
      const [key] = await support.keysOf(instance(), "discreet");
      await sendSigned(instance(), key!, "GET", "/configuration/discreet/kv?api-version=1.0");
      const log = await instance().bearer("GET", "/_medley/requests");
      expect(log.text).toContain("/configuration/discreet/kv");
      expect(log.text).not.toContain(key!.value);
    });
  },
  { services: support.configurationServices },
);
