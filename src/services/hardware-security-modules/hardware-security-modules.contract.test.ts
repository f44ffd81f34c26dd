/** Dedicated HSMs over HTTP, on both databases. */
import { beforeAll, expect, test } from "vitest";
import {
  AREA,
  bodyOf,
  codeOf,
  newPlace,
  SKU,
  hsmServices as services,
  VERSION,
} from "../../../tests/support/hardware-security-modules.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { SKUS } from "./domain.ts";

onBothDatabases(
  "dedicated HSMs",
  (instance) => {
    test("a module is created, read, updated, patched, listed and deleted", async () => {
      const { at, all, inGroup, subscription, subnet } = newPlace("Keys-RG");
      const profile = { subnet: { id: subnet }, networkInterfaces: [{ privateIpAddress: "10.0.0.4" }] };
      const made = await instance().bearer("PUT", at("Hsm-One"), {
        body: bodyOf({ networkProfile: profile }, { tags: { team: "keys" } }),
      });
      expect(made.status).toBe(201);
      const id = `${subscription}/resourceGroups/Keys-RG/${AREA}/dedicatedHSMs/Hsm-One`;
      expect(made.body).toEqual({
        id,
        name: "Hsm-One",
        type: "Vendor.HardwareSecurityModules/dedicatedHSMs",
        location: "westus",
        tags: { team: "keys" },
        sku: { name: SKU },
        properties: {
          stampId: "stamp1",
          provisioningState: "Succeeded",
          networkProfile: {
            subnet: { id: subnet },
            networkInterfaces: [
              {
                privateIpAddress: "10.0.0.4",
                id: `${subscription}/resourceGroups/Keys-RG/providers/Vendor.Network/networkInterfaces/Hsm-One_HSMnic`,
              },
            ],
          },
        },
      });
      const again = await instance().bearer("PUT", at("HSM-ONE"), { body: bodyOf({}, { tags: { a: "b" } }) });
      expect(again.status).toBe(200);
      expect(again.body).toMatchObject({
        id,
        name: "Hsm-One",
        tags: { a: "b" },
        properties: made.body.properties,
      });
      const patched = await instance().bearer("PATCH", at("hsm-one"), {
        body: { tags: { c: "d", a: null } },
      });
      expect(patched.status).toBe(200);
      expect(patched.body.tags).toEqual({ c: "d" });
      const read = await instance().bearer(
        "GET",
        at("hsm-one").toUpperCase().replace("/MANAGEMENT", "/management"),
      );
      expect(read.status).toBe(200);
      expect(read.body).toEqual(patched.body);
      for (const path of [all, inGroup])
        expect((await instance().bearer("GET", path)).body).toEqual({ value: [read.body] });
      expect((await instance().bearer("DELETE", at("hsm-one"))).status).toBe(200);
      expect((await instance().bearer("DELETE", at("hsm-one"))).status).toBe(204);
      const gone = await instance().bearer("GET", at("hsm-one"));
      expect([gone.status, codeOf(gone)]).toEqual([404, "ResourceNotFound"]);
      expect((await instance().bearer("GET", all)).body).toEqual({ value: [] });
    });

    test("the maker's spelling is answered in the maker's spelling, at the root as well", async () => {
      const { at, subnet } = newPlace();
      const makers = at("hsm-two").replace("/management", "").replace("Vendor.", "Microsoft.");
      const made = await instance().bearer("PUT", makers, {
        body: bodyOf({ networkProfile: { subnet: { id: subnet.replace("Vendor.", "Microsoft.") } } }),
      });
      expect(made.status).toBe(201);
      expect(made.body.type).toBe("Microsoft.HardwareSecurityModules/dedicatedHSMs");
      expect(made.body.properties.networkProfile.subnet.id).toContain("/Microsoft.Network/");
      const neutral = await instance().bearer("GET", at("hsm-two"));
      expect(JSON.stringify(neutral.body)).not.toContain("Microsoft");
      const missing = await instance().bearer("GET", makers.replace("hsm-two", "other"));
      expect(missing.body.error.message).toContain("Microsoft.HardwareSecurityModules/dedicatedHSMs/other");
    });

    test("the provider's operations are listed", async () => {
      const listed = await instance().bearer("GET", `/management/${AREA}/operations?${VERSION}`);
      expect(listed.status).toBe(200);
      const names = listed.body.value.map((one: { name: string }) => one.name);
      expect(names).toEqual(
        ["read", "write", "delete"].map((verb) => `Vendor.HardwareSecurityModules/dedicatedHSMs/${verb}`),
      );
      expect(listed.body.value[0]).toMatchObject({
        isDataAction: "false",
        display: { resource: "dedicatedHSMs" },
      });
    });

    test("versions: one is required, and an unknown one is refused with those there are", async () => {
      const { at } = newPlace();
      const bare = at("hsm-one").replace(`?${VERSION}`, "");
      const none = await instance().bearer("GET", bare);
      expect([none.status, codeOf(none)]).toEqual([400, "MissingApiVersionParameter"]);
      const unknown = await instance().bearer("GET", `${bare}?api-version=1999-01-01`);
      expect([unknown.status, codeOf(unknown)]).toEqual([400, "InvalidApiVersionParameter"]);
      for (const answer of [none, unknown])
        for (const version of ["'2018-10-31-preview'", "'2021-11-30'"])
          expect(answer.body.error.message).toContain(version);
      expect((await instance().bearer("GET", `${bare}?api-version=2021-11-30`)).status).toBe(404);
    });

    test.each([
      ["an unknown SKU", bodyOf({}, { sku: { name: "Luna" } }), "InvalidSku"],
      ["an unknown zone", bodyOf({}, { zones: ["9"] }), "InvalidAvailabilityZones"],
      ["a zone twice", bodyOf({}, { zones: ["1", "1"] }), "InvalidAvailabilityZones"],
      ["a strange stamp", bodyOf({ stampId: "rack 7" }), "InvalidStampId"],
      [
        "a subnet that is none",
        bodyOf({ networkProfile: { subnet: { id: "/nowhere" } } }),
        "InvalidSubnetId",
      ],
      [
        "an address without subnet",
        bodyOf({ networkProfile: { networkInterfaces: [{ privateIpAddress: "10.0.0.1" }] } }),
        "InvalidSubnetId",
      ],
      ["no location", { sku: { name: SKU }, properties: {} }, "InvalidRequestContent"],
      ["no SKU", { location: "westus", properties: {} }, "InvalidRequestContent"],
      ["a tag without a name", bodyOf({}, { tags: { "": "x" } }), "InvalidTag"],
    ])("refused: %s", async (_what, body, code) => {
      const { at } = newPlace();
      const refused = await instance().bearer("PUT", at("hsm-bad"), { body });
      expect([refused.status, codeOf(refused)]).toEqual([400, code]);
      expect((await instance().bearer("GET", at("hsm-bad"))).status).toBe(404);
    });

    test("refused: a bad address, a bad name, another location, another device", async () => {
      const { at, subnet } = newPlace();
      const profile = (privateIpAddress: string) => ({
        networkProfile: { subnet: { id: subnet }, networkInterfaces: [{ privateIpAddress }] },
      });
      const put = (name: string, body: unknown) => instance().bearer("PUT", at(name), { body });
      expect(codeOf(await put("hsm-one", bodyOf(profile("10.0.0.400"))))).toBe("InvalidPrivateIpAddress");
      for (const name of ["ab", "under_score", "a".repeat(25)])
        expect(codeOf(await put(name, bodyOf()))).toBe("InvalidResourceName");
      expect((await put("hsm-one", bodyOf(profile("10.0.0.4")))).status).toBe(201);
      const elsewhere = await put("hsm-one", bodyOf({}, { location: "East US" }));
      expect([elsewhere.status, codeOf(elsewhere)]).toEqual([409, "InvalidResourceLocation"]);
      expect((await put("hsm-one", bodyOf({}, { location: "West US" }))).status).toBe(200);
      for (const body of [
        bodyOf({}, { sku: { name: SKUS[1] } }),
        bodyOf({}, { zones: ["1"] }),
        bodyOf({ stampId: "stamp2" }),
        bodyOf(profile("10.0.0.5")),
      ])
        for (const method of ["PUT", "PATCH"])
          expect(codeOf(await instance().bearer(method, at("hsm-one"), { body }))).toBe(
            "PropertyChangeNotAllowed",
          );
      const twin = await put("hsm-two", bodyOf(profile("10.0.0.4")));
      expect([twin.status, codeOf(twin)]).toEqual([409, "PrivateIPAddressInUse"]);
      expect((await instance().bearer("GET", at("hsm-two"))).status).toBe(404);
    });

    test("devices in one subnet are spread over the stamps; a zone takes the stamp's place", async () => {
      const { at, subnet } = newPlace();
      const stamps: string[] = [];
      for (const name of ["hsm-1", "hsm-2", "hsm-3"]) {
        const { body } = await instance().bearer("PUT", at(name), {
          body: bodyOf({ networkProfile: { subnet: { id: subnet } } }),
        });
        stamps.push(body.properties.stampId);
      }
      expect(stamps.toSorted()).toEqual(["stamp1", "stamp1", "stamp2"]);
      const zonal = await instance().bearer("PUT", at("hsm-4"), { body: bodyOf({}, { zones: ["2"] }) });
      expect(zonal.body.zones).toEqual(["2"]);
      expect(zonal.body.properties).toEqual({ provisioningState: "Succeeded" });
    });

    test("a subscription belongs to the first account; credentials are needed", async () => {
      const { at, all } = newPlace();
      expect((await instance().bearer("PUT", at("hsm-one"), { body: bodyOf() })).status).toBe(201);
      for (const [method, path] of [
        ["GET", at("hsm-one")],
        ["GET", all],
        ["DELETE", at("hsm-one")],
      ] as const) {
        const refused = await instance().bearer(method, path, { as: "second" });
        expect([refused.status, codeOf(refused)]).toEqual([404, "SubscriptionNotFound"]);
      }
      const anonymous = await instance().bearer("GET", at("hsm-one"), { as: null });
      expect([anonymous.status, codeOf(anonymous)]).toEqual([401, "AuthenticationFailed"]);
    });

    test("pages are stable while others insert, and their links keep the caller's address", async () => {
      const { at, all } = newPlace();
      for (const name of ["hsm-b", "hsm-d", "hsm-f", "hsm-h", "hsm-j"])
        await instance().bearer("PUT", at(name), { body: bodyOf() });
      const seen: string[] = [];
      let link: string | undefined = `${instance().url}${all.replace("Vendor", "Microsoft")}&$top=2`;
      while (link !== undefined) {
        const { body }: { body: { value: { name: string }[]; nextLink?: string } } = await instance().bearer(
          "GET",
          link,
        );
        seen.push(...body.value.map(({ name }) => name));
        if (seen.length === 2) {
          await instance().bearer("PUT", at("hsm-a"), { body: bodyOf() });
          await instance().bearer("PUT", at("hsm-e"), { body: bodyOf() });
          await instance().bearer("DELETE", at("hsm-d"));
        }
        link = body.nextLink;
        if (link !== undefined)
          expect(
            link.startsWith(`${instance().url}/management/subscriptions/`) && link.includes("/Microsoft."),
          ).toBe(true);
      }
      expect(seen).toEqual(["hsm-b", "hsm-d", "hsm-e", "hsm-f", "hsm-h", "hsm-j"]);
      const strange = await instance().bearer("GET", `${all}&$skipToken=AAAA`);
      expect(strange.status).toBe(400);
      expect((await instance().bearer("GET", `${all}&$top=0`)).status).toBe(400);
    });

    test("every module is in the catalogue with its tags at once, and leaves it", async () => {
      const { at } = newPlace();
      const { body } = await instance().bearer("PUT", at("hsm-cat"), {
        body: bodyOf({}, { tags: { team: "keys" } }),
      });
      const find = async () =>
        (await instance().bearer("GET", "/_medley/resources?limit=1000")).body.resources.find(
          (one: { nativeId?: string }) => one.nativeId === body.id,
        );
      expect(await find()).toMatchObject({
        arn: `arn:vendor:hardwaresecuritymodules:westus:111111111111:${body.id}`,
        type: "Vendor::HardwareSecurityModules::DedicatedHsm",
        name: "hsm-cat",
        tags: { team: "keys" },
      });
      await instance().bearer("PATCH", at("hsm-cat"), { body: { tags: { team: "ops" } } });
      expect((await find()).tags).toEqual({ team: "ops" });
      await instance().bearer("DELETE", at("hsm-cat"));
      expect(await find()).toBeUndefined();
    });
  },
  { services },
);

