/** Backup and restore of groups: description, query, configuration, static members and tags. */

import { parseArn } from "#kernel/arn";
import { BackupSourceError, IN_PLACE, jsonContent, readJson, restoredTags } from "#kernel/backups";
import type { OwnContext } from "#kernel/operation";
import type { BackupSource, RestoreRequest } from "#ports/backup-sources";
import { createGroup, putInCatalog } from "./actions/create-group.ts";
import {
  type Configuration,
  GROUP_TYPE,
  type Group,
  type Member,
  type Tags,
  type WrittenQuery,
} from "./domain/index.ts";
import { findPublishing, startComparison } from "./jobs/index.ts";
import type { GroupContext } from "./state.ts";
import { deleteGroup, deleteMember, findGroup, listMemberRows, putMember, saveGroup } from "./store/index.ts";

const GROUP_NAME = "groupName";

type SavedGroup = {
  readonly name: string;
  readonly description?: string;
  readonly query?: WrittenQuery;
  readonly configuration?: Configuration;
  readonly members: readonly Member[];
  readonly tags: Tags;
};

async function save(context: GroupContext, region: string, name: string, tags: Tags): Promise<SavedGroup> {
  const { db, account } = context;
  const group = await findGroup(db, account, region, name);
  if (!group) throw new BackupSourceError(`There is no group ${name} any more.`);
  const { description, query, configuration } = group;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(query && { query }),
    ...(configuration && { configuration }),
    members: await listMemberRows(db, account, group),
    tags,
  };
}

/** Removes static members that were added after the backup. */
async function overwrite(
  context: GroupContext,
  before: Group,
  saved: SavedGroup,
  tags: Tags,
): Promise<Group> {
  const { db, account, clock } = context;
  const { region, name, arn, uniqueId } = before;
  const { description, query, configuration } = saved;
  const group: Group = {
    region,
    name,
    arn,
    uniqueId,
    ...(description !== undefined && { description }),
    ...(query && { query }),
    ...(configuration && { configuration, configurationStatus: "UPDATE_COMPLETE" }),
  };
  await saveGroup(db, account, group, clock.nowMs());
  for (const member of await listMemberRows(db, account, group))
    await deleteMember(db, account, group, member.arn);
  await putInCatalog(context, group, tags);
  const publishing = await findPublishing(context, region);
  if (publishing && query) await startComparison(context, publishing, group);
  return group;
}

async function restore(
  context: GroupContext,
  saved: SavedGroup,
  { resourceArn, metadata, done, ...asked }: RestoreRequest,
): Promise<void> {
  const { db, account, clock } = context;
  const region = parseArn(resourceArn)?.region ?? "";
  const name = metadata[GROUP_NAME] ?? saved.name;
  const before = await findGroup(db, account, region, name);
  if (before && metadata[IN_PLACE] !== "true")
    throw new BackupSourceError(`There is a group ${name} already; say ${IN_PLACE} to write over it.`);
  const tags = restoredTags(saved.tags, asked);
  const { description, query, configuration } = saved;
  const group = before
    ? await overwrite(context, before, saved, tags)
    : await createGroup(context, region, { name, description, query, configuration, tags });
  for (const member of saved.members) await putMember(db, account, group, member, clock.nowMs());
  await done(context, group.arn);
}

export const backupSource = (own: OwnContext): BackupSource => ({
  resourceType: "ResourceGroup",
  types: [GROUP_TYPE],
  restoreMetadata: async (_context, { name }) => ({ [GROUP_NAME]: name, [IN_PLACE]: "true" }),
  renamed: (_metadata, name) => ({ [GROUP_NAME]: name, [IN_PLACE]: "false" }),
  async *read(context, { region, name, tags }) {
    yield* jsonContent(await context.transact((inner) => save(own(inner), region, name, tags)));
  },
  async restore(context, content, request) {
    const saved = await readJson<SavedGroup>(content);
    await context.transact((inner) => restore(own(inner), saved, request));
  },
  async remove(context, arn) {
    const { db, account, catalog } = own(context);
    const { region = "", resource = "" } = parseArn(arn) ?? {};
    const group = await findGroup(db, account, region, resource.split("/")[1] ?? "");
    if (!group) return;
    await deleteGroup(db, account, group);
    await catalog.remove(arn);
  },
});
