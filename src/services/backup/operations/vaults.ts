/** Vaults: made, read, listed and deleted. */
import { randomBytes } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { arnOf } from "#kernel/arn";
import { checkTags, type Tags, TYPES, vaultArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { isVaultOpenTo, visitorOf } from "../jobs/index.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { VaultRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { namedVault, openVault } from "./open-vault.ts";
import { operation, pageRequestOf } from "./operation.ts";

const VAULTS_MAX = 100;
const KEY_BYTES = 32;
const DAYS_MAX = 36_500;
const AIR_GAPPED = "LOGICALLY_AIR_GAPPED_BACKUP_VAULT";
const params = Type.Object({ backupVaultName: wire.VaultName });

type NewVault = {
  readonly name: string;
  readonly type: string;
  readonly encryptionKeyArn?: string | undefined;
  readonly creatorRequestId?: string | undefined;
  readonly tags?: Tags | undefined;
  readonly minDays?: number;
  readonly maxDays?: number;
};
/** Asked again in the same words by the same request, it is the same vault. */
function refuseExisting(vault: VaultRow, wanted: NewVault): void {
  const isSame =
    wanted.creatorRequestId !== undefined &&
    vault.creator_request_id === wanted.creatorRequestId &&
    vault.type === wanted.type;
  if (isSame) return;
  throw errors.alreadyExists(`There is a backup vault ${vault.name} already.`, {
    fields: {
      Arn: vaultArnOf(vault.account, vault.region, vault.name),
      ...(vault.creator_request_id !== null && { CreatorRequestId: vault.creator_request_id }),
    },
  });
}
export async function createVault(
  context: BackupContext,
  region: string,
  wanted: NewVault,
): Promise<VaultRow> {
  const { db, account, clock, ids } = context;
  const { name, type, tags = {} } = wanted;
  checkTags(tags);
  const existing = await store.findVault(db, account, region, name);
  if (existing) {
    refuseExisting(existing, wanted);
    return existing;
  }
  if ((await store.countVaults(db, account, region)) >= VAULTS_MAX)
    throw errors.limitExceeded(`An account can have ${VAULTS_MAX} backup vaults in a region.`);
  const id = ids.uuid();
  const ownKey = arnOf({ service: "kms", region, account, resource: `key/${id}` });
  const isAirGapped = type === AIR_GAPPED;
  const nowMs = clock.nowMs();
  const vault: VaultRow = {
    account,
    region,
    name,
    id,
    type,
    state: "AVAILABLE",
    sealed_key: context.secrets.seal(randomBytes(KEY_BYTES).toString("base64url")),
    encryption_key_arn: wanted.encryptionKeyArn ?? ownKey,
    creator_request_id: wanted.creatorRequestId ?? null,
    policy: null,
    topic_arn: null,
    topic_spelling: null,
    events: null,
    endpoint_url: null,
    endpoint_secret: null,
    endpoint_events: null,
    min_days: wanted.minDays ?? null,
    max_days: wanted.maxDays ?? null,
    locked: isAirGapped ? 1 : 0,
    lock_date: isAirGapped ? nowMs : null,
    points: 0,
    created_at: nowMs,
  };
  await store.insertVault(db, vault);
  await context.catalog.put({
    arn: vaultArnOf(account, region, name),
    type: TYPES["backup-vault"],
    name,
    region,
    tags,
  });
  return vault;
}
const madeOf = (vault: VaultRow) => {
  const { BackupVaultName, BackupVaultArn, CreationDate } = wire.vaultViewOf(vault);
  return { BackupVaultName, BackupVaultArn, CreationDate };
};
const made = {
  BackupVaultName: Type.String(),
  BackupVaultArn: Type.String(),
  CreationDate: wire.Time,
};

const createBackupVault = operation({
  id: "backup.CreateBackupVault",
  summary: "Creates a vault with an encryption key of its own",
  description: `Everything in the vault is encrypted with its key. An account may have ${VAULTS_MAX} vaults in a region. A repeated request with the same \`CreatorRequestId\` returns the same vault; otherwise an existing name is refused. Next, start a backup with \`backup.StartBackupJob\` or create a plan.`,
  method: "PUT",
  path: "/backup-vaults/{backupVaultName}",
  permission: "backup:CreateBackupVault",
  params,
  body: Type.Object({
    BackupVaultTags: Type.Optional(wire.Tags),
    EncryptionKeyArn: Type.Optional(wire.EncryptionKeyArn),
    CreatorRequestId: Type.Optional(wire.CreatorRequestId),
  }),
  bodyOptional: true,
  answers: { 200: Type.Object(made) },
  errors: [errors.alreadyExists, errors.invalidParameterValue, errors.limitExceeded],
  resource: namedVault,
  async handle({ params: { backupVaultName: name }, body }, context) {
    const vault = await createVault(context, context.request.region, {
      name,
      type: "BACKUP_VAULT",
      encryptionKeyArn: body?.EncryptionKeyArn,
      creatorRequestId: body?.CreatorRequestId,
      tags: body?.BackupVaultTags,
    });
    return madeOf(vault);
  },
});

function checkDays(minDays: number, maxDays: number): void {
  if (minDays < 1 || maxDays > DAYS_MAX || minDays > maxDays)
    throw errors.invalidParameterValue(
      `MinRetentionDays must be 1 at least, MaxRetentionDays ${DAYS_MAX} at most and not less than it.`,
    );
}
const createAirGapped = operation({
  id: "backup.CreateLogicallyAirGappedBackupVault",
  summary: "Creates a vault that is locked from the beginning and accepts copies only",
  description: `The lock with its retention bounds can never be changed or removed. Fill it with \`backup.StartCopyJob\` or copy actions of a plan. Counts towards the ${VAULTS_MAX} vaults of a region.`,
  method: "PUT",
  path: "/logically-air-gapped-backup-vaults/{backupVaultName}",
  permission: "backup:CreateLogicallyAirGappedBackupVault",
  params,
  body: Type.Object({
    BackupVaultTags: Type.Optional(wire.Tags),
    CreatorRequestId: Type.Optional(wire.CreatorRequestId),
    MinRetentionDays: wire.RetentionDays,
    MaxRetentionDays: wire.RetentionDays,
  }),
  answers: { 200: Type.Object({ ...made, VaultState: Type.String() }) },
  errors: [
    errors.alreadyExists,
    errors.invalidParameterValue,
    errors.missingParameterValue,
    errors.limitExceeded,
  ],
  resource: namedVault,
  async handle({ params: { backupVaultName: name }, body }, context) {
    checkDays(body.MinRetentionDays, body.MaxRetentionDays);
    const vault = await createVault(context, context.request.region, {
      name,
      type: AIR_GAPPED,
      creatorRequestId: body.CreatorRequestId,
      tags: body.BackupVaultTags,
      minDays: body.MinRetentionDays,
      maxDays: body.MaxRetentionDays,
    });
    return { ...madeOf(vault), VaultState: vault.state };
  },
});

const describeVault = operation({
  id: "backup.DescribeBackupVault",
  summary: "Returns a vault with its lock and its number of recovery points",
  description:
    "A vault of another account can be read if its access policy allows it; name the owner with `backupVaultAccountId`.",
  method: "GET",
  path: "/backup-vaults/{backupVaultName}",
  permission: "backup:DescribeBackupVault",
  params,
  query: Type.Object({ backupVaultAccountId: Type.Optional(wire.AccountId) }),
  answers: { 200: wire.VaultView },
  errors: [errors.notFound, errors.accessDenied],
  resource: namedVault,
  async handle({ params: { backupVaultName }, query }, context) {
    const owner = query.backupVaultAccountId;
    return wire.vaultViewOf(await openVault(context, backupVaultName, "DescribeBackupVault", owner));
  },
});

const deleteVault = operation({
  id: "backup.DeleteBackupVault",
  summary: "Deletes an empty vault",
  description: "Refused while it has recovery points. The key is deleted with the vault.",
  method: "DELETE",
  path: "/backup-vaults/{backupVaultName}",
  permission: "backup:DeleteBackupVault",
  params,
  answers: { 200: wire.Nothing },
  errors: [errors.notFound, errors.invalidRequest, errors.accessDenied],
  resource: namedVault,
  async handle({ params: { backupVaultName: name } }, context) {
    const { db, account, catalog, request } = context;
    const vault = await openVault(context, name, "DeleteBackupVault");
    if (await store.hasPoints(db, account, request.region, name))
      throw errors.invalidRequest(
        `The backup vault ${name} holds recovery points: it can be deleted when it is empty.`,
      );
    await store.deleteVault(db, vault);
    await catalog.remove(vaultArnOf(account, request.region, name));
    return {};
  },
});

const listVaults = operation({
  id: "backup.ListBackupVaults",
  summary: "Lists vaults by name",
  description:
    "With `shared`, vaults of other accounts whose access policies let the caller see them; otherwise the account's own.",
  method: "GET",
  path: "/backup-vaults/",
  permission: "backup:ListBackupVaults",
  query: Type.Object({
    vaultType: Type.Optional(wire.VaultType),
    shared: Type.Optional(
      Type.Boolean({
        description: "Whether vaults of other accounts are meant, whose policies let the caller see them.",
      }),
    ),
    ...wire.page,
  }),
  answers: {
    200: Type.Object({
      BackupVaultList: Type.Array(wire.VaultView),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue],
  async handle({ query }, context) {
    const { vaultType: type, shared = false } = query;
    const { rows, nextToken } = await context.pages.of(
      pageRequestOf(query, { type, shared }),
      (vault: VaultRow) => [vault.account, vault.name],
      (after, limit) =>
        shared
          ? listShared(context, type, after, limit)
          : store.listVaults(context.db, context.account, context.request.region, {
              type,
              after: after?.[1],
              limit,
            }),
    );
    return {
      BackupVaultList: rows.map(wire.vaultViewOf),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});
async function listShared(
  context: BackupContext,
  type: string | undefined,
  after: readonly string[] | undefined,
  limit: number,
): Promise<VaultRow[]> {
  const found: VaultRow[] = [];
  let [account = "", name = ""] = after ?? [];
  for (;;) {
    const rows = await store.listVaultsWithPolicy(context.db, context.account, context.request.region, {
      type,
      after: { account, name },
      limit,
    });
    for (const row of rows)
      if (found.length < limit && isVaultOpenTo(row, visitorOf(context), "backup:DescribeBackupVault"))
        found.push(row);
    const last = rows.at(-1);
    if (!last || rows.length < limit || found.length >= limit) return found;
    ({ account, name } = last);
  }
}

export const vaultOperations = [createBackupVault, createAirGapped, describeVault, deleteVault, listVaults];
