/** Request and response shapes of databases, servers and elastic pools. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import { oneOf, proxyAnswer, tagChanges, trackedAnswer, trackedBody } from "#kernel/resource-provider";
import { CREATE_MODES } from "./domain/database.ts";

const described = <T extends TSchema>(schema: T, words: object): T => ({ ...schema, ...words });
const about = (description: string, example: unknown) => ({ description, examples: [example] });
const PROVIDER =
  "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop/providers/Vendor.Sql";
const identifier = (description: string, resource: string) =>
  Type.Optional(Type.String({ maxLength: 1024, ...about(description, `${PROVIDER}/${resource}`) }));
const givenInstant = (description: string) =>
  Type.Optional(Type.String({ format: "date-time", ...about(description, "2030-01-31T08:00:00Z") }));
const instant = (description: string) => Type.String(about(description, "2030-01-31T08:00:00Z"));
const word = <const T extends readonly [string, ...string[]]>(description: string, ...words: T) =>
  described(oneOf(...words), about(description, words[0]));
const skuText = (description: string, example: string) =>
  Type.String({ maxLength: 64, ...about(description, example) });
const bytes = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, ...about(description, 268_435_456_000) }));

export const sku = Type.Object(
  {
    name: skuText("The tier and its size, or its kind of machine.", "S0"),
    tier: Type.Optional(skuText("The service tier.", "Standard")),
    family: Type.Optional(skuText("The generation of machines.", "Gen5")),
    size: Type.Optional(skuText("The size within the tier.", "0")),
    capacity: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, ...about("How many units or cores.", 10) }),
    ),
  },
  { description: "The service tier and its size." },
);
/** SKU in requests. The name is optional here, so that a missing name causes the documented error. */
const skuAsked = Type.Object(
  { ...sku.properties, name: Type.Optional(sku.properties.name) },
  { description: "The service tier and its size.", examples: [{ name: "S0", tier: "Standard" }] },
);
const settings = {
  catalogCollation: Type.Optional(
    word("How names in the catalogue are compared.", "DATABASE_DEFAULT", "SQL_Latin1_General_CP1_CI_AS"),
  ),
  collation: Type.Optional(
    Type.String({ maxLength: 128, ...about("How texts are compared.", "SQL_Latin1_General_CP1_CI_AS") }),
  ),
  maxSizeBytes: bytes("How large the database may become."),
  elasticPoolId: identifier("The elastic pool it is in.", "servers/shop-server/elasticPools/pool-1"),
  zoneRedundant: Type.Optional(Type.Boolean(about("Whether it is kept in several zones.", false))),
  readScale: Type.Optional(word("Whether readers may be sent to a replica.", "Enabled", "Disabled")),
  readReplicaCount: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, ...about("How many replicas can be read.", 1) }),
  ),
  licenseType: Type.Optional(
    word("Whether a licence is paid for here or brought along.", "LicenseIncluded", "BasePrice"),
  ),
  autoPauseDelay: Type.Optional(
    Type.Integer({
      minimum: -1,
      maximum: 1_000_000,
      ...about("After how many idle minutes the database pauses; -1 is never.", 60),
    }),
  ),
  minCapacity: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1000, ...about("How few cores it may go down to.", 0.5) }),
  ),
};
const origin = {
  createMode: Type.Optional(word("What the database is made from.", ...CREATE_MODES)),
  sourceDatabaseId: identifier("The database it is made from.", "servers/shop-server/databases/orders"),
  sourceDatabaseDeletionDate: givenInstant("When the database it is made from was deleted."),
  restorePointInTime: givenInstant("The instant whose state it is to have."),
  restorableDroppedDatabaseId: identifier(
    "The deleted database it is made from.",
    "servers/shop-server/restorableDroppedDatabases/orders,131403269876900000",
  ),
  recoverableDatabaseId: identifier(
    "The copy elsewhere it is made from.",
    "servers/shop-server/recoverableDatabases/orders",
  ),
  recoveryServicesRecoveryPointId: identifier(
    "The recovery point it is made from.",
    "servers/shop-server/recoveryPoints/point-1",
  ),
  longTermRetentionBackupResourceId: identifier(
    "The kept backup it is made from.",
    "locations/westeurope/longTermRetentionBackups/backup-1",
  ),
  sampleName: Type.Optional(
    word("The sample it begins as.", "AdventureWorksLT", "WideWorldImportersStd", "WideWorldImportersFull"),
  ),
};
/** Read-only members. They are declared so that the error can name them. */
const readOnly = {
  failoverGroupId: identifier(
    "Decided elsewhere; refused here.",
    "servers/shop-server/failoverGroups/group-1",
  ),
  maxLogSizeBytes: bytes("Decided by the service; refused here."),
};
const wanted = Type.Object(
  { ...settings, ...origin, ...readOnly },
  {
    description: "The database's settings and, when it is made from another, which one.",
    examples: [{ collation: "SQL_Latin1_General_CP1_CI_AS", maxSizeBytes: 268_435_456_000 }],
  },
);
export type WantedDatabase = Static<typeof wanted>;

export const databaseBody = trackedBody({ sku: Type.Optional(skuAsked), properties: Type.Optional(wanted) });
export const databasePatch = Type.Object({
  tags: Type.Optional(tagChanges),
  sku: Type.Optional(skuAsked),
  properties: Type.Optional(wanted),
});

