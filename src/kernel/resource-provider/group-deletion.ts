/** Deleting a resource group: everything in it goes first, in batches, so that no transaction grows without limit. */
import { Type } from "@sinclair/typebox";
import { type Answer, answer, noBody } from "../operation/answers.ts";
import type { Context } from "../operation/context.ts";
import { jobsFor } from "../operation/job.ts";
import type { Operation } from "../operation/operation.ts";
import { commonErrors, managementErrors } from "./errors.ts";
import { RESOURCE_GROUP_TYPE, RESOURCES_NAMESPACE } from "./identifiers.ts";
import { MANAGER_VERSION } from "./mount.ts";
import { DELETING } from "./parents.ts";
import { paramsOf, pathMaker, requireSubscription, resourceAt } from "./place.ts";
import {
  changeResource,
  findById,
  longRunningOf,
  RESOURCE_MANAGER,
  removeResource,
  removeSomeBelow,
  workJobKeyOf,
} from "./records.ts";
import type { ManagedResource } from "./types.ts";
import { apiVersionQuery } from "./wire.ts";

const RESULTS = "/subscriptions/{subscriptionId}/operationResults/{operationId}";
const resultsPath = pathMaker(RESULTS);

export const deleteGroupJob = jobsFor<unknown>()({
  name: `${RESOURCE_MANAGER}.delete-group`,
  payload: Type.Object({ operationId: Type.String() }),
  async run({ operationId }, context) {
    const record = await context.longRunning.find(operationId);
    if (record?.status !== "running") return;
    const group = await findById(context, record.target);
    if (group && (await removeSomeBelow(context, group.key))) {
      await carryOnLater(context, operationId, context.clock.nowMs());
      return;
    }
    if (group) await removeResource(context, group);
    await context.longRunning.succeed(operationId);
  },
});
const carryOnLater = (context: Context, operationId: string, runAtMs: number) =>
  context.enqueue(deleteGroupJob, { operationId }, { runAtMs, key: workJobKeyOf(operationId) });

/** Undefined when it was done at once: nothing takes time, and there was little in it. */
export async function beginGroupDeletion(
  context: Context,
  group: ManagedResource,
): Promise<string | undefined> {
  const delayMs = context.config.provisioningSeconds * 1000;
  if (delayMs === 0 && !(await removeSomeBelow(context, group.key))) {
    await removeResource(context, group);
    return undefined;
  }
  const { id } = await longRunningOf(context, RESOURCE_GROUP_TYPE).begin({
    kind: "delete",
    target: group.key,
    metadata: { subscriptionId: group.subscriptionId },
  });
  await changeResource(context, group, { state: DELETING, operation: id });
  await carryOnLater(context, id, context.clock.nowMs() + delayMs);
  return id;
}

export function groupDeletionHeaders(
  context: Context,
  subscriptionId: string,
  operationId: string,
): Record<string, string> {
  const { mountUrl, rawUrl } = context.request;
  const version = new URL(rawUrl, "http://localhost").searchParams.get("api-version") ?? "";
  return {
    Location: `${mountUrl}${resultsPath({ subscriptionId, operationId })}?api-version=${encodeURIComponent(version)}`,
    "Retry-After": "1",
  };
}

async function resultOf(
  context: Context,
  { subscriptionId, operationId }: { subscriptionId: string; operationId: string },
): Promise<Answer> {
  await requireSubscription(context, subscriptionId);
  const record = await context.longRunning.find(operationId);
  if (!record || record.metadata.subscriptionId !== subscriptionId)
    throw managementErrors.operationNotFound(`There is no operation '${operationId.slice(0, 64)}'.`);
  if (record.status !== "running") return answer(200);
  return answer(202, undefined, groupDeletionHeaders(context, subscriptionId, operationId));
}

export const groupDeletionResult: Operation = {
  id: `${RESOURCE_MANAGER}.group-deletions.get`,
  summary: "Answers whether the deletion of a resource group has ended.",
  method: "GET",
  path: RESULTS,
  permission: `${RESOURCES_NAMESPACE}/subscriptions/operationResults/read`,
  params: paramsOf(RESULTS),
  query: apiVersionQuery({}, MANAGER_VERSION),
  answers: { 200: noBody, 202: noBody },
  errors: [...commonErrors, managementErrors.operationNotFound],
  resource: resourceAt(RESULTS),
  handle: ({ params }, context) => resultOf(context, params),
};
