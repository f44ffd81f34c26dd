/** How many jobs there were, by day, state and kind of resource. */
import { Type } from "@sinclair/typebox";
import { AGGREGATE_ALL, firstDayOf, type Summary, summariesOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { BACKUP_STATES } from "./backup-jobs.ts";
import { operation, pageRequestOf } from "./operation.ts";

const COPY_STATES = [
  "CREATED",
  "RUNNING",
  "ABORTING",
  "ABORTED",
  "COMPLETING",
  "COMPLETED",
  "FAILING",
  "FAILED",
  "PARTIAL",
] as const;
const RESTORE_STATES = ["CREATED", "PENDING", "RUNNING", "ABORTED", "COMPLETED", "FAILED"] as const;
const TOGETHER = ["AGGREGATE_ALL", "ANY"] as const;

const oneOf = (words: readonly string[], description: string) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    { description, default: AGGREGATE_ALL },
  );
const AggregationPeriod = Type.Union(
  [Type.Literal("ONE_DAY"), Type.Literal("SEVEN_DAYS"), Type.Literal("FOURTEEN_DAYS")],
  {
    description: "Each of the last 14 days by itself, or the last 7 or 14 days together.",
    default: "ONE_DAY" as const,
  },
);
const Kind = Type.String({
  pattern: "^[a-zA-Z0-9_.-]{1,50}$",
  description: "The kind of resource: one of them, each by itself (ANY), or all together (AGGREGATE_ALL).",
  default: AGGREGATE_ALL,
});
const MessageCategory = Type.String({
  maxLength: 100,
  description: "What the job's message is about: one, each by itself (ANY), or all together (AGGREGATE_ALL).",
  default: AGGREGATE_ALL,
});
const SummaryShape = Type.Object({
  Region: Type.String(),
  AccountId: Type.String(),
  State: Type.String(),
  ResourceType: Type.String(),
  MessageCategory: Type.Optional(Type.String()),
  Count: Type.Integer(),
  StartTime: wire.Time,
  EndTime: wire.Time,
});

type Asked = {
  readonly AccountId?: string | undefined;
  readonly State: string;
  readonly ResourceType: string;
  readonly MessageCategory?: string | undefined;
  readonly AggregationPeriod: "ONE_DAY" | "SEVEN_DAYS" | "FOURTEEN_DAYS";
  readonly MaxResults?: number | undefined;
  readonly NextToken?: string | undefined;
};

async function summarize(
  context: BackupContext,
  table: Parameters<typeof store.countJobsByDay>[3],
  asked: Asked,
) {
  const { db, account, request, clock, pages } = context;
  const { MaxResults: _size, NextToken: _token, ...filter } = asked;
  const nowMs = clock.nowMs();
  const period = asked.AggregationPeriod;
  const isOwn = asked.AccountId === undefined || asked.AccountId === account;
  const counted = isOwn
    ? await store.countJobsByDay(db, account, request.region, table, firstDayOf(period, nowMs))
    : [];
  const all = summariesOf(
    counted,
    {
      period,
      state: asked.State,
      resourceType: asked.ResourceType,
      messageCategory: asked.MessageCategory ?? AGGREGATE_ALL,
    },
    nowMs,
  ).map((summary, index) => ({ ...summary, index }));
  const { rows, nextToken } = await pages.of(
    pageRequestOf(asked, { ...filter, day: firstDayOf(period, nowMs) }),
    (summary: (typeof all)[number]) => [summary.index],
    async (after, limit) => all.slice((after?.[0] ?? -1) + 1, (after?.[0] ?? -1) + 1 + limit),
  );
  const summaries = rows.map((summary) => viewOf(context, summary, asked.MessageCategory !== undefined));
  return {
    summaries,
    more: { AggregationPeriod: period, ...(nextToken !== undefined && { NextToken: nextToken }) },
  };
}
const viewOf = ({ account, request }: BackupContext, summary: Summary, hasCategory: boolean) => ({
  Region: request.region,
  AccountId: account,
  State: summary.state,
  ResourceType: summary.resourceType,
  ...(hasCategory && { MessageCategory: summary.messageCategory }),
  Count: summary.count,
  StartTime: wire.timeOf(summary.startMs),
  EndTime: wire.timeOf(summary.endMs),
});

const shared = (states: readonly string[]) => ({
  AccountId: Type.Optional(wire.AccountId),
  State: oneOf(
    [...states, ...TOGETHER],
    "The state of the jobs: one, each by itself (ANY), or all together.",
  ),
  ResourceType: Kind,
  AggregationPeriod,
  ...wire.capitalPage,
});
const rest = { AggregationPeriod: Type.String(), NextToken: Type.Optional(wire.NextToken) };

const listBackupJobSummaries = operation({
  id: "backup.ListBackupJobSummaries",
  summary: "Counts backup jobs by day, state and type",
  description:
    "Covers each of the last 14 days, or the last 7 or 14 days together. `ANY` counts each value by itself, `AGGREGATE_ALL` all together.",
  method: "GET",
  path: "/audit/backup-job-summaries",
  permission: "backup:ListBackupJobSummaries",
  query: Type.Object({ ...shared(BACKUP_STATES), MessageCategory }),
  answers: { 200: Type.Object({ BackupJobSummaries: Type.Array(SummaryShape), ...rest }) },
  errors: [errors.invalidParameterValue],
  async handle({ query }, context) {
    const { summaries, more } = await summarize(context, "backup_job", query as Asked);
    return { BackupJobSummaries: summaries, ...more };
  },
});
const listCopyJobSummaries = operation({
  id: "backup.ListCopyJobSummaries",
  summary: "Counts copy jobs by day, state and type",
  description: "Same periods and groups as `backup.ListBackupJobSummaries`.",
  method: "GET",
  path: "/audit/copy-job-summaries",
  permission: "backup:ListCopyJobSummaries",
  query: Type.Object({ ...shared(COPY_STATES), MessageCategory }),
  answers: { 200: Type.Object({ CopyJobSummaries: Type.Array(SummaryShape), ...rest }) },
  errors: [errors.invalidParameterValue],
  async handle({ query }, context) {
    const { summaries, more } = await summarize(context, "backup_copy_job", query as Asked);
    return { CopyJobSummaries: summaries, ...more };
  },
});
const listRestoreJobSummaries = operation({
  id: "backup.ListRestoreJobSummaries",
  summary: "Counts restore jobs by day, state and type",
  description: "Same periods and groups as `backup.ListBackupJobSummaries`.",
  method: "GET",
  path: "/audit/restore-job-summaries",
  permission: "backup:ListRestoreJobSummaries",
  query: Type.Object(shared(RESTORE_STATES)),
  answers: { 200: Type.Object({ RestoreJobSummaries: Type.Array(SummaryShape), ...rest }) },
  errors: [errors.invalidParameterValue],
  async handle({ query }, context) {
    const { summaries, more } = await summarize(context, "backup_restore_job", query as Asked);
    return { RestoreJobSummaries: summaries, ...more };
  },
});

export const summaryOperations = [listBackupJobSummaries, listCopyJobSummaries, listRestoreJobSummaries];
