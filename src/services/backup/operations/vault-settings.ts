/** Settings of a vault: access policy, lock and notifications. */
import { Type } from "@sinclair/typebox";
import { DAY_MS, parsePolicy, vaultArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import * as store from "../store/index.ts";
import type { VaultRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { clearingVault, namedVault, openVault, vaultErrors, vaultParams } from "./open-vault.ts";
import { operation } from "./operation.ts";

const CHANGEABLE_DAYS_MIN = 3;
const DAYS_MAX = 36_500;
const nameOf = ({ account, region, name }: VaultRow) => ({
  BackupVaultName: name,
  BackupVaultArn: vaultArnOf(account, region, name),
});
const named = { BackupVaultName: Type.String(), BackupVaultArn: Type.String() };

const putPolicy = operation({
  id: "backup.PutBackupVaultAccessPolicy",
  summary: "Says who may do what with a vault",
  method: "PUT",
  path: "/backup-vaults/{backupVaultName}/access-policy",
  permission: "backup:PutBackupVaultAccessPolicy",
  params: vaultParams,
  body: Type.Object({ Policy: wire.PolicyText }),
  answers: { 200: wire.Nothing },
  errors: [...vaultErrors, errors.invalidParameterValue, errors.missingParameterValue],
  resource: namedVault,
  async handle({ params: { backupVaultName }, body: { Policy: policy } }, context) {
    const vault = await openVault(context, backupVaultName, "PutBackupVaultAccessPolicy");
    parsePolicy(policy);
    await store.updateVault(context.db, vault, { policy });
    return {};
  },
});
const getPolicy = operation({
  id: "backup.GetBackupVaultAccessPolicy",
  summary: "Who may do what with a vault",
  method: "GET",
  path: "/backup-vaults/{backupVaultName}/access-policy",
  permission: "backup:GetBackupVaultAccessPolicy",
  params: vaultParams,
  answers: { 200: Type.Object({ ...named, Policy: Type.String() }) },
  errors: vaultErrors,
  resource: namedVault,
  async handle({ params: { backupVaultName } }, context) {
    const vault = await openVault(context, backupVaultName, "GetBackupVaultAccessPolicy");
    if (vault.policy === null) throw errors.notFound(`The backup vault ${vault.name} has no access policy.`);
    return { ...nameOf(vault), Policy: vault.policy };
  },
});
const deletePolicy = clearingVault({
  id: "backup.DeleteBackupVaultAccessPolicy",
  summary: "Takes the access policy from a vault",
  path: "/backup-vaults/{backupVaultName}/access-policy",
  action: "DeleteBackupVaultAccessPolicy",
  cleared: { policy: null },
});

/** After its lock date, the lock cannot be changed. */
function refuseImmutable(vault: VaultRow, nowMs: number): void {
  if (vault.type !== "BACKUP_VAULT")
    throw errors.invalidRequest(`${vault.name} is air-gapped: its lock is part of it.`);
  if (vault.lock_date !== null && vault.lock_date <= nowMs)
    throw errors.invalidRequest(`The lock of the backup vault ${vault.name} can no longer be changed.`);
}
type Lock = { MinRetentionDays?: number; MaxRetentionDays?: number; ChangeableForDays?: number };
function checkLock({
  MinRetentionDays: min,
  MaxRetentionDays: max,
  ChangeableForDays: changeable,
}: Lock): void {
  if (min !== undefined && min < 1)
    throw errors.invalidParameterValue("MinRetentionDays must be 1 at least.");
  if (max !== undefined && (max < 1 || max > DAYS_MAX))
    throw errors.invalidParameterValue(`MaxRetentionDays must lie between 1 and ${DAYS_MAX}.`);
  if (min !== undefined && max !== undefined && min > max)
    throw errors.invalidParameterValue("MinRetentionDays must not be more than MaxRetentionDays.");
  if (changeable !== undefined && (changeable < CHANGEABLE_DAYS_MIN || changeable > DAYS_MAX))
    throw errors.invalidParameterValue(
      `ChangeableForDays must lie between ${CHANGEABLE_DAYS_MIN} and ${DAYS_MAX}.`,
    );
}
const putLock = operation({
  id: "backup.PutBackupVaultLockConfiguration",
  summary: "Locks a vault: for as long as nobody unlocks it, or after some days for good",
  method: "PUT",
  path: "/backup-vaults/{backupVaultName}/vault-lock",
  permission: "backup:PutBackupVaultLockConfiguration",
  params: vaultParams,
  body: Type.Object({
    MinRetentionDays: Type.Optional(wire.RetentionDays),
    MaxRetentionDays: Type.Optional(wire.RetentionDays),
    ChangeableForDays: Type.Optional(
      Type.Integer({
        description: "After how many days the lock is for good; it never is without them.",
        examples: [3],
      }),
    ),
  }),
  bodyOptional: true,
  answers: { 200: wire.Nothing },
  errors: [...vaultErrors, errors.invalidParameterValue, errors.invalidRequest],
  resource: namedVault,
  async handle({ params: { backupVaultName }, body = {} }, context) {
    const nowMs = context.clock.nowMs();
    const vault = await openVault(context, backupVaultName, "PutBackupVaultLockConfiguration");
    refuseImmutable(vault, nowMs);
    checkLock(body as Lock);
    const { MinRetentionDays, MaxRetentionDays, ChangeableForDays } = body;
    await store.updateVault(context.db, vault, {
      locked: 1,
      min_days: MinRetentionDays ?? null,
      max_days: MaxRetentionDays ?? null,
      lock_date: ChangeableForDays === undefined ? null : nowMs + ChangeableForDays * DAY_MS,
    });
    return {};
  },
});
const deleteLock = operation({
  id: "backup.DeleteBackupVaultLockConfiguration",
  summary: "Unlocks a vault whose lock is not yet for good",
  method: "DELETE",
  path: "/backup-vaults/{backupVaultName}/vault-lock",
  permission: "backup:DeleteBackupVaultLockConfiguration",
  params: vaultParams,
  answers: { 200: wire.Nothing },
  errors: [...vaultErrors, errors.invalidRequest],
  resource: namedVault,
  async handle({ params: { backupVaultName } }, context) {
    const vault = await openVault(context, backupVaultName, "DeleteBackupVaultLockConfiguration");
    refuseImmutable(vault, context.clock.nowMs());
    await store.updateVault(context.db, vault, {
      locked: 0,
      min_days: null,
      max_days: null,
      lock_date: null,
    });
    return {};
  },
});

const putNotifications = operation({
  id: "backup.PutBackupVaultNotifications",
  summary: "Says which topic is told of which events in a vault",
  method: "PUT",
  path: "/backup-vaults/{backupVaultName}/notification-configuration",
  permission: "backup:PutBackupVaultNotifications",
  params: vaultParams,
  body: Type.Object({
    SNSTopicArn: wire.TopicArn,
    BackupVaultEvents: Type.Array(wire.VaultEvent, { minItems: 1 }),
  }),
  answers: { 200: wire.Nothing },
  errors: [...vaultErrors, errors.invalidParameterValue, errors.missingParameterValue],
  resource: namedVault,
  async handle({ params: { backupVaultName }, body }, context) {
    const vault = await openVault(context, backupVaultName, "PutBackupVaultNotifications");
    const events = JSON.stringify([...new Set(body.BackupVaultEvents)]);
    await store.updateVault(context.db, vault, {
      topic_arn: body.SNSTopicArn,
      topic_spelling: context.request.dialect ?? null,
      events,
    });
    return {};
  },
});
const getNotifications = operation({
  id: "backup.GetBackupVaultNotifications",
  summary: "Which topic is told of which events in a vault",
  method: "GET",
  path: "/backup-vaults/{backupVaultName}/notification-configuration",
  permission: "backup:GetBackupVaultNotifications",
  params: vaultParams,
  answers: {
    200: Type.Object({ ...named, SNSTopicArn: Type.String(), BackupVaultEvents: Type.Array(Type.String()) }),
  },
  errors: vaultErrors,
  resource: namedVault,
  async handle({ params: { backupVaultName } }, context) {
    const vault = await openVault(context, backupVaultName, "GetBackupVaultNotifications");
    if (vault.topic_arn === null)
      throw errors.notFound(`The backup vault ${vault.name} tells nobody of its events.`);
    const events = JSON.parse(vault.events ?? "[]") as string[];
    return { ...nameOf(vault), SNSTopicArn: vault.topic_arn, BackupVaultEvents: events };
  },
});
const deleteNotifications = clearingVault({
  id: "backup.DeleteBackupVaultNotifications",
  summary: "No longer tells anybody of events in a vault",
  path: "/backup-vaults/{backupVaultName}/notification-configuration",
  action: "DeleteBackupVaultNotifications",
  cleared: { topic_arn: null, events: null },
});

export const vaultSettingsOperations = [
  putPolicy,
  getPolicy,
  deletePolicy,
  putLock,
  deleteLock,
  putNotifications,
  getNotifications,
  deleteNotifications,
];
