/** Vaults, recovery points and jobs, as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import { pointArnOf, vaultArnOf } from "../domain/index.ts";
import type {
  BackupJobRow,
  CopyJobRow,
  PointRow,
  ProtectedInVaultRow,
  ProtectedRow,
  RestoreJobRow,
  VaultRow,
} from "../tables/index.ts";
import { Lifecycle, said, saidTime, Time, timeOf } from "./names.ts";

const text = Type.Optional(Type.String());
const whole = Type.Optional(Type.Integer());
const time = Type.Optional(Time);

export const VAULT_TYPES = ["BACKUP_VAULT", "LOGICALLY_AIR_GAPPED_BACKUP_VAULT"] as const;
export const VaultType = Type.Union(
  VAULT_TYPES.map((type) => Type.Literal(type)),
  {
    description: "Whether the vault is an ordinary or an air-gapped one.",
  },
);

export const VaultView = Type.Object({
  BackupVaultName: Type.String(),
  BackupVaultArn: Type.String(),
  VaultType: Type.String(),
  VaultState: Type.String(),
  EncryptionKeyArn: Type.String(),
  CreationDate: Time,
  CreatorRequestId: text,
  NumberOfRecoveryPoints: Type.Integer(),
  Locked: Type.Boolean(),
  MinRetentionDays: whole,
  MaxRetentionDays: whole,
  LockDate: time,
});
export const vaultViewOf = (vault: VaultRow): Static<typeof VaultView> => ({
  BackupVaultName: vault.name,
  BackupVaultArn: vaultArnOf(vault.account, vault.region, vault.name),
  VaultType: vault.type,
  VaultState: vault.state,
  EncryptionKeyArn: vault.encryption_key_arn,
  CreationDate: timeOf(vault.created_at),
  ...said("CreatorRequestId", vault.creator_request_id),
  NumberOfRecoveryPoints: Number(vault.points),
  Locked: vault.locked === 1,
  ...said("MinRetentionDays", vault.min_days),
  ...said("MaxRetentionDays", vault.max_days),
  ...saidTime("LockDate", vault.lock_date),
});

const CreatedBy = Type.Object({
  BackupPlanId: Type.String(),
  BackupPlanArn: Type.String(),
  BackupPlanVersion: Type.String(),
  BackupRuleId: Type.String(),
});
function createdByOf(stored: string | null): { CreatedBy?: Static<typeof CreatedBy> } {
  if (stored === null) return {};
  const { planId, planArn, planVersion, ruleId } = JSON.parse(stored) as Record<string, string>;
  return {
    CreatedBy: {
      BackupPlanId: planId ?? "",
      BackupPlanArn: planArn ?? "",
      BackupPlanVersion: planVersion ?? "",
      BackupRuleId: ruleId ?? "",
    },
  };
}

export const CalculatedLifecycle = Type.Object({ MoveToColdStorageAt: time, DeleteAt: time });
export const PointView = Type.Object({
  RecoveryPointArn: Type.String(),
  BackupVaultName: Type.String(),
  BackupVaultArn: Type.String(),
  SourceBackupVaultArn: text,
  ResourceArn: Type.String(),
  ResourceType: Type.String(),
  ResourceName: Type.String(),
  CreatedBy: Type.Optional(CreatedBy),
  IamRoleArn: Type.String(),
  Status: Type.String(),
  StatusMessage: text,
  CreationDate: Time,
  CompletionDate: time,
  BackupSizeInBytes: Type.Integer(),
  CalculatedLifecycle: Type.Optional(CalculatedLifecycle),
  Lifecycle: Type.Optional(Lifecycle),
  EncryptionKeyArn: Type.String(),
  IsEncrypted: Type.Boolean(),
  StorageClass: Type.String(),
  LastRestoreTime: time,
  ParentRecoveryPointArn: text,
  CompositeMemberIdentifier: text,
  IsParent: Type.Boolean(),
  VaultType: Type.String(),
  IndexStatus: text,
});
export const lifecycleViewsOf = (point: PointRow) => ({
  ...((point.cold_after_days ?? point.delete_after_days) !== null && {
    Lifecycle: {
      ...said("MoveToColdStorageAfterDays", point.cold_after_days),
      ...said("DeleteAfterDays", point.delete_after_days),
      ...said(
        "OptInToArchiveForSupportedResources",
        point.opt_in_archive === null ? null : point.opt_in_archive === 1,
      ),
    },
    CalculatedLifecycle: {
      ...saidTime("MoveToColdStorageAt", point.cold_at),
      ...saidTime("DeleteAt", point.delete_at),
    },
  }),
});
export const pointViewOf = (point: PointRow, vault: VaultRow): Static<typeof PointView> => ({
  RecoveryPointArn: pointArnOf(point.account, point.region, point.id),
  BackupVaultName: point.vault,
  BackupVaultArn: vaultArnOf(point.account, point.region, point.vault),
  ...said("SourceBackupVaultArn", point.source_vault_arn),
  ResourceArn: point.resource_arn,
  ResourceType: point.resource_type,
  ResourceName: point.resource_name,
  ...createdByOf(point.created_by),
  IamRoleArn: point.role_arn,
  Status: point.status,
  ...said("StatusMessage", point.message),
  CreationDate: timeOf(point.created_at),
  ...saidTime("CompletionDate", point.completed_at),
  BackupSizeInBytes: Number(point.size),
  ...lifecycleViewsOf(point),
  EncryptionKeyArn: vault.encryption_key_arn,
  IsEncrypted: true,
  StorageClass: point.storage_class,
  ...saidTime("LastRestoreTime", point.restored_at),
  ...said(
    "ParentRecoveryPointArn",
    point.parent_id === null ? null : pointArnOf(point.account, point.region, point.parent_id),
  ),
  ...said("CompositeMemberIdentifier", point.member),
  IsParent: point.is_parent === 1,
  VaultType: vault.type,
  ...said("IndexStatus", point.index_status),
});
export const PointByResourceView = Type.Object({
  RecoveryPointArn: Type.String(),
  CreationDate: Time,
  Status: Type.String(),
  StatusMessage: text,
  EncryptionKeyArn: Type.String(),
  BackupSizeBytes: Type.Integer(),
  BackupVaultName: Type.String(),
  IsParent: Type.Boolean(),
  ParentRecoveryPointArn: text,
  ResourceName: Type.String(),
  VaultType: Type.String(),
  IndexStatus: text,
});
export function pointByResourceViewOf(point: PointRow, vault: VaultRow): Static<typeof PointByResourceView> {
  const { BackupSizeInBytes, ...view } = pointViewOf(point, vault);
  const {
    RecoveryPointArn,
    CreationDate,
    Status,
    EncryptionKeyArn,
    BackupVaultName,
    IsParent,
    ResourceName,
  } = view;
  return {
    RecoveryPointArn,
    CreationDate,
    Status,
    ...said("StatusMessage", point.message),
    EncryptionKeyArn,
    BackupSizeBytes: BackupSizeInBytes,
    BackupVaultName,
    IsParent,
    ...(view.ParentRecoveryPointArn !== undefined && { ParentRecoveryPointArn: view.ParentRecoveryPointArn }),
    ResourceName,
    VaultType: view.VaultType,
    ...said("IndexStatus", point.index_status),
  };
}

const Counts = Type.Record(Type.String(), Type.Integer());
const percentOf = (percent: number): string => Number(percent).toFixed(1);

export const BackupJobView = Type.Object({
  AccountId: Type.String(),
  BackupJobId: Type.String(),
  BackupVaultName: Type.String(),
  BackupVaultArn: Type.String(),
  RecoveryPointArn: text,
  ResourceArn: Type.String(),
  ResourceType: Type.String(),
  ResourceName: Type.String(),
  CreationDate: Time,
  InitiationDate: time,
  CompletionDate: time,
  State: Type.String(),
  StatusMessage: text,
  MessageCategory: text,
  PercentDone: Type.String(),
  BackupSizeInBytes: whole,
  BytesTransferred: Type.Integer(),
  IamRoleArn: Type.String(),
  CreatedBy: Type.Optional(CreatedBy),
  ExpectedCompletionDate: Time,
  StartBy: Time,
  BackupOptions: Type.Optional(Type.Record(Type.String(), Type.String())),
  BackupType: text,
  ParentJobId: text,
  IsParent: Type.Boolean(),
  NumberOfChildJobs: whole,
  ChildJobsInState: Type.Optional(Counts),
});
type ChildCounts = Readonly<Record<string, number>>;
const childrenOf = (children: ChildCounts | undefined) =>
  children && {
    NumberOfChildJobs: Object.values(children).reduce((sum, count) => sum + count, 0),
    ChildJobsInState: { ...children },
  };
const isMade = (state: string): boolean => state === "COMPLETED" || state === "PARTIAL";
export const backupJobViewOf = (job: BackupJobRow, children?: ChildCounts): Static<typeof BackupJobView> => {
  const options = JSON.parse(job.options) as Record<string, string>;
  return {
    AccountId: job.account,
    BackupJobId: job.id,
    BackupVaultName: job.vault,
    BackupVaultArn: vaultArnOf(job.account, job.region, job.vault),
    ...(isMade(job.state) && { RecoveryPointArn: pointArnOf(job.account, job.region, job.point_id) }),
    ResourceArn: job.resource_arn,
    ResourceType: job.resource_type,
    ResourceName: job.resource_name,
    CreationDate: timeOf(job.created_at),
    ...saidTime("InitiationDate", job.begun_at),
    ...saidTime("CompletionDate", job.completed_at),
    State: job.state,
    ...said("StatusMessage", job.message),
    ...said("MessageCategory", job.message_category),
    PercentDone: percentOf(job.percent),
    ...said("BackupSizeInBytes", job.size === null ? null : Number(job.size)),
    BytesTransferred: Number(job.transferred),
    IamRoleArn: job.role_arn,
    ...createdByOf(job.created_by),
    ExpectedCompletionDate: timeOf(job.complete_by),
    StartBy: timeOf(job.start_by),
    ...(Object.keys(options).length > 0 && { BackupOptions: options }),
    ...(job.continuous === 1 && { BackupType: "CONTINUOUS" }),
    ...said("ParentJobId", job.parent_id),
    IsParent: job.is_parent === 1,
    ...childrenOf(children),
  };
};

export const CopyJobView = Type.Object({
  AccountId: Type.String(),
  CopyJobId: Type.String(),
  SourceBackupVaultArn: Type.String(),
  SourceRecoveryPointArn: Type.String(),
  DestinationBackupVaultArn: Type.String(),
  DestinationRecoveryPointArn: text,
  ResourceArn: Type.String(),
  ResourceType: Type.String(),
  ResourceName: Type.String(),
  CreationDate: Time,
  CompletionDate: time,
  State: Type.String(),
  StatusMessage: text,
  MessageCategory: text,
  BackupSizeInBytes: whole,
  IamRoleArn: Type.String(),
  CreatedBy: Type.Optional(CreatedBy),
  ParentJobId: text,
  IsParent: Type.Boolean(),
  CompositeMemberIdentifier: text,
  NumberOfChildJobs: whole,
  ChildJobsInState: Type.Optional(Counts),
});
export const copyJobViewOf = (
  job: CopyJobRow,
  madePointArn: string,
  children?: ChildCounts,
): Static<typeof CopyJobView> => ({
  AccountId: job.account,
  CopyJobId: job.id,
  SourceBackupVaultArn: job.source_vault_arn,
  SourceRecoveryPointArn: job.source_point_arn,
  DestinationBackupVaultArn: job.destination_vault_arn,
  ...(isMade(job.state) && { DestinationRecoveryPointArn: madePointArn }),
  ResourceArn: job.resource_arn,
  ResourceType: job.resource_type,
  ResourceName: job.resource_name,
  CreationDate: timeOf(job.created_at),
  ...saidTime("CompletionDate", job.completed_at),
  State: job.state,
  ...said("StatusMessage", job.message),
  ...said("MessageCategory", job.message_category),
  ...said("BackupSizeInBytes", job.size === null ? null : Number(job.size)),
  IamRoleArn: job.role_arn,
  ...createdByOf(job.created_by),
  ...said("ParentJobId", job.parent_id),
  IsParent: job.is_parent === 1,
  ...said("CompositeMemberIdentifier", job.member),
  ...childrenOf(children),
});

export const RestoreJobView = Type.Object({
  AccountId: Type.String(),
  RestoreJobId: Type.String(),
  RecoveryPointArn: Type.String(),
  CreationDate: Time,
  CompletionDate: time,
  Status: Type.String(),
  StatusMessage: text,
  PercentDone: Type.String(),
  BackupSizeInBytes: Type.Integer(),
  IamRoleArn: Type.String(),
  ExpectedCompletionTimeMinutes: whole,
  CreatedResourceArn: text,
  ResourceType: Type.String(),
  RecoveryPointCreationDate: Time,
  CreatedBy: Type.Optional(Type.Object({ RestoreTestingPlanArn: Type.String() })),
  ValidationStatus: text,
  ValidationStatusMessage: text,
  DeletionStatus: text,
  DeletionStatusMessage: text,
});
/** The estimate is based on earlier restores of the same resource. */
export const restoreJobViewOf = (
  job: RestoreJobRow,
  expectedMinutes?: number | null,
): Static<typeof RestoreJobView> => ({
  AccountId: job.account,
  RestoreJobId: job.id,
  RecoveryPointArn: job.point_arn,
  CreationDate: timeOf(job.created_at),
  ...saidTime("CompletionDate", job.completed_at),
  Status: job.state,
  ...said("StatusMessage", job.message),
  PercentDone: percentOf(job.percent),
  BackupSizeInBytes: Number(job.size),
  IamRoleArn: job.role_arn,
  ...said("ExpectedCompletionTimeMinutes", expectedMinutes ?? null),
  ...said("CreatedResourceArn", job.created_resource_arn),
  ResourceType: job.resource_type,
  RecoveryPointCreationDate: timeOf(job.point_created_at),
  ...(job.testing_plan_arn !== null && { CreatedBy: { RestoreTestingPlanArn: job.testing_plan_arn } }),
  ...said("ValidationStatus", job.validation_status),
  ...said("ValidationStatusMessage", job.validation_message),
  ...said("DeletionStatus", job.deletion_status),
  ...said("DeletionStatusMessage", job.deletion_message),
});

