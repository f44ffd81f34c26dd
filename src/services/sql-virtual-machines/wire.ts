/** Request and response shapes of SQL virtual machines, groups and listeners. */
import { type ObjectOptions, type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import { oneOf, proxyAnswer, tagChanges, trackedAnswer, trackedBody } from "#kernel/resource-provider";
import { changesOf } from "#kernel/shape";

const described = <T extends TSchema>(schema: T, words: object): T => ({ ...schema, ...words });
const about = (description: string, example?: unknown) => ({
  description,
  ...(example !== undefined && { examples: [example] }),
});
const text = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 512, ...about(description, example) }));
const identifier = (description: string, resource: string) =>
  Type.Optional(Type.String({ maxLength: 1024, ...about(description, `${PROVIDERS}/${resource}`) }));
const hidden = (description: string, example: string) =>
  Type.Optional(secret(Type.String({ maxLength: 4096, ...about(description, example) })));
const flag = (description: string) => Type.Optional(Type.Boolean(about(description, true)));
const whole = (description: string, example: number) =>
  Type.Optional(
    Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647, ...about(description, example) }),
  );
const word = <const T extends readonly [string, ...string[]]>(description: string, ...words: T) =>
  Type.Optional(described(oneOf(...words), about(description, words[0])));
const members = <T extends TProperties>(description: string, properties: T, options: ObjectOptions = {}) =>
  Type.Optional(Type.Object(properties, { description, ...options }));
const PROVIDERS = "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop/providers";

const shownDomainProfile = {
  domainFqdn: text("The full name of the domain that the cluster lives in.", "corp.example"),
  ouPath: text("The organizational unit for the cluster's computers.", "OU=Sql,DC=corp,DC=example"),
  clusterBootstrapAccount: text("Who makes the cluster.", "maker@corp.example"),
  clusterOperatorAccount: text("Who runs the cluster.", "operator@corp.example"),
  sqlServiceAccount: text("Who runs SQL Server on its machines.", "sql@corp.example"),
  fileShareWitnessPath: text("A file share that is the cluster's witness.", "\\\\share\\witness"),
  storageAccountUrl: text(
    "A storage account that is the cluster's witness.",
    "https://witness.blob.example.net/",
  ),
};
const groupProperties = Type.Object(
  {
    sqlImageOffer: text("The image: which SQL Server on which system.", "SQL2019-WS2019"),
    sqlImageSku: text("The edition of SQL Server.", "Enterprise"),
    wsfcDomainProfile: members("The domain and accounts of the cluster.", {
      ...shownDomainProfile,
      storageAccountPrimaryKey: hidden(
        "The key of the storage account; it is never shown.",
        "bm90LXRoZS1rZXktb2YtYW55LWFjY291bnQ=",
      ),
    }),
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
          storageAccountUrl: "https://witness.blob.example.net/",
          storageAccountPrimaryKey: "bm90LXRoZS1rZXktb2YtYW55LWFjY291bnQ=",
        },
      },
    ],
  },
);
export type GroupProperties = Static<typeof groupProperties>;

const provisioningState = Type.String(about("How far the last change has come.", "Succeeded"));

export const groupWire = {
  put: trackedBody({ properties: Type.Optional(groupProperties) }),
  patch: Type.Object({ tags: Type.Optional(tagChanges), properties: Type.Optional(groupProperties) }),
  answer: trackedAnswer({
    properties: Type.Object({
      provisioningState,
      sqlImageOffer: text("The image: which SQL Server on which system.", "SQL2019-WS2019"),
      sqlImageSku: text("The edition of SQL Server.", "Enterprise"),
      scaleType: described(oneOf("HA"), { description: "What the group is for." }),
      clusterManagerType: described(oneOf("WSFC"), { description: "What keeps the machines together." }),
      clusterConfiguration: described(oneOf("Domainful"), { description: "Machines of one domain." }),
      wsfcDomainProfile: members("The domain and accounts of the cluster.", shownDomainProfile, {
        additionalProperties: false,
      }),
    }),
  }),
};

