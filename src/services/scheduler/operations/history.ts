/** The history of a job: every attempt with its outcome, newest first. */
import { Type } from "@sinclair/typebox";
import type { Context } from "#kernel/operation";
import { type Action, nextLinkOf } from "#kernel/resource-provider";
import { instantText, type JobDefinition } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { JobResource } from "../jobs/index.ts";
import { historyLimits, listHistory } from "../store.ts";
import type { HistoryRow } from "../tables.ts";
import { historyList } from "../wire/index.ts";
import { predicateOf, TOP_MAX } from "./filters.ts";
import { collectionNameOf } from "./names.ts";

function presentEntry(job: JobResource, row: HistoryRow) {
  return {
    id: `${job.id}/history/${row.position}`,
    name: `${collectionNameOf(job)}/${job.name}/${row.position}`,
    type: `${job.type}/history`,
    properties: {
      startTime: instantText(row.started_at),
      endTime: instantText(row.ended_at),
      expectedExecutionTime: instantText(row.expected_at),
      actionName: row.action_name,
      status: row.status,
      message: row.message,
      retryCount: row.retry_count,
      repeatCount: row.repeat_count,
    },
  };
}

const historyFields = {
  status: { type: "string", ignoreCase: true },
  actionName: { type: "string", ignoreCase: true },
  startTime: { type: "dateTime" },
  endTime: { type: "dateTime" },
} as const;

type HistoryQuery = {
  readonly $top?: number;
  readonly $skip?: number;
  readonly $filter?: string;
  readonly $skipToken?: string;
};

async function pageOfHistory(context: Context, job: JobResource, query: HistoryQuery) {
  const { $top = TOP_MAX, $skip = 0, $filter, $skipToken } = query;
  const isChosen = predicateOf($filter, historyFields);
  const { rows, nextToken } = await context.pages.of(
    {
      size: $top,
      token: $skipToken,
      filter: { job: job.key, $filter },
      invalid: errors.invalidSkipToken,
    },
    ({ position }: HistoryRow) => [position],
    async (before, limit) => {
      // A job has few entries, so all are filtered in memory.
      const kept = await listHistory(context.db, context.account, job.key, {
        before: before?.[0] ?? Number.MAX_SAFE_INTEGER,
        endedAfterMs: context.clock.nowMs() - historyLimits.ageMsMax,
        limit: historyLimits.entriesMax,
      });
      const chosen = kept.filter((row) => isChosen?.(presentEntry(job, row)) ?? true);
      const skip = before ? 0 : $skip;
      return chosen.slice(skip, skip + limit);
    },
  );
  const value = rows.map((row) => presentEntry(job, row));
  return nextToken === undefined ? { value } : { value, nextLink: nextLinkOf(context, nextToken) };
}

export const historyAction: Action<JobDefinition> = {
  name: "history",
  method: "GET",
  permission: "history/read",
  summary: "Lists the attempts of a job, newest first.",
  description: `Each attempt has an entry, also retries and error actions. A job keeps ${historyLimits.entriesMax} entries for 60 days.`,
  query: Type.Object({
    $top: Type.Optional(Type.Integer({ minimum: 1, maximum: TOP_MAX })),
    $skip: Type.Optional(Type.Integer({ minimum: 0 })),
    $filter: Type.Optional(
      Type.String({
        description: "Which entries to list, as an OData expression.",
        examples: ["status eq 'Failed'"],
      }),
    ),
    $skipToken: Type.Optional(Type.String()),
  }),
  answers: { 200: historyList },
  errors: [errors.invalidFilter, errors.invalidSkipToken],
  handle: ({ resource, query }, context) => pageOfHistory(context, resource, query),
};
