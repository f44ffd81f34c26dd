/** Resource groups, subscriptions, providers and lists across types, over HTTP, on both databases. */
import { beforeAll, expect, test } from "vitest";
import { onBothDatabases, startInstance } from "../../../tests/support/medley.ts";

const VERSION = "api-version=2021-04-01";
const services = ["resource-manager", "hardware-security-modules", "sql-virtual-machines"];
const codeOf = ({ status, body }: { status: number; body: any }) => `${status} ${body.error?.code}`;

let counter = 0;
function newPlace() {
  counter += 1;
  const subscription = `/subscriptions/rm-${counter}`;
  return {
    name: `rm-${counter}`,
    subscription,
    group: (name: string, rest = "") => `/management${subscription}/resourcegroups/${name}${rest}?${VERSION}`,
    across: (rest: string) => `/management${subscription}/${rest}?${VERSION}`,
    hsm: (group: string, name: string) =>
      `/management${subscription}/resourceGroups/${group}/providers/Vendor.HardwareSecurityModules/dedicatedHSMs/${name}?api-version=2018-10-31-preview`,
    machine: (group: string, name: string) =>
      `/management${subscription}/resourceGroups/${group}/providers/Vendor.SqlVirtualMachine/sqlVirtualMachines/${name}?api-version=2017-03-01-preview`,
  };
}
const hsmBody = (tags = {}) => ({
  location: "westus",
  tags,
  sku: { name: "SafeNet Luna Network HSM A790" },
  properties: {},
});
const names = ({ body }: { body: { value: { name: string }[] } }) => body.value.map(({ name }) => name);

