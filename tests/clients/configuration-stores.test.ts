/** Configuration stores with their public management client, as its users run it: over http and https, in both spellings. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  all,
  CONFIGURATION_VERSION,
  configurationServices,
  dataClient,
  GROUP,
  keysOf,
  managementOn,
  newStore,
} from "../support/configuration-clients.ts";
import {
  expectOneSpelling,
  expectSameInBothSpellings,
  makersWay,
  ways,
  wireTo,
} from "../support/management-clients.ts";
import { type Instance, onBothDatabases, startInstance } from "../support/medley.ts";

onBothDatabases(
  "configuration stores with their management client",
  (instance) => {
    it.concurrent.each(ways)(
      "tells a store's whole life over $scheme in the spelling $spelling",
      async (way) => {
        const { scheme, spelling } = way;
        const wire = wireTo(instance(), way);
        const subscription = `life-${scheme}-${spelling}`;
        const store = `life-of-${scheme}-${spelling}`;
        const type = `${spelling}.AppConfiguration/configurationStores`;
        const client = managementOn(wire, subscription);
        const { configurationStores: stores, operations } = client;
        expect(await operations.checkNameAvailability({ name: store, type })).toMatchObject({
          nameAvailable: true,
        });

        const made = await stores.beginCreateAndWait(GROUP, store, {
          location: "westus",
          sku: { name: "Free" },
          tags: { team: "lantern" },
        });
        const { origin } = new URL(wire.endpoint);
        expect(made).toMatchObject({
          id: `/subscriptions/${subscription}/resourceGroups/${GROUP}/providers/${type}/${store}`,
          name: store,
          type,
          location: "westus",
          sku: { name: "Free" },
          provisioningState: "Succeeded",
          endpoint: `${origin}/configuration/${store}`,
          tags: { team: "lantern" },
        });
        expect(made.creationDate).toBeInstanceOf(Date);

        const user = `/subscriptions/${subscription}/resourceGroups/${GROUP}/providers/${spelling}.ManagedIdentity/userAssignedIdentities/robot`;
        const changed = await stores.beginUpdateAndWait(GROUP, store, {
          sku: { name: "Standard" },
          tags: { stage: "production" },
          identity: { type: "SystemAssigned, UserAssigned", userAssignedIdentities: { [user]: {} } },
          encryption: { keyVaultProperties: { keyIdentifier: "https://vault.example/keys/settings" } },
        });
        expect(changed.sku).toEqual({ name: "Standard" });
        expect(changed.tags).toEqual({ team: "lantern", stage: "production" });
        expect(changed.identity?.principalId).toMatch(/^[0-9a-f-]{36}$/);
        expect(Object.keys(changed.identity?.userAssignedIdentities ?? {})).toEqual([user]);
        expect(changed.encryption?.keyVaultProperties?.keyIdentifier).toBe(
          "https://vault.example/keys/settings",
        );
        await expectSameInBothSpellings(instance(), String(made.id), CONFIGURATION_VERSION);

        for (const other of ["b", "c"])
          await stores.beginCreateAndWait(GROUP, `${store}-${other}`, {
            location: "westus",
            sku: { name: "Standard" },
          });
        wire.pageSize = 2;
        const pages: (string | undefined)[][] = [];
        for await (const page of stores.listByResourceGroup(GROUP).byPage())
          pages.push(page.map(({ name }) => name));
        wire.pageSize = undefined;
        expect(pages).toEqual([[store, `${store}-b`], [`${store}-c`]]);
        expect(await all(stores.list())).toHaveLength(3);
        const taken = await operations.checkNameAvailability({ name: store.toUpperCase(), type });
        expect(taken).toMatchObject({ nameAvailable: false, reason: "AlreadyExists" });
        expect((await all(operations.list())).map(({ name }) => name)).toContain(`${type}/ListKeys/action`);

        await stores.beginDeleteAndWait(GROUP, store);
        await expect(stores.get(GROUP, store)).rejects.toMatchObject({
          statusCode: 404,
          code: "ResourceNotFound",
        });
        await stores.beginDeleteAndWait(GROUP, store);
        expectOneSpelling(wire);
      },
    );

    it.concurrent.each(ways)(
      "lists, uses and regenerates keys over $scheme in the spelling $spelling",
      async (way) => {
        const wire = wireTo(instance(), way);
        const name = `keys-of-${way.scheme}-${way.spelling}`;
        const client = managementOn(wire, name);
        const { endpoint } = await client.configurationStores.beginCreateAndWait(GROUP, name, {
          location: "westus",
          sku: { name: "Standard" },
        });
        const keys = await keysOf(client, name);
        expect(keys.map(({ name, readOnly }) => [name, readOnly])).toEqual([
          ["Primary", false],
          ["Secondary", false],
          ["Primary Read Only", true],
          ["Secondary Read Only", true],
        ]);
        const [primary] = keys;
        expect(primary!.connectionString).toBe(
          `Endpoint=${endpoint};Id=${primary!.id};Secret=${primary!.value}`,
        );
        const data = dataClient(primary!.connectionString!, wire.authority);
        await data.setConfigurationSetting({ key: "Checkout:Timeout", label: "production", value: "30" });

        const fresh = await client.configurationStores.regenerateKey(GROUP, name, { id: primary!.id });
        expect(fresh.id).toBe(primary!.id);
        expect(fresh.value).not.toBe(primary!.value);
        expect((await keysOf(client, name))[0]!.value).toBe(fresh.value);
        const setting = { key: "Checkout:Timeout", label: "production" };
        await expect(data.getConfigurationSetting(setting)).rejects.toMatchObject({ statusCode: 401 });
        const renewed = dataClient(fresh.connectionString!, wire.authority);
        expect((await renewed.getConfigurationSetting(setting)).value).toBe("30");
        expectOneSpelling(wire);
      },
    );

    it.concurrent.each(ways)(
      "approves and cuts private endpoints over $scheme in the spelling $spelling",
      async (way) => {
        const wire = wireTo(instance(), way);
        const store = `private-${way.scheme}-${way.spelling}`;
        const client = managementOn(wire, store);
        await client.configurationStores.beginCreateAndWait(GROUP, store, {
          location: "westus",
          sku: { name: "Standard" },
        });
        const { privateEndpointConnections: connections, privateLinkResources: links } = client;
        const endpoint = `/subscriptions/${store}/resourceGroups/${GROUP}/providers/${way.spelling}.Network/privateEndpoints/office`;
        const made = await connections.beginCreateOrUpdateAndWait(GROUP, store, "office", {
          privateEndpoint: { id: endpoint },
          privateLinkServiceConnectionState: { status: "Pending", description: "please" },
        });
        expect(made).toMatchObject({
          provisioningState: "Succeeded",
          privateEndpoint: { id: endpoint },
          privateLinkServiceConnectionState: {
            status: "Pending",
            description: "please",
            actionsRequired: "None",
          },
        });
        const move = (status: string) =>
          connections.beginCreateOrUpdateAndWait(GROUP, store, "office", {
            privateLinkServiceConnectionState: { status },
          });
        await move("Approved");
        expect((await connections.get(GROUP, store, "office")).privateLinkServiceConnectionState).toEqual({
          status: "Approved",
          description: "please",
          actionsRequired: "None",
        });
        expect((await move("Disconnected")).privateLinkServiceConnectionState?.actionsRequired).toBe(
          "Recreate",
        );
        await expect(move("Approved")).rejects.toMatchObject({ code: "InvalidConnectionStateTransition" });
        expect(await all(connections.listByConfigurationStore(GROUP, store))).toHaveLength(1);
        await connections.beginDeleteAndWait(GROUP, store, "office");
        expect(await all(connections.listByConfigurationStore(GROUP, store))).toEqual([]);

        const [link] = await all(links.listByConfigurationStore(GROUP, store));
        expect(link).toMatchObject({
          groupId: "configurationStores",
          requiredMembers: ["configurationStores"],
        });
        expect(await links.get(GROUP, store, "configurationStores")).toMatchObject({ id: link!.id });
        expectOneSpelling(wire);
      },
    );

    it("is used by the client's own version as well", async () => {
      const client = managementOn(wireTo(instance(), makersWay), "newer", "2022-05-01");
      await client.configurationStores.beginCreateAndWait(GROUP, "newer-version", {
        location: "westus",
        sku: { name: "Standard" },
      });
      expect((await client.configurationStores.get(GROUP, "newer-version")).provisioningState).toBe(
        "Succeeded",
      );
    });

    it("keeps accounts apart, but shares names among them", async () => {
      await newStore(instance(), "mine", "shared-names");
      const other = managementOn(wireTo(instance(), makersWay, { as: "second" }), "theirs");
      await expect(
        other.configurationStores.beginCreateAndWait(GROUP, "Shared-Names", {
          location: "westus",
          sku: { name: "Free" },
        }),
      ).rejects.toMatchObject({ code: "NameAlreadyExists" });
      const inMine = managementOn(wireTo(instance(), makersWay, { as: "second" }), "mine");
      await expect(keysOf(inMine, "shared-names")).rejects.toMatchObject({ code: "SubscriptionNotFound" });
    });
  },
  { services: configurationServices, tls: true },
);

describe("provisioning that takes time", () => {
  let instance: Instance | undefined;
  beforeAll(async () => {
    instance = await startInstance({ services: configurationServices, tls: true, provisioningSeconds: 1 });
    await instance.clock.freeze();
  });
  afterAll(() => instance?.stop());

  // One after the other: they share a clock, which stands still until there was time to look.
  it.each(ways)("is polled to its end over $scheme in the spelling $spelling", async (way) => {
    const wire = wireTo(instance!, way);
    const store = `slow-${way.scheme}-${way.spelling}`;
    const client = managementOn(wire, store);
    const poller = await client.configurationStores.beginCreate(
      GROUP,
      store,
      { location: "westus", sku: { name: "Standard" } },
      { updateIntervalInMs: 50 },
    );
    expect((await client.configurationStores.get(GROUP, store)).provisioningState).toBe("Creating");
    const made = poller.pollUntilDone();
    await instance!.clock.advance("1s");
    expect((await made).provisioningState).toBe("Succeeded");
    const [key] = await keysOf(client, store);
    const data = dataClient(key!.connectionString!, wire.authority);
    await data.setConfigurationSetting({ key: "k", value: "v" });
    const snapshot = await data.beginCreateSnapshot(
      { name: "s", filters: [{ keyFilter: "*" }] },
      { updateIntervalInMs: 50 },
    );
    expect((await data.getSnapshot("s")).status).toBe("provisioning");
    expect(await all(data.listConfigurationSettingsForSnapshot("s"))).toEqual([]);
    const ready = snapshot.pollUntilDone();
    await instance!.clock.advance("1s");
    expect((await ready).status).toBe("ready");
    expectOneSpelling(wire);
  });
});
