/** A group's query, and what queries find. */
import { type Static, Type } from "@sinclair/typebox";
import type { SelectedPage } from "#kernel/catalog";
import { checkConfiguration, type Group, isFilledByHand, parseQuery } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { findPublishing, publishState, startComparison } from "../jobs/index.ts";
import { readToken, tokenOf } from "../page-tokens.ts";
import { type Evaluation, evaluate, type GroupContext, saveGroup } from "../store/index.ts";
import * as wire from "../wire.ts";
import { listStaticMembers } from "./members.ts";
import { getNamedGroup, namedGroup, operation } from "./operation.ts";

/** Besides their own permission, those who see members must be allowed to look at what makes them members. */
const lookingPermissions = [
  "cloudformation:DescribeStacks",
  "cloudformation:ListStackResources",
  "tag:GetResources",
];

const getGroupQueryOperation = operation({
  id: "resource-groups.GetGroupQuery",
  summary: "The query of a group",
  method: "POST",
  path: "/get-group-query",
  permission: "resource-groups:GetGroupQuery",
  transaction: "read",
  body: Type.Object(wire.groupMembers),
  answers: { 200: Type.Object({ GroupQuery: wire.GroupQueryView }) },
  errors: [errors.badRequest, errors.notFound],
  examples: { body: { Group: "production" } },
  resource: namedGroup,
  async handle({ body }, context) {
    const { name, query } = await getNamedGroup(context, body);
    if (!query) throw errors.badRequest(`The group ${name} is not based on a query.`);
    return { GroupQuery: { GroupName: name, ResourceQuery: wire.queryViewOf(query) } };
  },
});

async function tellQueryChange(context: GroupContext, before: Group, after: Group): Promise<void> {
  const publishing = await findPublishing(context, after.region);
  if (!publishing) return;
  await publishState(context, publishing, after, "update", {
    before: { query: before.query },
    after: { query: after.query },
  });
  await startComparison(context, publishing, after);
}

const updateGroupQueryOperation = operation({
  id: "resource-groups.UpdateGroupQuery",
  summary: "Gives a group another query",
  method: "POST",
  path: "/update-group-query",
  permission: "resource-groups:UpdateGroupQuery",
  body: Type.Object({ ...wire.groupMembers, ResourceQuery: wire.ResourceQuery }),
  answers: { 200: Type.Object({ GroupQuery: wire.GroupQueryView }) },
  errors: [errors.badRequest, errors.notFound],
  examples: {
    body: {
      Group: "production",
      ResourceQuery: { Type: "TAG_FILTERS_1_0", Query: '{"TagFilters":[{"Key":"stage","Values":["live"]}]}' },
    },
  },
  resource: namedGroup,
  async handle({ body }, context) {
    const group = await getNamedGroup(context, body);
    const query = wire.writtenQueryOf(body.ResourceQuery);
    const parsed = parseQuery(query);
    checkConfiguration(group.configuration ?? [], parsed);
    if (group.proposed) checkConfiguration(group.proposed, parsed);
    const changed = { ...group, query };
    if (query.kind !== group.query?.kind || query.text !== group.query.text) {
      await saveGroup(context, changed);
      await tellQueryChange(context, group, changed);
    }
    return { GroupQuery: { GroupName: group.name, ResourceQuery: wire.queryViewOf(query) } };
  },
});

const identifierOf = ({ arn, type }: { arn: string; type: string }) => ({
  ResourceArn: arn,
  ResourceType: type,
});
const readSelected = async (
  context: GroupContext,
  { selection }: Evaluation,
  position: { after: string; limit: number },
): Promise<SelectedPage> => (selection ? context.catalog.pageOf(selection, position) : { resources: [] });

