/** Stored form of a database. */
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

/** Settings that took effect at an instant. */
export type PastSettings = {
  readonly sinceMs: number;
  readonly currentServiceObjectiveName: string;
  readonly maxSizeBytes?: number;
  readonly elasticPoolId?: string;
};

/** Settings, and internal members. */
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
  /** How the database was created. It determines the state shown during creation. */
  readonly createMode: (typeof CREATE_MODES)[number];
  /** Key of the primary of this replica. */
  readonly primaryKey?: string;
  /**
   * Keys of current and former replicas. Replicas in elastic pools are linked to their pool, so they cannot
   * be found otherwise.
   */
  readonly replicaKeys?: readonly string[];
  /** Ascending by time. */
  readonly history?: readonly PastSettings[];
  /** Time of the last use. The auto-pause delay of a serverless database starts here. */
  readonly usedAtMs?: number;
};
