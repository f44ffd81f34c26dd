/** SQL virtual machines, groups and listeners over HTTP, on both databases. */
import { beforeAll, describe, expect, test } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const VERSION = "api-version=2017-03-01-preview";
const AREA = "providers/Vendor.SqlVirtualMachine";
const services = ["sql-virtual-machines", "resource-manager"];

let counter = 0;
/** Every test has a subscription of its own. */
function newPlace() {
  counter += 1;
  const subscription = `/subscriptions/sql-vm-${counter}`;
  const group = `${subscription}/resourceGroups/data-rg`;
  const id = (rest: string) => `${group}/${AREA}/${rest}`;
  return {
    subscription,
    id,
    path: (rest: string) => `/management${id(rest)}?${VERSION}`,
    across: (type: string) => `/management${subscription}/${AREA}/${type}?${VERSION}`,
    network: (rest: string) => `${group}/providers/Vendor.Network/${rest}`,
    compute: (name: string) => `${group}/providers/Vendor.Compute/virtualMachines/${name}`,
  };
}
type Place = ReturnType<typeof newPlace>;
type Answered = { status: number; body: any; headers: Headers };

const PROFILE = {
  domainFqdn: "example.org",
  ouPath: "OU=Clusters,DC=example,DC=org",
  clusterBootstrapAccount: "installer",
  clusterOperatorAccount: "operator@example.org",
  sqlServiceAccount: "sqlservice@example.org",
  storageAccountUrl: "https://witness.blob.example.net/",
  storageAccountPrimaryKey: "cHJpbWFyeS1rZXktb2YtdGhlLXdpdG5lc3M=",
};
const CREDENTIALS = {
  clusterBootstrapAccountPassword: "bootstrap-1",
  clusterOperatorAccountPassword: "operator-1",
  sqlServiceAccountPassword: "service-1",
};
const groupBody = (properties: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  location: "northeurope",
  properties: {
    sqlImageOffer: "SQL2017-WS2016",
    sqlImageSku: "Enterprise",
    wsfcDomainProfile: PROFILE,
    ...properties,
  },
  ...more,
});
const machineBody = (properties: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  location: "northeurope",
  properties: {
    sqlImageOffer: "SQL2017-WS2016",
    sqlImageSku: "Enterprise",
    sqlServerLicenseType: "PAYG",
    ...properties,
  },
  ...more,
});
const codeOf = ({ status, body }: Answered) => `${status} ${body.error?.code}`;