const loadBalancerConfiguration = Type.Object({
  privateIpAddress: members("Its private address.", {
    ipAddress: text("The address.", "10.0.0.10"),
    subnetResourceId: identifier("The subnet it is of.", "Vendor.Network/virtualNetworks/net/subnets/sql"),
  }),
  publicIpAddressResourceId: identifier("Its public address.", "Vendor.Network/publicIPAddresses/address-1"),
  loadBalancerResourceId: identifier("The load balancer.", "Vendor.Network/loadBalancers/balancer"),
  probePort: whole("The port at which the load balancer asks who is there.", 59_999),
  sqlVirtualMachineInstances: Type.Optional(
    Type.Array(Type.String({ maxLength: 1024 }), {
      maxItems: 100,
      ...about("The machines behind the load balancer.", [
        `${PROVIDERS}/Vendor.SqlVirtualMachine/sqlVirtualMachines/machine-1`,
      ]),
    }),
  ),
});
const listenerMembers = {
  availabilityGroupName: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      ...about("The availability group that listens.", "orders-group"),
    }),
  ),
  loadBalancerConfigurations: Type.Optional(
    Type.Array(loadBalancerConfiguration, {
      maxItems: 20,
      description: "The load balancers that lead to it.",
    }),
  ),
  createDefaultAvailabilityGroupIfNotExist: flag(
    "Whether the availability group is made when it is not there.",
  ),
  port: whole("The port it listens at.", 1433),
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
  enable: flag("Whether databases are backed up."),
  enableEncryption: flag("Whether backups are encrypted, with the password."),
  retentionPeriod: whole("For how many days backups are kept: 1 to 30.", 7),
  storageAccountUrl: text("Where backups go.", "https://backups.blob.example.net/"),
  backupSystemDbs: flag("Whether the system's own databases are backed up as well."),
  backupScheduleType: word("By a schedule of one's own, or as it is needed.", "Manual", "Automated"),
  fullBackupFrequency: word("How often everything is backed up.", "Daily", "Weekly"),
  fullBackupStartTime: whole("The hour at which a full backup begins.", 2),
  fullBackupWindowHours: whole("How many hours a full backup may take.", 4),
  logBackupFrequency: whole("How many minutes lie between backups of the log: 5 to 60.", 15),
};
const patching = members("When the machine is patched.", {
  enable: flag("Whether the machine is patched by itself."),
  dayOfWeek: word(
    "The day of the week.",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
  ),
  maintenanceWindowStartingHour: whole("The hour at which the window begins.", 2),
  maintenanceWindowDuration: whole("How many minutes the window lasts.", 60),
});
const shownKeyVault = {
  enable: flag("Whether keys come from the vault."),
  vendorKeyVaultUrl: text("The key vault.", "https://vault.example/"),
  servicePrincipalName: text("Who opens the vault.", "2f9e1c5d-7a2e-4b3c-8d61-0c2f5a9b1e77"),
  credentialName: text("What the credential is called on the machine.", "vault-credential"),
};
const shownConnectivity = {
  connectivityType: word("Who can reach SQL Server.", "LOCAL", "PRIVATE", "PUBLIC"),
  port: whole("The port of SQL Server.", 1433),
};
const serverConfigurationOf = <T extends TProperties>(connectivity: T) =>
  members("How SQL Server is set up.", {
    sqlConnectivityUpdateSettings: members("How SQL Server is reached.", connectivity),
    sqlWorkloadTypeUpdateSettings: members("What SQL Server is used for.", {
      sqlWorkloadType: word("The kind of work.", "GENERAL", "OLTP", "DW"),
    }),
    sqlStorageUpdateSettings: members("The disks of SQL Server.", {
      diskCount: whole("How many disks there are.", 2),
      startingDeviceId: whole("The number of the first disk.", 2),
      diskConfigurationType: word("What is done with the disks.", "NEW", "EXTEND", "ADD"),
    }),
    additionalFeaturesServerConfigurations: members("What else runs.", {
      isRServicesEnabled: flag("Whether R runs beside SQL Server."),
    }),
  });
const driveSettings = (what: string) =>
  members(`Where ${what} are kept.`, {
    luns: Type.Optional(
      Type.Array(Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 }), {
        maxItems: 64,
        ...about("The numbers of the disks.", [0, 1]),
      }),
    ),
    defaultFilePath: text("The folder.", "F:\\\\data"),
  });
