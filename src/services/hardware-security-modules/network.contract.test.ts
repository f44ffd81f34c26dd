/** Addresses, zones and failed devices over HTTP, on both databases. */
import { beforeAll, expect, test } from "vitest";
import {
  bodyOf,
  codeOf,
  newPlace,
  hsmServices as services,
} from "../../../tests/support/hardware-security-modules.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "networks of dedicated HSMs",
  (instance) => {
    const put = (path: string, body: unknown) => instance().bearer("PUT", path, { body });

    test("an address is there once, for management as well", async () => {
      const { at, profile } = newPlace();
      const twice = { networkProfile: profile("10.0.0.4"), managementNetworkProfile: profile("10.0.0.4") };
      expect(codeOf(await put(at("hsm-1"), bodyOf(twice)))).toBe("InvalidPrivateIpAddress");
      const apart = { ...twice, managementNetworkProfile: profile("10.0.0.4", "other") };
      expect((await put(at("hsm-1"), bodyOf(apart))).status).toBe(201);
      const managed = { managementNetworkProfile: profile("10.0.0.4") };
      const refused = await put(at("hsm-2"), bodyOf(managed));
      expect([refused.status, codeOf(refused)]).toEqual([409, "PrivateIPAddressInUse"]);
      expect((await put(at("hsm-2"), bodyOf({ managementNetworkProfile: profile("10.0.0.5") }))).status).toBe(
        201,
      );
    });

    test("a subnet has a hundred devices", async () => {
      const { at, subnet } = newPlace();
      const join = (name: string) => put(at(name), bodyOf({ networkProfile: { subnet: { id: subnet } } }));
      for (let device = 1; device <= 100; device += 1) expect((await join(`hsm-${device}`)).status).toBe(201);
      const refused = await join("hsm-101");
      expect([refused.status, codeOf(refused)]).toEqual([409, "QuotaExceeded"]);
      expect((await join("hsm-100")).status).toBe(200);
    });

    test("a subnet's identifier has 1500 bytes", async () => {
      const { at, subnet } = newPlace();
      const join = (name: string, id: string) =>
        put(at(name), bodyOf({ networkProfile: { subnet: { id } } }));
      const ascii = subnet.padEnd(200, "s");
      const longest = ascii + "é".repeat(650);
      expect((await join("hsm-1", longest)).status).toBe(201);
      const refused = await join("hsm-2", `${longest}s`);
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        "An identifier is longer than the 1500 bytes allowed here.",
      ]);
    });

    test("an empty list of zones asks for none", async () => {
      const { at } = newPlace();
      const made = await put(at("hsm-1"), bodyOf({}, { zones: [] }));
      expect([made.status, made.body.zones, made.body.properties.stampId]).toEqual([
        201,
        undefined,
        "stamp1",
      ]);
    });
  },
  { services },
);

onBothDatabases(
  "networks of dedicated HSMs that take time",
  (instance) => {
    beforeAll(() => instance().clock.freeze());
    const put = (path: string, body: unknown) => instance().bearer("PUT", path, { body });
    const patch = (path: string) => instance().bearer("PATCH", path, { body: { tags: { a: "b" } } });
    const stateOf = async (path: string) =>
      (await instance().bearer("GET", path)).body.properties.provisioningState;

    test("a patch provisions a device that failed again, and mends it only once its address is free", async () => {
      const { at, profile } = newPlace();
      for (const name of ["hsm-1", "hsm-2"]) {
        await put(at(name), bodyOf({ networkProfile: profile("10.0.0.4") }));
        await instance().clock.advance("4s");
      }
      const failed = (await instance().bearer("GET", at("hsm-2"))).body;
      expect(failed.properties.provisioningState).toBe("Failed");
      const again = await patch(at("hsm-2"));
      expect([again.status, again.body.properties.provisioningState]).toEqual([200, "CheckingQuota"]);
      await instance().clock.advance("4s");
      expect((await instance().bearer("GET", at("hsm-2"))).body).toEqual({ ...failed, tags: { a: "b" } });
      await instance().bearer("DELETE", at("hsm-1"));
      await instance().clock.advance("4s");
      await patch(at("hsm-2"));
      await instance().clock.advance("4s");
      const mended = (await instance().bearer("GET", at("hsm-2"))).body.properties;
      expect([mended.provisioningState, mended.statusMessage]).toEqual(["Succeeded", undefined]);
    });

    test("a device keeps its address while it is changed", async () => {
      const { at, profile } = newPlace();
      await put(at("hsm-1"), bodyOf({ networkProfile: profile("10.0.0.4") }));
      await instance().clock.advance("4s");
      await put(at("hsm-2"), bodyOf({ networkProfile: profile("10.0.0.4") }));
      await instance().clock.advance("3s");
      await patch(at("hsm-1"));
      await instance().clock.advance("1s");
      expect([await stateOf(at("hsm-1")), await stateOf(at("hsm-2"))]).toEqual(["Provisioning", "Failed"]);
    });
  },
  { services, provisioningSeconds: 4 },
);