onBothDatabases(
  "SQL virtual machines",
  (instance) => {
    const put = (path: string, body: unknown) => instance().bearer("PUT", path, { body });
    const get = (path: string) => instance().bearer("GET", path);
    const remove = (path: string) => instance().bearer("DELETE", path);
    const join = (place: Place, machine: string, group = "cluster-1") =>
      put(
        place.path(`sqlVirtualMachines/${machine}`),
        machineBody({
          sqlVirtualMachineGroupResourceId: place.id(`sqlVirtualMachineGroups/${group}`),
          wsfcDomainCredentials: CREDENTIALS,
        }),
      );
    const balancer = (place: Place, machines: readonly string[], more: Record<string, unknown> = {}) => ({
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
      const place = newPlace();
      const group = place.path("sqlVirtualMachineGroups/cluster-1");
      const made = await put(group, groupBody({}, { tags: { a: "1" } }));
      expect(made.status).toBe(201);
      const { storageAccountPrimaryKey: _hidden, ...shownProfile } = PROFILE;
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
      expect((await put(place.path("sqlVirtualMachines/alone"), machineBody())).status).toBe(201);
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

      expect(codeOf(await remove(group))).toBe("400 SqlVmGroupNotEmpty");
      expect(codeOf(await remove(machine))).toBe("400 SqlVmCannotRemoveFromGroup");
      expect(codeOf(await put(machine, machineBody()))).toBe("400 SqlVmCannotRemoveFromGroup");
      expect((await remove(listener)).status).toBe(200);
      expect((await remove(listener)).status).toBe(204);
      const left = await put(machine, machineBody());
      expect([left.status, left.body.properties.sqlVirtualMachineGroupResourceId]).toEqual([200, undefined]);
      for (const name of ["sql-1", "sql-2"]) {
        expect((await remove(place.path(`sqlVirtualMachines/${name}`))).status).toBe(200);
        expect((await remove(place.path(`sqlVirtualMachines/${name}`))).status).toBe(204);
      }
      expect((await remove(group)).status).toBe(200);
      expect((await remove(group)).status).toBe(204);
      expect(codeOf(await get(group))).toBe("404 ResourceNotFound");
    });

    test("the provider's operations are listed", async () => {
      const { status, body } = await get(`/management/${AREA}/operations?${VERSION}`);
      expect(status).toBe(200);
      expect(body.value).toHaveLength(9);
      expect(body.value[0]).toMatchObject({
        name: "Vendor.SqlVirtualMachine/sqlVirtualMachineGroups/read",
        origin: "user",
      });
    });

    describe("groups", () => {
      test.each([
        ["a long name", "cluster-name-16x", groupBody(), "SqlVmGroupNameTooLong"],
        ["a mere number", "123", groupBody(), "InvalidSqlVmGroupName"],
        ["a hyphen at the end", "cluster-", groupBody(), "InvalidSqlVmGroupName"],
        ["an unknown offer", "c1", groupBody({ sqlImageOffer: "MySQL8" }), "InvalidSqlImageOffer"],
        ["an old offer", "c1", groupBody({ sqlImageOffer: "SQL2014-WS2012R2" }), "InvalidSqlImageOffer"],
        ["an unfit SKU", "c1", groupBody({ sqlImageSku: "Web" }), "InvalidSqlSku"],
        [
          "a unit elsewhere",
          "c1",
          groupBody({ wsfcDomainProfile: { ...PROFILE, ouPath: "OU=X,DC=other,DC=org" } }),
          "OuPathAndDomainMismatch",
        ],
        [
          "a path that is none",
          "c1",
          groupBody({ wsfcDomainProfile: { ...PROFILE, ouPath: "Clusters" } }),
          "OuPathAndDomainMismatch",
        ],
        [
          "an account elsewhere",
          "c1",
          groupBody({ wsfcDomainProfile: { ...PROFILE, sqlServiceAccount: "sql@other.org" } }),
          "InvalidAccountNameFormat",
        ],
        [
          "a strange account",
          "c1",
          groupBody({ wsfcDomainProfile: { ...PROFILE, clusterOperatorAccount: "EX\\operator" } }),
          "InvalidAccountNameFormat",
        ],
        [
          "two witnesses",
          "c1",
          groupBody({ wsfcDomainProfile: { ...PROFILE, fileShareWitnessPath: "\\\\share\\w" } }),
          "FileShareWitnessDisAllowed",
        ],
        [
          "a strange storage address",
          "c1",
          groupBody({ wsfcDomainProfile: { ...PROFILE, storageAccountUrl: "ftp://x" } }),
          "InvalidStorageAccountUrl",
        ],
        [
          "storage without key",
          "c1",
          groupBody({ wsfcDomainProfile: { ...PROFILE, storageAccountPrimaryKey: undefined } }),
          "InvalidStorageAccountCredentials",
        ],
        [
          "a cloud witness of old",
          "c1",
          groupBody({ sqlImageOffer: "SQL2016-WS2012R2" }),
          "CloudWitnessUnsupported",
        ],
        ["no location", "c1", { properties: {} }, "InvalidRequestContent"],
      ])("refused: %s", async (_what, name, body, code) => {
        const place = newPlace();
        expect(codeOf(await put(place.path(`sqlVirtualMachineGroups/${name}`), body))).toBe(`400 ${code}`);
        expect((await get(place.across("sqlVirtualMachineGroups"))).body.value).toEqual([]);
      });

      test("the domain stays; accounts change only while nobody is in", async () => {
        const place = newPlace();
        const group = place.path("sqlVirtualMachineGroups/cluster-1");
        const profile = (change: Record<string, unknown>) =>
          groupBody({ wsfcDomainProfile: { ...PROFILE, ...change } });
        expect((await put(group, groupBody())).status).toBe(201);
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
          groupBody({ sqlImageOffer: "SQL2019-WS2019" }),
          groupBody({ sqlImageSku: "Developer" }),
        ])
          expect(codeOf(await put(group, body))).toBe("400 SqlVmGroupUpdateNotAllowed");
        const renamed = profile({ clusterOperatorAccount: "chief@example.org" });
        expect((await put(group, renamed)).body.properties.wsfcDomainProfile.clusterOperatorAccount).toBe(
          "chief@example.org",
        );
        expect((await join(place, "sql-1")).status).toBe(201);
        expect(codeOf(await put(group, groupBody()))).toBe("400 SqlVmGroupUpdateFailVmAttached");
        expect((await put(group, renamed)).status).toBe(200);
      });

      test("machines of an unknown group, listeners of an unknown group", async () => {
        const place = newPlace();
        const missing = "404 SubscriptionDoesNotHaveSqlVMGroupInResourceGroup";
        expect(codeOf(await get(place.path("sqlVirtualMachineGroups/none/sqlVirtualMachines")))).toBe(
          missing,
        );
        expect(codeOf(await get(place.path("sqlVirtualMachineGroups/none/availabilityGroupListeners")))).toBe(
          missing,
        );
        const listener = place.path("sqlVirtualMachineGroups/none/availabilityGroupListeners/l1");
        expect(codeOf(await put(listener, { properties: { availabilityGroupName: "a" } }))).toBe(missing);
        expect(codeOf(await get(listener))).toBe(missing);
        expect((await remove(listener)).status).toBe(204);
      });
    });

    describe("machines", () => {
      const backup = {
        enable: true,
        retentionPeriod: 7,
        storageAccountUrl: "https://b.blob.example.net/",
        storageAccessKey: "key",
      };
      const drive = (path: string, ...luns: number[]) => ({ defaultFilePath: path, luns });
      test.each([
        ["a licence that is none", { sqlServerLicenseType: "FREE" }, "SqlLicenseTypeNotSupported"],
        [
          "a brought licence for a free edition",
          { sqlServerLicenseType: "AHUB", sqlImageSku: "Developer" },
          "SqlLicenseTypeNotSupported",
        ],
        ["a mode that is none", { sqlManagement: "Half" }, "UnsupportedSqlManagementMode"],
        [
          "no agent and no SKU",
          { sqlManagement: "NoAgent", sqlImageSku: undefined },
          "SqlImageSkuMissingNoAgent",
        ],
        [
          "no agent and no offer",
          { sqlManagement: "NoAgent", sqlImageOffer: undefined },
          "SqlImageOfferMissingNoAgent",
        ],
        ["the evaluation edition", { sqlImageSku: "Evaluation" }, "SqlEvaluationSkuNotSupported"],
        ["an unknown edition", { sqlImageSku: "Home" }, "InvalidParameterValue"],
        ["an unknown offer", { sqlImageOffer: "DB2" }, "InvalidParameterValue"],
        [
          "an identifier that is none",
          { virtualMachineResourceId: "/vm" },
          "InvalidVmResourceIdParameterValue",
        ],
        [
          "a group that is none",
          { sqlVirtualMachineGroupResourceId: "/group" },
          "InvalidSqlVmGroupResourceIdParameterValue",
        ],
        [
          "patching without a day",
          { autoPatchingSettings: { enable: true } },
          "IncompleteAutoPatchingSettings",
        ],
        [
          "patching at 25 o'clock",
          { autoPatchingSettings: { maintenanceWindowStartingHour: 25 } },
          "ArgumentNotInRange",
        ],
        [
          "backup without storage",
          { autoBackupSettings: { enable: true, retentionPeriod: 3 } },
          "BackupStorageCredentialsNotSpecified",
        ],
        [
          "backup without retention",
          { autoBackupSettings: { ...backup, retentionPeriod: undefined } },
          "IncompleteAutoBackupSettings",
        ],
        [
          "encryption without password",
          { autoBackupSettings: { ...backup, enableEncryption: true } },
          "AutoBackupEncryptionPasswordNotSpecified",
        ],
        [
          "a schedule of no kind",
          { autoBackupSettings: { ...backup, fullBackupFrequency: "Daily" } },
          "BackupScheduleTypeNotSet",
        ],
        [
          "half a schedule",
          { autoBackupSettings: { ...backup, backupScheduleType: "Manual", logBackupFrequency: 30 } },
          "IncompleteAutoBackupSettings",
        ],
        [
          "a key vault without secret",
          { keyVaultCredentialSettings: { enable: true, vendorKeyVaultUrl: "https://v" } },
          "KeyVaultCredentialsNotSpecified",
        ],
        [
          "a login without password",
          {
            serverConfigurationsManagementSettings: {
              sqlConnectivityUpdateSettings: { sqlAuthUpdateUserName: "sa" },
            },
          },
          "SqlCredentialsNotSpecified",
        ],
        [
          "a port beyond ports",
          { serverConfigurationsManagementSettings: { sqlConnectivityUpdateSettings: { port: 70_000 } } },
          "ArgumentNotInRange",
        ],
        [
          "half a storage",
          { serverConfigurationsManagementSettings: { sqlStorageUpdateSettings: { startingDeviceId: 2 } } },
          "IncompleteSqlStorageSettings",
        ],
        [
          "a drive without units",
          {
            storageConfigurationSettings: {
              diskConfigurationType: "NEW",
              sqlDataSettings: drive("F:\\data"),
            },
          },
          "IncompleteStorageConfigurationSettings",
        ],
        [
          "a drive of no kind",
          { storageConfigurationSettings: { sqlDataSettings: drive("F:\\data", 0) } },
          "IncompleteStorageConfigurationSettings",
        ],
        [
          "data on the system's drive",
          {
            storageConfigurationSettings: {
              diskConfigurationType: "NEW",
              sqlDataSettings: drive("C:\\data", 0),
            },
          },
          "InvalidDefaultFilePath",
        ],
        [
          "a unit below zero",
          {
            storageConfigurationSettings: {
              diskConfigurationType: "NEW",
              sqlDataSettings: drive("F:\\data", -1),
            },
          },
          "InvalidLUNSpecified",
        ],
        [
          "one drive, two sets of units",
          {
            storageConfigurationSettings: {
              diskConfigurationType: "NEW",
              sqlDataSettings: drive("F:\\data", 0),
              sqlLogSettings: drive("F:\\log", 1),
            },
          },
          "InvalidLUNsSpecifiedForSameDrive",
        ],
        [
          "two drives, one unit",
          {
            storageConfigurationSettings: {
              diskConfigurationType: "NEW",
              sqlDataSettings: drive("F:\\data", 0),
              sqlLogSettings: drive("G:\\log", 0),
            },
          },
          "InvalidLUNsSpecifiedForDifferentDrives",
        ],
        [
          "an extension with a path",
          {
            storageConfigurationSettings: {
              diskConfigurationType: "EXTEND",
              sqlDataSettings: drive("F:\\data", 0),
            },
          },
          "InvalidExtendPayload",
        ],
        [
          "both kinds of storage",
          {
            storageConfigurationSettings: {
              diskConfigurationType: "NEW",
              sqlDataSettings: drive("F:\\data", 0),
            },
            serverConfigurationsManagementSettings: {
              sqlStorageUpdateSettings: { diskCount: 1, diskConfigurationType: "NEW" },
            },
          },
          "BothStorageV1V2Specified",
        ],
      ])("refused: %s", async (_what, properties, code) => {
        const place = newPlace();
        expect(codeOf(await put(place.path("sqlVirtualMachines/sql-1"), machineBody(properties)))).toBe(
          `400 ${code}`,
        );
        expect((await get(place.across("sqlVirtualMachines"))).body.value).toEqual([]);
      });

      test("a machine is about the virtual machine of its own name, for good", async () => {
        const place = newPlace();
        const machine = place.path("sqlVirtualMachines/sql-1");
        const about = (virtualMachineResourceId: string) =>
          put(machine, machineBody({ virtualMachineResourceId }));
        const own = place.compute("sql-1");
        expect(codeOf(await about(place.compute("sql-2")))).toBe("400 MismatchSqlVmAndVmName");
        expect(codeOf(await about(own.replace("data-rg", "other-rg")))).toBe("400 MismatchSqlVmAndVmRgName");
        expect(codeOf(await about(own.replace(/sql-vm-\d+/, "other")))).toBe(
          "400 MismatchInSqlVmAndVmResourceIdSubscription",
        );
        expect((await about(own)).status).toBe(201);
        expect((await put(machine, machineBody())).body.properties.virtualMachineResourceId).toBe(own);
      });

      test("the offer stays, management only grows", async () => {
        const place = newPlace();
        const machine = place.path("sqlVirtualMachines/sql-1");
        const light = machineBody({ sqlManagement: "LightWeight" });
        expect((await put(machine, light)).body.properties.sqlManagement).toBe("LightWeight");
        expect(codeOf(await put(machine, machineBody({ sqlImageOffer: "SQL2019-WS2019" })))).toBe(
          "400 InvalidSqlImageOfferChange",
        );
        expect((await put(machine, machineBody({ sqlManagement: "Full" }))).status).toBe(200);
        expect(codeOf(await put(machine, light))).toBe("400 InvalidSqlManagementMode");
      });

      test("settings are shown to those who ask for them, secrets to nobody", async () => {
        const place = newPlace();
        const machine = place.path("sqlVirtualMachines/sql-1");
        const settings = {
          autoPatchingSettings: {
            enable: true,
            dayOfWeek: "Sunday",
            maintenanceWindowStartingHour: 2,
            maintenanceWindowDuration: 60,
          },
          autoBackupSettings: { ...backup, enableEncryption: true, password: "secret-password" },
          keyVaultCredentialSettings: {
            enable: true,
            vendorKeyVaultUrl: "https://vault.example.net",
            servicePrincipalName: "principal",
            servicePrincipalSecret: "secret-principal",
            credentialName: "cred",
          },
          serverConfigurationsManagementSettings: {
            sqlConnectivityUpdateSettings: {
              connectivityType: "PRIVATE",
              port: 1433,
              sqlAuthUpdateUserName: "secret-login",
              sqlAuthUpdatePassword: "secret-sql",
            },
            additionalFeaturesServerConfigurations: { isRServicesEnabled: false },
          },
          storageConfigurationSettings: {
            diskConfigurationType: "NEW",
            storageWorkloadType: "OLTP",
            sqlDataSettings: drive("F:\\data", 0, 1),
            sqlTempDbSettings: { defaultFilePath: "D:\\temp" },
          },
        };
        const made = await put(machine, machineBody(settings, { identity: { type: "SystemAssigned" } }));
        expect(made.status).toBe(201);
        expect(made.body.identity).toMatchObject({
          type: "SystemAssigned",
          principalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        });
        const plain = await get(machine);
        expect(Object.keys(plain.body.properties).filter((name) => name.endsWith("Settings"))).toEqual([]);
        const all = await get(`${machine}&$expand=*`);
        expect(Object.keys(all.body.properties).filter((name) => name.endsWith("Settings"))).toHaveLength(5);
        for (const { text } of [made, plain, all]) expect(text).not.toMatch(/secret-|"key"/);
        const some = await get(`${machine}&$expand=AutoPatchingSettings,autoBackupSettings`);
        expect(some.body.properties.autoPatchingSettings).toEqual(settings.autoPatchingSettings);
        expect(some.body.properties.keyVaultCredentialSettings).toBeUndefined();
        expect(codeOf(await get(`${machine}&$expand=everything`))).toBe("400 InvalidParameterValue");
        const makers = await get(`${machine.replace("Vendor.", "Microsoft.")}&$expand=*`);
        expect(makers.body.properties.keyVaultCredentialSettings.azureKeyVaultUrl).toBe(
          "https://vault.example.net",
        );
        // What was said once about secrets need not be said again.
        const { storageAccessKey: _key, ...again } = backup;
        expect(
          (await put(machine, machineBody({ autoBackupSettings: { ...again, enableEncryption: true } })))
            .status,
        ).toBe(200);
      });

      test("a group takes only machines that fit", async () => {
        const place = newPlace();
        const groupId = place.id("sqlVirtualMachineGroups/cluster-1");
        const machine = place.path("sqlVirtualMachines/sql-1");
        const wish = (properties: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
          put(
            machine,
            machineBody(
              {
                sqlVirtualMachineGroupResourceId: groupId,
                wsfcDomainCredentials: CREDENTIALS,
                ...properties,
              },
              more,
            ),
          );
        expect(codeOf(await wish())).toBe("404 SubscriptionDoesNotHaveSqlVMGroupInResourceGroup");
        expect((await put(place.path("sqlVirtualMachineGroups/cluster-1"), groupBody())).status).toBe(201);
        expect(
          codeOf(await wish({ sqlVirtualMachineGroupResourceId: groupId.replace(/sql-vm-\d+/, "other") })),
        ).toBe("400 MismatchVmGroupSubscription");
        expect(codeOf(await wish({}, { location: "westus" }))).toBe("400 VmLocationMismatch");
        expect(codeOf(await wish({ sqlImageSku: "Standard" }))).toBe("400 SqlSkuMismatchWithGroup");
        expect(codeOf(await wish({ sqlImageOffer: "SQL2019-WS2016" }))).toBe(
          "400 SqlVersionMismatchWithGroup",
        );
        expect(codeOf(await wish({ sqlImageOffer: "SQL2017-WS2019" }))).toBe(
          "400 VmOSVersionMismatchWithGroup",
        );
        expect(codeOf(await wish({ sqlManagement: "LightWeight" }))).toBe("400 UnsupportedSqlManagementMode");
        expect(
          codeOf(
            await wish({ wsfcDomainCredentials: { ...CREDENTIALS, sqlServiceAccountPassword: undefined } }),
          ),
        ).toBe("400 IncompleteDomainCredentialsProperty");
        const joined = await wish({ sqlImageOffer: undefined, sqlImageSku: undefined });
        expect([joined.status, joined.body.properties.sqlImageOffer]).toEqual([201, "SQL2017-WS2016"]);
        expect(joined.text).not.toContain("bootstrap-1");
        expect((await wish({ wsfcDomainCredentials: undefined })).status).toBe(200);
        expect(codeOf(await wish({ sqlImageSku: "Developer" }))).toBe("400 SqlSkuMismatchWithGroup");
        expect((await put(place.path("sqlVirtualMachineGroups/cluster-2"), groupBody())).status).toBe(201);
        expect(codeOf(await join(place, "sql-1", "cluster-2"))).toBe("400 SqlVmAlreadyIncludedInGroup");
      });
    });

    test("listeners: what they need, and what they refuse", async () => {
      const place = newPlace();
      await put(place.path("sqlVirtualMachineGroups/cluster-1"), groupBody());
      await join(place, "sql-1");
      await put(place.path("sqlVirtualMachines/stranger"), machineBody());
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
        expect(codeOf(await wish(...configurations))).toBe(`400 ${code}`);
      const named = (name: string, properties: Record<string, unknown>) => put(at(name), { properties });
      expect(codeOf(await named("listener-name-16", {}))).toBe("400 ListenerNameTooLong");
      expect(codeOf(await named("-l", {}))).toBe("400 InvalidListenerName");
      expect(codeOf(await named("l1", {}))).toBe("400 AgDoesNotExist");
      expect(codeOf(await named("l1", { availabilityGroupName: "ag", port: 70_000 }))).toBe(
        "400 ArgumentNotInRange",
      );
      expect((await wish({ ...fits, ...publicly, privateIpAddress: undefined })).status).toBe(201);
      expect(codeOf(await named("l2", { availabilityGroupName: "AG" }))).toBe("400 MultipleListenerSameAG");
      expect(codeOf(await named("l1", { availabilityGroupName: "other" }))).toBe(
        "400 AgListenerUpdateNotAllowed",
      );
      const plain = await named("l2", { createDefaultAvailabilityGroupIfNotExist: true });
      expect([plain.status, plain.body.properties.availabilityGroupName]).toEqual([201, "l2"]);
    });

    test("another account finds no subscription", async () => {
      const place = newPlace();
      await put(place.path("sqlVirtualMachines/sql-1"), machineBody());
      const refused = await instance().bearer("GET", place.path("sqlVirtualMachines/sql-1"), {
        as: "second",
      });
      expect(codeOf(refused)).toBe("404 SubscriptionDoesNotExist");
    });
  },
  { services },
);

