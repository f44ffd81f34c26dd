/** Copy jobs: started, read and listed. */
import { Type } from "@sinclair/typebox";
import { findVaultIn, pointArnOf, vaultArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { requestCopy } from "../jobs/index.ts";
import * as store from "../store/index.ts";
import type { CopyJobRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { openVault } from "./open-vault.ts";
import { operation, pageRequestOf, startErrors } from "./operation.ts";

const STATES = ["CREATED", "RUNNING", "COMPLETED", "FAILED", "PARTIAL"] as const;

const startJob = operation({
  id: "backup.StartCopyJob",
  summary: "Starts a copy of a recovery point to another vault",
  description:
    "Runs in the background, up to 5 attempts. The destination may be in another region or account; another account must be of the same organization, with cross-account backup on, and its vault policy must allow it. The copy is encrypted with the destination's key and has a lifecycle of its own.",
  method: "PUT",
  path: "/copy-jobs",
  permission: "backup:StartCopyJob",
  body: Type.Object({
    RecoveryPointArn: wire.RecoveryPointArn,
    SourceBackupVaultName: wire.VaultName,
    DestinationBackupVaultArn: wire.VaultArn,
    IamRoleArn: wire.RoleArn,
    IdempotencyToken: Type.Optional(wire.IdempotencyToken),
    Lifecycle: Type.Optional(wire.Lifecycle),
  }),
  answers: {
    200: Type.Object({ CopyJobId: Type.String(), CreationDate: wire.Time, IsParent: Type.Boolean() }),
  },
  errors: startErrors,
  resource: ({ body }, account, region) => vaultArnOf(account, region, body.SourceBackupVaultName),
  async handle({ body }, context) {
    const { region, account, name } = await openVault(context, body.SourceBackupVaultName, "StartCopyJob");
    const job = await requestCopy(context, {
      region,
      point: await store.getPointInVault(context.db, account, region, name, body.RecoveryPointArn),
      destinationVaultArn: body.DestinationBackupVaultArn,
      roleArn: body.IamRoleArn,
      lifecycle: wire.lifecycleOf(body.Lifecycle ?? {}),
      idempotencyToken: body.IdempotencyToken,
    });
    return { CopyJobId: job.id, CreationDate: wire.timeOf(job.created_at), IsParent: job.is_parent === 1 };
  },
});

function viewOf(job: CopyJobRow, children?: Readonly<Record<string, number>>) {
  const to = findVaultIn(job.destination_vault_arn);
  return wire.copyJobViewOf(job, to ? pointArnOf(to.account, to.region, job.point_id) : "", children);
}
const describeJob = operation({
  id: "backup.DescribeCopyJob",
  summary: "Returns the progress or the outcome of a copy job",
  description: "A composite job shows the number of child jobs in each state.",
  method: "GET",
  path: "/copy-jobs/{copyJobId}",
  permission: "backup:DescribeCopyJob",
  params: Type.Object({ copyJobId: wire.JobId }),
  answers: { 200: Type.Object({ CopyJob: wire.CopyJobView }) },
  errors: [errors.notFound],
  async handle({ params: { copyJobId } }, { db, account, request: { region } }) {
    const job = await store.getCopyJob(db, account, region, copyJobId);
    if (job.is_parent === 0) return { CopyJob: viewOf(job) };
    return {
      CopyJob: viewOf(job, await store.countChildren(db, account, region, "backup_copy_job", job.id)),
    };
  },
});

const listJobs = operation({
  id: "backup.ListCopyJobs",
  summary: "Lists copy jobs, newest first",
  description:
    "Lists copies from vaults of this account and region. Another account's id gives an empty list.",
  method: "GET",
  path: "/copy-jobs/",
  permission: "backup:ListCopyJobs",
  query: Type.Object({
    state: Type.Optional(
      Type.Union(
        STATES.map((state) => Type.Literal(state)),
        { description: "Jobs in this state." },
      ),
    ),
    destinationVaultArn: Type.Optional(wire.VaultArn),
    ...wire.jobsQuery,
  }),
  answers: {
    200: Type.Object({ CopyJobs: Type.Array(wire.CopyJobView), NextToken: Type.Optional(wire.NextToken) }),
  },
  errors: [errors.invalidParameterValue],
  async handle({ query }, context) {
    const { db, account, request } = context;
    if (query.accountId !== undefined && query.accountId !== account) return { CopyJobs: [] };
    const filter: store.CopyJobFilter = {
      ...wire.jobsFilterOf(query),
      state: query.state,
      destinationVaultArn: query.destinationVaultArn,
    };
    const { rows, nextToken } = await context.pages.of(
      pageRequestOf(query, filter),
      (job: CopyJobRow) => store.newestFirstKeyOf(job),
      (after, limit) => store.listCopyJobs(db, account, request.region, filter, { after, limit }),
    );
    return {
      CopyJobs: rows.map((job) => viewOf(job)),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

export const copyJobOperations = [startJob, describeJob, listJobs];
