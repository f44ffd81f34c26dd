/** Changes resources from the console through the operations of their services, as the calling account. */
import { Type } from "@sinclair/typebox";
import type { CatalogEntry } from "#kernel/catalog";
import { type Context, defineErrors, operationsFor } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { OWN_PERMISSION } from "../protocol.ts";
import { type ResourceCall, waysOf } from "../resource-calls.ts";
import { REGION, type Trial, Tried } from "./try.ts";

const operation = operationsFor<unknown>();
const errors = defineErrors({
  noSuchResource: ["NoSuchResource", 404],
  notChangeable: ["NotChangeable", 409],
});
const REFUSED_FROM = 400;
const Arn = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "The resource's ARN.",
  examples: ["arn:vendor:scheduler:local:123456789012:jobCollections/nightly"],
});
const Tags = Type.Record(Type.String({ minLength: 1, maxLength: 128 }), Type.String({ maxLength: 256 }), {
  maxProperties: 50,
  description: "All tags that it has afterwards; the others are taken away.",
  examples: [{ stage: "test" }],
});
const Done = Type.Object({
  calls: Type.Array(Tried, {
    description:
      "The operations of its service that were called, until one refused; none where the catalogue alone keeps it.",
  }),
});

async function getEntry({ catalog }: Context, arn: string): Promise<CatalogEntry> {
  const entry = await catalog.find(arn);
  if (!entry) throw errors.noSuchResource(`There is no resource ${arn}.`);
  return entry;
}

/** Calls in order. A failed call ends the sequence. */
async function callAll(trial: Trial, context: Context, calls: readonly ResourceCall[], region: string) {
  const tried: Tried[] = [];
  for (const { method, path, body } of calls) {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    tried.push(await trial({ method, path, headers, ...content, credential: "account", region }, context));
    if ((tried.at(-1)?.status ?? 0) >= REFUSED_FROM) break;
  }
  return { calls: tried };
}
/** Resources without a region use the default region. */
const regionOf = ({ region }: CatalogEntry): string => (/^[a-z]{2}-/.test(region) ? region : REGION);

const changeOf = (before: CatalogEntry["tags"], all: CatalogEntry["tags"]) => ({
  all,
  set: Object.fromEntries(Object.entries(all).filter(([key, value]) => before[key] !== value)),
  removed: Object.keys(before).filter((key) => !Object.hasOwn(all, key)),
});

const tagOperation = (kernel: Kernel, trial: Trial) =>
  operation({
    id: "medley.resources.tag",
    summary: "Sets the tags of a resource",
    description:
      "Calls the tag operations of its service as the caller's account, and lists the calls. Tags that are not given are removed. Refused if the service has no such operation.",
    method: "PUT",
    path: "/resources/tags",
    permission: OWN_PERMISSION,
    transaction: "manual",
    noStore: true,
    body: Type.Object({ arn: Arn, tags: Tags }, { additionalProperties: false }),
    answers: { 200: Done },
    errors: [errors.noSuchResource, errors.notChangeable],
    async handle({ body: { arn, tags } }, context) {
      const entry = await getEntry(context, arn);
      const { tag, isTaggedInCatalog } = waysOf(kernel.services, entry, context);
      if (tag) return callAll(trial, context, tag(changeOf(entry.tags, tags)), regionOf(entry));
      if (!isTaggedInCatalog || !context.principal.admin)
        throw errors.notChangeable(`${entry.service} has no operation that tags it.`);
      await kernel.transactAs(entry.service, context.account, ({ catalog }) =>
        catalog.put({ ...entry, tags }, { isNew: false }),
      );
      return { calls: [] };
    },
  });

export const resourceChangeOperations = (kernel: Kernel, trial: Trial) => [
  operation({
    id: "medley.resources.delete",
    summary: "Deletes a resource",
    description:
      "Calls the delete operation of its service as the caller's account; its rules and permissions apply. The response has the call.",
    method: "POST",
    path: "/resources/delete",
    permission: OWN_PERMISSION,
    transaction: "manual",
    noStore: true,
    body: Type.Object({ arn: Arn }, { additionalProperties: false }),
    answers: { 200: Done },
    errors: [errors.noSuchResource, errors.notChangeable],
    async handle({ body }, context) {
      const entry = await getEntry(context, body.arn);
      const { delete: remove } = waysOf(kernel.services, entry, context);
      if (!remove) throw errors.notChangeable(`${entry.service} has no operation that deletes it.`);
      return callAll(trial, context, [await remove()], regionOf(entry));
    },
  }),
  tagOperation(kernel, trial),
];