onBothDatabases(
  "the resource manager",
  (instance) => {
    const send = (method: string, path: string, body?: unknown) => instance().bearer(method, path, { body });

    test("a resource group's life", async () => {
      const { group, across, subscription } = newPlace();
      expect(codeOf(await send("GET", group("none")))).toBe("404 ResourceGroupNotFound");
      expect((await send("HEAD", group("none"))).status).toBe(404);
      const made = await send("PUT", group("My-Group"), { location: "West US", tags: { a: "1" } });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        id: `${subscription}/resourceGroups/My-Group`,
        name: "My-Group",
        type: "Vendor.Resources/resourceGroups",
        location: "West US",
        tags: { a: "1" },
        properties: { provisioningState: "Succeeded" },
      });
      expect((await send("HEAD", group("MY-GROUP"))).status).toBe(204);
      expect((await send("PATCH", group("my-group"), { tags: { b: "2" } })).body.tags).toEqual({
        a: "1",
        b: "2",
      });
      expect((await send("PUT", group("my-group"), { location: "westus" })).body.tags).toEqual({});
      expect(codeOf(await send("PUT", group("my-group"), { location: "eastus" }))).toBe(
        "409 InvalidResourceGroupLocation",
      );
      for (const bad of ["ends-in.", "a%20b", "x".repeat(91)])
        expect(codeOf(await send("PUT", group(bad), { location: "westus" }))).toBe(
          "400 InvalidResourceGroupName",
        );
      for (const bad of ["a%20b", "x".repeat(65)]) {
        const elsewhere = group("any").replace(/subscriptions\/[^/]+/, `subscriptions/${bad}`);
        expect(codeOf(await send("GET", elsewhere))).toBe("400 InvalidSubscriptionId");
      }
      await send("PUT", group("another"), { location: "eastus" });
      const first = await send("GET", `${across("resourcegroups")}&$top=1`);
      expect(names(first)).toEqual(["another"]);
      expect(names(await send("GET", first.body.nextLink))).toEqual(["My-Group"]);
      expect((await send("DELETE", group("my-group"))).status).toBe(200);
      expect(codeOf(await send("DELETE", group("my-group")))).toBe("404 ResourceGroupNotFound");
    });

    test("a group comes with its first resource and takes its resources along", async () => {
      const { group, hsm, machine, across } = newPlace();
      await send("PUT", hsm("Shared", "hsm-1"), hsmBody());
      await send("PUT", machine("shared", "vm-1"), { location: "westus" });
      await send("PUT", hsm("Other", "hsm-2"), hsmBody());
      const found = await send("GET", group("shared"));
      expect([found.body.name, found.body.location]).toEqual(["Shared", "westus"]);
      expect(names(await send("GET", group("shared", "/resources")))).toEqual(["hsm-1", "vm-1"]);
      expect((await send("DELETE", group("shared"))).status).toBe(200);
      expect((await send("GET", hsm("shared", "hsm-1"))).status).toBe(404);
      expect((await send("GET", machine("shared", "vm-1"))).status).toBe(404);
      expect(names(await send("GET", across("resources")))).toEqual(["hsm-2"]);
      const catalogued = await send("GET", "/_medley/resources?limit=1000");
      expect(catalogued.text).not.toContain("/resourceGroups/Shared");
    });

    test("groups are listed by tag and name", async () => {
      const { group, across } = newPlace();
      await send("PUT", group("one"), { location: "westus", tags: { env: "test" } });
      await send("PUT", group("two"), { location: "westus", tags: { Env: "live" } });
      await send("PUT", group("three"), { location: "westus" });
      const list = async (filter: string) =>
        names(await send("GET", `${across("resourcegroups")}&$filter=${encodeURIComponent(filter)}`));
      expect(await list("tagName eq 'env'")).toEqual(["one", "two"]);
      expect(await list("tagName eq 'env' and tagValue eq 'live'")).toEqual(["two"]);
      expect(await list("name eq 'THREE'")).toEqual(["three"]);
      const refused = await send("GET", `${across("resourcegroups")}&$filter=name%20is%20x`);
      expect(refused.status).toBe(400);
    });

    test("where an address names no provider, the maker's clients are known by their headers", async () => {
      const { hsm, across } = newPlace();
      await send("PUT", hsm("a", "hsm-1"), hsmBody());
      const typeOf = async (path: string, headers: Record<string, string>) =>
        (await instance().bearer("GET", path, { headers })).body.value[0].type;
      const makers = { "x-ms-client-request-id": "1" };
      expect(await typeOf(across("resources"), makers)).toBe(
        "Microsoft.HardwareSecurityModules/dedicatedHSMs",
      );
      expect(await typeOf(across("resourcegroups"), makers)).toBe("Microsoft.Resources/resourceGroups");
      expect(await typeOf(across("resources"), {})).toBe("Vendor.HardwareSecurityModules/dedicatedHSMs");
      const neutral = await instance().bearer("GET", hsm("a", "hsm-1"), { headers: makers });
      expect(neutral.body.type).toBe("Vendor.HardwareSecurityModules/dedicatedHSMs");
    });

    test("resources of all types are listed, filtered by type, name and tag", async () => {
      const { hsm, machine, across } = newPlace();
      await send("PUT", hsm("a", "hsm-1"), hsmBody({ env: "test" }));
      await send("PUT", hsm("b", "hsm-2"), hsmBody({ ENV: "live" }));
      await send("PUT", machine("a", "vm-1"), { location: "eastus", tags: { env: "test" } });
      const list = async (filter: string) =>
        names(await send("GET", `${across("resources")}&$filter=${encodeURIComponent(filter)}`));
      expect(await list("")).toEqual(["hsm-1", "vm-1", "hsm-2"]);
      expect(await list("resourceType eq 'Microsoft.HardwareSecurityModules/dedicatedHSMs'")).toEqual([
        "hsm-1",
        "hsm-2",
      ]);
      expect(
        await list("resourceType eq 'Vendor.SqlVirtualMachine/sqlVirtualMachines' or name eq 'HSM-2'"),
      ).toEqual(["vm-1", "hsm-2"]);
      expect(await list("tagName eq 'env'")).toEqual(["hsm-1", "vm-1", "hsm-2"]);
      expect(await list("tagName eq 'env' and tagValue eq 'test'")).toEqual(["hsm-1", "vm-1"]);
      expect(await list("substringof('vm', name)")).toEqual(["vm-1"]);
      expect((await send("GET", `${across("resources")}&$filter=name%20is%20x`)).status).toBe(400);
    });

    test("subscriptions are those the account has used; providers name their types and versions", async () => {
      const { name, group, across } = newPlace();
      await send("PUT", group("g"), { location: "westus" });
      const mine = await send("GET", `/management/subscriptions?${VERSION}`);
      expect(mine.body.value.map((one: { subscriptionId: string }) => one.subscriptionId)).toContain(name);
      const theirs = await instance().bearer("GET", `/management/subscriptions?${VERSION}`, { as: "second" });
      expect(theirs.body.value).toEqual([]);
      expect((await send("GET", `/subscriptions/${name}?${VERSION}`)).body.state).toBe("Enabled");
      expect(
        (await instance().bearer("GET", `/subscriptions/${name}?${VERSION}`, { as: "second" })).status,
      ).toBe(404);
      expect((await send("GET", `/management/providers?${VERSION}`)).status).toBe(200);
      const listed = await send("GET", across("providers"));
      expect(listed.body.value.map((one: { namespace: string }) => one.namespace)).toContain(
        "Vendor.SqlVirtualMachine",
      );
      const one = await send("GET", across("providers/microsoft.sqlvirtualmachine"));
      expect(one.body.namespace).toBe("Microsoft.SqlVirtualMachine");
      expect(one.body.resourceTypes[0]).toEqual({
        resourceType: "sqlVirtualMachineGroups",
        locations: [],
        apiVersions: expect.arrayContaining(["2017-03-01-preview", "2022-07-01-preview"]),
      });
      expect(
        (await send("POST", across("providers/Vendor.SqlVirtualMachine/register"))).body.registrationState,
      ).toBe("Registered");
      expect(codeOf(await send("GET", across("providers/Vendor.Nothing")))).toBe(
        "404 InvalidResourceNamespace",
      );
    });

    test("state is exported, reset and imported by service", async () => {
      const { hsm, machine, across } = newPlace();
      await send("PUT", hsm("g", "hsm-1"), hsmBody({ a: "b" }));
      await send("PUT", machine("g", "vm-1"), { location: "westus" });
      const listed = async () => names(await send("GET", across("resources")));
      const saved = await send("GET", "/_medley/state?service=hardware-security-modules");
      await send("POST", "/_medley/state/reset", { service: "hardware-security-modules" });
      expect(await listed()).toEqual(["vm-1"]);
      expect((await send("PUT", "/_medley/state", saved.text)).status).toBe(200);
      expect(await listed()).toEqual(["hsm-1", "vm-1"]);
    });

    test("a new group in many hands at once is made once", async () => {
      const { hsm, across } = newPlace();
      const made = await Promise.all(
        Array.from({ length: 8 }, (_, n) => send("PUT", hsm("Busy", `hsm-${n}`), hsmBody())),
      );
      expect(made.map(({ status }) => status)).toEqual(Array(8).fill(201));
      expect(names(await send("GET", across("resourcegroups")))).toEqual(["Busy"]);
    });
  },
  { services },
);