onBothDatabases(
  "dedicated HSMs that take time",
  (instance) => {
    beforeAll(() => instance().clock.freeze());

    test("provisioning passes through its states; pollers follow it to the end", async () => {
      const { at, subnet } = newPlace();
      const state = async (name = "hsm-one") =>
        (await instance().bearer("GET", at(name))).body.properties?.provisioningState;
      const profile = { subnet: { id: subnet }, networkInterfaces: [{ privateIpAddress: "10.0.0.4" }] };
      const made = await instance().bearer("PUT", at("hsm-one"), {
        body: bodyOf({ networkProfile: profile }),
      });
      expect([made.status, made.body.properties.provisioningState]).toEqual([201, "CheckingQuota"]);
      expect(made.headers.get("retry-after")).toBe("2");
      const status = made.headers.get("azure-asyncoperation") as string;
      const result = made.headers.get("location") as string;
      expect(status).toContain(`${instance().url}/management/subscriptions/`);
      expect((await instance().bearer("GET", status)).body).toMatchObject({
        status: "InProgress",
        percentComplete: 0,
      });
      expect((await instance().bearer("GET", result)).status).toBe(202);
      for (const [method, body] of [
        ["PUT", bodyOf()],
        ["PATCH", { tags: {} }],
        ["DELETE", undefined],
      ] as const) {
        const refused = await instance().bearer(method, at("hsm-one"), { body });
        expect([refused.status, codeOf(refused)]).toEqual([409, "AnotherOperationInProgress"]);
      }
      const seen: string[] = [];
      for (let second = 0; second < 4; second += 1) {
        seen.push(await state());
        await instance().clock.advance("1s");
      }
      expect(seen).toEqual(["CheckingQuota", "Allocating", "Provisioning", "Connecting"]);
      expect(await state()).toBe("Succeeded");
      expect((await instance().bearer("GET", status)).body).toMatchObject({
        status: "Succeeded",
        percentComplete: 100,
      });
      const done = await instance().bearer("GET", result);
      expect([done.status, done.body.properties.networkProfile.networkInterfaces.length]).toEqual([200, 1]);

      const twin = await instance().bearer("PUT", at("hsm-two"), {
        body: bodyOf({ networkProfile: profile }),
      });
      await instance().clock.advance("4s");
      expect((await instance().bearer("GET", at("hsm-two"))).body.properties).toMatchObject({
        provisioningState: "Failed",
        statusMessage: "The address 10.0.0.4 is used by 'hsm-one' in the same subnet.",
      });
      const failed = await instance().bearer("GET", twin.headers.get("azure-asyncoperation") as string);
      expect(failed.body).toMatchObject({ status: "Failed", error: { code: "PrivateIPAddressInUse" } });
      const outcome = await instance().bearer("GET", twin.headers.get("location") as string);
      expect([outcome.status, outcome.body.error.details[0].code]).toEqual([409, "PrivateIPAddressInUse"]);

      const mended = { ...profile, networkInterfaces: [{ privateIpAddress: "10.0.0.5" }] };
      expect(
        (await instance().bearer("PUT", at("hsm-two"), { body: bodyOf({ networkProfile: mended }) })).status,
      ).toBe(200);
      await instance().clock.advance("4s");
      expect(await state("hsm-two")).toBe("Succeeded");

      const patched = await instance().bearer("PATCH", at("hsm-one"), { body: { tags: { a: "b" } } });
      expect([patched.status, patched.body.properties.provisioningState]).toEqual([200, "Provisioning"]);
      await instance().clock.advance("4s");
      const leaving = await instance().bearer("DELETE", at("hsm-one"));
      expect(leaving.status).toBe(202);
      expect(await state()).toBe("Deleting");
      const repeated = await instance().bearer("DELETE", at("hsm-one"));
      expect([repeated.status, repeated.headers.get("location")]).toEqual([
        202,
        leaving.headers.get("location"),
      ]);
      await instance().clock.advance("4s");
      expect((await instance().bearer("GET", leaving.headers.get("location") as string)).status).toBe(204);
      expect((await instance().bearer("DELETE", at("hsm-one"))).status).toBe(204);
    });

    test("an operation's address tells strangers nothing", async () => {
      const { at } = newPlace();
      const made = await instance().bearer("PUT", at("hsm-one"), { body: bodyOf() });
      const status = made.headers.get("azure-asyncoperation") as string;
      expect((await instance().bearer("GET", status, { as: "second" })).status).toBe(404);
      const unknown = await instance().bearer(
        "GET",
        status.replace(/operationStatuses\/[^?]+/, "operationStatuses/none"),
      );
      expect([unknown.status, codeOf(unknown)]).toEqual([404, "OperationIdNotFound"]);
    });
  },
  { services, provisioningSeconds: 4 },
);
