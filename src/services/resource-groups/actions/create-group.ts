/** Creates groups, for operations, seed and restore. */
import {
  type Configuration,
  checkConfiguration,
  checkName,
  checkTags,
  GROUP_TYPE,
  type Group,
  groupArnOf,
  parseQuery,
  type Tags,
  type WrittenQuery,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { findPublishing, publishState, startComparison } from "../jobs/index.ts";
import type { GroupContext } from "../state.ts";
import { insertGroup } from "../store/index.ts";
import { requireRoomForGroup } from "./room.ts";

export type NewGroup = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly query?: WrittenQuery | undefined;
  readonly configuration?: Configuration | undefined;
  readonly tags?: Tags;
};

const createdOf = (context: GroupContext, region: string, wanted: NewGroup): Group => ({
  region,
  name: wanted.name,
  arn: groupArnOf(context.account, region, wanted.name),
  uniqueId: context.ids.uuid(),
  ...(wanted.description !== undefined && { description: wanted.description }),
  ...(wanted.query && { query: wanted.query }),
  ...(wanted.configuration?.length && {
    configuration: wanted.configuration,
    configurationStatus: "UPDATE_COMPLETE",
  }),
});

async function tell(context: GroupContext, group: Group): Promise<void> {
  const publishing = await findPublishing(context, group.region);
  if (!publishing) return;
  const { description, query, configuration } = group;
  await publishState(context, publishing, group, "create", { after: { description, query, configuration } });
  if (query) await startComparison(context, publishing, group);
}

/** A group is a resource: it has a catalogue entry and tags, and can be a member of other groups. */
export const putInCatalog = (
  context: GroupContext,
  { arn, name, region }: Group,
  tags: Tags,
): Promise<void> => context.catalog.put({ arn, type: GROUP_TYPE, name, region, tags });

export async function createGroup(context: GroupContext, region: string, wanted: NewGroup): Promise<Group> {
  const { name, query, configuration = [], tags = {} } = wanted;
  checkName(name);
  checkTags(tags);
  checkConfiguration(configuration, query && parseQuery(query));
  await requireRoomForGroup(context, region);
  const group = createdOf(context, region, wanted);
  if (!(await insertGroup(context.db, context.account, group, context.clock.nowMs())))
    throw errors.badRequest(`There is a group named ${name} already in this account and region.`);
  await putInCatalog(context, group, tags);
  await tell(context, group);
  return group;
}
