/** The history of a job: every attempt with its outcome, newest first. */
import { Type } from "@sinclair/typebox";
import type { Context } from "#kernel/operation";
import { cursorOf, readCursor } from "#kernel/paging";
import { type Action, nextLinkOf } from "#kernel/resource-provider";
import { instantText, type JobDefinition } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { type JobResource, placeOf } from "../jobs/index.ts";
import { type HistoryRow, historyLimits, listHistory } from "../store.ts";
import { historyList } from "../wire.ts";
import { predicateOf, topMax } from "./filters.ts";
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
  const list = `history\0${job.key}`;
  const [before = Number.MAX_SAFE_INTEGER] =
    readCursor(list, query.$skipToken, errors.invalidSkipToken) ?? [];
  const isChosen = predicateOf(query.$filter, historyFields);
  // A job keeps so few entries that all of them can be looked through.
  const rows = await listHistory(context.db, placeOf(context, job), {
    before: Number(before),
    endedAfterMs: context.clock.nowMs() - historyLimits.ageMsMax,
    limit: historyLimits.entriesMax,
  });
  const entries = rows.map((row) => ({ row, entry: presentEntry(job, row) }));
  const chosen = entries.filter(({ entry }) => isChosen?.(entry) ?? true);
  const skip = query.$skipToken === undefined ? (query.$skip ?? 0) : 0;
  const size = query.$top ?? topMax;
  const page = chosen.slice(skip, skip + size);
  const last = page.at(-1)?.row.position;
  const value = page.map(({ entry }) => entry);
  if (last === undefined || chosen.length <= skip + size) return { value };
  return { value, nextLink: nextLinkOf(context, cursorOf(list, [last])) };
}

export const historyAction: Action<JobDefinition> = {
  name: "history",
  method: "GET",
  permission: "history/read",
  summary: "Lists what a job did, newest first.",
  query: Type.Object({
    $top: Type.Optional(Type.Integer({ minimum: 1, maximum: topMax })),
    $skip: Type.Optional(Type.Integer({ minimum: 0 })),
    $filter: Type.Optional(Type.String()),
    $skipToken: Type.Optional(Type.String()),
  }),
  answers: { 200: historyList },
  errors: [errors.invalidFilter, errors.invalidSkipToken],
  handle: ({ resource, query }, context) => pageOfHistory(context, resource, query),
};