onBothDatabases(
  "SQL virtual machines that take time",
  (instance) => {
    beforeAll(() => instance().clock.freeze());

    test("groups, listeners and machines are created and deleted in the background", async () => {
      const place = newPlace();
      const bodies: [string, unknown][] = [
        ["sqlVirtualMachineGroups/cluster-1", groupBody()],
        ["sqlVirtualMachines/sql-1", machineBody()],
        [
          "sqlVirtualMachineGroups/cluster-1/availabilityGroupListeners/l1",
          { properties: { availabilityGroupName: "ag" } },
        ],
      ];
      for (const [rest, body] of bodies) {
        const made = await instance().bearer("PUT", place.path(rest), { body });
        expect([made.status, made.body.properties.provisioningState]).toEqual([201, "Creating"]);
        const busy = await instance().bearer("PUT", place.path(rest), { body });
        expect(codeOf(busy)).toBe("409 OperationInProgress");
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
      const place = newPlace();
      const send = (rest: string, body: unknown) => instance().bearer("PUT", place.path(rest), { body });
      await send("sqlVirtualMachineGroups/cluster-1", groupBody());
      const member = machineBody({
        sqlVirtualMachineGroupResourceId: place.id("sqlVirtualMachineGroups/cluster-1"),
        wsfcDomainCredentials: CREDENTIALS,
      });
      expect(codeOf(await send("sqlVirtualMachines/sql-1", member))).toBe("409 OperationInProgress");
      await instance().clock.advance("2s");
      expect((await send("sqlVirtualMachines/sql-1", member)).status).toBe(201);
    });
  },
  { services, provisioningSeconds: 2 },
);
