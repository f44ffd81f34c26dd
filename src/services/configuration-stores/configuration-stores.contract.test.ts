/** Configuration stores as managed resources, over HTTP, in neutral words. */
import { expect, it } from "vitest";
import {
  configurationServices,
  makeStore,
  managementCall,
  PROVIDER,
  storeBody,
  storePath,
  VERSION,
  withVersion,
} from "../../../tests/support/configuration-stores.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "configuration stores",
  (instance) => {
    const call = managementCall(instance);

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
      const bare = await call("PATCH", path, { tags: null });
      expect([bare.status, bare.body.tags]).toEqual([200, {}]);
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

    it("list their operations, and insist on a version that they know", async () => {
      const list = await call("GET", `/management/${PROVIDER}/operations`);
      expect(list.status).toBe(200);
      expect(list.body.value.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining([
          "Vendor.AppConfiguration/configurationStores/write",
          "Vendor.AppConfiguration/configurationStores/ListKeys/action",
          "Vendor.AppConfiguration/checkNameAvailability/read",
          "Vendor.AppConfiguration/configurationStores/privateLinkResources/read",
        ]),
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
  { services: configurationServices },
);
