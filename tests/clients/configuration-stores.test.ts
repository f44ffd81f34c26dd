/** Configuration stores with their public clients: the management client, and the configuration client on a store's own endpoint. */
import {
  AppConfigurationClient,
  type AppConfigurationClientOptions,
  isFeatureFlag,
  parseFeatureFlag,
} from "@azure/app-configuration";
import { AppConfigurationManagementClient } from "@azure/arm-appconfiguration";
import { describe, expect, it } from "vitest";
import { accounts, type Instance, onBothDatabases, startInstance } from "../support/medley.ts";

const SERVICES = ["configuration-stores", "configuration-data", "resource-manager"];
const VERSION = "2019-11-01-preview";
const GROUP = "settings";

const credentialOf = (account: "first" | "second") => ({
  getToken: async () => ({
    token: accounts[account].tokens[0]!,
    expiresOnTimestamp: Date.now() + 3_600_000,
  }),
});

/** Over https the client is used exactly as it comes. Over http its bearer policy refuses to work and is replaced. */
function management(
  { medley }: Instance,
  subscription: string,
  {
    as = "first",
    scheme = "http",
    apiVersion = VERSION,
  }: { as?: "first" | "second"; scheme?: string; apiVersion?: string } = {},
): AppConfigurationManagementClient {
  const secure = scheme === "https";
  const client = new AppConfigurationManagementClient(credentialOf(as), subscription, {
    endpoint: `${secure ? medley.tlsUrl : medley.url}/management`,
    apiVersion,
    allowInsecureConnection: !secure,
    ...(secure && { tlsOptions: { ca: medley.certificateAuthorityPem } }),
    retryOptions: { maxRetries: 0 },
  } as ConstructorParameters<typeof AppConfigurationManagementClient>[2]);
  if (!secure) {
    client.pipeline.removePolicy({ name: "bearerTokenAuthenticationPolicy" });
    client.pipeline.addPolicy({
      name: "local",
      sendRequest(request, next) {
        request.headers.set("Authorization", `Bearer ${accounts[as].tokens[0]}`);
        return next(request);
      },
    });
  }
  return client;
}
const dataClient = (connectionString: string, ca?: string) =>
  new AppConfigurationClient(connectionString, {
    retryOptions: { maxRetries: 0 },
    ...(ca === undefined ? { allowInsecureConnection: true } : { tlsOptions: { ca } }),
  } as AppConfigurationClientOptions);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
const keysOf = (client: AppConfigurationManagementClient, store: string) =>
  all(client.configurationStores.listKeys(GROUP, store));
async function newStore(instance: Instance, subscription: string, store: string, options = {}) {
  const client = management(instance, subscription, options);
  await client.configurationStores.beginCreateAndWait(
    GROUP,
    store,
    { location: "westus", sku: { name: "Standard" }, tags: { stage: "test" } },
    { updateIntervalInMs: 10 },
  );
  return client;
}

const services = { services: SERVICES, tls: true };

