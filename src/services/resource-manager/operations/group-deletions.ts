/** The status of the deletion of a resource group. */
import { type Answer, answer, type Context, noBody, type Operation } from "#kernel/operation";
import { apiVersionOf, managementErrors, pathMaker, requireSubscription } from "#kernel/resource-provider";
import { declaration } from "./declaration.ts";

const RESULTS = "/subscriptions/{subscriptionId}/operationResults/{operationId}";
const resultsPath = pathMaker(RESULTS);

export function groupDeletionHeaders(
  context: Context,
  subscriptionId: string,
  operationId: string,
): Record<string, string> {
  const path = resultsPath({ subscriptionId, operationId });
  return {
    Location: `${context.request.mountUrl}${path}?api-version=${encodeURIComponent(apiVersionOf(context))}`,
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
  ...declaration({
    id: "group-deletions.get",
    path: RESULTS,
    permission: "subscriptions/operationResults/read",
    errors: [managementErrors.operationNotFound],
  }),
  summary: "Reads whether the deletion of a resource group has ended.",
  description:
    "202 while resources are still being deleted, then 200. Poll it every second, as `Retry-After` says.",
  method: "GET",
  answers: { 200: noBody, 202: noBody },
  handle: ({ params }, context) => resultOf(context, params),
};
