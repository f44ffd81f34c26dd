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
  summary: "Sets the access policy of a vault",
  description:
    "Replaces the earlier policy and takes effect immediately. It can open the vault to other accounts, and also denies: a policy can lock out the owner's credentials. At most 20480 characters and 100 statements.",
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
  summary: "Returns the access policy of a vault",
  description: "A vault without a policy gives ResourceNotFound.",
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
  summary: "Deletes the access policy of a vault",
  description: "Other accounts lose their access immediately. Deleting a missing policy changes nothing.",
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
  summary: "Locks a vault",
  description: `Recovery points of a locked vault cannot be deleted or changed before their time, and new ones must fit the retention bounds. Without \`ChangeableForDays\` the lock can be removed again; with it (at least ${CHANGEABLE_DAYS_MIN} days) the lock becomes permanent after that time, for everybody.`,
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
  summary: "Removes the lock of a vault",
  description: "Refused when the lock is permanent, and for air-gapped vaults.",
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
  summary: "Sets the topic and events for notifications of a vault",
  description:
    "Replaces the earlier settings. Notifications appear in the outbox; add a URL with `backup.PutBackupVaultEndpoint` to receive them.",
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
  summary: "Returns the topic and events for notifications of a vault",
  description: "A vault without notifications gives ResourceNotFound.",
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
  summary: "Stops notifications of a vault to its topic",
  description: "The endpoint of the vault is not affected. Repeating the request changes nothing.",
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
