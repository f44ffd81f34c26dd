/** SQL virtual machine groups, listeners and whole clusters over HTTP, on both databases. */
import { beforeAll, describe, expect, test } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import * as support from "../../../tests/support/sql-virtual-machines.ts";

onBothDatabases(
  "SQL virtual machines",
  (instance) => {
    const put = (path: string, body: unknown) => instance().bearer("PUT", path, { body });
    const get = (path: string) => instance().bearer("GET", path);
    const remove = (path: string) => instance().bearer("DELETE", path);
    const join = (place: support.Place, machine: string) =>
      put(place.path(`sqlVirtualMachines/${machine}`), support.memberBody(place));
    const balancer = (
      place: support.Place,
      machines: readonly string[],
      more: Record<string, unknown> = {},
    ) => ({
      privateIpAddress: {
        ipAddress: "10.1.0.10",
        subnetResourceId: place.network("virtualNetworks/v/subnets/sql"),
      },
      loadBalancerResourceId: place.network("loadBalancers/lb"),
      probePort: 59_999,
      sqlVirtualMachineInstances: machines.map((name) => place.id(`sqlVirtualMachines/${name}`)),
      ...more,
    });

    test("a cluster from the first group to the last delete", async () => {
      const place = support.newPlace();
      const group = place.path("sqlVirtualMachineGroups/cluster-1");
      const made = await put(group, support.groupBody({}, { tags: { a: "1" } }));
      expect(made.status).toBe(201);
      const { storageAccountPrimaryKey: _hidden, ...shownProfile } = support.PROFILE;
      expect(made.body).toEqual({
        id: place.id("sqlVirtualMachineGroups/cluster-1"),
        name: "cluster-1",
        type: "Vendor.SqlVirtualMachine/sqlVirtualMachineGroups",
        location: "northeurope",
        tags: { a: "1" },
        properties: {
          provisioningState: "Succeeded",
          sqlImageOffer: "SQL2017-WS2016",
          sqlImageSku: "Enterprise",
          scaleType: "HA",
          clusterManagerType: "WSFC",
          clusterConfiguration: "Domainful",
          wsfcDomainProfile: shownProfile,
        },
      });
      for (const name of ["sql-1", "sql-2"]) expect((await join(place, name)).status).toBe(201);
      expect((await put(place.path("sqlVirtualMachines/alone"), support.machineBody())).status).toBe(201);
      const ofGroup = await get(place.path("sqlVirtualMachineGroups/CLUSTER-1/sqlVirtualMachines"));
      expect(ofGroup.status).toBe(200);
      expect(ofGroup.body.value.map((one: { name: string }) => one.name)).toEqual(["sql-1", "sql-2"]);

      const listener = place.path("sqlVirtualMachineGroups/cluster-1/availabilityGroupListeners/listener-1");
      const listening = {
        properties: {
          availabilityGroupName: "orders",
          port: 1433,
          loadBalancerConfigurations: [balancer(place, ["sql-1", "sql-2"])],
        },
      };
      const begun = await put(listener, listening);
      expect([begun.status, begun.body.type]).toEqual([
        201,
        "Vendor.SqlVirtualMachine/sqlVirtualMachineGroups/availabilityGroupListeners",
      ]);
      expect(begun.body.properties).toEqual({ provisioningState: "Succeeded", ...listening.properties });
      expect((await put(listener, { properties: { ...listening.properties, port: 1434 } })).status).toBe(200);
      expect((await get(listener)).body.properties.port).toBe(1434);
      const listed = await get(place.path("sqlVirtualMachineGroups/cluster-1/availabilityGroupListeners"));
      expect(listed.body.value).toHaveLength(1);

      for (const type of ["sqlVirtualMachineGroups", "sqlVirtualMachines"])
        for (const path of [place.path(type), place.across(type)]) {
          const all = await get(path);
          expect([all.status, all.body.value.length]).toEqual([200, type === "sqlVirtualMachines" ? 3 : 1]);
        }
      expect((await instance().bearer("PATCH", group, { body: { tags: { b: "2" } } })).body.tags).toEqual({
        a: "1",
        b: "2",
      });
      const machine = place.path("sqlVirtualMachines/sql-1");
      expect((await instance().bearer("PATCH", machine, { body: { tags: { b: "2" } } })).body.tags).toEqual({
        b: "2",
      });

      expect(support.codeOf(await remove(group))).toBe("400 SqlVmGroupNotEmpty");
      expect(support.codeOf(await remove(machine))).toBe("400 SqlVmCannotRemoveFromGroup");
      expect(support.codeOf(await put(machine, support.machineBody()))).toBe(
        "400 SqlVmCannotRemoveFromGroup",
      );
      expect((await remove(listener)).status).toBe(200);
      expect((await remove(listener)).status).toBe(204);
      const left = await put(machine, support.machineBody());
      expect([left.status, left.body.properties.sqlVirtualMachineGroupResourceId]).toEqual([200, undefined]);
      for (const name of ["sql-1", "sql-2"]) {
        expect((await remove(place.path(`sqlVirtualMachines/${name}`))).status).toBe(200);
        expect((await remove(place.path(`sqlVirtualMachines/${name}`))).status).toBe(204);
      }
      expect((await remove(group)).status).toBe(200);
      expect((await remove(group)).status).toBe(204);
      expect(support.codeOf(await get(group))).toBe("404 ResourceNotFound");
    });

    test("the provider's operations are listed", async () => {
      const { status, body } = await get(`/management/${support.AREA}/operations?${support.VERSION}`);
      expect(status).toBe(200);
      expect(body.value).toHaveLength(9);
      expect(body.value[0]).toMatchObject({
        name: "Vendor.SqlVirtualMachine/sqlVirtualMachineGroups/read",
        origin: "user",
      });
    });

    describe("groups", () => {
      test.each([
        ["a long name", "cluster-name-16x", support.groupBody(), "SqlVmGroupNameTooLong"],
        ["a mere number", "123", support.groupBody(), "InvalidSqlVmGroupName"],
        ["a hyphen at the end", "cluster-", support.groupBody(), "InvalidSqlVmGroupName"],
        ["an unknown offer", "c1", support.groupBody({ sqlImageOffer: "MySQL8" }), "InvalidSqlImageOffer"],
        [
          "an old offer",
          "c1",
          support.groupBody({ sqlImageOffer: "SQL2014-WS2012R2" }),
          "InvalidSqlImageOffer",
        ],
        ["an unfit SKU", "c1", support.groupBody({ sqlImageSku: "Web" }), "InvalidSqlSku"],
        [
          "a unit elsewhere",
          "c1",
          support.groupBody({ wsfcDomainProfile: { ...support.PROFILE, ouPath: "OU=X,DC=other,DC=org" } }),
          "OuPathAndDomainMismatch",
        ],
        [
          "a path that is none",
          "c1",
          support.groupBody({ wsfcDomainProfile: { ...support.PROFILE, ouPath: "Clusters" } }),
          "OuPathAndDomainMismatch",
        ],
        [
          "an account elsewhere",
          "c1",
          support.groupBody({
            wsfcDomainProfile: { ...support.PROFILE, sqlServiceAccount: "sql@other.org" },
          }),
          "InvalidAccountNameFormat",
        ],
        [
          "a strange account",
          "c1",
          support.groupBody({
            wsfcDomainProfile: { ...support.PROFILE, clusterOperatorAccount: "EX\\operator" },
          }),
          "InvalidAccountNameFormat",
        ],
        [
          "two witnesses",
          "c1",
          support.groupBody({
            wsfcDomainProfile: { ...support.PROFILE, fileShareWitnessPath: "\\\\share\\w" },
          }),
          "FileShareWitnessDisAllowed",
        ],
        [
          "a strange storage address",
          "c1",
          support.groupBody({ wsfcDomainProfile: { ...support.PROFILE, storageAccountUrl: "ftp://x" } }),
          "InvalidStorageAccountUrl",
        ],
        [
          "storage without key",
          "c1",
          support.groupBody({
            wsfcDomainProfile: { ...support.PROFILE, storageAccountPrimaryKey: undefined },
          }),
          "InvalidStorageAccountCredentials",
        ],
        [
          "storage with an odd key",
          "c1",
          support.groupBody({
            wsfcDomainProfile: { ...support.PROFILE, storageAccountPrimaryKey: "my key" },
          }),
          "InvalidStorageAccountCredentials",
          /is not the key of a storage account/,
        ],
        [
          "a cloud witness of old",
          "c1",
          support.groupBody({ sqlImageOffer: "SQL2016-WS2012R2" }),
          "CloudWitnessUnsupported",
        ],
        ["no location", "c1", { properties: {} }, "InvalidRequestContent"],
      ])("refused: %s", async (_what, name, body, code, message = /./) => {
        const place = support.newPlace();
        const answered = await put(place.path(`sqlVirtualMachineGroups/${name}`), body);
        expect(support.codeOf(answered)).toBe(`400 ${code}`);
        expect(answered.body.error.message).toMatch(message);
        expect((await get(place.across("sqlVirtualMachineGroups"))).body.value).toEqual([]);
      });

      test("the domain stays; accounts change only while nobody is in", async () => {
        const place = support.newPlace();
        const group = place.path("sqlVirtualMachineGroups/cluster-1");
        const profile = (change: Record<string, unknown>) =>
          support.groupBody({ wsfcDomainProfile: { ...support.PROFILE, ...change } });
        expect((await put(group, support.groupBody())).status).toBe(201);
        expect((await put(group, { location: "northeurope" })).body.properties.sqlImageSku).toBe(
          "Enterprise",
        );
        for (const body of [
          profile({
            domainFqdn: "other.org",
            ouPath: undefined,
            clusterOperatorAccount: undefined,
            sqlServiceAccount: undefined,
          }),
          support.groupBody({ sqlImageOffer: "SQL2019-WS2019" }),
          support.groupBody({ sqlImageSku: "Developer" }),
        ])
          expect(support.codeOf(await put(group, body))).toBe("400 SqlVmGroupUpdateNotAllowed");
        const renamed = profile({ clusterOperatorAccount: "chief@example.org" });
        expect((await put(group, renamed)).body.properties.wsfcDomainProfile.clusterOperatorAccount).toBe(
          "chief@example.org",
        );
        expect((await join(place, "sql-1")).status).toBe(201);
        expect(support.codeOf(await put(group, support.groupBody()))).toBe(
          "400 SqlVmGroupUpdateFailVmAttached",
        );
        expect((await put(group, renamed)).status).toBe(200);
      });

      test("a PATCH follows the rules of a PUT", async () => {
        const place = support.newPlace();
        const group = place.path("sqlVirtualMachineGroups/cluster-1");
        const patch = (properties: Record<string, unknown>) =>
          instance().bearer("PATCH", group, { body: { properties } });
        await put(group, support.groupBody());
        const renamed = await patch({ wsfcDomainProfile: { clusterOperatorAccount: "chief@example.org" } });
        const { storageAccountPrimaryKey: _hidden, ...shown } = support.PROFILE;
        expect(renamed.body.properties.wsfcDomainProfile).toEqual({
          ...shown,
          clusterOperatorAccount: "chief@example.org",
        });
        expect(support.codeOf(await patch({ sqlImageSku: "Developer" }))).toBe(
          "400 SqlVmGroupUpdateNotAllowed",
        );
      });

      test("machines of an unknown group, listeners of an unknown group", async () => {
        const place = support.newPlace();
        const missing = "404 SubscriptionDoesNotHaveSqlVMGroupInResourceGroup";
        expect(support.codeOf(await get(place.path("sqlVirtualMachineGroups/none/sqlVirtualMachines")))).toBe(
          missing,
        );
        expect(
          support.codeOf(await get(place.path("sqlVirtualMachineGroups/none/availabilityGroupListeners"))),
        ).toBe(missing);
        const listener = place.path("sqlVirtualMachineGroups/none/availabilityGroupListeners/l1");
        expect(support.codeOf(await put(listener, { properties: { availabilityGroupName: "a" } }))).toBe(
          missing,
        );
        expect(support.codeOf(await get(listener))).toBe(missing);
        expect((await remove(listener)).status).toBe(204);
      });
    });
    test("listeners: what they need, and what they refuse", async () => {
      const place = support.newPlace();
      await put(place.path("sqlVirtualMachineGroups/cluster-1"), support.groupBody());
      await join(place, "sql-1");
      await put(place.path("sqlVirtualMachines/stranger"), support.machineBody());
      const at = (name: string) =>
        place.path(`sqlVirtualMachineGroups/cluster-1/availabilityGroupListeners/${name}`);
      const wish = (...configurations: unknown[]) =>
        put(at("l1"), {
          properties: { availabilityGroupName: "ag", loadBalancerConfigurations: configurations },
        });
      const fits = balancer(place, ["sql-1"]);
      const privately = (change: Record<string, unknown>) => ({
        ...fits,
        privateIpAddress: { ...fits.privateIpAddress, ...change },
      });
      const publicly = { publicIpAddressResourceId: place.network("publicIPAddresses/p") };
      const cases: [unknown[], string][] = [
        [[{ ...fits, privateIpAddress: undefined }], "NoIpProvided"],
        [[{ ...fits, ...publicly }], "MoreIpProvided"],
        [[privately({ ipAddress: "10.1" })], "InvalidPrivateIpParameterValue"],
        [[privately({ subnetResourceId: undefined })], "SubnetMissingFromPrivateIP"],
        [[privately({ subnetResourceId: "/s" })], "InvalidSubnetIdParameterValue"],
        [
          [{ ...fits, privateIpAddress: undefined, publicIpAddressResourceId: "/p" }],
          "InvalidPublicIpResourceIdParameterValue",
        ],
        [[{ ...fits, loadBalancerResourceId: "/lb" }], "InvalidLBResourceIdParameterValue"],
        [[{ ...fits, probePort: 0 }], "ArgumentNotInRange"],
        [[balancer(place, [])], "SqlVmListCannotBeEmpty"],
        [[{ ...fits, sqlVirtualMachineInstances: ["/vm"] }], "InvalidSqlVmResourceIdParameterValue"],
        [
          [
            {
              ...fits,
              sqlVirtualMachineInstances: [
                place.id("sqlVirtualMachines/sql-1").replace(/sql-vm-\d+/, "other"),
              ],
            },
          ],
          "DifferentSubSqlVmList",
        ],
        [[balancer(place, ["stranger"])], "SqlVmNotInGroup"],
        [[balancer(place, ["nobody"])], "SqlVmNotInGroup"],
        [[fits, balancer(place, ["sql-1", "sql-2"])], "AgListDoesNotMatch"],
        [
          [fits, privately({ subnetResourceId: place.network("virtualNetworks/w/subnets/sql") })],
          "AgListenerVnetMismatch",
        ],
      ];
      for (const [configurations, code] of cases)
        expect(support.codeOf(await wish(...configurations))).toBe(`400 ${code}`);
      const named = (name: string, properties: Record<string, unknown>) => put(at(name), { properties });
      expect(support.codeOf(await named("listener-name-16", {}))).toBe("400 ListenerNameTooLong");
      expect(support.codeOf(await named("-l", {}))).toBe("400 InvalidListenerName");
      expect(support.codeOf(await named("l1", {}))).toBe("400 AgDoesNotExist");
      expect(support.codeOf(await named("l1", { availabilityGroupName: "ag", port: 70_000 }))).toBe(
        "400 ArgumentNotInRange",
      );
      expect((await wish({ ...fits, ...publicly, privateIpAddress: undefined })).status).toBe(201);
      expect(support.codeOf(await named("l2", { availabilityGroupName: "AG" }))).toBe(
        "400 MultipleListenerSameAG",
      );
      expect(support.codeOf(await named("l1", { availabilityGroupName: "other" }))).toBe(
        "400 AgListenerUpdateNotAllowed",
      );
      const plain = await named("l2", { createDefaultAvailabilityGroupIfNotExist: true });
      expect([plain.status, plain.body.properties.availabilityGroupName]).toEqual([201, "l2"]);
    });

    test("another account finds no subscription", async () => {
      const place = support.newPlace();
      await put(place.path("sqlVirtualMachines/sql-1"), support.machineBody());
      const refused = await instance().bearer("GET", place.path("sqlVirtualMachines/sql-1"), {
        as: "second",
      });
      expect(support.codeOf(refused)).toBe("404 SubscriptionDoesNotExist");
    });
  },
  { services: support.sqlVirtualMachineServices },
);