const searchResourcesOperation = operation({
  id: "resource-groups.SearchResources",
  summary: "Resources that a query finds, without a group",
  method: "POST",
  path: "/resources/search",
  permission: "resource-groups:SearchResources",
  alsoNeeds: lookingPermissions,
  transaction: "read",
  body: Type.Object({
    ResourceQuery: wire.ResourceQuery,
    MaxResults: Type.Optional(wire.MaxResults),
    NextToken: Type.Optional(wire.NextToken),
  }),
  answers: {
    200: Type.Object({
      ResourceIdentifiers: Type.Array(wire.ResourceIdentifier),
      NextToken: Type.Optional(wire.NextToken),
      QueryErrors: wire.QueryErrors,
    }),
  },
  errors: [errors.badRequest],
  examples: {
    body: {
      ResourceQuery: { Type: "TAG_FILTERS_1_0", Query: '{"TagFilters":[{"Key":"stage","Values":["live"]}]}' },
    },
  },
  async handle({ body }, context) {
    const { region } = context.request;
    const { ResourceQuery: query, MaxResults: limit = wire.pageSizeMax } = body;
    const list = JSON.stringify(["search", context.account, region, query.Type, query.Query]);
    const after = readToken(list, body.NextToken);
    const evaluation = await evaluate(context, parseQuery(wire.writtenQueryOf(query)), region);
    const page = await readSelected(context, evaluation, { after, limit });
    return {
      ResourceIdentifiers: page.resources.map(identifierOf),
      QueryErrors: wire.queryErrorsOf(evaluation.problems),
      ...(page.next !== undefined && { NextToken: tokenOf(list, page.next) }),
    };
  },
});

/** All filters together; undefined when there is none. */
function filteredTypes(filters: Static<typeof wire.ResourceFilters> = []): readonly string[] | undefined {
  const [first, ...others] = filters;
  return first?.Values.filter((type) => others.every(({ Values }) => Values.includes(type)));
}

async function listQueried(
  context: GroupContext,
  group: Group,
  filters: readonly string[] | undefined,
  position: { after: string; limit: number },
) {
  if (!group.query) return { page: { resources: [] } as SelectedPage, problems: [] };
  const query = parseQuery(group.query);
  const foreign = filters?.filter((type) => query.types && !query.types.includes(type)) ?? [];
  if (foreign.length > 0)
    throw errors.badRequest(
      `The resource types specified as filters are not part of the group's query: ${foreign.join(", ")}.`,
    );
  const evaluation = await evaluate(context, query, group.region, group.arn);
  const narrowed = evaluation.selection && {
    ...evaluation.selection,
    ...(filters && { types: filters }),
  };
  const page = await readSelected(context, { ...evaluation, selection: narrowed }, position);
  return { page, problems: evaluation.problems };
}

const ListedResource = Type.Object({
  Identifier: wire.ResourceIdentifier,
  Status: Type.Optional(Type.Object({ Name: Type.Literal("PENDING") })),
});

const listGroupResourcesOperation = operation({
  id: "resource-groups.ListGroupResources",
  summary: "The members of a group as they are at this moment",
  method: "POST",
  path: "/list-group-resources",
  permission: "resource-groups:ListGroupResources",
  alsoNeeds: lookingPermissions,
  transaction: "read",
  body: Type.Object({
    ...wire.groupMembers,
    Filters: Type.Optional(wire.ResourceFilters),
    MaxResults: Type.Optional(wire.MaxResults),
    NextToken: Type.Optional(wire.NextToken),
  }),
  answers: {
    200: Type.Object({
      Resources: Type.Array(ListedResource),
      ResourceIdentifiers: Type.Array(wire.ResourceIdentifier),
      NextToken: Type.Optional(wire.NextToken),
      QueryErrors: wire.QueryErrors,
    }),
  },
  errors: [errors.badRequest, errors.notFound],
  examples: { body: { Group: "production", MaxResults: 10 } },
  resource: namedGroup,
  async handle({ body }, context) {
    const group = await getNamedGroup(context, body);
    const filters = filteredTypes(body.Filters);
    const limit = body.MaxResults ?? wire.pageSizeMax;
    const list = JSON.stringify(["members", group.arn, group.uniqueId, filters ?? null]);
    const position = { after: readToken(list, body.NextToken), limit };
    const { page, problems, pending } = isFilledByHand(group)
      ? await listStaticMembers(context, group, filters, position)
      : { ...(await listQueried(context, group, filters, position)), pending: new Set<string>() };
    return {
      Resources: page.resources.map((resource) => ({
        Identifier: identifierOf(resource),
        ...(pending.has(resource.arn) && { Status: { Name: "PENDING" as const } }),
      })),
      ResourceIdentifiers: page.resources.map(identifierOf),
      QueryErrors: wire.queryErrorsOf(problems),
      ...(page.next !== undefined && { NextToken: tokenOf(list, page.next) }),
    };
  },
});

export const queryOperations = [
  getGroupQueryOperation,
  updateGroupQueryOperation,
  searchResourcesOperation,
  listGroupResourcesOperation,
];