const storage = members("The disks and what is kept on them.", {
  diskConfigurationType: word("What is done with the disks.", "NEW", "EXTEND", "ADD"),
  storageWorkloadType: word("The kind of work.", "GENERAL", "OLTP", "DW"),
  sqlDataSettings: driveSettings("data files"),
  sqlLogSettings: driveSettings("log files"),
  sqlTempDbSettings: driveSettings("temporary files"),
});

const basics = {
  virtualMachineResourceId: identifier("The virtual machine.", "Vendor.Compute/virtualMachines/machine-1"),
  sqlImageOffer: text("The image: which SQL Server on which system.", "SQL2019-WS2019"),
  sqlImageSku: text("The edition of SQL Server.", "Enterprise"),
  sqlServerLicenseType: text("How the licence is paid: PAYG, AHUB or DR.", "PAYG"),
  sqlManagement: text("How much is managed: Full, LightWeight or NoAgent.", "Full"),
  sqlVirtualMachineGroupResourceId: identifier(
    "The group that the machine is in.",
    "Vendor.SqlVirtualMachine/sqlVirtualMachineGroups/group-1",
  ),
};
const domainCredentials = members("Passwords of the cluster's accounts.", {
  clusterBootstrapAccountPassword: hidden("The password of who makes the cluster.", "Tall-Trees-7"),
  clusterOperatorAccountPassword: hidden("The password of who runs the cluster.", "Tall-Trees-7"),
  sqlServiceAccountPassword: hidden("The password of who runs SQL Server.", "Tall-Trees-7"),
});
const machineProperties = Type.Object(
  {
    ...basics,
    wsfcDomainCredentials: domainCredentials,
    autoPatchingSettings: patching,
    autoBackupSettings: members("How and where databases are backed up.", {
      ...shownBackup,
      storageAccessKey: hidden(
        "The key of the storage account; it is never shown.",
        "bm90LXRoZS1rZXktb2YtYW55LWFjY291bnQ=",
      ),
      password: hidden("What encrypts the backups; it is never shown.", "Tall-Trees-7"),
    }),
    keyVaultCredentialSettings: members("Keys of SQL Server that are kept in a vault.", {
      ...shownKeyVault,
      servicePrincipalSecret: hidden("Their secret; it is never shown.", "a-long-secret"),
    }),
    serverConfigurationsManagementSettings: serverConfigurationOf({
      ...shownConnectivity,
      sqlAuthUpdateUserName: hidden("A name to sign in to SQL Server with; it is never shown.", "shopadmin"),
      sqlAuthUpdatePassword: hidden("Its password; it is never shown.", "Tall-Trees-7"),
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

const identity = members("The identity that the machine signs in with elsewhere.", {
  type: word("The machine has an identity of its own.", "SystemAssigned"),
});
export const machineWire = {
  put: trackedBody({ identity, properties: Type.Optional(machineProperties) }),
  patch: Type.Object({
    tags: Type.Optional(tagChanges),
    identity,
    properties: Type.Optional(changesOf(machineProperties)),
  }),
  answer: trackedAnswer({
    identity: members("The identity that the machine signs in with elsewhere.", {
      type: text("What kind of identity it is.", "SystemAssigned"),
      principalId: text("The identity.", "2f9e1c5d-7a2e-4b3c-8d61-0c2f5a9b1e77"),
      tenantId: text("The tenant it belongs to.", "72f988bf-86f1-41af-91ab-2d7cd011db47"),
    }),
    properties: Type.Object({
      provisioningState,
      ...basics,
      autoPatchingSettings: patching,
      autoBackupSettings: members("How and where databases are backed up.", shownBackup, {
        additionalProperties: false,
      }),
      keyVaultCredentialSettings: members("Keys of SQL Server that are kept in a vault.", shownKeyVault, {
        additionalProperties: false,
      }),
      serverConfigurationsManagementSettings: serverConfigurationOf(shownConnectivity),
      storageConfigurationSettings: storage,
    }),
  }),
};
