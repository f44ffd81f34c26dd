/** SQL virtual machines over HTTP, on both databases: their rules, settings and membership. */
import { expect, test } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import * as support from "../../../tests/support/sql-virtual-machines.ts";

onBothDatabases(
  "machines",
  (instance) => {
    const put = (path: string, body: unknown) => instance().bearer("PUT", path, { body });
    const get = (path: string) => instance().bearer("GET", path);

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
      const place = support.newPlace();
      expect(
        support.codeOf(await put(place.path("sqlVirtualMachines/sql-1"), support.machineBody(properties))),
      ).toBe(`400 ${code}`);
      expect((await get(place.across("sqlVirtualMachines"))).body.value).toEqual([]);
    });

    test("a machine is about the virtual machine of its own name, for good", async () => {
      const place = support.newPlace();
      const machine = place.path("sqlVirtualMachines/sql-1");
      const about = (virtualMachineResourceId: string) =>
        put(machine, support.machineBody({ virtualMachineResourceId }));
      const own = place.compute("sql-1");
      expect(support.codeOf(await about(place.compute("sql-2")))).toBe("400 MismatchSqlVmAndVmName");
      expect(support.codeOf(await about(own.replace("data-rg", "other-rg")))).toBe(
        "400 MismatchSqlVmAndVmRgName",
      );
      expect(support.codeOf(await about(own.replace(/sql-vm-\d+/, "other")))).toBe(
        "400 MismatchInSqlVmAndVmResourceIdSubscription",
      );
      expect((await about(own)).status).toBe(201);
      expect((await put(machine, support.machineBody())).body.properties.virtualMachineResourceId).toBe(own);
    });

    test("the offer stays, management only grows", async () => {
      const place = support.newPlace();
      const machine = place.path("sqlVirtualMachines/sql-1");
      const light = support.machineBody({ sqlManagement: "LightWeight" });
      expect((await put(machine, light)).body.properties.sqlManagement).toBe("LightWeight");
      expect(
        support.codeOf(await put(machine, support.machineBody({ sqlImageOffer: "SQL2019-WS2019" }))),
      ).toBe("400 InvalidSqlImageOfferChange");
      expect((await put(machine, support.machineBody({ sqlManagement: "Full" }))).status).toBe(200);
      expect(support.codeOf(await put(machine, light))).toBe("400 InvalidSqlManagementMode");
    });

    test("settings are shown to those who ask for them, secrets to nobody", async () => {
      const place = support.newPlace();
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
      const made = await put(
        machine,
        support.machineBody(settings, { identity: { type: "SystemAssigned" } }),
      );
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
      expect(support.codeOf(await get(`${machine}&$expand=everything`))).toBe("400 InvalidParameterValue");
      const makers = await get(`${machine.replace("Vendor.", "Microsoft.")}&$expand=*`);
      expect(makers.body.properties.keyVaultCredentialSettings.azureKeyVaultUrl).toBe(
        "https://vault.example.net",
      );
      // What was said once about secrets need not be said again.
      const { storageAccessKey: _key, ...again } = backup;
      expect(
        (
          await put(
            machine,
            support.machineBody({ autoBackupSettings: { ...again, enableEncryption: true } }),
          )
        ).status,
      ).toBe(200);
    });

    test("a PATCH changes the properties it names, under the rules of a PUT", async () => {
      const place = support.newPlace();
      const machine = place.path("sqlVirtualMachines/sql-1");
      const patch = (properties: Record<string, unknown>) =>
        instance().bearer("PATCH", machine, { body: { properties } });
      const patching = {
        enable: true,
        dayOfWeek: "Sunday",
        maintenanceWindowStartingHour: 2,
        maintenanceWindowDuration: 60,
      };
      await put(machine, support.machineBody({ autoPatchingSettings: patching, autoBackupSettings: backup }));
      const changed = await patch({
        sqlServerLicenseType: "AHUB",
        autoPatchingSettings: { dayOfWeek: "Monday" },
        autoBackupSettings: { retentionPeriod: 20 },
      });
      expect([changed.status, changed.body.properties.sqlServerLicenseType]).toEqual([200, "AHUB"]);
      const { properties } = (await get(`${machine}&$expand=*`)).body;
      expect(properties.autoPatchingSettings).toEqual({ ...patching, dayOfWeek: "Monday" });
      expect(properties.autoBackupSettings.retentionPeriod).toBe(20);
      expect((await patch({ autoPatchingSettings: null })).status).toBe(200);
      expect((await get(`${machine}&$expand=*`)).body.properties.autoPatchingSettings).toBeUndefined();

      expect(support.codeOf(await patch({ sqlServerLicenseType: "FREE" }))).toBe(
        "400 SqlLicenseTypeNotSupported",
      );
      expect(support.codeOf(await patch({ sqlImageOffer: "SQL2019-WS2019" }))).toBe(
        "400 InvalidSqlImageOfferChange",
      );
      expect(support.codeOf(await patch({ autoBackupSettings: { retentionPeriod: 31 } }))).toMatch(/^400 /);

      await put(place.path("sqlVirtualMachineGroups/cluster-1"), support.groupBody());
      const sqlVirtualMachineGroupResourceId = place.id("sqlVirtualMachineGroups/cluster-1");
      const joining = { sqlVirtualMachineGroupResourceId, wsfcDomainCredentials: support.CREDENTIALS };
      expect((await patch(joining)).status).toBe(200);
      const members = place.path("sqlVirtualMachineGroups/cluster-1/sqlVirtualMachines");
      expect((await get(members)).body.value).toHaveLength(1);
      expect((await patch({ sqlVirtualMachineGroupResourceId: null })).status).toBe(200);
      expect((await get(members)).body.value).toEqual([]);
    });

    test("a group takes only machines that fit", async () => {
      const place = support.newPlace();
      const groupId = place.id("sqlVirtualMachineGroups/cluster-1");
      const machine = place.path("sqlVirtualMachines/sql-1");
      const wish = (properties: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
        put(
          machine,
          support.machineBody(
            {
              sqlVirtualMachineGroupResourceId: groupId,
              wsfcDomainCredentials: support.CREDENTIALS,
              ...properties,
            },
            more,
          ),
        );
      expect(support.codeOf(await wish())).toBe("404 SubscriptionDoesNotHaveSqlVMGroupInResourceGroup");
      expect((await put(place.path("sqlVirtualMachineGroups/cluster-1"), support.groupBody())).status).toBe(
        201,
      );
      expect(
        support.codeOf(
          await wish({ sqlVirtualMachineGroupResourceId: groupId.replace(/sql-vm-\d+/, "other") }),
        ),
      ).toBe("400 MismatchVmGroupSubscription");
      expect(support.codeOf(await wish({}, { location: "westus" }))).toBe("400 VmLocationMismatch");
      expect(support.codeOf(await wish({ sqlImageSku: "Standard" }))).toBe("400 SqlSkuMismatchWithGroup");
      expect(support.codeOf(await wish({ sqlImageOffer: "SQL2019-WS2016" }))).toBe(
        "400 SqlVersionMismatchWithGroup",
      );
      expect(support.codeOf(await wish({ sqlImageOffer: "SQL2017-WS2019" }))).toBe(
        "400 VmOSVersionMismatchWithGroup",
      );
      expect(support.codeOf(await wish({ sqlManagement: "LightWeight" }))).toBe(
        "400 UnsupportedSqlManagementMode",
      );
      expect(
        support.codeOf(
          await wish({
            wsfcDomainCredentials: { ...support.CREDENTIALS, sqlServiceAccountPassword: undefined },
          }),
        ),
      ).toBe("400 IncompleteDomainCredentialsProperty");
      const joined = await wish({ sqlImageOffer: undefined, sqlImageSku: undefined });
      expect([joined.status, joined.body.properties.sqlImageOffer]).toEqual([201, "SQL2017-WS2016"]);
      expect(joined.text).not.toContain("bootstrap-1");
      expect((await wish({ wsfcDomainCredentials: undefined })).status).toBe(200);
      expect(support.codeOf(await wish({ sqlImageSku: "Developer" }))).toBe("400 SqlSkuMismatchWithGroup");
      expect((await put(place.path("sqlVirtualMachineGroups/cluster-2"), support.groupBody())).status).toBe(
        201,
      );
      expect(support.codeOf(await put(machine, support.memberBody(place, "cluster-2")))).toBe(
        "400 SqlVmAlreadyIncludedInGroup",
      );
    });
  },
  { services: support.sqlVirtualMachineServices },
);
