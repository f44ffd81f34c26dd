/** Databases, servers and elastic pools as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import { oneOf, tagChanges, trackedAnswer, trackedBody } from "#kernel/resource-provider";
import { CREATE_MODES } from "./domain/database.ts";

const Text = Type.String({ maxLength: 1024 });
const Instant = Type.String({ format: "date-time" });

export const sku = Type.Object({
  name: Type.String({ maxLength: 64 }),
  tier: Type.Optional(Type.String({ maxLength: 64 })),
  family: Type.Optional(Type.String({ maxLength: 64 })),
  size: Type.Optional(Type.String({ maxLength: 64 })),
  capacity: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
});
/** Of a request: without a name it is refused by the error that the reference names for it. */
const skuAsked = Type.Object(
  { ...sku.properties, name: Type.Optional(sku.properties.name) },
  { description: "The service tier and its size.", examples: [{ name: "S0", tier: "Standard" }] },
);
const settings = {
  catalogCollation: Type.Optional(oneOf("DATABASE_DEFAULT", "SQL_Latin1_General_CP1_CI_AS")),
  collation: Type.Optional(Type.String({ maxLength: 128 })),
  maxSizeBytes: Type.Optional(Type.Integer({ minimum: 0 })),
  elasticPoolId: Type.Optional(Text),
  zoneRedundant: Type.Optional(Type.Boolean()),
  readScale: Type.Optional(oneOf("Enabled", "Disabled")),
  readReplicaCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  licenseType: Type.Optional(oneOf("LicenseIncluded", "BasePrice")),
  autoPauseDelay: Type.Optional(Type.Integer({ minimum: -1, maximum: 1_000_000 })),
  minCapacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1000 })),
};
const origin = {
  createMode: Type.Optional(oneOf(...CREATE_MODES)),
  sourceDatabaseId: Type.Optional(Text),
  sourceDatabaseDeletionDate: Type.Optional(Instant),
  restorePointInTime: Type.Optional(Instant),
  restorableDroppedDatabaseId: Type.Optional(Text),
  recoverableDatabaseId: Type.Optional(Text),
  recoveryServicesRecoveryPointId: Type.Optional(Text),
  longTermRetentionBackupResourceId: Type.Optional(Text),
  sampleName: Type.Optional(oneOf("AdventureWorksLT", "WideWorldImportersStd", "WideWorldImportersFull")),
};
/** Decided elsewhere; known so that they can be refused by name. */
const readOnly = {
  failoverGroupId: Type.Optional(Text),
  maxLogSizeBytes: Type.Optional(Type.Integer({ minimum: 0 })),
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
const shown = Type.Object({
  ...settings,
  databaseId: Type.String({ format: "uuid" }),
  creationDate: Type.String(),
  earliestRestoreDate: Type.Optional(Type.String()),
  currentServiceObjectiveName: Type.String(),
  requestedServiceObjectiveName: Type.String(),
  currentSku: sku,
  status: oneOf(...STATUSES),
  defaultSecondaryLocation: Type.Optional(Type.String()),
  maxLogSizeBytes: Type.Optional(Type.Integer()),
  pausedDate: Type.Optional(Type.String()),
  resumedDate: Type.Optional(Type.String()),
});
export const database = trackedAnswer({
  kind: Type.String(),
  managedBy: Type.Optional(Type.String()),
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
        version: Type.Optional(oneOf("2.0", "12.0")),
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
  kind: Type.String(),
  properties: Type.Object({
    administratorLogin: Type.Optional(Type.String()),
    version: Type.String(),
    state: Type.String(),
    fullyQualifiedDomainName: Type.String(),
  }),
});
export type ServerProperties = {
  readonly administratorLogin?: string;
  readonly version?: string;
  readonly administratorLoginPassword?: string;
};

export const poolBody = trackedBody({
  sku: Type.Optional(skuAsked),
  properties: Type.Optional(
    Type.Object(
      {
        maxSizeBytes: Type.Optional(Type.Integer({ minimum: 0 })),
        zoneRedundant: Type.Optional(Type.Boolean()),
        licenseType: Type.Optional(oneOf("LicenseIncluded", "BasePrice")),
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
  sku: Type.Optional(skuAsked),
  properties: poolBody.properties.properties,
});
export const pool = trackedAnswer({
  kind: Type.String(),
  sku,
  properties: Type.Object({
    state: Type.String(),
    creationDate: Type.String(),
    maxSizeBytes: Type.Optional(Type.Integer()),
    zoneRedundant: Type.Boolean(),
    licenseType: Type.Optional(Type.String()),
  }),
});
export type PoolProperties = {
  readonly maxSizeBytes?: number;
  readonly zoneRedundant?: boolean;
  readonly licenseType?: "LicenseIncluded" | "BasePrice";
};

export const droppedDatabase = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  location: Type.String(),
  properties: Type.Object({
    databaseName: Type.String(),
    edition: Type.String(),
    maxSizeBytes: Type.Optional(Type.Integer()),
    serviceLevelObjective: Type.String(),
    creationDate: Type.String(),
    deletionDate: Type.String(),
    earliestRestoreDate: Type.String(),
  }),
});
