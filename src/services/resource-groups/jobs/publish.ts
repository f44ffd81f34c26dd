/** Publishes group events to the account's event bus through the outbox, while events are on. */
import { arnOf, makersName } from "#kernel/arn";
import { isoOf } from "#kernel/clock";
import {
  type EventHead,
  type Group,
  type GroupState,
  MEMBERSHIP_CHANGE,
  type MembershipChange,
  makersEvents,
  membershipEventOf,
  STATE_CHANGE,
  type StateChange,
  stateEventOf,
} from "../domain/index.ts";
import type { GroupContext } from "../state.ts";
import {
  deleteAnnouncedMembers,
  getSettings,
  putAnnouncedMembers,
  type Settings,
  takeEventSequence,
} from "../store/index.ts";

const RESOURCES_PER_EVENT_MAX = 100;

/** Undefined while events are off. */
export async function findPublishing(context: GroupContext, region: string): Promise<Settings | undefined> {
  const settings = await getSettings(context.db, context.account, region);
  return settings.publishing ? settings : undefined;
}

async function findHead(context: GroupContext, group: Group): Promise<EventHead | undefined> {
  const sequence = await takeEventSequence(context.db, context.account, group);
  if (sequence === undefined) return undefined;
  const { account, clock, ids } = context;
  const time = isoOf(clock.nowMs()).replace(/\.\d+Z$/, "Z");
  return { id: ids.uuid(), account, region: group.region, time, sequence };
}
async function send(context: GroupContext, { region, spelling }: Settings, subject: string, event: object) {
  const bus = arnOf({ service: "events", region, account: context.account, resource: "event-bus/default" });
  const inMakersWords = spelling === makersEvents.name;
  await context.outbox.send({
    kind: "event",
    target: inMakersWords ? makersName(bus) : bus,
    subject,
    body: inMakersWords ? makersEvents.makersBody("", 200, event) : event,
  });
}

export async function publishState(
  context: GroupContext,
  publishing: Settings | undefined,
  group: Group,
  change: StateChange,
  states: { readonly before?: GroupState; readonly after?: GroupState } = {},
): Promise<void> {
  if (!publishing) return;
  const head = await findHead(context, group);
  if (head) await send(context, publishing, STATE_CHANGE, stateEventOf(head, group, change, states));
}
export async function publishMembership(
  context: GroupContext,
  publishing: Settings | undefined,
  group: Group,
  changes: readonly MembershipChange[],
): Promise<void> {
  if (!publishing) return;
  for (let start = 0; start < changes.length; start += RESOURCES_PER_EVENT_MAX) {
    const head = await findHead(context, group);
    if (!head) return;
    const told = changes.slice(start, start + RESOURCES_PER_EVENT_MAX);
    await send(context, publishing, MEMBERSHIP_CHANGE, membershipEventOf(head, group, told));
  }
}

/** For groups with a query: publishes the changes and records them as published. */
export async function tellMembership(
  context: GroupContext,
  publishing: Settings,
  group: Group,
  changes: readonly MembershipChange[],
): Promise<void> {
  await publishMembership(context, publishing, group, changes);
  const last = new Map(changes.map((one) => [one.arn, one]));
  const known = [...last.values()].filter(({ change }) => change === "add");
  const gone = [...last.values()].filter(({ change }) => change === "remove");
  await putAnnouncedMembers(context.db, context.account, group, known);
  await deleteAnnouncedMembers(
    context.db,
    context.account,
    group,
    gone.map(({ arn }) => arn),
  );
}
