/** Operations for tags of inputs and models. The catalogue stores the tags of all resources. */
import { Type } from "@sinclair/typebox";
import { checkTags, tagsOf } from "../actions/checks.ts";
import { findNamed, type NamedResource, TYPE } from "../domain/arns.ts";
import { errors } from "../errors.ts";
import type { EventsContext } from "../state.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { operation } from "./operation.ts";

const TAGS_MAX = 50;

async function getNamed(context: EventsContext, arn: string): Promise<NamedResource> {
  const { db, account, request } = context;
  const named = findNamed(arn, account, request.region);
  if (!named) throw errors.notFound(`There is no resource ${arn} in this account and region.`);
  if (named.kind === "input") await store.getInput(db, account, request.region, named.name);
  else await store.getModel(db, account, request.region, named.kind, named.name);
  return named;
}
const readTags = async ({ catalog }: EventsContext, arn: string): Promise<Record<string, string>> =>
  (await catalog.find(arn))?.tags ?? {};

const query = Type.Object({ resourceArn: wire.ResourceArn });
const resource = ({ query: { resourceArn } }: { query: { resourceArn: string } }) => resourceArn;

const listTags = operation({
  id: "events.ListTagsForResource",
  summary: "Lists the tags of an input or a model",
  description: "Takes the ARN of a resource of this account and region.",
  method: "GET",
  path: "/tags",
  permission: "iotevents:ListTagsForResource",
  query,
  answers: { 200: Type.Object({ tags: wire.Tags }) },
  errors: [errors.notFound],
  resource,
  async handle({ query: { resourceArn } }, context) {
    await getNamed(context, resourceArn);
    const tags = await readTags(context, resourceArn);
    return { tags: Object.entries(tags).map(([key, value]) => ({ key, value })) };
  },
});

const tagResource = operation({
  id: "events.TagResource",
  summary: "Adds tags to an input or a model",
  description: `Other tags stay; a known key gets the new value. A resource may have ${TAGS_MAX} tags. Keys that begin with \`aws:\` or \`vendor:\` are refused.`,
  method: "POST",
  path: "/tags",
  permission: "iotevents:TagResource",
  query,
  body: Type.Object({ tags: wire.Tags }),
  answers: { 200: wire.Nothing },
  errors: [errors.invalidRequest, errors.notFound, errors.limitExceeded],
  resource,
  async handle({ query: { resourceArn: arn }, body }, context) {
    const { kind, name } = await getNamed(context, arn);
    checkTags(body.tags);
    const tags = { ...(await readTags(context, arn)), ...tagsOf(body.tags) };
    if (Object.keys(tags).length > TAGS_MAX)
      throw errors.limitExceeded(`A resource can have ${TAGS_MAX} tags.`);
    await context.catalog.put({ arn, type: TYPE[kind], name, region: context.request.region, tags });
    return {};
  },
});

const untagResource = operation({
  id: "events.UntagResource",
  summary: "Removes tags from an input or a model",
  description: "Unknown keys are ignored, so the request can be repeated.",
  method: "DELETE",
  path: "/tags",
  permission: "iotevents:UntagResource",
  query: Type.Object({ resourceArn: wire.ResourceArn, tagKeys: wire.TagKeys }),
  answers: { 200: wire.Nothing },
  errors: [errors.notFound],
  resource,
  async handle({ query: { resourceArn: arn, tagKeys } }, context) {
    const { kind, name } = await getNamed(context, arn);
    const kept = Object.entries(await readTags(context, arn)).filter(([key]) => !tagKeys.includes(key));
    const tags = Object.fromEntries(kept);
    await context.catalog.put({ arn, type: TYPE[kind], name, region: context.request.region, tags });
    return {};
  },
});

export const tagOperations = [listTags, tagResource, untagResource];