onBothDatabases(
  "configuration stores with their management client",
  (instance) => {
    it.each(["http", "https"])("tells a store's whole life over %s", async (scheme) => {
      const subscription = `life-${scheme}`;
      const store = `life-of-${scheme}-store`;
      const client = management(instance(), subscription, { scheme });
      const free = await client.operations.checkNameAvailability({
        name: store,
        type: "Microsoft.AppConfiguration/configurationStores",
      });
      expect(free.nameAvailable).toBe(true);

      const made = await client.configurationStores.beginCreateAndWait(GROUP, store, {
        location: "westus",
        sku: { name: "Free" },
        tags: { team: "lantern" },
      });
      const origin = scheme === "https" ? instance().medley.tlsUrl : instance().medley.url;
      expect(made).toMatchObject({
        name: store,
        type: "Microsoft.AppConfiguration/configurationStores",
        location: "westus",
        sku: { name: "Free" },
        provisioningState: "Succeeded",
        endpoint: `${origin}/configuration/${store}`,
        tags: { team: "lantern" },
      });
      expect(made.creationDate).toBeInstanceOf(Date);

      const changed = await client.configurationStores.beginUpdateAndWait(GROUP, store, {
        sku: { name: "Standard" },
        tags: { stage: "production" },
        identity: { type: "SystemAssigned" },
        encryption: { keyVaultProperties: { keyIdentifier: "https://vault.example/keys/settings" } },
      });
      expect(changed.sku).toEqual({ name: "Standard" });
      expect(changed.tags).toEqual({ team: "lantern", stage: "production" });
      expect(changed.identity?.principalId).toMatch(/^[0-9a-f-]{36}$/);
      expect(changed.encryption?.keyVaultProperties?.keyIdentifier).toBe(
        "https://vault.example/keys/settings",
      );

      expect((await all(client.configurationStores.list())).map(({ name }) => name)).toEqual([store]);
      expect((await all(client.configurationStores.listByResourceGroup(GROUP))).map(({ id }) => id)).toEqual([
        made.id,
      ]);
      const taken = await client.operations.checkNameAvailability({
        name: store.toUpperCase(),
        type: "Microsoft.AppConfiguration/configurationStores",
      });
      expect(taken).toMatchObject({ nameAvailable: false, reason: "AlreadyExists" });

      await client.configurationStores.beginDeleteAndWait(GROUP, store);
      await expect(client.configurationStores.get(GROUP, store)).rejects.toMatchObject({
        statusCode: 404,
        code: "ResourceNotFound",
      });
      await client.configurationStores.beginDeleteAndWait(GROUP, store);
    });

    it("lists and regenerates access keys", async () => {
      const client = await newStore(instance(), "keys", "keys-of-a-store");
      const keys = await keysOf(client, "keys-of-a-store");
      expect(keys.map(({ name, readOnly }) => [name, readOnly])).toEqual([
        ["Primary", false],
        ["Secondary", false],
        ["Primary Read Only", true],
        ["Secondary Read Only", true],
      ]);
      const [primary] = keys;
      expect(primary!.connectionString).toBe(
        `Endpoint=${instance().url}/configuration/keys-of-a-store;Id=${primary!.id};Secret=${primary!.value}`,
      );
      const fresh = await client.configurationStores.regenerateKey(GROUP, "keys-of-a-store", {
        id: primary!.id,
      });
      expect(fresh.id).toBe(primary!.id);
      expect(fresh.value).not.toBe(primary!.value);
      expect((await keysOf(client, "keys-of-a-store"))[0]!.value).toBe(fresh.value);
    });

    it("approves, rejects and cuts private endpoint connections", async () => {
      const client = await newStore(instance(), "private", "private-store");
      const { privateEndpointConnections: connections, privateLinkResources: links } = client;
      const endpoint = `/subscriptions/private/resourceGroups/${GROUP}/providers/Microsoft.Network/privateEndpoints/office`;
      const made = await connections.beginCreateOrUpdateAndWait(GROUP, "private-store", "office", {
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
        connections.beginCreateOrUpdateAndWait(GROUP, "private-store", "office", {
          privateLinkServiceConnectionState: { status },
        });
      await move("Approved");
      expect(
        (await connections.get(GROUP, "private-store", "office")).privateLinkServiceConnectionState,
      ).toEqual({
        status: "Approved",
        description: "please",
        actionsRequired: "None",
      });
      expect((await move("Disconnected")).privateLinkServiceConnectionState?.actionsRequired).toBe(
        "Recreate",
      );
      await expect(move("Approved")).rejects.toMatchObject({ code: "InvalidConnectionStateTransition" });
      expect(await all(connections.listByConfigurationStore(GROUP, "private-store"))).toHaveLength(1);
      await connections.beginDeleteAndWait(GROUP, "private-store", "office");
      expect(await all(connections.listByConfigurationStore(GROUP, "private-store"))).toEqual([]);

      const [link] = await all(links.listByConfigurationStore(GROUP, "private-store"));
      expect(link).toMatchObject({
        groupId: "configurationStores",
        requiredMembers: ["configurationStores"],
      });
      expect(await links.get(GROUP, "private-store", "configurationStores")).toMatchObject({ id: link!.id });
    });

    it("knows its operations, and is used by the client's own version as well", async () => {
      const names = (await all(management(instance(), "ops").operations.list())).map(({ name }) => name);
      expect(names).toContain("Microsoft.AppConfiguration/configurationStores/ListKeys/action");
      const client = management(instance(), "ops", { apiVersion: "2022-05-01" });
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
      const other = management(instance(), "theirs", { as: "second" });
      await expect(
        other.configurationStores.beginCreateAndWait(GROUP, "Shared-Names", {
          location: "westus",
          sku: { name: "Free" },
        }),
      ).rejects.toMatchObject({ code: "NameAlreadyExists" });
      const inMine = management(instance(), "mine", { as: "second" });
      await expect(keysOf(inMine, "shared-names")).rejects.toMatchObject({ code: "SubscriptionNotFound" });
    });
  },
  services,
);

onBothDatabases(
  "configuration data with its public client",
  (instance) => {
    async function connect(store: string, keyName = "Primary") {
      const client = await newStore(instance(), `data-${store}`, store);
      const key = (await keysOf(client, store)).find(({ name }) => name === keyName);
      return { client, key: key!, data: dataClient(key!.connectionString!) };
    }

    it("sets, adds, reads and deletes settings with labels, types and tags", async () => {
      const { client, data } = await connect("plain-store");
      const set = await data.setConfigurationSetting({
        key: "app/color ü:1",
        label: "prod",
        value: "red",
        contentType: "text/plain",
        tags: { owner: "design" },
      });
      const got = await data.getConfigurationSetting({ key: "app/color ü:1", label: "prod" });
      expect(got).toMatchObject({
        key: "app/color ü:1",
        label: "prod",
        value: "red",
        contentType: "text/plain",
        tags: { owner: "design" },
        isReadOnly: false,
        etag: set.etag,
      });
      expect(got.lastModified).toBeInstanceOf(Date);
      await expect(data.getConfigurationSetting({ key: "app/color ü:1" })).rejects.toMatchObject({
        statusCode: 404,
      });
      await expect(
        data.addConfigurationSetting({ key: "app/color ü:1", label: "prod", value: "x" }),
      ).rejects.toMatchObject({ statusCode: 412 });
      const seen = await client.configurationStores.get(GROUP, "plain-store");
      expect(seen.endpoint).toContain("/configuration/plain-store");
      expect(
        (await data.deleteConfigurationSetting({ key: "app/color ü:1", label: "prod" })).statusCode,
      ).toBe(200);
      expect(
        (await data.deleteConfigurationSetting({ key: "app/color ü:1", label: "prod" })).statusCode,
      ).toBe(204);
    });

    it("honours conditions", async () => {
      const { data } = await connect("conditional");
      const first = await data.setConfigurationSetting({ key: "k", value: "1" });
      const unchanged = await data.getConfigurationSetting(first, { onlyIfChanged: true });
      expect(unchanged.statusCode).toBe(304);
      const second = await data.setConfigurationSetting({ ...first, value: "2" }, { onlyIfUnchanged: true });
      expect(second.etag).not.toBe(first.etag);
      await expect(
        data.setConfigurationSetting({ ...first, value: "3" }, { onlyIfUnchanged: true }),
      ).rejects.toMatchObject({ statusCode: 412 });
      await expect(data.deleteConfigurationSetting(first, { onlyIfUnchanged: true })).rejects.toMatchObject({
        statusCode: 412,
      });
      expect((await data.getConfigurationSetting(first, { onlyIfChanged: true })).value).toBe("2");
    });

    it("lists by key, label and tag, with pages", async () => {
      const { data } = await connect("listed-store");
      const numbers = Array.from({ length: 105 }, (_, i) => String(i).padStart(3, "0"));
      for (const number of numbers)
        await data.setConfigurationSetting({ key: `many/${number}`, value: number });
      await data.setConfigurationSetting({ key: "one,two*", label: "a\\b", value: "x", tags: { t: "1" } });
      await data.setConfigurationSetting({ key: "one", label: "prod", value: "y", tags: { t: "1", u: "" } });
      await data.setConfigurationSetting({ key: "one", value: "z" });
      const keys = async (filter: Parameters<AppConfigurationClient["listConfigurationSettings"]>[0]) =>
        (await all(data.listConfigurationSettings(filter))).map(({ key, label }) =>
          label ? `${key}@${label}` : key,
        );
      expect(await keys({ keyFilter: "many/*" })).toEqual(numbers.map((number) => `many/${number}`));
      expect(await keys({ keyFilter: "one" })).toEqual(["one", "one@prod"]);
      expect(await keys({ keyFilter: "one", labelFilter: "\0" })).toEqual(["one"]);
      expect(await keys({ keyFilter: "one,many/001" })).toEqual(["many/001", "one", "one@prod"]);
      expect(await keys({ keyFilter: "one\\,two\\*" })).toEqual(["one,two*@a\\b"]);
      expect(await keys({ labelFilter: "a\\\\b,prod" })).toEqual(["one@prod", "one,two*@a\\b"]);
      expect(await keys({ labelFilter: "pr*" })).toEqual(["one@prod"]);
      expect(await keys({ tagsFilter: ["t=1"] })).toEqual(["one@prod", "one,two*@a\\b"]);
      expect(await keys({ tagsFilter: ["t=1", "u="] })).toEqual(["one@prod"]);
      await expect(keys({ keyFilter: "a*b" })).rejects.toMatchObject({ statusCode: 400 });

      const pages: { size: number; etag: string | undefined }[] = [];
      for await (const page of data.listConfigurationSettings({ keyFilter: "many/*" }).byPage())
        pages.push({ size: page.items.length, etag: page.etag });
      expect(pages.map(({ size }) => size)).toEqual([100, 5]);
      await data.setConfigurationSetting({ key: "many/104", value: "changed" });
      const again: number[] = [];
      const etags = pages.map(({ etag }) => etag!);
      for await (const page of data
        .listConfigurationSettings({ keyFilter: "many/*", pageEtags: etags })
        .byPage())
        again.push(page._response.status);
      expect(again).toEqual([304, 200]);
      const heads: number[] = [];
      for await (const page of data
        .checkConfigurationSettings({ keyFilter: "many/*", pageEtags: etags })
        .byPage())
        heads.push(page._response.status);
      expect(heads).toEqual([304, 200]);
      expect((await all(data.listLabels())).map(({ name }) => name ?? null)).toEqual([null, "a\\b", "prod"]);
      const [partial] = await all(
        data.listConfigurationSettings({ keyFilter: "one", fields: ["key", "value"] }),
      );
      expect(partial).toMatchObject({ key: "one", value: "z" });
      expect(partial!.etag).toBeUndefined();
    });

    it("keeps revisions and shows the past", async () => {
      const { data } = await connect("historic-store");
      await instance().clock.freeze();
      const beganMs = instance().clock.nowMs();
      await data.setConfigurationSetting({ key: "level", value: "debug" });
      await instance().clock.advance("1h");
      await data.setConfigurationSetting({ key: "level", value: "info" });
      await instance().clock.advance("1h");
      await data.deleteConfigurationSetting({ key: "level" });
      await instance().clock.advance("1h");
      const at = (hours: number) => new Date(beganMs + hours * 3_600_000);
      const valueAt = async (hours: number) =>
        (await data.getConfigurationSetting({ key: "level" }, { acceptDateTime: at(hours) })).value;
      expect(await valueAt(0.5)).toBe("debug");
      expect(await valueAt(1.5)).toBe("info");
      await expect(valueAt(2.5)).rejects.toMatchObject({ statusCode: 404 });
      expect((await all(data.listRevisions({ keyFilter: "le*" }))).map(({ value }) => value)).toEqual([
        "info",
        "debug",
      ]);
      const past = await all(data.listConfigurationSettings({ keyFilter: "level", acceptDateTime: at(1.5) }));
      expect(past.map(({ value }) => value)).toEqual(["info"]);
      await instance().clock.advance("31d");
      expect(await all(data.listRevisions({ keyFilter: "level" }))).toEqual([]);
      await instance().clock.resume();
    });

    it("locks settings against change", async () => {
      const { data } = await connect("locked-store");
      await data.setConfigurationSetting({ key: "fixed", value: "1" });
      const locked = await data.setReadOnly({ key: "fixed" }, true);
      expect(locked.isReadOnly).toBe(true);
      await expect(data.setConfigurationSetting({ key: "fixed", value: "2" })).rejects.toMatchObject({
        statusCode: 409,
      });
      await expect(data.deleteConfigurationSetting({ key: "fixed" })).rejects.toMatchObject({
        statusCode: 409,
      });
      await data.setReadOnly({ key: "fixed" }, false);
      expect((await data.setConfigurationSetting({ key: "fixed", value: "2" })).value).toBe("2");
    });

    it("keeps feature flags as the client writes them", async () => {
      const { data } = await connect("flags-store");
      await data.setConfigurationSetting({
        key: ".appconfig.featureflag/beta",
        contentType: "application/vnd.microsoft.appconfig.ff+json;charset=utf-8",
        value: { id: "beta", enabled: true, conditions: { clientFilters: [] } },
      });
      const flag = await data.getConfigurationSetting({ key: ".appconfig.featureflag/beta" });
      expect(isFeatureFlag(flag)).toBe(true);
      expect(parseFeatureFlag(flag).value.enabled).toBe(true);
    });

    it("takes, archives, recovers and expires snapshots", async () => {
      const { data } = await connect("snap-store");
      await data.setConfigurationSetting({ key: "app/a", value: "1" });
      await data.setConfigurationSetting({ key: "app/a", label: "prod", value: "2" });
      await data.setConfigurationSetting({ key: "other", value: "3" });
      const poller = await data.beginCreateSnapshot(
        {
          name: "release 1",
          filters: [{ keyFilter: "app/*" }, { keyFilter: "app/*", labelFilter: "prod" }],
          retentionPeriodInSeconds: 3600,
        },
        { updateIntervalInMs: 20 },
      );
      const made = await poller.pollUntilDone();
      expect(made).toMatchObject({
        name: "release 1",
        status: "ready",
        itemCount: 1,
        compositionType: "key",
      });
      await data.setConfigurationSetting({ key: "app/a", label: "prod", value: "later" });
      const values = async () =>
        (await all(data.listConfigurationSettingsForSnapshot("release 1"))).map(({ value }) => value);
      expect(await values()).toEqual(["2"]);
      await expect(
        data.beginCreateSnapshotAndWait({ name: "release 1", filters: [{ keyFilter: "*" }] }),
      ).rejects.toMatchObject({ statusCode: 409 });
      const archived = await data.archiveSnapshot("release 1");
      expect(archived.status).toBe("archived");
      expect(archived.expiresOn).toBeInstanceOf(Date);
      expect(await values()).toEqual(["2"]);
      expect((await data.recoverSnapshot("release 1")).status).toBe("ready");
      await instance().clock.advance("2h");
      expect((await data.getSnapshot("release 1")).status).toBe("ready");
      await data.archiveSnapshot("release 1");
      await instance().clock.advance("59m");
      expect((await all(data.listSnapshots({ statusFilter: ["archived"] }))).map(({ name }) => name)).toEqual(
        ["release 1"],
      );
      await instance().clock.advance("2m");
      await expect(data.getSnapshot("release 1")).rejects.toMatchObject({ statusCode: 404 });
    });

    it("lets read-only keys read and nothing else, and regenerated keys do nothing at all", async () => {
      const { client, data, key } = await connect("guarded-store");
      await data.setConfigurationSetting({ key: "k", value: "v" });
      const reading = (await keysOf(client, "guarded-store")).find(
        ({ name }) => name === "Primary Read Only",
      );
      const reader = dataClient(reading!.connectionString!);
      expect((await reader.getConfigurationSetting({ key: "k" })).value).toBe("v");
      await expect(reader.setConfigurationSetting({ key: "k", value: "w" })).rejects.toMatchObject({
        statusCode: 403,
      });
      await expect(reader.deleteConfigurationSetting({ key: "k" })).rejects.toMatchObject({
        statusCode: 403,
      });
      await expect(reader.setReadOnly({ key: "k" }, true)).rejects.toMatchObject({ statusCode: 403 });
      await expect(
        reader.beginCreateSnapshot({ name: "s", filters: [{ keyFilter: "*" }] }),
      ).rejects.toMatchObject({ statusCode: 403 });
      const fresh = await client.configurationStores.regenerateKey(GROUP, "guarded-store", { id: key.id });
      await expect(data.getConfigurationSetting({ key: "k" })).rejects.toMatchObject({ statusCode: 401 });
      expect((await dataClient(fresh.connectionString!).getConfigurationSetting({ key: "k" })).value).toBe(
        "v",
      );
    });

    it("works over https and with bearer tokens, unmodified", async () => {
      const client = management(instance(), "secure", { scheme: "https" });
      await client.configurationStores.beginCreateAndWait(GROUP, "secure-store", {
        location: "westus",
        sku: { name: "Standard" },
      });
      const [key] = await keysOf(client, "secure-store");
      const ca = instance().medley.certificateAuthorityPem!;
      const signed = dataClient(key!.connectionString!, ca);
      await signed.setConfigurationSetting({ key: "k", value: "v" });
      const { endpoint } = await client.configurationStores.get(GROUP, "secure-store");
      const withToken = (as: "first" | "second") =>
        new AppConfigurationClient(endpoint!, credentialOf(as), {
          tlsOptions: { ca },
          retryOptions: { maxRetries: 0 },
        } as AppConfigurationClientOptions);
      expect((await withToken("first").getConfigurationSetting({ key: "k" })).value).toBe("v");
      await expect(withToken("second").getConfigurationSetting({ key: "k" })).rejects.toMatchObject({
        statusCode: 403,
      });
    });
  },
  services,
);

describe("provisioning that takes time", () => {
  it("is polled to its end by both clients", async () => {
    const instance = await startInstance({ services: SERVICES, provisioningSeconds: 1 });
    try {
      const client = management(instance, "slow");
      const poller = await client.configurationStores.beginCreate(
        GROUP,
        "slow-store",
        { location: "westus", sku: { name: "Standard" } },
        { updateIntervalInMs: 50 },
      );
      expect((await client.configurationStores.get(GROUP, "slow-store")).provisioningState).toBe("Creating");
      expect((await poller.pollUntilDone()).provisioningState).toBe("Succeeded");
      const [key] = await keysOf(client, "slow-store");
      const data = dataClient(key!.connectionString!);
      await data.setConfigurationSetting({ key: "k", value: "v" });
      const snapshot = await data.beginCreateSnapshot(
        { name: "s", filters: [{ keyFilter: "*" }] },
        { updateIntervalInMs: 50 },
      );
      expect((await data.getSnapshot("s")).status).toBe("provisioning");
      expect(await all(data.listConfigurationSettingsForSnapshot("s"))).toEqual([]);
      expect((await snapshot.pollUntilDone()).status).toBe("ready");
    } finally {
      await instance.stop();
    }
  });
});
