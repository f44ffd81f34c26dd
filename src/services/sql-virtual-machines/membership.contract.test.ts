/** What holds groups, listeners and machines together while they change, over HTTP, on both databases. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { onBothDatabases, startInstance } from "../../../tests/support/medley.ts";
import * as support from "../../../tests/support/sql-virtual-machines.ts";

const GROUP = "sqlVirtualMachineGroups/cluster-1";
const LISTENER = `${GROUP}/availabilityGroupListeners`;
const DEFAULT_LISTENER = { properties: { createDefaultAvailabilityGroupIfNotExist: true } };
const elsewhere = (path: string) => path.replace("/data-rg/", "/far-rg/");
const listenerOn = (place: support.Place, machine: string) => ({
  properties: {
    availabilityGroupName: "ag",
    loadBalancerConfigurations: [
      {
        privateIpAddress: {
          ipAddress: "10.1.0.10",
          subnetResourceId: place.network("virtualNetworks/v/subnets/sql"),
        },
        sqlVirtualMachineInstances: [place.id(`sqlVirtualMachines/${machine}`)],
      },
    ],
  },
});

onBothDatabases(
  "groups and what belongs to them",
  (instance) => {
    const put = (path: string, body: unknown) => instance().bearer("PUT", path, { body });
    const get = (path: string) => instance().bearer("GET", path);

    test("a group that goes with its resource group releases its machines elsewhere", async () => {
      const place = support.newPlace();
      const far = elsewhere(place.path("sqlVirtualMachines/far"));
      await put(place.path(GROUP), support.groupBody());
      for (const path of [far, place.path("sqlVirtualMachines/near")])
        expect((await put(path, support.memberBody(place))).status).toBe(201);
      const group = `/management${place.subscription}/resourceGroups/data-rg?api-version=2021-04-01`;
      expect((await instance().bearer("DELETE", group)).status).toBe(200);
      const left = (await get(far)).body.properties;
      expect([left.provisioningState, left.sqlVirtualMachineGroupResourceId]).toEqual([
        "Succeeded",
        undefined,
      ]);
      await put(place.path(GROUP), support.groupBody());
      expect((await get(place.path(`${GROUP}/sqlVirtualMachines`))).body.value).toEqual([]);
      expect((await put(far, support.memberBody(place))).status).toBe(200);
    });

    test("a default availability group is spelt as its listener", async () => {
      const place = support.newPlace();
      await put(place.path(GROUP), support.groupBody());
      const made = await put(place.path(`${LISTENER}/Orders`), DEFAULT_LISTENER);
      expect(made.body.properties.availabilityGroupName).toBe("Orders");
      const again = await put(place.path(`${LISTENER}/ORDERS`), DEFAULT_LISTENER);
      expect([again.status, again.body.properties]).toEqual([200, made.body.properties]);
    });

    test("every listener of a group counts, however many there are", async () => {
      const place = support.newPlace();
      await put(place.path(GROUP), support.groupBody());
      for (let i = 0; i < 101; i += 1)
        await put(place.path(`${LISTENER}/l${String(i).padStart(3, "0")}`), DEFAULT_LISTENER);
      const same = { properties: { availabilityGroupName: "L100" } };
      expect(support.codeOf(await put(place.path(`${LISTENER}/other`), same))).toBe(
        "400 MultipleListenerSameAG",
      );
    });

    test("the witness of a group and the workload of a machine stay", async () => {
      const place = support.newPlace();
      const group = place.path(GROUP);
      await put(group, support.groupBody());
      const profile = (storageAccountPrimaryKey: string) =>
        support.groupBody({ wsfcDomainProfile: { storageAccountPrimaryKey } });
      expect((await put(group, profile(support.PROFILE.storageAccountPrimaryKey))).status).toBe(200);
      expect(support.codeOf(await put(group, profile("YW5vdGhlci1rZXktb2YtdGhlLXdpdG5lc3M=")))).toBe(
        "400 SqlVmGroupUpdateNotAllowed",
      );
      const made = (storageWorkloadType?: string, sqlWorkloadType?: string) =>
        support.machineBody({
          storageConfigurationSettings: { storageWorkloadType },
          serverConfigurationsManagementSettings: { sqlWorkloadTypeUpdateSettings: { sqlWorkloadType } },
        });
      const machine = place.path("sqlVirtualMachines/sql-1");
      expect((await put(machine, made("OLTP", "DW"))).status).toBe(201);
      expect((await put(machine, made("OLTP", "DW"))).status).toBe(200);
      for (const body of [made("DW", "DW"), made("OLTP", "GENERAL")])
        expect(support.codeOf(await put(machine, body))).toBe("400 InvalidParameterValue");
    });

    test("identities of an account are of one tenant", async () => {
      const place = support.newPlace();
      const tenants = new Set<string>();
      for (const name of ["sql-1", "sql-2"]) {
        const made = await put(
          place.path(`sqlVirtualMachines/${name}`),
          support.machineBody({}, { identity: { type: "SystemAssigned" } }),
        );
        tenants.add(made.body.identity.tenantId);
      }
      expect([...tenants]).toEqual([expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)]);
    });

    test("an identity without a type is none, and one may follow", async () => {
      const path = support.newPlace().path("sqlVirtualMachines/sql-1");
      expect((await put(path, support.machineBody({}, { identity: {} }))).body.identity).toBeUndefined();
      const given = await put(path, support.machineBody({}, { identity: { type: "SystemAssigned" } }));
      expect(given.body.identity).toMatchObject({
        type: "SystemAssigned",
        principalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect((await put(path, support.machineBody({}, { identity: {} }))).body.identity).toEqual(
        given.body.identity,
      );
    });
  },
  { services: support.sqlVirtualMachineServices },
);

onBothDatabases(
  "groups and what belongs to them, taking time",
  (instance) => {
    beforeAll(() => instance().clock.freeze());

    test("a busy group takes no listener, and a listener takes no machine that is leaving", async () => {
      const place = support.newPlace();
      const send = async (method: string, rest: string, body?: unknown) => {
        const answer = await instance().bearer(method, place.path(rest), { body });
        return answer.status < 400 ? answer.status : support.codeOf(answer);
      };
      const settle = () => instance().clock.advance("2s");
      await send("PUT", GROUP, support.groupBody());
      expect(await send("PUT", `${LISTENER}/l1`, DEFAULT_LISTENER)).toBe("409 OperationInProgress");
      await settle();
      expect(await send("PUT", "sqlVirtualMachines/sql-1", support.memberBody(place))).toBe(201);
      await settle();
      expect(await send("PATCH", GROUP, { tags: { a: "b" } })).toBe(200);
      expect(await send("PUT", `${LISTENER}/l1`, DEFAULT_LISTENER)).toBe("409 OperationInProgress");
      await settle();
      expect(await send("DELETE", "sqlVirtualMachines/sql-1")).toBe(202);
      expect(await send("PUT", `${LISTENER}/l1`, listenerOn(place, "sql-1"))).toBe("400 SqlVmNotInGroup");
      await settle();
      expect(await send("DELETE", GROUP)).toBe(202);
    });
  },
  { services: support.sqlVirtualMachineServices, provisioningSeconds: 2 },
);

test("passwords and keys are nowhere in plain text, and still known after a restart", async () => {
  const data = mkdtempSync(join(tmpdir(), "sql-vm-"));
  const options = { data, services: support.sqlVirtualMachineServices, secretKey: "a key for the box" };
  const place = support.newPlace();
  const send = async (rest: string, body: unknown) => {
    const instance = await startInstance(options);
    const answer = await instance.bearer("PUT", place.path(rest), { body });
    await instance.stop();
    return answer.status;
  };
  const backup = { enable: true, retentionPeriod: 7, storageAccountUrl: "https://b.blob.example.net/" };
  const member = (autoBackupSettings: object) => {
    const body = support.memberBody(place);
    return { ...body, properties: { ...body.properties, autoBackupSettings } };
  };
  try {
    expect(await send(GROUP, support.groupBody())).toBe(201);
    const secrets = { storageAccessKey: "backup-key-1", password: "backup-password-1" };
    expect(await send("sqlVirtualMachines/sql-1", member({ ...backup, ...secrets }))).toBe(201);
    const files = readdirSync(data).filter((name) => name.startsWith("medley.db"));
    expect(files).toContain("medley.db");
    for (const name of files) {
      const kept = readFileSync(join(data, name));
      const plain = [
        support.PROFILE.storageAccountPrimaryKey,
        ...Object.values(support.CREDENTIALS),
        ...Object.values(secrets),
      ];
      expect(plain.filter((secret) => kept.includes(secret))).toEqual([]);
    }
    expect(await send("sqlVirtualMachines/sql-1", member({ ...backup, enableEncryption: true }))).toBe(200);
    expect(await send(GROUP, support.groupBody())).toBe(200);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
