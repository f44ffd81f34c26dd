/** Shapes of the events that groups publish: lifecycle and membership. */
import type { Configuration } from "./configuration.ts";
import type { Group } from "./group.ts";
import type { WrittenQuery } from "./query.ts";

export type StateChange = "create" | "update" | "delete";
export type MembershipChange = {
  readonly change: "add" | "remove";
  readonly arn: string;
  readonly type: string;
};

/** Changed members only; at creation, all members that are set. */
export type GroupState = {
  readonly description?: string | undefined;
  readonly query?: WrittenQuery | undefined;
  readonly configuration?: Configuration | undefined;
};
export type EventHead = {
  readonly id: string;
  readonly account: string;
  readonly region: string;
  /** ISO 8601, whole seconds. */
  readonly time: string;
  readonly sequence: number;
};

const SOURCE = "vendor.resource-groups";
export const STATE_CHANGE = "ResourceGroups Group State Change";
export const MEMBERSHIP_CHANGE = "ResourceGroups Group Membership Change";

const identityOf = ({ arn, name, uniqueId }: Group) => ({ arn, name, "unique-id": uniqueId });
const stateOf = ({ description, query, configuration }: GroupState) => ({
  ...(description !== undefined && { description }),
  ...(query && { "resource-query": { type: query.kind, query: query.text } }),
  ...(configuration && {
    "group-configuration": configuration.map(({ type, parameters = [] }) => ({
      type,
      parameters: parameters.map(({ name, values = [] }) => ({ name, values })),
    })),
  }),
});
const envelopeOf = (
  { id, account, region, time }: EventHead,
  kind: string,
  resources: readonly string[],
  detail: object,
) => ({ version: "0", id, "detail-type": kind, source: SOURCE, account, time, region, resources, detail });

export function stateEventOf(
  head: EventHead,
  group: Group,
  change: StateChange,
  states: { readonly before?: GroupState; readonly after?: GroupState },
) {
  return envelopeOf(head, STATE_CHANGE, [group.arn], {
    "event-sequence": head.sequence,
    "state-change": change,
    group: identityOf(group),
    ...(states.before && { "old-state": stateOf(states.before) }),
    ...(states.after && { "new-state": stateOf(states.after) }),
  });
}
export function membershipEventOf(head: EventHead, group: Group, changes: readonly MembershipChange[]) {
  return envelopeOf(head, MEMBERSHIP_CHANGE, [group.arn, ...changes.map(({ arn }) => arn)], {
    "event-sequence": head.sequence,
    group: identityOf(group),
    resources: changes.map(({ change, arn, type }) => ({
      "membership-change": change,
      arn,
      "resource-type": type,
    })),
  });
}
