/** Configuration stores as managed resources, over HTTP, in neutral words. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sendSigned } from "../../../tests/support/configuration-data.ts";
import {
  createDatabase,
  type Instance,
  onBothDatabases,
  startInstance,
} from "../../../tests/support/medley.ts";

const services = ["configuration-stores", "configuration-data", "resource-manager"];
const VERSION = "api-version=2019-11-01-preview";
const PROVIDER = "providers/Vendor.AppConfiguration";

const storePath = (name: string, { subscription = "sub-1", group = "web", root = "/management" } = {}) =>
  `${root}/subscriptions/${subscription}/resourceGroups/${group}/${PROVIDER}/configurationStores/${name}`;
const withVersion = (path: string) => `${path}?${VERSION}`;
const storeBody = { location: "West US", sku: { name: "Standard" } };

async function makeStore(instance: Instance, name: string, place = {}, body: object = storeBody) {
  const made = await instance.bearer("PUT", withVersion(storePath(name, place)), { body });
  expect(made.status).toBe(201);
  return made.body;
}
async function keysOf(instance: Instance, name: string, place = {}) {
  const answer = await instance.bearer("POST", withVersion(`${storePath(name, place)}/ListKeys`));
  expect(answer.status).toBe(200);
  return answer.body.value as { id: string; value: string; name: string; readOnly: boolean }[];
}

onBothDatabases(
  "configuration stores",
  (instance) => {
    const call = (method: string, path: string, body?: unknown) =>
      instance().bearer(method, withVersion(path), { body });

    it("are made, replaced, changed, read and deleted", async () => {
      const path = storePath("Lifecycle-1");
      const created = await call("PUT", path, { ...storeBody, tags: { a: "1" } });
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        id: path.replace("/management", ""),
        name: "Lifecycle-1",
        type: "Vendor.AppConfiguration/configurationStores",
        location: "West US",
        tags: { a: "1" },
        sku: { name: "Standard" },
        properties: {
          creationDate: expect.stringMatching(/^\d{4}-/),
          endpoint: `${instance().url}/configuration/Lifecycle-1`,
          provisioningState: "Succeeded",
        },
      });
      const replaced = await call("PUT", path.toLowerCase(), { ...storeBody, tags: { b: "2" } });
      expect([replaced.status, replaced.body.name, replaced.body.tags]).toEqual([
        200,
        "Lifecycle-1",
        { b: "2" },
      ]);
      const changed = await call("PATCH", path, { tags: { c: "3" } });
      expect([changed.status, changed.body.tags]).toEqual([200, { b: "2", c: "3" }]);
      expect((await call("GET", path)).body).toEqual(changed.body);
      expect((await call("DELETE", path)).status).toBe(200);
      expect((await call("DELETE", path)).status).toBe(204);
      const gone = await call("GET", path);
      expect([gone.status, gone.body.error.code]).toEqual([404, "ResourceNotFound"]);
    });

    it("show endpoints that fit the address they were asked at", async () => {
      await makeStore(instance(), "addressed");
      const at = async (headers: Record<string, string>, root: string) =>
        (await instance().bearer("GET", withVersion(storePath("addressed", { root })), { headers })).body
          .properties.endpoint;
      expect(await at({}, "")).toBe(`${instance().url}/configuration/addressed`);
      const makers = await instance().bearer(
        "GET",
        withVersion(storePath("addressed").replace("Vendor.", "Microsoft.")),
      );
      expect(makers.body.type).toBe("Microsoft.AppConfiguration/configurationStores");
    });

    it("are listed by resource group and by subscription, page by page", async () => {
      const place = { subscription: "sub-list" };
      for (const [group, name] of [
        ["one", "list-a"],
        ["one", "list-b"],
        ["two", "list-c"],
      ] as const)
        await makeStore(instance(), name, { ...place, group });
      const names = (answer: { body: { value: { name: string }[] } }) =>
        answer.body.value.map(({ name }) => name);
      const all = await call("GET", `/management/subscriptions/sub-list/${PROVIDER}/configurationStores`);
      expect(names(all)).toEqual(["list-a", "list-b", "list-c"]);
      const group = storePath("", { ...place, group: "one" }).slice(0, -1);
      expect(names(await call("GET", group))).toEqual(["list-a", "list-b"]);
      const first = await instance().bearer("GET", `${group}?${VERSION}&$top=1`);
      expect(names(first)).toEqual(["list-a"]);
      expect(names(await instance().bearer("GET", first.body.nextLink))).toEqual(["list-b"]);
      expect((await instance().bearer("GET", `${group}?${VERSION}&$skipToken=nonsense`)).status).toBe(400);
    });

    it.each([
      ["an unknown SKU", { sku: { name: "Platinum" } }, "InvalidSku"],
      ["no SKU", { sku: undefined }, "InvalidRequestContent"],
      ["no location", { location: undefined }, "InvalidRequestContent"],
      ["an unknown identity type", { identity: { type: "Root" } }, "InvalidRequestContent"],
      ["a user identity without identities", { identity: { type: "UserAssigned" } }, "InvalidIdentity"],
      [
        "identities that are not asked for",
        {
          identity: {
            type: "None",
            userAssignedIdentities: { "/subscriptions/s/resourceGroups/g/providers/p/t/n": {} },
          },
        },
        "InvalidIdentity",
      ],
      [
        "an identity that is none",
        { identity: { type: "UserAssigned", userAssignedIdentities: { me: {} } } },
        "InvalidIdentity",
      ],
      [
        "a key that is no address",
        { properties: { encryption: { keyVaultProperties: { keyIdentifier: "my-key" } } } },
        "InvalidEncryptionProperties",
      ],
      [
        "a key of one's own in the free tier",
        {
          sku: { name: "free" },
          properties: {
            encryption: { keyVaultProperties: { keyIdentifier: "https://vault.example/keys/k" } },
          },
        },
        "InvalidEncryptionProperties",
      ],
    ])("refuse %s", async (_what, change, code) => {
      const answer = await call("PUT", storePath("refused-store"), { ...storeBody, ...change });
      expect([answer.status, answer.body.error.code]).toEqual([400, code]);
      expect((await call("GET", storePath("refused-store"))).status).toBe(404);
    });
    it.each(["abcd", "has.dot", "a".repeat(51)])("refuse the name %s", async (name) => {
      const answer = await call("PUT", storePath(name), storeBody);
      expect([answer.status, answer.body.error.code]).toEqual([400, "InvalidResourceName"]);
    });
    it("refuse to go back from Standard to Free", async () => {
      await makeStore(instance(), "no-way-back");
      const answer = await call("PATCH", storePath("no-way-back"), { sku: { name: "Free" } });
      expect([answer.status, answer.body.error.code]).toEqual([400, "SkuDowngradeNotSupported"]);
    });

    it("keep the ids of identities while they last", async () => {
      const user =
        "/subscriptions/s/resourceGroups/g/providers/Vendor.ManagedIdentity/userAssignedIdentities/u";
      const { identity } = await makeStore(
        instance(),
        "identified",
        {},
        {
          ...storeBody,
          identity: { type: "SystemAssigned, UserAssigned", userAssignedIdentities: { [user]: {} } },
        },
      );
      expect(identity).toEqual({
        type: "SystemAssigned, UserAssigned",
        principalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        tenantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        userAssignedIdentities: { [user]: { clientId: expect.any(String), principalId: expect.any(String) } },
      });
      const tagged = await call("PATCH", storePath("identified"), { tags: { x: "y" } });
      expect(tagged.body.identity).toEqual(identity);
      const without = await call("PATCH", storePath("identified"), {
        identity: { type: "SystemAssigned", userAssignedIdentities: { [user]: null } },
      });
      expect(without.body.identity.principalId).toBe(identity.principalId);
      expect(without.body.identity.userAssignedIdentities).toBeUndefined();
      const none = await call("PATCH", storePath("identified"), { identity: { type: "None" } });
      expect(none.body.identity).toBeUndefined();
    });

    it("check names across all accounts", async () => {
      await makeStore(instance(), "known-name");
      const check = async (name: string, as: "first" | "second" = "second", type = "configurationStores") =>
        instance().bearer(
          "POST",
          withVersion(`/management/subscriptions/sub-${as}/${PROVIDER}/checkNameAvailability`),
          {
            body: { name, type: `Vendor.AppConfiguration/${type}` },
            as,
          },
        );
      expect((await check("KNOWN-name")).body).toMatchObject({
        nameAvailable: false,
        reason: "AlreadyExists",
      });
      expect((await check("free-name")).body).toEqual({
        nameAvailable: true,
        message: "The specified name is available.",
      });
      expect((await check("no")).body).toMatchObject({ nameAvailable: false, reason: "Invalid" });
      expect((await check("free-name", "second", "other")).status).toBe(400);
      const taken = await instance().bearer(
        "PUT",
        withVersion(storePath("known-name", { subscription: "sub-2" })),
        {
          body: storeBody,
          as: "second",
        },
      );
      expect([taken.status, taken.body.error.code]).toEqual([409, "NameAlreadyExists"]);
    });

    it("hand out keys in any casing of the path, and regenerate one of them", async () => {
      await makeStore(instance(), "key-paths");
      const keys = await keysOf(instance(), "key-paths");
      const lower = await call("POST", `${storePath("key-paths")}/listkeys`);
      expect(lower.body.value).toEqual(keys);
      const regenerate = (id: unknown) => call("POST", `${storePath("key-paths")}/RegenerateKey`, { id });
      const [primary, secondary] = keys;
      const fresh = await regenerate(primary!.id);
      expect(fresh.status).toBe(200);
      expect(fresh.body).toMatchObject({ id: primary!.id, name: "Primary", readOnly: false });
      expect(fresh.body.value).not.toBe(primary!.value);
      const path = `/configuration/key-paths/kv?${VERSION.replace("2019-11-01-preview", "1.0")}`;
      expect((await sendSigned(instance(), primary!, "GET", path)).status).toBe(401);
      expect((await sendSigned(instance(), fresh.body, "GET", path)).status).toBe(200);
      expect((await sendSigned(instance(), secondary!, "GET", path)).status).toBe(200);
      expect((await regenerate("nobody")).body.error.code).toBe("AccessKeyNotFound");
      expect((await regenerate(undefined)).status).toBe(400);
    });

    it("read the same key-values that the store's own endpoint writes", async () => {
      await makeStore(instance(), "both-sides");
      const [key] = await keysOf(instance(), "both-sides");
      const written = await sendSigned(
        instance(),
        key!,
        "PUT",
        "/configuration/both-sides/kv/color?label=prod&api-version=1.0",
        {
          body: { value: "red", content_type: "text/plain", tags: { a: "b" } },
        },
      );
      const read = await call("POST", `${storePath("both-sides")}/listKeyValue`, {
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
      const missing = await call("POST", `${storePath("both-sides")}/listKeyValue`, { key: "color" });
      expect([missing.status, missing.body.error.code]).toEqual([404, "KeyValueNotFound"]);
      expect((await call("POST", `${storePath("both-sides")}/listKeyValue`, {})).status).toBe(400);
    });

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

    it("list their operations, and insist on a version that they know", async () => {
      const list = await call("GET", `/management/${PROVIDER}/operations`);
      expect(list.status).toBe(200);
      expect(list.body.value.map(({ name }: { name: string }) => name)).toContain(
        "Vendor.AppConfiguration/configurationStores/write",
      );
      const versions = await instance().bearer("GET", `${storePath("whatever")}?api-version=1999-01-01`);
      expect(versions.status).toBe(400);
      expect(versions.body.error.message).toContain("2019-11-01-preview");
      expect((await instance().bearer("GET", storePath("whatever"))).body.error.code).toBe(
        "MissingApiVersionParameter",
      );
    });

    it("belong to one account: another sees none of it", async () => {
      await makeStore(instance(), "only-mine");
      for (const [method, path] of [
        ["GET", storePath("only-mine")],
        ["DELETE", storePath("only-mine")],
        ["POST", `${storePath("only-mine")}/ListKeys`],
      ] as const) {
        const answer = await instance().bearer(method, withVersion(path), { as: "second" });
        expect([answer.status, answer.body.error.code]).toEqual([404, "SubscriptionNotFound"]);
      }
      expect((await call("GET", storePath("only-mine"))).status).toBe(200);
    });

    it("take their data with them, also when their resource group goes", async () => {
      const place = { group: "doomed" };
      await makeStore(instance(), "doomed-store", place);
      const [key] = await keysOf(instance(), "doomed-store", place);
      const path = "/configuration/doomed-store/kv/k?api-version=1.0";
      expect((await sendSigned(instance(), key!, "PUT", path, { body: { value: "v" } })).status).toBe(200);
      await instance().bearer(
        "DELETE",
        "/management/subscriptions/sub-1/resourceGroups/doomed?api-version=2021-04-01",
      );
      expect((await sendSigned(instance(), key!, "GET", path)).status).toBe(401);
      await makeStore(instance(), "doomed-store");
      const [again] = await keysOf(instance(), "doomed-store");
      expect((await sendSigned(instance(), again!, "GET", path)).status).toBe(404);
    });

    it("come with demo data, once", async () => {
      const seed = () =>
        instance().bearer("POST", "/_medley/seed", { body: { services: ["configuration-stores"] } });
      const values = () =>
        instance().bearer("GET", "/configuration/lantern-settings-111111111111/kv?api-version=2023-11-01");
      expect((await seed()).body).toEqual({ seeded: ["configuration-stores"] });
      const first = await values();
      expect(first.body.items).toHaveLength(11);
      expect((await seed()).status).toBe(200);
      expect((await values()).body.etag).toBe(first.body.etag);
    });

    it("show no secret in the request log", async () => {
      await makeStore(instance(), "discreet");
      const [key] = await keysOf(instance(), "discreet");
      await sendSigned(instance(), key!, "GET", "/configuration/discreet/kv?api-version=1.0");
      const log = await instance().bearer("GET", "/_medley/requests");
      expect(log.text).toContain("/configuration/discreet/kv");
      expect(log.text).not.toContain(key!.value);
    });

    it("appear in the resource catalogue with their tags", async () => {
      await makeStore(instance(), "catalogued", {}, { ...storeBody, tags: { team: "web" } });
      const answer = await instance().bearer(
        "GET",
        "/_medley/resources?type=Vendor::AppConfiguration::ConfigurationStore",
      );
      const found = (answer.body.resources ?? answer.body).find(
        ({ name }: { name: string }) => name === "catalogued",
      );
      expect(found.tags).toEqual({ team: "web" });
    });
  },
  { services },
);

onBothDatabases(
  "configuration stores that take time to be made",
  (instance) => {
    it("pass through their states on the clock", async () => {
      const call = (method: string, path: string, body?: unknown) =>
        instance().bearer(method, withVersion(path), { body });
      const state = async (path: string) => (await call("GET", path)).body.properties?.provisioningState;
      await instance().clock.freeze();
      const path = storePath("slow-store");
      const created = await call("PUT", path, storeBody);
      expect([created.status, created.body.properties.provisioningState]).toEqual([201, "Creating"]);
      expect(created.headers.get("azure-asyncoperation")).toContain("/management/subscriptions/sub-1/");
      expect((await call("PATCH", path, { tags: { a: "b" } })).status).toBe(409);
      await instance().clock.advance("61s");
      expect(await state(path)).toBe("Succeeded");
      const changed = await call("PATCH", path, { tags: { a: "b" } });
      expect([changed.status, changed.body.properties.provisioningState]).toEqual([201, "Updating"]);
      await instance().clock.advance("61s");
      const replaced = await call("PUT", path, storeBody);
      expect([replaced.status, replaced.body.properties.provisioningState]).toEqual([201, "Updating"]);
      await instance().clock.advance("61s");
      const connection = `${path}/privateEndpointConnections/office`;
      const made = await call("PUT", connection, { properties: { privateLinkServiceConnectionState: {} } });
      expect([made.status, made.body.properties.provisioningState]).toEqual([201, "Creating"]);
      await instance().clock.advance("61s");
      expect((await call("DELETE", connection)).status).toBe(202);
      expect(await state(connection)).toBe("Deleting");
      await instance().clock.advance("61s");
      expect((await call("GET", connection)).status).toBe(404);
      const deleting = await call("DELETE", path);
      expect(deleting.status).toBe(202);
      expect(await state(path)).toBe("Deleting");
      await instance().clock.advance("61s");
      expect((await call("GET", path)).status).toBe(404);
      expect(
        (await instance().bearer("GET", deleting.headers.get("azure-asyncoperation")!)).body.status,
      ).toBe("Succeeded");
    });
  },
  { services, provisioningSeconds: 60 },
);

describe.each(["sqlite", "postgres"] as const)("configuration stores after a restart on %s", (on) => {
  it("keep keys, data and work under way; secrets are nowhere in plain text", async () => {
    const folder = mkdtempSync(join(tmpdir(), "configuration-"));
    const options = { services, provisioningSeconds: 2, secretKey: "a key for the box" };
    const where = on === "sqlite" ? { data: folder } : { database: await createDatabase() };
    let instance = await startInstance({ ...options, ...where });
    try {
      const path = storePath("lasting-store");
      await instance.bearer("PUT", withVersion(path), { body: storeBody });
      const [key] = await keysOf(instance, "lasting-store");
      const item = "/configuration/lasting-store/kv/k?api-version=1.0";
      const written = await sendSigned(instance, key!, "PUT", item, { body: { value: "kept" } });
      await sendSigned(
        instance,
        key!,
        "PUT",
        "/configuration/lasting-store/snapshots/s?api-version=2023-11-01",
        {
          body: { filters: [{ key: "*" }] },
        },
      );
      await instance.stop();
      if (on === "sqlite") expect(readFileSync(join(folder, "medley.db")).includes(key!.value)).toBe(false);
      instance = await startInstance({ ...options, ...where });
      expect((await sendSigned(instance, key!, "GET", item)).body.etag).toBe(written.body.etag);
      await instance.clock.advance("10s");
      expect((await instance.bearer("GET", withVersion(path))).body.properties.provisioningState).toBe(
        "Succeeded",
      );
      const snapshot = await sendSigned(
        instance,
        key!,
        "GET",
        "/configuration/lasting-store/snapshots/s?api-version=2023-11-01",
      );
      expect(snapshot.body).toMatchObject({ status: "ready", items_count: 1 });
    } finally {
      await instance.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
