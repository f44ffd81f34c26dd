/** Request shapes for vaults, recovery points and jobs. */
import { type Static, Type } from "@sinclair/typebox";
import { parseInstant } from "#kernel/clock";
import { AGGREGATE_ALL } from "../domain/index.ts";
import { AccountId, page, ResourceArn, ResourceType, TimeInQuery } from "./names.ts";

const arn = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 2048, pattern: "^arn:", description, examples: [example] });

export const EncryptionKeyArn = arn(
  "The name of the key that the vault shows; what lies in it is sealed with a key of its own either way.",
  "arn:vendor:kms:us-east-1:123456789012:key/0b2c6f1e-2c1f-4a55-b5b5-6a1d9b3f2c11",
);
export const RecoveryPointArn = arn(
  "The recovery point's ARN.",
  "arn:vendor:backup:us-east-1:123456789012:recovery-point:1eb3b5e7-9eb0-435a-a80b-108b488b0d45",
);
export const VaultArn = arn(
  "The vault's ARN.",
  "arn:vendor:backup:us-east-1:123456789012:backup-vault:archive",
);
export const TopicArn = arn("The topic that is told.", "arn:vendor:sns:us-east-1:123456789012:backups");
export const RetentionDays = Type.Integer({
  description: "For how many days recovery points are kept at least, or at most.",
  examples: [30],
});
export const PolicyText = Type.String({
  minLength: 1,
  description: "The policy, as JSON.",
  examples: [
    '{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"backup:DeleteRecoveryPoint","Resource":"*"}]}',
  ],
});
const VAULT_EVENTS = [
  "BACKUP_JOB_STARTED",
  "BACKUP_JOB_COMPLETED",
  "BACKUP_JOB_SUCCESSFUL",
  "BACKUP_JOB_FAILED",
  "BACKUP_JOB_EXPIRED",
  "RESTORE_JOB_STARTED",
  "RESTORE_JOB_COMPLETED",
  "RESTORE_JOB_SUCCESSFUL",
  "RESTORE_JOB_FAILED",
  "COPY_JOB_STARTED",
  "COPY_JOB_SUCCESSFUL",
  "COPY_JOB_FAILED",
  "RECOVERY_POINT_MODIFIED",
  "BACKUP_PLAN_CREATED",
  "BACKUP_PLAN_MODIFIED",
  "S3_BACKUP_OBJECT_FAILED",
  "S3_RESTORE_OBJECT_FAILED",
] as const;
export const VaultEvent = Type.Union(
  VAULT_EVENTS.map((event) => Type.Literal(event)),
  {
    description: "What the topic is told of.",
  },
);
export const RestoreMetadata = Type.Record(Type.String(), Type.String(), {
  description: "What the restore is told, by names that the kind of resource knows.",
  examples: [{ restorePath: "/srv/photos-restored" }],
});
export const IdempotencyToken = Type.String({
  maxLength: 200,
  description: "The same request sent again with the same token starts nothing new.",
  examples: ["first-try"],
});
export const WindowMinutes = Type.Integer({
  minimum: 1,
  maximum: 527_040,
  description: "Within how many minutes the job has to begin, or to be done.",
  examples: [480],
});
export const JobId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The job's identifier.",
  examples: ["9f4a7f2c-0f6b-4d5b-9a55-3e1f2a6b7c88"],
});
export const MessageCategory = Type.String({
  maxLength: 100,
  description:
    "The kind of message that jobs ended with, such as SUCCESS, AccessDenied or InvalidParameters; AGGREGATE_ALL for all.",
  examples: ["SUCCESS"],
});
export const ManagedOnly = Type.Boolean({ description: "All that lies here is managed here." });

export const createdQuery = {
  createdBefore: Type.Optional(TimeInQuery),
  createdAfter: Type.Optional(TimeInQuery),
};
export const completedQuery = {
  completeBefore: Type.Optional(TimeInQuery),
  completeAfter: Type.Optional(TimeInQuery),
};
const msOf = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : parseInstant(time);
type Asked = { readonly [name: string]: unknown };
export const createdSpanOf = ({ createdBefore, createdAfter }: Asked) => ({
  beforeMs: msOf(createdBefore as string | undefined),
  afterMs: msOf(createdAfter as string | undefined),
});
export const completedSpanOf = ({ completeBefore, completeAfter }: Asked) => ({
  beforeMs: msOf(completeBefore as string | undefined),
  afterMs: msOf(completeAfter as string | undefined),
});
/** Filters that lists of backup jobs and copy jobs share. */
export const jobsQuery = {
  resourceArn: Type.Optional(ResourceArn),
  resourceType: Type.Optional(ResourceType),
  accountId: Type.Optional(AccountId),
  parentJobId: Type.Optional(JobId),
  messageCategory: Type.Optional(MessageCategory),
  ...createdQuery,
  ...completedQuery,
  ...page,
};
const JobsQuery = Type.Object(jobsQuery);
export const jobsFilterOf = (query: Static<typeof JobsQuery>) => ({
  resourceArn: query.resourceArn,
  resourceType: query.resourceType,
  parentId: query.parentJobId,
  ...(query.messageCategory !== AGGREGATE_ALL && { messageCategory: query.messageCategory }),
  created: createdSpanOf(query),
  completed: completedSpanOf(query),
});
export const spanOf = (after: string | undefined, before: string | undefined) => ({
  afterMs: msOf(after),
  beforeMs: msOf(before),
});
export const TestingPlanArn = arn(
  "The restore testing plan that asked for the jobs.",
  "arn:vendor:backup:us-east-1:123456789012:restore-testing-plan:monthly",
);
