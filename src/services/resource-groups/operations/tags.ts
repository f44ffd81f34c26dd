/** Operations for tags of groups. */
import { Type } from "@sinclair/typebox";
import { putInCatalog } from "../actions/create-group.ts";
import { checkTagKey, checkTags, type Tags } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { GroupContext } from "../state.ts";
import * as wire from "../wire.ts";
import { getGroupOfArn, operation } from "./operation.ts";

const params = Type.Object({ Arn: wire.GroupArn });
const PATH = "/resources/{Arn}/tags";
const resource = ({ params: { Arn } }: { params: { Arn: string } }) => Arn;

/** The catalogue stores the tags of all resources. */
const readTags = async ({ catalog }: GroupContext, arn: string): Promise<Tags> =>
  (await catalog.find(arn))?.tags ?? {};

const getTagsOperation = operation({
  id: "resource-groups.GetTags",
  summary: "Returns the tags of a group",
  description: "These are the tags of the group itself, not of its members.",
  method: "GET",
  path: PATH,
  permission: "resource-groups:GetTags",
  params,
  answers: { 200: Type.Object({ Arn: Type.String(), Tags: wire.Tags }) },
  errors: [errors.badRequest, errors.notFound],
  resource,
  async handle({ params: { Arn } }, context) {
    const { arn } = await getGroupOfArn(context, Arn);
    return { Arn: arn, Tags: await readTags(context, arn) };
  },
});

const tagOperation = operation({
  id: "resource-groups.Tag",
  summary: "Adds tags to a group",
  description:
    "Other tags stay; a known key gets the new value. A group may have 50 tags. A changed tag can make the group a member of other groups.",
  method: "PUT",
  path: PATH,
  permission: "resource-groups:Tag",
  params,
  body: Type.Object({ Tags: wire.Tags }),
  answers: { 200: Type.Object({ Arn: Type.String(), Tags: wire.Tags }) },
  errors: [errors.badRequest, errors.notFound],
  resource,
  async handle({ params: { Arn }, body }, context) {
    const group = await getGroupOfArn(context, Arn);
    checkTags(body.Tags);
    const tags = { ...(await readTags(context, group.arn)), ...body.Tags };
    checkTags(tags);
    await putInCatalog(context, group, tags);
    return { Arn: group.arn, Tags: body.Tags };
  },
});

const untagOperation = operation({
  id: "resource-groups.Untag",
  summary: "Removes tags from a group",
  description: "Unknown keys are ignored, so the request can be repeated.",
  method: "PATCH",
  path: PATH,
  permission: "resource-groups:Untag",
  params,
  body: Type.Object({ Keys: wire.TagKeys }),
  answers: { 200: Type.Object({ Arn: Type.String(), Keys: wire.TagKeys }) },
  errors: [errors.badRequest, errors.notFound],
  resource,
  async handle({ params: { Arn }, body }, context) {
    const group = await getGroupOfArn(context, Arn);
    for (const key of body.Keys) checkTagKey(key);
    const kept = Object.entries(await readTags(context, group.arn)).filter(
      ([key]) => !body.Keys.includes(key),
    );
    await putInCatalog(context, group, Object.fromEntries(kept));
    return { Arn: group.arn, Keys: body.Keys };
  },
});

export const tagOperations = [getTagsOperation, tagOperation, untagOperation];
