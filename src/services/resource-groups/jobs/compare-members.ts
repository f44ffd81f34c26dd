/**
 * A query, or the stack it speaks of, has changed: tells who left and who came, a batch at a time, however many
 * they are. First those of the old selection that the new one lacks, then those of the new one that the old lacked.
 */
import { type Static, Type } from "@sinclair/typebox";
import { isSelected, type Selection } from "#kernel/catalog";
import { type Job, jobsFor } from "#kernel/operation";
import type { Group, MembershipChange } from "../domain/index.ts";
import { findGroup, type GroupContext, type Settings } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { findPublishing, publishMembership } from "./publish.ts";

const BATCH_SIZE = 100;

const SelectionShape = Type.Object({
  region: Type.String(),
  types: Type.Optional(Type.Array(Type.String())),
  tags: Type.Optional(Type.Array(Type.Object({ key: Type.String(), values: Type.Array(Type.String()) }))),
  stack: Type.Optional(Type.String()),
  except: Type.Optional(Type.String()),
});
const Comparison = Type.Object({
  region: Type.String(),
  name: Type.String(),
  uniqueId: Type.String(),
  /** Absent: nobody was, or is, selected. */
  before: Type.Optional(SelectionShape),
  after: Type.Optional(SelectionShape),
  telling: Type.Union([Type.Literal("remove"), Type.Literal("add")]),
  position: Type.String(),
});
type Comparison = Static<typeof Comparison>;

/** Those of `walked` that `other` does not select, and where to go on. */
async function readBatch(
  { catalog }: GroupContext,
  walked: Selection,
  other: Selection | undefined,
  after: string,
) {
  const page = await catalog.pageOf(walked, { after, limit: BATCH_SIZE });
  const entries = await catalog.findMany(page.resources.map(({ arn }) => arn));
  return { entries: entries.filter((entry) => !other || !isSelected(other, entry)), next: page.next };
}

async function run(comparison: Comparison, context: GroupContext): Promise<void> {
  const { region, name, uniqueId, before, after, telling, position } = comparison;
  const publishing = await findPublishing(context, region);
  const group = await findGroup(context, region, name);
  if (!publishing || group?.uniqueId !== uniqueId) return;
  const walked = telling === "remove" ? before : after;
  const other = telling === "remove" ? after : before;
  const { entries, next } = walked
    ? await readBatch(context, walked, other, position)
    : { entries: [], next: undefined };
  const changes = entries.map(({ arn, type }): MembershipChange => ({ change: telling, arn, type }));
  await publishMembership(context, publishing, group, changes);
  if (next !== undefined) await context.enqueue(compareMembers, { ...comparison, position: next });
  else if (telling === "remove")
    await context.enqueue(compareMembers, { ...comparison, telling: "add", position: "" });
}

export const compareMembers: Job<Comparison> = jobsFor<Tables>()({
  name: "resource-groups.compare-members",
  payload: Comparison,
  run,
});

export async function startComparison(
  context: GroupContext,
  publishing: Settings | undefined,
  { region, name, uniqueId }: Group,
  { before, after }: { readonly before?: Selection | undefined; readonly after?: Selection | undefined },
): Promise<void> {
  if (!publishing) return;
  const comparison = {
    region,
    name,
    uniqueId,
    ...(before && { before }),
    ...(after && { after }),
    telling: before ? "remove" : "add",
    position: "",
  } as Comparison;
  await context.enqueue(compareMembers, comparison);
}
