/** Parameters of a backup, a copy or a restore, as operations, plans and restore tests give them. */
import type { Lifecycle } from "../domain/index.ts";

export type Creator = {
  readonly planId: string;
  readonly planArn: string;
  readonly planVersion: string;
  readonly ruleId: string;
};
export type CopyAction = {
  readonly destinationVaultArn: string;
  readonly lifecycle?: Lifecycle | undefined;
};
export type BackupRequest = {
  readonly region: string;
  readonly vaultName: string;
  readonly resourceArn: string;
  readonly roleArn: string;
  readonly createdBy?: Creator | undefined;
  readonly startWindowMinutes?: number | undefined;
  readonly completionWindowMinutes?: number | undefined;
  readonly lifecycle?: Lifecycle | undefined;
  readonly recoveryPointTags?: Readonly<Record<string, string>> | undefined;
  readonly backupOptions?: Readonly<Record<string, string>> | undefined;
  readonly copyActions?: readonly CopyAction[] | undefined;
  readonly continuous?: boolean | undefined;
  /** Whether its items are to be searched. */
  readonly index?: boolean | undefined;
  /** The occurrence of the schedule; the current time for a job without a plan. */
  readonly scheduledAtMs?: number | undefined;
  readonly idempotencyToken?: string | undefined;
};
export type RestoreWish = {
  readonly region: string;
  readonly recoveryPointArn: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly roleArn: string;
  readonly resourceType?: string | undefined;
  readonly testingPlanArn?: string | undefined;
  readonly validationWindowHours?: number | undefined;
  readonly copyTags?: boolean | undefined;
  readonly idempotencyToken?: string | undefined;
};

/** Columns of the row of a new job. */
export const NOT_STARTED = {
  state: "CREATED",
  message: null,
  message_category: null,
  percent: 0,
  size: null,
} as const;
