/** Checks whether a resource can be a member of a static group. */
import { type CatalogEntry, EVERY_REGION } from "#kernel/catalog";
import { allowedFamiliesOf, allowedTypesOf, type Configuration } from "./configuration.ts";

export const MEMBERS_PER_GROUP_MAX = 10_000;

export type MemberState = "member" | "joining" | "leaving";
export type Member = { readonly arn: string; readonly type: string; readonly state: MemberState };
export type Refusal = { readonly code: string; readonly message: string };

const notFoundRefusal = (arn: string): Refusal => ({
  code: "RESOURCE_NOT_FOUND",
  message: `There is no resource ${arn} in this account and region.`,
});
export const notMemberRefusal = (arn: string): Refusal => ({
  code: "RESOURCE_NOT_IN_GROUP",
  message: `The resource ${arn} is not a member of the group.`,
});
export const elsewhereRefusal = (arn: string, group: string): Refusal => ({
  code: "RESOURCE_IN_ANOTHER_GROUP",
  message: `The host ${arn} is a member of the group ${group}, and a host can be in one group only.`,
});
export const fullRefusal = (arn: string): Refusal => ({
  code: "GROUP_FULL",
  message: `The resource ${arn} does not fit in: a group can have ${MEMBERS_PER_GROUP_MAX} members.`,
});

const familyOf = ({ details }: CatalogEntry): string | undefined => {
  const family = details?.instanceFamily;
  return typeof family === "string" ? family.toLowerCase() : undefined;
};

/** The reason for a rejection; undefined if the resource can be a member. */
export function findRefusal(
  arn: string,
  entry: CatalogEntry | undefined,
  configuration: Configuration | undefined,
  region: string,
): Refusal | undefined {
  if (!entry || (entry.region !== region && entry.region !== EVERY_REGION)) return notFoundRefusal(arn);
  const types = allowedTypesOf(configuration);
  if (!types.includes(entry.type))
    return {
      code: "RESOURCE_TYPE_NOT_ALLOWED",
      message: `The group takes resources of type ${types.join(", ") || "none"}; ${arn} is of type ${entry.type}.`,
    };
  const families = allowedFamiliesOf(configuration);
  const family = familyOf(entry);
  if (families && family !== undefined && !families.includes(family))
    return {
      code: "HOST_FAMILY_NOT_ALLOWED",
      message: `The group takes hosts of the families ${families.join(", ")}; ${arn} is of family ${family}.`,
    };
  return undefined;
}
