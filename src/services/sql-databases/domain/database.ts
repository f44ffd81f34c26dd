/** A database as it is kept. */
export const DATABASE_TYPE = "Vendor.Sql/servers/databases";

export const CREATE_MODES = [
  "Default",
  "Copy",
  "Secondary",
  "PointInTimeRestore",
  "Restore",
  "Recovery",
  "RestoreExternalBackup",
  "RestoreExternalBackupSecondary",
  "RestoreLongTermRetentionBackup",
  "OnlineSecondary",
] as const;

/** Settings that were in effect from some moment on. */
export type PastSettings = {
  readonly sinceMs: number;
  readonly currentServiceObjectiveName: string;
  readonly maxSizeBytes?: number;
  readonly elasticPoolId?: string;
};

/** Its settings, and what only we keep. */
export type DatabaseProperties = {
  readonly catalogCollation?: "DATABASE_DEFAULT" | "SQL_Latin1_General_CP1_CI_AS";
  readonly collation?: string;
  readonly maxSizeBytes?: number;
  readonly elasticPoolId?: string;
  readonly zoneRedundant?: boolean;
  readonly readScale?: "Enabled" | "Disabled";
  readonly readReplicaCount?: number;
  readonly licenseType?: "LicenseIncluded" | "BasePrice";
  readonly autoPauseDelay?: number;
  readonly minCapacity?: number;
  readonly databaseId: string;
  readonly currentServiceObjectiveName: string;
  readonly requestedServiceObjectiveName: string;
  readonly defaultSecondaryLocation?: string;
  readonly pausedDate?: string;
  readonly resumedDate?: string;
  readonly createdAtMs: number;
  /** How it came into being: decides the word for its state meanwhile. */
  readonly createMode: (typeof CREATE_MODES)[number];
  /** Key of the database that this one follows. */
  readonly primaryKey?: string;
  /** Keys of databases that follow this one, or did; those in elastic pools can be found by no other way. */
  readonly replicaKeys?: readonly string[];
  /** In the order of time. */
  readonly history?: readonly PastSettings[];
  /** When it was last used: what a serverless database's pause is counted from. */
  readonly usedAtMs?: number;
};
