/** Deleting a resource group: everything in it goes first, in batches, so that no transaction grows without limit. */
import { Type } from "@sinclair/typebox";
import { type Context, jobsFor } from "#kernel/operation";
import {
  changeResource,
  DELETING,
  findById,
  longRunningOf,
  type ManagedResource,
  RESOURCE_GROUP_TYPE,
  RESOURCE_MANAGER,
  removeResource,
  removeSomeBelow,
  workJobKeyOf,
} from "#kernel/resource-provider";

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
