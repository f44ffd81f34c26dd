/** Operations for group queries and their results. */
import { type Static, Type } from "@sinclair/typebox";
import type { SelectedResource } from "#kernel/catalog";
import type { PageRequest } from "#kernel/paging";
import { checkConfiguration, type Group, isFilledByHand, parseQuery } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { findPublishing, publishState, startComparison } from "../jobs/index.ts";
import type { GroupContext } from "../state.ts";
import { type Evaluation, evaluate, saveGroup } from "../store/index.ts";
import * as wire from "../wire.ts";
import { pageOfStaticMembers } from "./members.ts";
import { getNamedGroup, namedGroup, operation, pageRequestOf } from "./operation.ts";

/** In addition to the operation's permission, listing members needs permission to read tags and stacks. */
const LOOKING_PERMISSIONS = [
  "cloudformation:DescribeStacks",
  "cloudformation:ListStackResources",
  "tag:GetResources",
];

const getGroupQueryOperation = operation({
  id: "resource-groups.GetGroupQuery",
  summary: "Returns the query of a group",
  description: "A group that has a configuration only gives BadRequest.",
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
  summary: "Replaces the query of a group",
  description:
    "The next list of members uses it. It must fit the group's configuration, also one that is being applied. With events on, a job compares the members and publishes the changes.",
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
      await saveGroup(context.db, context.account, changed, context.clock.nowMs());
      await tellQueryChange(context, group, changed);
    }
    return { GroupQuery: { GroupName: group.name, ResourceQuery: wire.queryViewOf(query) } };
  },
});

const identifierOf = ({ arn, type }: { arn: string; type: string }) => ({
  ResourceArn: arn,
  ResourceType: type,
});
/** The catalogue returns the next position, because a page can end before it is full. */
const pageOfSelected = (
  context: GroupContext,
  selection: Evaluation["selection"],
  request: PageRequest,
): Promise<{ readonly resources: readonly SelectedResource[]; readonly nextToken?: string }> =>
  context.pages.from(request, async (after: readonly [string] | undefined) => {
    if (!selection) return { resources: [] };
    const position = { after: after?.[0], limit: request.size };
    const { resources, next } = await context.catalog.pageOf(selection, position);
    return { resources, ...(next !== undefined && { next: [next] as const }) };
  });

const searchResourcesOperation = operation({
  id: "resource-groups.SearchResources",
  summary: "Lists the resources that a query finds, without a group",
  description:
    "Searches resources of all services of the account in this region. `QueryErrors` explains why a stack query finds nothing. A page can have fewer results than asked for; only a missing `NextToken` means the end.",
  method: "POST",
  path: "/resources/search",
  permission: "resource-groups:SearchResources",
  alsoNeeds: LOOKING_PERMISSIONS,
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
    const { ResourceQuery: query, MaxResults: size, NextToken: token } = body;
    const { selection, problems } = await evaluate(
      context.catalog,
      parseQuery(wire.writtenQueryOf(query)),
      region,
    );
    const page = await pageOfSelected(context, selection, pageRequestOf(size, token, query));
    return {
      ResourceIdentifiers: page.resources.map(identifierOf),
      QueryErrors: wire.queryErrorsOf(problems),
      ...(page.nextToken !== undefined && { NextToken: page.nextToken }),
    };
  },
});

/** Intersection of all filters; undefined without filters. */
function filteredTypes(filters: Static<typeof wire.ResourceFilters> = []): readonly string[] | undefined {
  const [first, ...others] = filters;
  return first?.Values.filter((type) => others.every(({ Values }) => Values.includes(type)));
}

async function pageOfQueried(
  context: GroupContext,
  group: Group,
  filters: readonly string[] | undefined,
  request: PageRequest,
) {
  if (!group.query) return { resources: [], problems: [] };
  const query = parseQuery(group.query);
  const foreign = filters?.filter((type) => query.types && !query.types.includes(type)) ?? [];
  if (foreign.length > 0)
    throw errors.badRequest(
      `The resource types specified as filters are not part of the group's query: ${foreign.join(", ")}.`,
    );
  const { selection, problems } = await evaluate(context.catalog, query, group.region, group.arn);
  const narrowed = selection && { ...selection, ...(filters && { types: filters }) };
  return { ...(await pageOfSelected(context, narrowed, request)), problems };
}

type MembersPage = {
  readonly resources: readonly SelectedResource[];
  readonly problems: Evaluation["problems"];
  /** Members whose join or leave is not settled. */
  readonly pending?: ReadonlySet<string>;
  readonly nextToken?: string;
};

const ListedResource = Type.Object({
  Identifier: wire.ResourceIdentifier,
  Status: Type.Optional(Type.Object({ Name: Type.Literal("PENDING") })),
});

const listGroupResourcesOperation = operation({
  id: "resource-groups.ListGroupResources",
  summary: "Lists the members of a group",
  description:
    "A query is evaluated now. In a configured group, members with the status PENDING join or leave when the configuration has been applied. Filters may name only types of the query or configuration.",
  method: "POST",
  path: "/list-group-resources",
  permission: "resource-groups:ListGroupResources",
  alsoNeeds: LOOKING_PERMISSIONS,
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
    const filter = { group: group.arn, id: group.uniqueId, types: filters };
    const request = pageRequestOf(body.MaxResults, body.NextToken, filter);
    const { pending, ...page }: MembersPage = isFilledByHand(group)
      ? await pageOfStaticMembers(context, group, filters, request)
      : await pageOfQueried(context, group, filters, request);
    return {
      Resources: page.resources.map((resource) => ({
        Identifier: identifierOf(resource),
        ...(pending?.has(resource.arn) && { Status: { Name: "PENDING" as const } }),
      })),
      ResourceIdentifiers: page.resources.map(identifierOf),
      QueryErrors: wire.queryErrorsOf(page.problems),
      ...(page.nextToken !== undefined && { NextToken: page.nextToken }),
    };
  },
});

export const queryOperations = [
  getGroupQueryOperation,
  updateGroupQueryOperation,
  searchResourcesOperation,
  listGroupResourcesOperation,
];
