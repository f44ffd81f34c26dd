/** Backup jobs: started, stopped, read and listed. */
import { Type } from "@sinclair/typebox";
import { pointArnOf, refuseVss, vaultArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { ENDED, requestBackup } from "../jobs/index.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { BackupJobRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { openVault } from "./open-vault.ts";
import { operation, pageRequestOf, startErrors } from "./operation.ts";

const params = Type.Object({ backupJobId: wire.JobId });
export const BACKUP_STATES = [
  "CREATED",
  "PENDING",
  "RUNNING",
  "ABORTING",
  "ABORTED",
  "COMPLETED",
  "FAILED",
  "EXPIRED",
  "PARTIAL",
] as const;

const startJob = operation({
  id: "backup.StartBackupJob",
  summary: "Starts a backup of a resource",
  description:
    "Returns at once; a background job reads the resource and stores only chunks that the vault lacks. It must start within the start window (at least 60 minutes) and is attempted up to 5 times. `IdempotencyToken` returns the same job again. Refused for types that are opted out, and for air-gapped vaults. Poll `backup.DescribeBackupJob`.",
  method: "PUT",
  path: "/backup-jobs",
  permission: "backup:StartBackupJob",
  body: Type.Object({
    BackupVaultName: wire.VaultName,
    ResourceArn: wire.ResourceArn,
    IamRoleArn: wire.RoleArn,
    IdempotencyToken: Type.Optional(wire.IdempotencyToken),
    StartWindowMinutes: Type.Optional(wire.WindowMinutes),
    CompleteWindowMinutes: Type.Optional(wire.WindowMinutes),
    Lifecycle: Type.Optional(wire.Lifecycle),
    RecoveryPointTags: Type.Optional(wire.Tags),
    BackupOptions: Type.Optional(wire.BackupOptions),
    Index: Type.Optional(wire.Index),
  }),
  answers: {
    200: Type.Object({
      BackupJobId: Type.String(),
      RecoveryPointArn: Type.String(),
      CreationDate: wire.Time,
      IsParent: Type.Boolean(),
    }),
  },
  errors: startErrors,
  resource: ({ body }, account, region) => vaultArnOf(account, region, body.BackupVaultName),
  async handle({ body }, context) {
    await openVault(context, body.BackupVaultName, "StartBackupJob");
    refuseVss(body.BackupOptions);
    const job = await requestBackup(context, {
      region: context.request.region,
      vaultName: body.BackupVaultName,
      resourceArn: body.ResourceArn,
      roleArn: body.IamRoleArn,
      idempotencyToken: body.IdempotencyToken,
      startWindowMinutes: body.StartWindowMinutes,
      completionWindowMinutes: body.CompleteWindowMinutes,
      lifecycle: wire.lifecycleOf(body.Lifecycle ?? {}),
      recoveryPointTags: body.RecoveryPointTags,
      backupOptions: body.BackupOptions,
      index: body.Index === "ENABLED",
    });
    return {
      BackupJobId: job.id,
      RecoveryPointArn: pointArnOf(job.account, job.region, job.point_id),
      CreationDate: wire.timeOf(job.created_at),
      IsParent: job.is_parent === 1,
    };
  },
});

async function stop(context: BackupContext, job: BackupJobRow): Promise<void> {
  await store.updateBackupJob(context.db, job, { state: "ABORTING" });
  if (job.is_parent === 0) return;
  const { db, account, request } = context;
  const children = await store.listBackupJobs(
    db,
    account,
    request.region,
    { parentId: job.id },
    { limit: 1000 },
  );
  for (const child of children)
    if (!ENDED.includes(child.state)) await store.updateBackupJob(db, child, { state: "ABORTING" });
}
const stopJob = operation({
  id: "backup.StopBackupJob",
  summary: "Stops a backup job and its child jobs",
  description:
    "The job is ABORTING until its node notices, then ABORTED, and leaves no recovery point. A job that has ended is refused.",
  method: "POST",
  path: "/backup-jobs/{backupJobId}",
  permission: "backup:StopBackupJob",
  params,
  answers: { 200: wire.Nothing },
  errors: [errors.notFound, errors.invalidRequest, errors.accessDenied],
  async handle({ params: { backupJobId } }, context) {
    const { db, account, request } = context;
    const job = await store.getBackupJob(db, account, request.region, backupJobId);
    await openVault(context, job.vault, "StopBackupJob");
    if (ENDED.includes(job.state))
      throw errors.invalidRequest(`The backup job has ended already: ${job.state}.`);
    await stop(context, job);
    return {};
  },
});

const describeJob = operation({
  id: "backup.DescribeBackupJob",
  summary: "Returns the progress or the outcome of a backup job",
  description: "A composite job shows the number of child jobs in each state.",
  method: "GET",
  path: "/backup-jobs/{backupJobId}",
  permission: "backup:DescribeBackupJob",
  params,
  answers: { 200: wire.BackupJobView },
  errors: [errors.notFound],
  async handle({ params: { backupJobId } }, { db, account, request: { region } }) {
    const job = await store.getBackupJob(db, account, region, backupJobId);
    if (job.is_parent === 0) return wire.backupJobViewOf(job);
    return wire.backupJobViewOf(job, await store.countChildren(db, account, region, "backup_job", job.id));
  },
});

const listJobs = operation({
  id: "backup.ListBackupJobs",
  summary: "Lists backup jobs, newest first",
  description: "All filters must match. Another account's id gives an empty list.",
  method: "GET",
  path: "/backup-jobs/",
  permission: "backup:ListBackupJobs",
  query: Type.Object({
    state: Type.Optional(
      Type.Union(
        BACKUP_STATES.map((state) => Type.Literal(state)),
        { description: "Jobs in this state." },
      ),
    ),
    backupVaultName: Type.Optional(wire.VaultName),
    ...wire.jobsQuery,
  }),
  answers: {
    200: Type.Object({
      BackupJobs: Type.Array(wire.BackupJobView),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue],
  async handle({ query }, context) {
    const { db, account, request } = context;
    if (query.accountId !== undefined && query.accountId !== account) return { BackupJobs: [] };
    const filter: store.BackupJobFilter = {
      ...wire.jobsFilterOf(query),
      state: query.state,
      vault: query.backupVaultName,
    };
    const { rows, nextToken } = await context.pages.of(
      pageRequestOf(query, filter),
      (job: BackupJobRow) => store.newestFirstKeyOf(job),
      (after, limit) => store.listBackupJobs(db, account, request.region, filter, { after, limit }),
    );
    return {
      BackupJobs: rows.map((job) => wire.backupJobViewOf(job)),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

export const backupJobOperations = [startJob, stopJob, describeJob, listJobs];