const protectedMembers = {
  ResourceArn: Type.String(),
  ResourceType: Type.String(),
  ResourceName: Type.String(),
  LastBackupTime: Time,
  LastBackupVaultArn: Type.String(),
  LastRecoveryPointArn: Type.String(),
};
export const ProtectedResource = Type.Object(protectedMembers);
export const ProtectedResourceView = Type.Object({
  ...protectedMembers,
  LatestRestoreExecutionTimeMinutes: whole,
  LatestRestoreJobCreationDate: time,
  LatestRestoreRecoveryPointCreationDate: time,
});
export const protectedResourceOf = (row: ProtectedRow): Static<typeof ProtectedResource> => ({
  ResourceArn: row.arn,
  ResourceType: row.type,
  ResourceName: row.name,
  LastBackupTime: timeOf(row.backed_up_at),
  LastBackupVaultArn: row.vault_arn,
  LastRecoveryPointArn: row.point_arn,
});
export const protectedInVaultOf = (row: ProtectedInVaultRow): Static<typeof ProtectedResource> =>
  protectedResourceOf({
    ...row,
    vault_arn: vaultArnOf(row.account, row.region, row.vault),
    restore_minutes: null,
    restore_job_at: null,
    restored_point_at: null,
  });
export const protectedResourceViewOf = (row: ProtectedRow): Static<typeof ProtectedResourceView> => ({
  ...protectedResourceOf(row),
  ...said("LatestRestoreExecutionTimeMinutes", row.restore_minutes),
  ...saidTime("LatestRestoreJobCreationDate", row.restore_job_at),
  ...saidTime("LatestRestoreRecoveryPointCreationDate", row.restored_point_at),
});
