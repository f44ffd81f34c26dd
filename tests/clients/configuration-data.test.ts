/** Configuration data with its public client, on a store's own endpoint. */
import { AppConfigurationClient } from "@azure/app-configuration";
import { expect, it } from "vitest";
import {
  all,
  configurationServices,
  dataClient,
  dataOptions,
  GROUP,
  keepsFeatureFlags,
  keysOf,
  managementOn,
  newStore,
} from "../support/configuration-clients.ts";
import { coreCredential, makersWay, wireTo } from "../support/management-clients.ts";
import { type AccountName, accounts, onBothDatabases } from "../support/medley.ts";

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

    it("keeps feature flags as the client writes them, also locked", async () => {
      await keepsFeatureFlags((await connect("flags")).data);
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
      const wire = wireTo(instance(), { ...makersWay, scheme: "https" });
      const client = managementOn(wire, "secure");
      await client.configurationStores.beginCreateAndWait(GROUP, "secure-store", {
        location: "westus",
        sku: { name: "Standard" },
      });
      const [key] = await keysOf(client, "secure-store");
      const signed = dataClient(key!.connectionString!, wire.authority);
      await signed.setConfigurationSetting({ key: "k", value: "v" });
      const { endpoint } = await client.configurationStores.get(GROUP, "secure-store");
      const withToken = (as: AccountName) =>
        new AppConfigurationClient(
          endpoint!,
          coreCredential({ token: accounts[as].tokens[0]! }),
          dataOptions(wire.authority),
        );
      expect((await withToken("first").getConfigurationSetting({ key: "k" })).value).toBe("v");
      await expect(withToken("second").getConfigurationSetting({ key: "k" })).rejects.toMatchObject({
        statusCode: 403,
      });
    });
  },
  { services: configurationServices, tls: true },
);
