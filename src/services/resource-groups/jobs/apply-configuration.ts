/**
 * Applies a proposed configuration, or records why its members prevent it. Then it settles pending members.
 */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { type Configuration, findRefusal, type Group, type MembershipChange } from "../domain/index.ts";
import type { GroupContext, State } from "../state.ts";
import { deleteMember, findGroup, listMembers, listUnsettled, putMember, saveGroup } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { findPublishing, publishMembership, publishState } from "./publish.ts";

const MEMBERS_AT_ONCE = 500;

export const configurationKeyOf = (account: string, { region, name }: Group): string =>
  `resource-groups.configuration:${account}:${region}:${name}`;

/** The reason why the current members conflict with this configuration. */
async function findProblem(
  context: GroupContext,
  group: Group,
  configuration: Configuration,
): Promise<string | undefined> {
  for (let after = ""; ; ) {
    const members = await listMembers(context.db, context.account, context.catalog, group, {
      after,
      limit: MEMBERS_AT_ONCE,
    });
    for (const { member, entry } of members) {
      const refusal =
        member.state === "member" && findRefusal(member.arn, entry, configuration, group.region);
      if (refusal) return `A member of the group does not fit the configuration. ${refusal.message}`;
    }
    const last = members.at(-1)?.member.arn;
    if (last === undefined || members.length < MEMBERS_AT_ONCE) return undefined;
    after = last;
  }
}

/** Completes joins and leaves that were requested during the update. */
async function settle(
  context: GroupContext,
  group: Group,
  configuration: Configuration | undefined,
): Promise<MembershipChange[]> {
  const changes: MembershipChange[] = [];
  for (const { arn, type, state } of await listUnsettled(context.db, context.account, group)) {
    const entry = await context.catalog.find(arn);
    if (state === "joining" && !findRefusal(arn, entry, configuration, group.region)) {
      await putMember(
        context.db,
        context.account,
        group,
        { arn, type, state: "member" },
        context.clock.nowMs(),
      );
      changes.push({ change: "add", arn, type });
    } else {
      await deleteMember(context.db, context.account, group, arn);
      if (state === "leaving") changes.push({ change: "remove", arn, type });
    }
  }
  return changes;
}

async function run(
  { region, name, uniqueId }: { region: string; name: string; uniqueId: string },
  context: GroupContext,
): Promise<void> {
  const group = await findGroup(context.db, context.account, region, name);
  if (group?.uniqueId !== uniqueId || group.configurationStatus !== "UPDATING" || !group.proposed) return;
  const { proposed, configuration: before, ...rest } = group;
  const publishing = await findPublishing(context, region);
  const problem = await findProblem(context, group, proposed);
  if (problem !== undefined) {
    await saveGroup(
      context.db,
      context.account,
      { ...group, configurationStatus: "UPDATE_FAILED", failureReason: problem },
      context.clock.nowMs(),
    );
  } else {
    await saveGroup(
      context.db,
      context.account,
      { ...rest, configuration: proposed, configurationStatus: "UPDATE_COMPLETE" },
      context.clock.nowMs(),
    );
    await publishState(context, publishing, group, "update", {
      before: { configuration: before ?? [] },
      after: { configuration: proposed },
    });
  }
  const changes = await settle(context, group, problem === undefined ? proposed : before);
  await publishMembership(context, publishing, group, changes);
}

export const applyConfiguration = jobsFor<Tables, State>()({
  name: "resource-groups.apply-configuration",
  payload: Type.Object({ region: Type.String(), name: Type.String(), uniqueId: Type.String() }),
  run,
});