onBothDatabases(
  "the resource manager with provisioning time",
  (instance) => {
    beforeAll(() => instance().clock.freeze());

    test("a group under deletion takes nothing new; what was under way in it is given up", async () => {
      const { group, hsm } = newPlace();
      const begun = await instance().bearer("PUT", hsm("g", "hsm-1"), { body: hsmBody() });
      const leaving = await instance().bearer("DELETE", group("g"));
      expect([
        leaving.status,
        (await instance().bearer("DELETE", group("g"))).headers.get("location"),
      ]).toEqual([202, leaving.headers.get("location")]);
      expect((await instance().bearer("GET", group("g"))).body.properties.provisioningState).toBe("Deleting");
      expect(codeOf(await instance().bearer("PUT", hsm("g", "hsm-2"), { body: hsmBody() }))).toBe(
        "409 ResourceGroupBeingDeleted",
      );
      expect((await instance().bearer("GET", leaving.headers.get("location") as string)).status).toBe(202);
      await instance().clock.advance("3s");
      expect((await instance().bearer("GET", leaving.headers.get("location") as string)).status).toBe(200);
      const status = await instance().bearer("GET", begun.headers.get("azure-asyncoperation") as string);
      expect(["Canceled", "Succeeded"]).toContain(status.body.status);
      expect((await instance().bearer("GET", group("g"))).status).toBe(404);
    });
  },
  { services, provisioningSeconds: 3 },
);

test("each instance knows the providers that it has mounted, whatever others in the process have", async () => {
  const providersOf = async (services: readonly string[]) => {
    const instance = await startInstance({ services: ["resource-manager", ...services] });
    try {
      const { body } = await instance.bearer("GET", `/management/providers?${VERSION}`);
      return body.value.map(({ namespace }: { namespace: string }) => namespace);
    } finally {
      await instance.stop();
    }
  };
  expect(await providersOf(["scheduler"])).toEqual(["Vendor.Scheduler"]);
  expect(await providersOf(["sql-databases"])).toEqual(["Vendor.Sql"]);
  expect(await providersOf([])).toEqual([]);
});
