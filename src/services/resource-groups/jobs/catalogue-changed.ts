/** Publishes membership events after resource changes. Runs only while events are on. */
import { Type } from "@sinclair/typebox";
import {
  type CatalogEntry,
  isSelected,
  type ResourceChange,
  type Selection,
  type WatchedRegion,
} from "#kernel/catalog";
import { type Job, jobsFor } from "#kernel/operation";
import {
  ANY_WATCH_KEY,
  findStackProblem,
  isStack,
  type MembershipChange,
  parseQuery,
  stackWatchKey,
  tagWatchKey,
} from "../domain/index.ts";
import type { GroupContext, State } from "../state.ts";
import {
  deleteMember,
  evaluate,
  findAnnouncedMembers,
  findGroup,
  listGroupNamesOf,
  listWatching,
  type Settings,
} from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { startComparison } from "./compare-members.ts";
import { findPublishing, publishMembership, tellMembership } from "./publish.ts";

const CHANGES_AT_ONCE = 100;

const keysOf = (entry: CatalogEntry | undefined): string[] =>
  entry
    ? [
        ...Object.keys(entry.tags).map(tagWatchKey),
        ...(entry.stack === undefined ? [] : [stackWatchKey(entry.stack)]),
      ]
    : [];

/** Applies the changes in order to the published members. */
function membershipChangesOf(
  selection: Selection | undefined,
  changes: readonly ResourceChange[],
  told: ReadonlyMap<string, string>,
): MembershipChange[] {
  const known = new Map(told);
  const news: MembershipChange[] = [];
  for (const { arn, after } of changes) {
    const type = known.get(arn);
    const isMember = after !== undefined && selection !== undefined && isSelected(selection, after);
    if (isMember && type === undefined) {
      known.set(arn, after.type);
      news.push({ change: "add", arn, type: after.type });
    } else if (!isMember && type !== undefined) {
      known.delete(arn);
      news.push({ change: "remove", arn, type });
    }
  }
  return news;
}

async function tellQueryGroups(
  context: GroupContext,
  publishing: Settings,
  changes: readonly ResourceChange[],
): Promise<void> {
  const keys = new Set([ANY_WATCH_KEY]);
  for (const { before, after } of changes)
    for (const key of [...keysOf(before), ...keysOf(after)]) keys.add(key);
  const arns = [...new Set(changes.map(({ arn }) => arn))];
  for (const group of await listWatching(context.db, context.account, publishing.region, [...keys])) {
    if (!group.query) continue;
    const { selection } = await evaluate(context.catalog, parseQuery(group.query), group.region, group.arn);
    const told = await findAnnouncedMembers(context.db, context.account, group, arns);
    await tellMembership(context, publishing, group, membershipChangesOf(selection, changes, told));
  }
}

/** If a stack becomes active or inactive, all its resources join or leave its groups. */
async function tellStackGroups(
  context: GroupContext,
  publishing: Settings,
  { arn, before, after }: ResourceChange,
): Promise<void> {
  if (![before, after].some((entry) => entry && isStack(entry))) return;
  const was = findStackProblem(arn, before, true) === undefined;
  const is = findStackProblem(arn, after, true) === undefined;
  if (was === is) return;
  for (const group of await listWatching(context.db, context.account, publishing.region, [
    stackWatchKey(arn),
  ]))
    await startComparison(context, publishing, group);
}

/** A resource that was removed from the catalogue leaves its static groups. */
async function tellStaticGroups(
  context: GroupContext,
  publishing: Settings,
  { arn, before, after }: ResourceChange,
): Promise<void> {
  if (!before || after) return;
  for (const name of await listGroupNamesOf(context.db, context.account, publishing.region, arn)) {
    await deleteMember(context.db, context.account, { region: publishing.region, name }, arn);
    const group = await findGroup(context.db, context.account, publishing.region, name);
    if (group)
      await publishMembership(context, publishing, group, [{ change: "remove", arn, type: before.type }]);
  }
}

async function run({ region }: WatchedRegion, context: GroupContext): Promise<void> {
  const publishing = await findPublishing(context, region);
  if (!publishing) return;
  const changes = await context.catalog.takeChanges(region, CHANGES_AT_ONCE);
  if (changes.length === CHANGES_AT_ONCE) await context.enqueue(catalogueChanged, { region });
  if (changes.length === 0) return;
  await tellQueryGroups(context, publishing, changes);
  for (const change of changes) {
    await tellStackGroups(context, publishing, change);
    await tellStaticGroups(context, publishing, change);
  }
}

export const catalogueChanged: Job<WatchedRegion> = jobsFor<Tables, State>()({
  name: "resource-groups.catalogue-changed",
  payload: Type.Object({ region: Type.String() }),
  alone: true,
  run,
});
