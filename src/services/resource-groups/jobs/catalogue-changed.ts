/** Resources have changed: tells the groups that thereby won or lost members. Runs only while events are on. */
import { Type } from "@sinclair/typebox";
import { type CatalogEntry, isSelected, type ResourceChange, type WatchedRegion } from "#kernel/catalog";
import { type Job, jobsFor } from "#kernel/operation";
import {
  ANY_WATCH_KEY,
  findStackProblem,
  type Group,
  isStack,
  type MembershipChange,
  parseQuery,
  type Query,
  selectionOf,
  stackWatchKey,
  tagWatchKey,
} from "../domain/index.ts";
import {
  deleteMember,
  findGroup,
  findProblemOfStack,
  type GroupContext,
  listGroupNamesOf,
  listWatching,
  type Settings,
} from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { startComparison } from "./compare-members.ts";
import { findPublishing, publishMembership } from "./publish.ts";

const CHANGES_AT_ONCE = 100;

const keysOf = (entry: CatalogEntry | undefined): string[] =>
  entry
    ? [
        ...Object.keys(entry.tags).map(tagWatchKey),
        ...(entry.stack === undefined ? [] : [stackWatchKey(entry.stack)]),
      ]
    : [];

/** A stack query selects nobody while its stack is not there or not active. */
async function isAnswerable(context: GroupContext, { stack }: Query, region: string): Promise<boolean> {
  return stack === undefined || (await findProblemOfStack(context, stack, region)) === undefined;
}

function membershipChangesOf(
  group: Group,
  query: Query,
  changes: readonly ResourceChange[],
): MembershipChange[] {
  const selection = selectionOf(query, group.region, group.arn);
  const told: MembershipChange[] = [];
  for (const { arn, before, after } of changes) {
    const was = before !== undefined && isSelected(selection, before);
    const is = after !== undefined && isSelected(selection, after);
    if (was !== is)
      told.push({ change: is ? "add" : "remove", arn, type: (is ? after : before)?.type ?? "" });
  }
  return told;
}

async function tellQueryGroups(
  context: GroupContext,
  publishing: Settings,
  changes: readonly ResourceChange[],
): Promise<void> {
  const keys = new Set([ANY_WATCH_KEY]);
  for (const { before, after } of changes)
    for (const key of [...keysOf(before), ...keysOf(after)]) keys.add(key);
  for (const group of await listWatching(context, publishing.region, [...keys])) {
    if (!group.query) continue;
    const query = parseQuery(group.query);
    const told = membershipChangesOf(group, query, changes);
    if (told.length === 0) continue;
    // With its stack gone nobody can have come; who left is told, even if the end of the stack told it before.
    const answerable = await isAnswerable(context, query, group.region);
    const certain = answerable ? told : told.filter(({ change }) => change === "remove");
    await publishMembership(context, publishing, group, certain);
  }
}

/** A stack that ended or came back takes all its resources out of, or into, the groups that ask for it. */
async function tellStackGroups(
  context: GroupContext,
  publishing: Settings,
  { arn, before, after }: ResourceChange,
): Promise<void> {
  if (![before, after].some((entry) => entry && isStack(entry))) return;
  const was = findStackProblem(arn, before, true) === undefined;
  const is = findStackProblem(arn, after, true) === undefined;
  if (was === is) return;
  for (const group of await listWatching(context, publishing.region, [stackWatchKey(arn)])) {
    if (!group.query) continue;
    const selection = selectionOf(parseQuery(group.query), group.region, group.arn);
    await startComparison(context, publishing, group, is ? { after: selection } : { before: selection });
  }
}

/** What has left the catalogue leaves the groups it was put into. */
async function tellStaticGroups(
  context: GroupContext,
  publishing: Settings,
  { arn, before, after }: ResourceChange,
): Promise<void> {
  if (!before || after) return;
  for (const name of await listGroupNamesOf(context, publishing.region, arn)) {
    await deleteMember(context, { region: publishing.region, name }, arn);
    const group = await findGroup(context, publishing.region, name);
    if (group)
      await publishMembership(context, publishing, group, [{ change: "remove", arn, type: before.type }]);
  }
}

async function run({ region }: WatchedRegion, context: GroupContext): Promise<void> {
  const publishing = await findPublishing(context, region);
  const changes = await context.catalog.takeChanges(region, CHANGES_AT_ONCE);
  if (changes.length === CHANGES_AT_ONCE) await context.enqueue(catalogueChanged, { region });
  if (!publishing || changes.length === 0) return;
  await tellQueryGroups(context, publishing, changes);
  for (const change of changes) {
    await tellStackGroups(context, publishing, change);
    await tellStaticGroups(context, publishing, change);
  }
}

export const catalogueChanged: Job<WatchedRegion> = jobsFor<Tables>()({
  name: "resource-groups.catalogue-changed",
  payload: Type.Object({ region: Type.String() }),
  run,
});