export const STATUSES = [
  "Online",
  "Restoring",
  "RecoveryPending",
  "Recovering",
  "Suspect",
  "Offline",
  "Standby",
  "Shutdown",
  "EmergencyMode",
  "AutoClosed",
  "Copying",
  "Creating",
  "Inaccessible",
  "OfflineSecondary",
  "Pausing",
  "Paused",
  "Resuming",
  "Scaling",
  "OfflineChangingDwPerformanceTiers",
  "OnlineChangingDwPerformanceTiers",
  "Disabled",
] as const;
const shown = Type.Object(
  {
    ...settings,
    databaseId: Type.String({
      format: "uuid",
      ...about("The database, whatever it is called.", "0c2f5a9b-7a2e-4b3c-8d61-2f9e1c5d1e77"),
    }),
    creationDate: instant("When it was made."),
    earliestRestoreDate: Type.Optional(instant("The earliest instant it can be restored to.")),
    currentServiceObjectiveName: Type.String(about("What it runs on.", "S0")),
    requestedServiceObjectiveName: Type.String(about("What it is to run on.", "S0")),
    currentSku: sku,
    status: word("How it is.", ...STATUSES),
    defaultSecondaryLocation: Type.Optional(Type.String(about("Where its copy is.", "northeurope"))),
    maxLogSizeBytes: Type.Optional(Type.Integer(about("How large its log may become.", 1_073_741_824))),
    pausedDate: Type.Optional(instant("When it paused.")),
    resumedDate: Type.Optional(instant("When it went on.")),
  },
  { description: "The database's settings, and how it is." },
);
const kind = Type.String(about("What kind of resource it is, for people.", "v12.0,user"));
export const database = trackedAnswer({
  kind,
  managedBy: Type.Optional(Type.String(about("What manages it.", `${PROVIDER}/servers/shop-server`))),
  sku,
  properties: shown,
});
export const moveBody = Type.Object({
  id: Type.String({
    maxLength: 1024,
    description: "The identifier that the database is to have: the same with another name.",
    examples: [
      "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop/providers/Vendor.Sql/servers/shop-server/databases/orders-2030",
    ],
  }),
});

const password = Type.Optional(
  secret(
    Type.String({
      minLength: 8,
      maxLength: 128,
      description: "The administrator's password; it is never shown.",
      examples: ["Tall-Trees-7"],
    }),
  ),
);
export const serverBody = trackedBody({
  properties: Type.Optional(
    Type.Object(
      {
        administratorLogin: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 128,
            description: "The administrator's name.",
            examples: ["shopadmin"],
          }),
        ),
        administratorLoginPassword: password,
        version: Type.Optional(described(oneOf("2.0", "12.0"), about("The server's version.", "12.0"))),
      },
      {
        description: "Who administers the server, and which version it is.",
        examples: [
          {
            administratorLogin: "shopadmin",
            administratorLoginPassword: "Tall-Trees-7",
            version: "12.0",
          },
        ],
      },
    ),
  ),
});
export const serverPatch = Type.Object({
  tags: Type.Optional(tagChanges),
  properties: Type.Optional(
    Type.Object(
      { administratorLoginPassword: password },
      { description: "What is to change of the server." },
    ),
  ),
});
export const server = trackedAnswer({
  kind,
  properties: Type.Object(
    {
      administratorLogin: Type.Optional(Type.String(about("The administrator's name.", "shopadmin"))),
      version: Type.String(about("The server's version.", "12.0")),
      state: Type.String(about("How it is.", "Ready")),
      fullyQualifiedDomainName: Type.String(
        about("The server's name in the network.", "shop-server.database.example.net"),
      ),
    },
    { description: "Who administers the server, and how it is reached." },
  ),
});
export type ServerProperties = {
  readonly administratorLogin?: string;
  readonly version?: string;
  readonly administratorLoginPassword?: string;
};

const poolSku = described(
  skuAsked,
  about("The kind of the pool and its size.", { name: "StandardPool", capacity: 50 }),
);
export const poolBody = trackedBody({
  sku: Type.Optional(poolSku),
  properties: Type.Optional(
    Type.Object(
      {
        maxSizeBytes: bytes("How large its databases may become together."),
        zoneRedundant: settings.zoneRedundant,
        licenseType: settings.licenseType,
      },
      {
        description: "The pool's settings.",
        examples: [{ maxSizeBytes: 53_687_091_200, zoneRedundant: false }],
      },
    ),
  ),
});
export const poolPatch = Type.Object({
  tags: Type.Optional(tagChanges),
  sku: Type.Optional(poolSku),
  properties: poolBody.properties.properties,
});
export const pool = trackedAnswer({
  kind,
  sku,
  properties: Type.Object(
    {
      state: Type.String(about("How it is.", "Ready")),
      creationDate: instant("When it was made."),
      maxSizeBytes: bytes("How large its databases may become together."),
      zoneRedundant: Type.Boolean(about("Whether it is kept in several zones.", false)),
      licenseType: settings.licenseType,
    },
    { description: "The pool's settings, and how it is." },
  ),
});
export type PoolProperties = {
  readonly maxSizeBytes?: number;
  readonly zoneRedundant?: boolean;
  readonly licenseType?: "LicenseIncluded" | "BasePrice";
};

export const droppedDatabase = proxyAnswer({
  location: Type.String(about("Where it was.", "westeurope")),
  properties: Type.Object(
    {
      databaseName: Type.String(about("The database's name.", "orders")),
      edition: Type.String(about("The service tier it had.", "Standard")),
      maxSizeBytes: bytes("How large it could become."),
      serviceLevelObjective: Type.String(about("What it ran on.", "S0")),
      creationDate: instant("When it was made."),
      deletionDate: instant("When it was deleted."),
      earliestRestoreDate: instant("The earliest instant it can be restored to."),
    },
    { description: "What the database was." },
  ),
});
