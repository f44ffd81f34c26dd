/** Operations for members of static groups. */
import { Type } from "@sinclair/typebox";
import type { PageRequest } from "#kernel/paging";
import {
  allowedTypesOf,
  elsewhereRefusal,
  findRefusal,
  fullRefusal,
  type Group,
  groupArnOf,
  holdsHosts,
  isFilledByHand,
  isUpdating,
  MEMBERS_PER_GROUP_MAX,
  type Member,
  type MembershipChange,
  notMemberRefusal,
  type Refusal,
  rulesOf,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { findPublishing, publishMembership } from "../jobs/index.ts";
import type { GroupContext } from "../state.ts";
import {
  countMembers,
  deleteMember,
  findMembers,
  listGroupNamesOf,
  listMembers,
  putMember,
} from "../store/index.ts";
import * as wire from "../wire.ts";
import { getNamedGroup, namedGroup, operation } from "./operation.ts";

const Outcome = Type.Object({
  Succeeded: Type.Array(Type.String()),
  Failed: Type.Array(
    Type.Object({ ResourceArn: Type.String(), ErrorCode: Type.String(), ErrorMessage: Type.String() }),
  ),
  Pending: Type.Array(Type.Object({ ResourceArn: Type.String() })),
});
class Tally {
  readonly succeeded: string[] = [];
  readonly failed: { arn: string; refusal: Refusal }[] = [];
  readonly pending: string[] = [];
  readonly changes: MembershipChange[] = [];
  get view() {
    return {
      Succeeded: this.succeeded,
      Failed: this.failed.map(({ arn, refusal }) => ({
        ResourceArn: arn,
        ErrorCode: refusal.code,
        ErrorMessage: refusal.message,
      })),
      Pending: this.pending.map((arn) => ({ ResourceArn: arn })),
    };
  }
}

async function getStaticGroup(context: GroupContext, body: { Group: string }): Promise<Group> {
  const group = await getNamedGroup(context, body);
  if (isFilledByHand(group)) return group;
  throw errors.badRequest(
    `The members of the group ${group.name} are not chosen by hand: only groups configured for host management or as a capacity reservation pool take and give resources.`,
  );
}
/** A host belongs to one host group. A capacity reservation can be in several pools. */
async function findGroupElsewhere(
  context: GroupContext,
  group: Group,
  arn: string,
): Promise<string | undefined> {
  if (!holdsHosts(rulesOf(group))) return undefined;
  const names = await listGroupNamesOf(context.db, context.account, group.region, arn);
  return names.find((name) => name !== group.name);
}

type Step = {
  readonly group: Group;
  readonly arn: string;
  readonly known: Member | undefined;
  readonly tally: Tally;
};
async function join(context: GroupContext, { group, arn, known, tally }: Step): Promise<void> {
  const entry = await context.catalog.find(arn);
  const waits = isUpdating(group);
  const elsewhere = await findGroupElsewhere(context, group, arn);
  const refusal =
    findRefusal(arn, entry, rulesOf(group), group.region) ??
    (elsewhere === undefined ? undefined : elsewhereRefusal(arn, elsewhere)) ??
    (!known && (await countMembers(context.db, context.account, group)) >= MEMBERS_PER_GROUP_MAX
      ? fullRefusal(arn)
      : undefined);
  if (refusal || !entry) {
    if (refusal) tally.failed.push({ arn, refusal });
    return;
  }
  if (known?.state === "member") {
    tally.succeeded.push(arn);
    return;
  }
  await putMember(
    context.db,
    context.account,
    group,
    { arn, type: entry.type, state: waits ? "joining" : "member" },
    context.clock.nowMs(),
  );
  if (waits) tally.pending.push(arn);
  else {
    tally.succeeded.push(arn);
    tally.changes.push({ change: "add", arn, type: entry.type });
  }
}

async function leave(context: GroupContext, { group, arn, known, tally }: Step): Promise<void> {
  if (!known) {
    tally.failed.push({ arn, refusal: notMemberRefusal(arn) });
  } else if (isUpdating(group) && known.state !== "joining") {
    await putMember(
      context.db,
      context.account,
      group,
      { ...known, state: "leaving" },
      context.clock.nowMs(),
    );
    tally.pending.push(arn);
  } else {
    await deleteMember(context.db, context.account, group, arn);
    tally.succeeded.push(arn);
    if (known.state === "member") tally.changes.push({ change: "remove", arn, type: known.type });
  }
}

/** Handles each resource separately: a failure does not affect the others. */
async function change(
  context: GroupContext,
  body: { Group: string; ResourceArns: string[] },
  step: typeof join,
): Promise<Tally["view"]> {
  const group = await getStaticGroup(context, body);
  const arns = [...new Set(body.ResourceArns)];
  const known = await findMembers(context.db, context.account, group, arns);
  const tally = new Tally();
  for (const arn of arns) await step(context, { group, arn, known: known.get(arn), tally });
  await publishMembership(context, await findPublishing(context, group.region), group, tally.changes);
  return tally.view;
}

const body = Type.Object({ Group: wire.GroupText, ResourceArns: wire.ResourceArns });

const groupResourcesOperation = operation({
  id: "resource-groups.GroupResources",
  summary: "Adds resources to a configured group",
  description: `Each resource succeeds or fails separately. During a configuration change they are pending until it has been applied. A group has at most ${MEMBERS_PER_GROUP_MAX} members, and a host is in one host group only. Query groups are refused.`,
  method: "POST",
  path: "/group-resources",
  permission: "resource-groups:GroupResources",
  body,
  answers: { 200: Outcome },
  errors: [errors.badRequest, errors.notFound],
  examples: {
    body: {
      Group: "build-hosts",
      ResourceArns: [groupArnOf("123456789012", "us-east-1", "x").replace("group/x", "dedicated-host/h-1")],
    },
  },
  resource: namedGroup,
  handle: (input, context) => change(context, input.body, join),
});
const ungroupResourcesOperation = operation({
  id: "resource-groups.UngroupResources",
  summary: "Removes resources from a configured group",
  description:
    "Each resource succeeds or fails separately; a resource that is no member fails. During a configuration change they are pending until it has been applied. The resources themselves stay.",
  method: "POST",
  path: "/ungroup-resources",
  permission: "resource-groups:UngroupResources",
  body,
  answers: { 200: Outcome },
  errors: [errors.badRequest, errors.notFound],
  resource: namedGroup,
  handle: (input, context) => change(context, input.body, leave),
});

/** Members whose join or leave is not settled are marked as pending. */
export async function pageOfStaticMembers(
  context: GroupContext,
  group: Group,
  filters: readonly string[] | undefined,
  request: PageRequest,
) {
  const allowed = [...allowedTypesOf(group.configuration), ...allowedTypesOf(rulesOf(group))];
  const foreign = filters?.filter((type) => !allowed.includes(type)) ?? [];
  if (foreign.length > 0)
    throw errors.badRequest(
      `The resource types specified as filters are not part of the group's configuration: ${foreign.join(", ")}.`,
    );
  const { rows, ...next } = await context.pages.of(
    request,
    ({ member }: { member: Member }) => [member.arn],
    (after, limit) =>
      listMembers(context.db, context.account, context.catalog, group, {
        after: after?.[0] ?? "",
        limit,
        ...(filters && { types: filters }),
      }),
  );
  const members = rows.map(({ member }) => member);
  const pending = new Set(members.filter(({ state }) => state !== "member").map(({ arn }) => arn));
  return { resources: members, pending, problems: [], ...next };
}

export const memberOperations = [groupResourcesOperation, ungroupResourcesOperation];
