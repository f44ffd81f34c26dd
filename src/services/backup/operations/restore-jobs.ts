/** Restore jobs: started, read and listed. */
import { Type } from "@sinclair/typebox";
import { findPointIn } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { requestRestore } from "../jobs/index.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { RestoreJobRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { openVault } from "./open-vault.ts";
import { operation, pageRequestOf, startErrors } from "./operation.ts";

const STATES = ["PENDING", "RUNNING", "COMPLETED", "ABORTED", "FAILED"] as const;
const Status = Type.Union(
  STATES.map((state) => Type.Literal(state)),
  { description: "Jobs in this state." },
);
const params = Type.Object({ restoreJobId: wire.JobId });

async function getPoint({ db, account }: BackupContext, arn: string) {
  if (!findPointIn(arn)) throw errors.invalidParameterValue(`${arn} is not the ARN of a recovery point.`);
  const point = await store.findPointByArn(db, account, arn);
  if (!point) throw errors.notFound(`There is no recovery point ${arn} in this account.`);
  return point;
}
const startJob = operation({
  id: "backup.StartRestoreJob",
  summary: "Starts a restore of a resource from a recovery point",
  description:
    "Runs in the background, up to 5 attempts. `Metadata` says where and under what name; start from `backup.GetRecoveryPointRestoreMetadata`. Without a role, that of the backup is used. `IdempotencyToken` returns the same job again. Poll `backup.DescribeRestoreJob`.",
  method: "PUT",
  path: "/restore-jobs",
  permission: "backup:StartRestoreJob",
  body: Type.Object({
    RecoveryPointArn: wire.RecoveryPointArn,
    Metadata: wire.RestoreMetadata,
    IamRoleArn: Type.Optional(wire.RoleArn),
    IdempotencyToken: Type.Optional(wire.IdempotencyToken),
    ResourceType: Type.Optional(wire.ResourceType),
    CopySourceTagsToRestoredResource: Type.Optional(
      Type.Boolean({ description: "Whether what is restored gets the tags of the recovery point." }),
    ),
  }),
  answers: { 200: Type.Object({ RestoreJobId: Type.String() }) },
  errors: startErrors,
  resource: ({ body }) => body.RecoveryPointArn,
  async handle({ body }, context) {
    const point = await getPoint(context, body.RecoveryPointArn);
    await openVault(context, point.vault, "StartRestoreJob");
    const job = await requestRestore(context, {
      region: context.request.region,
      recoveryPointArn: body.RecoveryPointArn,
      metadata: body.Metadata,
      roleArn: body.IamRoleArn ?? point.role_arn,
      resourceType: body.ResourceType,
      copyTags: body.CopySourceTagsToRestoredResource,
      idempotencyToken: body.IdempotencyToken,
    });
    return { RestoreJobId: job.id };
  },
});

const describeJob = operation({
  id: "backup.DescribeRestoreJob",
  summary: "Returns the progress or the outcome of a restore job",
  description:
    "`CreatedResourceArn` names the restored resource. Jobs of restore tests also have the status of validation and deletion.",
  method: "GET",
  path: "/restore-jobs/{restoreJobId}",
  permission: "backup:DescribeRestoreJob",
  params,
  answers: { 200: wire.RestoreJobView },
  errors: [errors.notFound],
  async handle({ params: { restoreJobId } }, { db, account, request: { region } }) {
    const job = await store.getRestoreJob(db, account, region, restoreJobId);
    const known = await store.findProtected(db, account, region, job.resource_arn);
    return wire.restoreJobViewOf(job, known?.restore_minutes);
  },
});
const jobMetadata = operation({
  id: "backup.GetRestoreJobMetadata",
  summary: "Returns the metadata of a restore job",
  description: "As it was given to the job.",
  method: "GET",
  path: "/restore-jobs/{restoreJobId}/metadata",
  permission: "backup:GetRestoreJobMetadata",
  params,
  answers: { 200: Type.Object({ RestoreJobId: Type.String(), Metadata: wire.RestoreMetadata }) },
  errors: [errors.notFound],
  async handle({ params: { restoreJobId } }, { db, account, request: { region } }) {
    const job = await store.getRestoreJob(db, account, region, restoreJobId);
    return { RestoreJobId: job.id, Metadata: JSON.parse(job.metadata) as Record<string, string> };
  },
});

type Page = { maxResults?: number | undefined; nextToken?: string | undefined };
async function listed(context: BackupContext, query: Page, filter: store.RestoreJobFilter) {
  const { db, account, request } = context;
  const { rows, nextToken } = await context.pages.of(
    pageRequestOf(query, filter),
    (job: RestoreJobRow) => store.newestFirstKeyOf(job),
    (after, limit) => store.listRestoreJobs(db, account, request.region, filter, { after, limit }),
  );
  return {
    RestoreJobs: rows.map((job) => wire.restoreJobViewOf(job)),
    ...(nextToken !== undefined && { NextToken: nextToken }),
  };
}
const Listed = Type.Object({
  RestoreJobs: Type.Array(wire.RestoreJobView),
  NextToken: Type.Optional(wire.NextToken),
});

const listJobs = operation({
  id: "backup.ListRestoreJobs",
  summary: "Lists restore jobs, newest first",
  description: "Includes jobs of restore tests. Another account's id gives an empty list.",
  method: "GET",
  path: "/restore-jobs/",
  permission: "backup:ListRestoreJobs",
  query: Type.Object({
    accountId: Type.Optional(wire.AccountId),
    resourceType: Type.Optional(wire.ResourceType),
    status: Type.Optional(Status),
    restoreTestingPlanArn: Type.Optional(wire.TestingPlanArn),
    ...wire.createdQuery,
    ...wire.completedQuery,
    ...wire.page,
  }),
  answers: { 200: Listed },
  errors: [errors.invalidParameterValue],
  async handle({ query }, context) {
    if (query.accountId !== undefined && query.accountId !== context.account) return { RestoreJobs: [] };
    return listed(context, query, {
      resourceType: query.resourceType,
      state: query.status,
      testingPlanArn: query.restoreTestingPlanArn,
      created: wire.createdSpanOf(query),
      completed: wire.completedSpanOf(query),
    });
  },
});
const listJobsOfResource = operation({
  id: "backup.ListRestoreJobsByProtectedResource",
  summary: "Lists the restore jobs of one resource, newest first",
  description: "ResourceNotFound if the resource was never backed up in this region.",
  method: "GET",
  path: "/resources/{resourceArn}/restore-jobs/",
  permission: "backup:ListRestoreJobsByProtectedResource",
  params: Type.Object({ resourceArn: wire.ResourceArn }),
  query: Type.Object({
    status: Type.Optional(Status),
    recoveryPointCreationDateAfter: Type.Optional(wire.TimeInQuery),
    recoveryPointCreationDateBefore: Type.Optional(wire.TimeInQuery),
    ...wire.page,
  }),
  answers: { 200: Listed },
  errors: [errors.notFound, errors.invalidParameterValue],
  resource: ({ params: { resourceArn } }) => resourceArn,
  async handle({ params: { resourceArn }, query }, context) {
    const { db, account, request } = context;
    if (!(await store.findProtected(db, account, request.region, resourceArn)))
      throw errors.notFound(`There are no backups of ${resourceArn} in this account and region.`);
    return listed(context, query, {
      resourceArn,
      state: query.status,
      pointCreated: wire.spanOf(query.recoveryPointCreationDateAfter, query.recoveryPointCreationDateBefore),
    });
  },
});

export const restoreJobOperations = [startJob, describeJob, jobMetadata, listJobs, listJobsOfResource];
