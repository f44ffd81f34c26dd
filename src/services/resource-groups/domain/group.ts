/** A resource group, and the references to it in requests. */
import { arnOf, parseOwnArn } from "#kernel/arn";
import { errors } from "../errors.ts";
import { type Configuration, isStatic } from "./configuration.ts";
import type { WrittenQuery } from "./query.ts";

export const GROUP_TYPE = "Vendor::ResourceGroups::Group";
export const GROUPS_PER_REGION_MAX = 100_000;

export type ConfigurationStatus = "UPDATING" | "UPDATE_COMPLETE" | "UPDATE_FAILED";

export type Group = {
  readonly region: string;
  readonly name: string;
  readonly arn: string;
  /** Distinguishes a group from a later one with the same name. */
  readonly uniqueId: string;
  readonly description?: string;
  readonly query?: WrittenQuery;
  readonly configuration?: Configuration;
  readonly proposed?: Configuration;
  readonly configurationStatus?: ConfigurationStatus;
  readonly failureReason?: string;
};

export const isUpdating = (group: Group): boolean => group.configurationStatus === "UPDATING";
/** The configuration that members must match. During an update, this is the proposed one. */
export const rulesOf = (group: Group): Configuration | undefined =>
  isUpdating(group) ? group.proposed : group.configuration;
/** Members are added and removed explicitly. */
export const isFilledByHand = (group: Group): boolean =>
  isStatic(group.configuration) || isStatic(rulesOf(group));

const SERVICE = "resource-groups";
export const groupArnOf = (account: string, region: string, name: string): string =>
  arnOf({ service: SERVICE, region, account, resource: `group/${name}` });

/** `group` is a name or an ARN; `groupName` is the older member for the name alone. */
export type GroupReference = { readonly group?: string | undefined; readonly groupName?: string | undefined };

/** The ARN in a request. It can belong to another account or region. */
export function referredArnOf({ group, groupName }: GroupReference, account: string, region: string): string {
  const arns = [group, groupName]
    .filter((given) => given !== undefined)
    .map((given) => (given.startsWith("arn:") ? given : groupArnOf(account, region, given)));
  const [first, second] = arns;
  if (first === undefined) throw errors.badRequest("Group, the name or the ARN of a group, is required.");
  if (second !== undefined && second !== first)
    throw errors.badRequest("Group and GroupName name different groups; give one of them.");
  return first;
}

/** Undefined if the ARN is not a group of this account and region. */
export function findNameIn(arn: string, account: string, region: string): string | undefined {
  const parts = parseOwnArn(arn);
  if (!parts || parts.account !== account || parts.region !== region) return undefined;
  return parts.service === SERVICE && parts.resource.startsWith("group/")
    ? parts.resource.slice("group/".length)
    : undefined;
}

const RESERVED_NAME = /^aws/i;

export function checkName(name: string): void {
  if (RESERVED_NAME.test(name))
    throw errors.badRequest(`A group may not be named ${name}: names that begin with "aws" are reserved.`);
}
