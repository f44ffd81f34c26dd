/** Policies about one store: its data is decided on as the store itself, by its resource identifier. */
import { beforeAll, expect, it } from "vitest";
import { type AccessKey, sendSigned } from "../../../tests/support/configuration-data.ts";
import {
  configurationServices,
  keysOf,
  makeStore,
  PROVIDER,
  storeBody,
  storePath,
  DATA_VERSION as V,
  withVersion,
} from "../../../tests/support/configuration-stores.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const GROUP = "/subscriptions/policed/resourceGroups/Web";
const PLACE = { subscription: "policed", group: "Web" };
const DATA = ["keyValues/*", "snapshots/*"].map(
  (rest) => `Vendor.AppConfiguration/configurationStores/${rest}`,
);
const token = { authorization: "Bearer policed-token-0001" };

onBothDatabases(
  "policies about one configuration store",
  (instance) => {
    const idOf = (name: string) => `${GROUP}/${PROVIDER}/configurationStores/${name}`;
    const send = (method: string, path: string, body?: unknown) =>
      instance().send(method, path, {
        headers: { ...token, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const load = (policies: readonly unknown[]) =>
      instance().bearer("POST", "/_medley/credentials", {
        body: {
          accounts: [{ id: "444444444444", name: "policed", tokens: ["policed-token-0001"], policies }],
        },
      });
    const allow = (resources: readonly string[], actions: readonly string[] = DATA) => ({
      effect: "Allow",
      actions,
      resources,
    });
    /** Every operation on a store's data, with what it answers where it is allowed. */
    const calls = (store: string): [method: string, path: string, body: unknown, status: number][] => {
      const at = (rest: string) => `/configuration/${store}/${rest}${rest.includes("?") ? "&" : "?"}${V}`;
      const filters = [{ key: "*" }];
      return [
        ["PUT", at("kv/colour"), { value: "red" }, 200],
        ["GET", at("kv/colour"), undefined, 200],
        ["GET", at("kv"), undefined, 200],
        ["GET", at("keys"), undefined, 200],
        ["GET", at("labels"), undefined, 200],
        ["GET", at("revisions"), undefined, 200],
        ["PUT", at("locks/colour"), undefined, 200],
        ["DELETE", at("locks/colour"), undefined, 200],
        ["PUT", at(`snapshots/of-${store}`), { filters }, 201],
        ["GET", at(`snapshots/of-${store}`), undefined, 200],
        ["GET", at("snapshots"), undefined, 200],
        ["GET", at(`kv?snapshot=of-${store}`), undefined, 200],
        ["GET", at(`operations?snapshot=of-${store}`), undefined, 200],
        ["DELETE", at("kv/colour"), undefined, 200],
      ];
    };
    const outcomes = async (store: string) => {
      const seen: unknown[] = [];
      for (const [method, path, body] of calls(store)) {
        const { status } = await send(method, path, body);
        seen.push([method, path, status]);
      }
      return seen;
    };
    const allowed = (store: string) => calls(store).map(([method, path, , status]) => [method, path, status]);
    const refused = (store: string) => calls(store).map(([method, path]) => [method, path, 403]);

    let keys: Record<string, AccessKey>;
    beforeAll(async () => {
      await load([allow(["*"], ["*"])]);
      keys = {};
      for (const name of ["lantern", "beacon"]) {
        const made = await send("PUT", withVersion(storePath(name, PLACE)), storeBody);
        expect(made.status).toBe(201);
        const listed = await send("POST", withVersion(`${storePath(name, PLACE)}/ListKeys`));
        keys[name] = listed.body.value[0];
      }
    });

    it("let its data be used there, and nowhere else", async () => {
      await load([allow([idOf("lantern")])]);
      expect(await outcomes("lantern")).toEqual(allowed("lantern"));
      expect(await outcomes("beacon")).toEqual(refused("beacon"));
      const answer = await send("GET", `/configuration/beacon/kv?${V}`);
      expect(answer.body.detail).toContain(idOf("beacon"));
    });
    it("are known in any casing and by pattern", async () => {
      for (const resource of [
        idOf("LANTERN").toUpperCase().replace("/SUBSCRIPTIONS/", "/subscriptions/"),
        idOf("lan*"),
        `${GROUP}/*/lantern`,
      ]) {
        await load([allow([resource])]);
        expect([resource, (await send("GET", `/configuration/Lantern/kv?${V}`)).status]).toEqual([
          resource,
          200,
        ]);
        expect((await send("GET", `/configuration/beacon/kv?${V}`)).status).toBe(403);
      }
    });
    it("that deny win over those that allow", async () => {
      await load([allow(["*"]), { effect: "Deny", actions: DATA, resources: [idOf("beacon")] }]);
      expect((await send("GET", `/configuration/lantern/kv?${V}`)).status).toBe(200);
      expect((await send("GET", `/configuration/beacon/kv?${V}`)).status).toBe(403);
    });
    it("hold for access keys as well", async () => {
      await load([allow([idOf("lantern")])]);
      const list = (name: string) =>
        sendSigned(instance(), keys[name] as AccessKey, "GET", `/configuration/${name}/kv?${V}`);
      expect([(await list("lantern")).status, (await list("beacon")).status]).toEqual([200, 403]);
    });
    it("hold for what can be reached privately", async () => {
      await load([allow([`${idOf("lantern")}*`], ["Vendor.AppConfiguration/*/read"])]);
      const links = async (name: string) =>
        (await send("GET", withVersion(`${storePath(name, PLACE)}/privateLinkResources`))).status;
      expect([await links("lantern"), await links("beacon")]).toEqual([200, 403]);
    });
    it("follow a name to the store that has it now", async () => {
      await load([allow(["*"], ["*"])]);
      await send("DELETE", withVersion(storePath("beacon", PLACE)));
      await makeStore(instance(), "beacon", { subscription: "policed-elsewhere" });
      const [key] = await keysOf(instance(), "beacon", { subscription: "policed-elsewhere" });
      await load([allow([idOf("beacon")])]);
      expect((await send("GET", `/configuration/beacon/kv?${V}`)).status).toBe(403);
      expect(
        (await sendSigned(instance(), key as AccessKey, "GET", `/configuration/beacon/kv?${V}`)).status,
      ).toBe(200);
    });
  },
  { services: configurationServices },
);