onBothDatabases(
  "SQL virtual machines that take time",
  (instance) => {
    beforeAll(() => instance().clock.freeze());

    test("groups, listeners and machines are created and deleted in the background", async () => {
      const place = support.newPlace();
      const bodies: [string, unknown][] = [
        ["sqlVirtualMachineGroups/cluster-1", support.groupBody()],
        ["sqlVirtualMachines/sql-1", support.machineBody()],
        [
          "sqlVirtualMachineGroups/cluster-1/availabilityGroupListeners/l1",
          { properties: { availabilityGroupName: "ag" } },
        ],
      ];
      for (const [rest, body] of bodies) {
        const made = await instance().bearer("PUT", place.path(rest), { body });
        expect([made.status, made.body.properties.provisioningState]).toEqual([201, "Creating"]);
        const busy = await instance().bearer("PUT", place.path(rest), { body });
        expect(support.codeOf(busy)).toBe("409 OperationInProgress");
        await instance().clock.advance("2s");
        const poll = await instance().bearer("GET", made.headers.get("azure-asyncoperation") as string);
        expect(poll.body.status).toBe("Succeeded");
      }
      for (const [rest] of bodies.toReversed()) {
        const leaving = await instance().bearer("DELETE", place.path(rest));
        expect(leaving.status).toBe(202);
        await instance().clock.advance("2s");
        expect((await instance().bearer("GET", leaving.headers.get("location") as string)).status).toBe(204);
        expect((await instance().bearer("DELETE", place.path(rest))).status).toBe(204);
      }
    });

    test("a group under way takes no machines yet", async () => {
      const place = support.newPlace();
      const send = (rest: string, body: unknown) => instance().bearer("PUT", place.path(rest), { body });
      await send("sqlVirtualMachineGroups/cluster-1", support.groupBody());
      const member = support.memberBody(place);
      expect(support.codeOf(await send("sqlVirtualMachines/sql-1", member))).toBe("409 OperationInProgress");
      await instance().clock.advance("2s");
      expect((await send("sqlVirtualMachines/sql-1", member)).status).toBe(201);
    });
  },
  { services: support.sqlVirtualMachineServices, provisioningSeconds: 2 },
);
