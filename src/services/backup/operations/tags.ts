/**
 * Tags of vaults, recovery points, plans and other resources. The catalogue stores them, as for every
 * resource.
 */
import { Type } from "@sinclair/typebox";
import type { CatalogEntry } from "#kernel/catalog";
import { findTaggable, mergeTags } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { BackupContext } from "../state.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";

const params = Type.Object({ resourceArn: wire.ResourceArn });
const resource = ({ params: { resourceArn } }: { params: { resourceArn: string } }) => resourceArn;

async function getTaggable({ catalog, account, request }: BackupContext, arn: string): Promise<CatalogEntry> {
  const entry = findTaggable(arn, account, request.region) && (await catalog.find(arn));
  if (!entry) throw errors.notFound(`There is no resource ${arn} in this account and region.`);
  return entry;
}

const listTags = operation({
  id: "backup.ListTags",
  summary: "Lists the tags of a resource by key",
  description: "For vaults, plans, recovery points, holds, frameworks, report plans and testing plans.",
  method: "GET",
  path: "/tags/{resourceArn}/",
  permission: "backup:ListTags",
  params,
  query: Type.Object(wire.page),
  answers: { 200: Type.Object({ Tags: wire.Tags, NextToken: Type.Optional(wire.NextToken) }) },
  errors: [errors.notFound, errors.invalidParameterValue],
  resource,
  async handle({ params: { resourceArn }, query }, context) {
    const { tags } = await getTaggable(context, resourceArn);
    const { rows, nextToken } = await context.pages.of(
      pageRequestOf(query, { resourceArn }),
      (row: readonly [string, string]) => [row[0]],
      async (after, limit) =>
        Object.entries(tags)
          .filter(([key]) => key > (after?.[0] ?? ""))
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(0, limit),
    );
    return { Tags: Object.fromEntries(rows), ...(nextToken !== undefined && { NextToken: nextToken }) };
  },
});

const tagResource = operation({
  id: "backup.TagResource",
  summary: "Adds tags to a resource",
  description: "Other tags stay; a known key gets the new value. A resource may have 50 tags.",
  method: "POST",
  path: "/tags/{resourceArn}",
  permission: "backup:TagResource",
  params,
  body: Type.Object({ Tags: wire.Tags }),
  answers: { 200: wire.Nothing },
  errors: [errors.notFound, errors.invalidParameterValue, errors.missingParameterValue, errors.limitExceeded],
  resource,
  async handle({ params: { resourceArn }, body }, context) {
    const entry = await getTaggable(context, resourceArn);
    await context.catalog.put({ ...entry, tags: mergeTags(entry.tags, body.Tags) });
    return {};
  },
});

const untagResource = operation({
  id: "backup.UntagResource",
  summary: "Removes tags from a resource",
  description: "Unknown keys are ignored, so the request can be repeated.",
  method: "POST",
  path: "/untag/{resourceArn}",
  permission: "backup:UntagResource",
  params,
  body: Type.Object({
    TagKeyList: Type.Array(Type.String({ maxLength: 128 }), {
      maxItems: 200,
      description: "The names of the tags.",
      examples: [["team"]],
    }),
  }),
  answers: { 200: wire.Nothing },
  errors: [errors.notFound, errors.invalidParameterValue, errors.missingParameterValue],
  resource,
  async handle({ params: { resourceArn }, body }, context) {
    const entry = await getTaggable(context, resourceArn);
    const gone = new Set(body.TagKeyList);
    const tags = Object.fromEntries(Object.entries(entry.tags).filter(([key]) => !gone.has(key)));
    await context.catalog.put({ ...entry, tags });
    return {};
  },
});

export const tagOperations = [listTags, tagResource, untagResource];
