/** Groups in the resource catalogue: operations that tag and delete them, and their members. */
import { type CatalogEntry, isSelected } from "#kernel/catalog";
import { byTwoCalls, type Context, type Related, type ResourceKind } from "#kernel/operation";
import { GROUP_TYPE, type Group, isFilledByHand, parseQuery } from "./domain/index.ts";
import { evaluate, findGroup, findMembers, listGroupsShown, listMembers } from "./store/index.ts";

const SHOWN_MAX = 200;

export const resourceKinds: readonly ResourceKind[] = [
  {
    type: GROUP_TYPE,
    tag: ({ arn }, change) =>
      byTwoCalls(
        change,
        (set) => ({ operation: "resource-groups.Tag", params: { Arn: arn }, body: { Tags: set } }),
        (keys) => ({ operation: "resource-groups.Untag", params: { Arn: arn }, body: { Keys: keys } }),
      ),
    delete: ({ arn }) => ({ operation: "resource-groups.DeleteGroup", body: { Group: arn } }),
  },
];

/** The selection of the query; undefined without a query or if it fails. */
async function findSelection({ catalog }: Context, { query, region, arn }: Group) {
  if (!query) return undefined;
  const { selection } = await evaluate(catalog, parseQuery(query), region, arn);
  return selection;
}

async function listMemberArns(context: Context, group: Group): Promise<readonly string[]> {
  const { db, account, catalog } = context;
  if (isFilledByHand(group)) {
    const members = await listMembers(db, account, catalog, group, { after: "", limit: SHOWN_MAX });
    return members.map(({ member }) => member.arn);
  }
  const selection = await findSelection(context, group);
  if (!selection) return [];
  const { resources } = await catalog.pageOf(selection, { limit: SHOWN_MAX });
  return resources.map(({ arn }) => arn);
}

async function holds(context: Context, group: Group, resource: CatalogEntry): Promise<boolean> {
  const { db, account } = context;
  if (isFilledByHand(group)) return (await findMembers(db, account, group, [resource.arn])).size > 0;
  const selection = await findSelection(context, group);
  return selection !== undefined && isSelected(selection, resource);
}

/** Members of a group, or the groups of a resource. */
export async function findRelated(context: Context, resource: CatalogEntry): Promise<readonly Related[]> {
  const { db, account } = context;
  const related: Related[] = [];
  if (resource.type === GROUP_TYPE) {
    const group = await findGroup(db, account, resource.region, resource.name);
    if (group) related.push({ title: "Members", arns: await listMemberArns(context, group) });
  }
  const holding: string[] = [];
  for (const group of await listGroupsShown(db, account, SHOWN_MAX))
    if (group.arn !== resource.arn && (await holds(context, group, resource))) holding.push(group.arn);
  related.push({ title: "In the groups", arns: holding });
  return related;
}
