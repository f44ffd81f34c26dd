/** SQL virtual machines, groups and listeners as clients spell them. */
import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import { oneOf, proxyAnswer, tagChanges, trackedAnswer, trackedBody } from "#kernel/resource-provider";

const text = () => Type.Optional(Type.String({ maxLength: 512 }));
const identifier = () => Type.Optional(Type.String({ maxLength: 1024 }));
const hidden = () => Type.Optional(secret(Type.String({ maxLength: 4096 })));
const flag = () => Type.Optional(Type.Boolean());
const whole = () => Type.Optional(Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 }));
const members = <T extends TProperties>(properties: T) => Type.Optional(Type.Object(properties));

const shownDomainProfile = {
  domainFqdn: text(),
  ouPath: text(),
  clusterBootstrapAccount: text(),
  clusterOperatorAccount: text(),
  sqlServiceAccount: text(),
  fileShareWitnessPath: text(),
  storageAccountUrl: text(),
};
const groupProperties = Type.Object(
  {
    sqlImageOffer: text(),
    sqlImageSku: text(),
    wsfcDomainProfile: members({ ...shownDomainProfile, storageAccountPrimaryKey: hidden() }),
  },
  {
    description: "The image of its machines, and the domain and accounts of the cluster.",
    examples: [
      {
        sqlImageOffer: "SQL2019-WS2019",
        sqlImageSku: "Enterprise",
        wsfcDomainProfile: {
          domainFqdn: "corp.example",
          clusterOperatorAccount: "operator@corp.example",
          sqlServiceAccount: "sql@corp.example",
          storageAccountUrl: "https://witness.example/",
          storageAccountPrimaryKey: "bm90LWEta2V5",
        },
      },
    ],
  },
);
export type GroupProperties = Static<typeof groupProperties>;

const tagsPatch = Type.Object({ tags: Type.Optional(tagChanges) });
const provisioningState = Type.String();

export const groupWire = {
  put: trackedBody({ properties: Type.Optional(groupProperties) }),
  patch: tagsPatch,
  answer: trackedAnswer({
    properties: Type.Object({
      provisioningState,
      sqlImageOffer: text(),
      sqlImageSku: text(),
      scaleType: oneOf("HA"),
      clusterManagerType: oneOf("WSFC"),
      clusterConfiguration: oneOf("Domainful"),
      wsfcDomainProfile: Type.Optional(Type.Object(shownDomainProfile, { additionalProperties: false })),
    }),
  }),
};

const loadBalancerConfiguration = Type.Object({
  privateIpAddress: members({ ipAddress: text(), subnetResourceId: identifier() }),
  publicIpAddressResourceId: identifier(),
  loadBalancerResourceId: identifier(),
  probePort: whole(),
  sqlVirtualMachineInstances: Type.Optional(Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100 })),
});
const listenerMembers = {
  availabilityGroupName: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  loadBalancerConfigurations: Type.Optional(Type.Array(loadBalancerConfiguration, { maxItems: 20 })),
  createDefaultAvailabilityGroupIfNotExist: flag(),
  port: whole(),
};
const listenerProperties = Type.Object(listenerMembers, {
  description: "The availability group, and the addresses and port at which it is reached.",
  examples: [
    {
      availabilityGroupName: "orders-group",
      loadBalancerConfigurations: [
        {
          privateIpAddress: {
            ipAddress: "10.0.0.10",
            subnetResourceId:
              "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop/providers/Vendor.Network/virtualNetworks/net/subnets/sql",
          },
          loadBalancerResourceId:
            "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop/providers/Vendor.Network/loadBalancers/balancer",
          probePort: 59_999,
          sqlVirtualMachineInstances: [
            "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop/providers/Vendor.SqlVirtualMachine/sqlVirtualMachines/machine-1",
          ],
        },
      ],
      port: 1433,
    },
  ],
});
export type ListenerProperties = Static<typeof listenerProperties>;
export const listenerWire = {
  put: Type.Object({ properties: Type.Optional(listenerProperties) }),
  answer: proxyAnswer({ properties: Type.Object({ provisioningState, ...listenerMembers }) }),
};

