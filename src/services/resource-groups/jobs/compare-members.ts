/**
 * After a change of a query or its stack, publishes the membership changes in batches. First it publishes
 * removed members, then new ones.
 */
import { type Static, Type } from "@sinclair/typebox";
import { isSelected, type Selection } from "#kernel/catalog";
import { type Job, jobsFor } from "#kernel/operation";
import { type Group, parseQuery } from "../domain/index.ts";
import type { GroupContext, State } from "../state.ts";
import {
  evaluate,
  findAnnouncedMembers,
  findGroup,
  listAnnouncedMembers,
  type Settings,
} from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { findPublishing, tellMembership } from "./publish.ts";

const BATCH_SIZE = 100;

const Comparison = Type.Object({
  region: Type.String(),
  name: Type.String(),
  uniqueId: Type.String(),
  telling: Type.Union([Type.Literal("remove"), Type.Literal("add")]),
  position: Type.String(),
});
type Comparison = Static<typeof Comparison>;
/** `next` is the position of the next batch; undefined at the end. */
type Batch = { readonly found: readonly { arn: string; type: string }[]; readonly next: string | undefined };

async function readLeavers(
  context: GroupContext,
  group: Group,
  selection: Selection | undefined,
  after: string,
): Promise<Batch> {
  const known = await listAnnouncedMembers(context.db, context.account, group, { after, limit: BATCH_SIZE });
  const entries = await context.catalog.findMany(known.map(({ arn }) => arn));
  const still = new Set(
    entries.filter((entry) => selection && isSelected(selection, entry)).map(({ arn }) => arn),
  );
  return {
    found: known.filter(({ arn }) => !still.has(arn)),
    next: known.length === BATCH_SIZE ? known.at(-1)?.arn : undefined,
  };
}
async function readComers(
  context: GroupContext,
  group: Group,
  selection: Selection | undefined,
  after: string,
): Promise<Batch> {
  if (!selection) return { found: [], next: undefined };
  const page = await context.catalog.pageOf(selection, { after, limit: BATCH_SIZE });
  const arns = page.resources.map(({ arn }) => arn);
  const known = await findAnnouncedMembers(context.db, context.account, group, arns);
  return { found: page.resources.filter(({ arn }) => !known.has(arn)), next: page.next };
}

async function run(comparison: Comparison, context: GroupContext): Promise<void> {
  const { region, name, uniqueId, telling, position } = comparison;
  const publishing = await findPublishing(context, region);
  const group = await findGroup(context.db, context.account, region, name);
  if (!publishing || group?.uniqueId !== uniqueId || !group.query) return;
  const { selection } = await evaluate(context.catalog, parseQuery(group.query), region, group.arn);
  const read = telling === "remove" ? readLeavers : readComers;
  const { found, next } = await read(context, group, selection, position);
  await tellMembership(
    context,
    publishing,
    group,
    found.map(({ arn, type }) => ({ change: telling, arn, type })),
  );
  if (next !== undefined) await context.enqueue(compareMembers, { ...comparison, position: next });
  else if (telling === "remove")
    await context.enqueue(compareMembers, { ...comparison, telling: "add", position: "" });
}

export const compareMembers: Job<Comparison> = jobsFor<Tables, State>()({
  name: "resource-groups.compare-members",
  payload: Comparison,
  run,
});

export async function startComparison(
  context: GroupContext,
  publishing: Settings | undefined,
  { region, name, uniqueId }: Group,
): Promise<void> {
  if (publishing)
    await context.enqueue(compareMembers, { region, name, uniqueId, telling: "remove", position: "" });
}
