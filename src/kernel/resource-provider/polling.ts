/** Polling of long-running work: operation statuses and operation results, one pair for each provider. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "../clock/clock.ts";
import type { LongRunningRecord } from "../longrunning/longrunning.ts";
import { answer, noBody } from "../operation/answers.ts";
import type { Context } from "../operation/context.ts";
import type { Operation } from "../operation/operation.ts";
import { commonErrors, managementErrors } from "./errors.ts";
import { paramsOf, pathMaker, providerPath, requireSubscription, resourceAt } from "./place.ts";
import { presentResource } from "./present.ts";
import { findById } from "./records.ts";
import type { ProviderSpec } from "./types.ts";
import { apiVersionQuery, operationStatus } from "./wire.ts";
import { percentOf, pollingHeaders, retryAfterSeconds, subjectOf } from "./work.ts";

const STATUS = {
  running: "InProgress",
  succeeded: "Succeeded",
  failed: "Failed",
  canceled: "Canceled",
} as const;

type PollParams = { subscriptionId: string; location: string; operationId: string };

async function getRecord(context: Context, params: PollParams): Promise<LongRunningRecord> {
  const record = await context.longRunning.find(params.operationId);
  const subject = record && subjectOf(record).resourceId.toLowerCase();
  if (record && subject?.startsWith(`/subscriptions/${params.subscriptionId.toLowerCase()}/`)) return record;
  throw managementErrors.operationNotFound(`There is no operation '${params.operationId.slice(0, 64)}'.`);
}

function statusOf(context: Context, record: LongRunningRecord, id: string) {
  const { error } = record;
  return {
    id,
    name: record.id,
    status: STATUS[record.status],
    startTime: isoOf(record.createdAtMs),
    ...(record.endedAtMs !== undefined && { endTime: isoOf(record.endedAtMs) }),
    percentComplete: percentOf(context, record),
    ...(error && { error }),
  };
}

async function resultOf(context: Context, namespace: string, params: PollParams) {
  const record = await getRecord(context, params);
  if (record.status === "running")
    return answer(202, undefined, pollingHeaders(context, namespace, params.subscriptionId, record));
  if (record.status !== "succeeded")
    throw managementErrors.operationFailed(record.error?.message ?? "The operation was canceled.", {
      details: [{ code: record.error?.code ?? "OperationCanceled", message: record.error?.message ?? "" }],
    });
  const resource = await findById(context, record.target);
  if (record.kind === "delete" || !resource) return answer(204);
  return answer(200, await presentResource(context, resource));
}

export function pollingOperations({
  name,
  namespace,
  apiVersions,
  says,
  errors = [],
}: ProviderSpec): Operation[] {
  const base = `${providerPath(namespace)}/locations/{location}`;
  const statusPath = pathMaker(`${base}/operationStatuses/{operationId}`);
  const shared = (path: string) => ({
    method: "GET" as const,
    path,
    permission: `${namespace}/locations/read`,
    params: paramsOf(path),
    query: apiVersionQuery({}, apiVersions[0]),
    errors: [
      ...commonErrors,
      ...errors,
      managementErrors.operationNotFound,
      managementErrors.operationFailed,
    ],
    tags: ["beyond the contract"],
    resource: resourceAt(path),
  });
  return [
    {
      ...shared(`${base}/operationStatuses/{operationId}`),
      id: `${name}.operation-statuses.get`,
      summary: "Reads the status of a long-running operation.",
      description:
        "Poll it until `status` is `Succeeded`, `Failed` or `Canceled`; `Retry-After` says how many seconds to wait. A failed operation has its error here. Deleting the resource group cancels the operation.",
      answers: { 200: operationStatus },
      async handle({ params }, context) {
        await requireSubscription(context, params.subscriptionId, says);
        const record = await getRecord(context, params);
        const id = statusPath(params);
        const headers: Record<string, string> =
          record.status === "running" ? { "Retry-After": String(retryAfterSeconds(context, record)) } : {};
        return answer(200, statusOf(context, record, id), headers);
      },
    },
    {
      ...shared(`${base}/operationResults/{operationId}`),
      id: `${name}.operation-results.get`,
      summary: "Reads the result of a long-running operation.",
      description:
        "202 while it is running, then 200 with the resource, or 204 after a deletion. A failed or canceled operation gives an error.",
      answers: { 200: Type.Object({ id: Type.String() }), 202: noBody, 204: noBody },
      async handle({ params }, context) {
        await requireSubscription(context, params.subscriptionId, says);
        return resultOf(context, namespace, params);
      },
    },
  ];
}