const shownBackup = {
  enable: flag(),
  enableEncryption: flag(),
  retentionPeriod: whole(),
  storageAccountUrl: text(),
  backupSystemDbs: flag(),
  backupScheduleType: Type.Optional(oneOf("Manual", "Automated")),
  fullBackupFrequency: Type.Optional(oneOf("Daily", "Weekly")),
  fullBackupStartTime: whole(),
  fullBackupWindowHours: whole(),
  logBackupFrequency: whole(),
};
const patching = members({
  enable: flag(),
  dayOfWeek: Type.Optional(
    oneOf("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
  ),
  maintenanceWindowStartingHour: whole(),
  maintenanceWindowDuration: whole(),
});
const shownKeyVault = {
  enable: flag(),
  vendorKeyVaultUrl: text(),
  servicePrincipalName: text(),
  credentialName: text(),
};
const shownConnectivity = {
  connectivityType: Type.Optional(oneOf("LOCAL", "PRIVATE", "PUBLIC")),
  port: whole(),
};
const serverConfigurationOf = <T extends TProperties>(connectivity: T) =>
  members({
    sqlConnectivityUpdateSettings: members(connectivity),
    sqlWorkloadTypeUpdateSettings: members({
      sqlWorkloadType: Type.Optional(oneOf("GENERAL", "OLTP", "DW")),
    }),
    sqlStorageUpdateSettings: members({
      diskCount: whole(),
      startingDeviceId: whole(),
      diskConfigurationType: Type.Optional(oneOf("NEW", "EXTEND", "ADD")),
    }),
    additionalFeaturesServerConfigurations: members({ isRServicesEnabled: flag() }),
  });
const driveSettings = members({
  luns: Type.Optional(
    Type.Array(Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 }), { maxItems: 64 }),
  ),
  defaultFilePath: text(),
});
const storage = members({
  diskConfigurationType: Type.Optional(oneOf("NEW", "EXTEND", "ADD")),
  storageWorkloadType: Type.Optional(oneOf("GENERAL", "OLTP", "DW")),
  sqlDataSettings: driveSettings,
  sqlLogSettings: driveSettings,
  sqlTempDbSettings: driveSettings,
});

const basics = {
  virtualMachineResourceId: identifier(),
  sqlImageOffer: text(),
  sqlImageSku: text(),
  sqlServerLicenseType: text(),
  sqlManagement: text(),
  sqlVirtualMachineGroupResourceId: identifier(),
};
const domainCredentials = members({
  clusterBootstrapAccountPassword: hidden(),
  clusterOperatorAccountPassword: hidden(),
  sqlServiceAccountPassword: hidden(),
});
const machineProperties = Type.Object(
  {
    ...basics,
    wsfcDomainCredentials: domainCredentials,
    autoPatchingSettings: patching,
    autoBackupSettings: members({ ...shownBackup, storageAccessKey: hidden(), password: hidden() }),
    keyVaultCredentialSettings: members({ ...shownKeyVault, servicePrincipalSecret: hidden() }),
    serverConfigurationsManagementSettings: serverConfigurationOf({
      ...shownConnectivity,
      sqlAuthUpdateUserName: hidden(),
      sqlAuthUpdatePassword: hidden(),
    }),
    storageConfigurationSettings: storage,
  },
  {
    description: "The virtual machine behind it, its licence, and how it is patched, backed up and reached.",
    examples: [
      {
        virtualMachineResourceId:
          "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop/providers/Vendor.Compute/virtualMachines/machine-1",
        sqlServerLicenseType: "PAYG",
        autoPatchingSettings: {
          enable: true,
          dayOfWeek: "Sunday",
          maintenanceWindowStartingHour: 2,
          maintenanceWindowDuration: 60,
        },
      },
    ],
  },
);
export type MachineProperties = Static<typeof machineProperties>;

export const machineWire = {
  put: trackedBody({
    identity: Type.Optional(
      Type.Object(
        { type: Type.Optional(oneOf("SystemAssigned")) },
        { description: "The identity that the machine signs in with elsewhere." },
      ),
    ),
    properties: Type.Optional(machineProperties),
  }),
  patch: tagsPatch,
  answer: trackedAnswer({
    identity: members({ type: text(), principalId: text(), tenantId: text() }),
    properties: Type.Object({
      provisioningState,
      ...basics,
      autoPatchingSettings: patching,
      autoBackupSettings: Type.Optional(Type.Object(shownBackup, { additionalProperties: false })),
      keyVaultCredentialSettings: Type.Optional(Type.Object(shownKeyVault, { additionalProperties: false })),
      serverConfigurationsManagementSettings: serverConfigurationOf(shownConnectivity),
      storageConfigurationSettings: storage,
    }),
  }),
};
