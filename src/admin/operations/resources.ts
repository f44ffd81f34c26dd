/** The resource catalogue: resources of all services, and external ones registered by users. */
import { Type } from "@sinclair/typebox";
import { parseArn } from "#kernel/arn";
import { AccountId } from "#kernel/auth";
import { Catalog, catalogEntryOf, EVERY_REGION } from "#kernel/catalog";
import { isoOf } from "#kernel/clock";
import { type Context, defineErrors, kernelErrors, noBody, operationsFor } from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";
import { ADMIN_PERMISSION, OWN_PERMISSION, visibleAccountOf } from "../protocol.ts";
import * as store from "../store/resources.ts";

const operation = operationsFor<KernelTables>();
const errors = defineErrors({
  noSuchResource: ["NoSuchResource", 404],
  notExternal: ["ManagedByService", 409],
});
const textOf = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 2048, description, examples: [example] });
export const Arn = textOf("The resource's ARN.", "arn:vendor:storage:us-east-1:123456789012:bucket/photos");
const Tags = Type.Record(Type.String({ minLength: 1, maxLength: 128 }), Type.String({ maxLength: 256 }), {
  maxProperties: 50,
  description: "The resource's tags.",
  examples: [{ stage: "test" }],
});
const Entry = Type.Object({
  account: Type.Optional(AccountId),
  arn: Arn,
  type: Type.String({
    minLength: 1,
    maxLength: 256,
    description: "What kind of resource it is.",
    examples: ["Vendor::Storage::Bucket"],
  }),
  name: Type.Optional(textOf("Its name; the ARN's last word when left out.", "photos")),
  region: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        "Where it is; what its ARN says when left out. One without a region is seen from all of them.",
      examples: ["us-east-1"],
    }),
  ),
  tags: Type.Optional(Tags),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "Whatever else is to be known of it.",
      examples: [{ owner: "photos team" }],
    }),
  ),
});
export const EntryView = Type.Object({
  arn: Type.String(),
  type: Type.String(),
  name: Type.String(),
  region: Type.String(),
  service: Type.String(),
  external: Type.Boolean(),
  tags: Type.Record(Type.String(), Type.String()),
  nativeId: Type.Optional(Type.String()),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  updatedAt: Type.Optional(
    Type.String({ description: "When it was changed last.", examples: ["2026-01-01T01:00:00.000Z"] }),
  ),
});
export function entryOf(row: store.ResourceRow) {
  const { stack: _stack, ...entry } = catalogEntryOf(row);
  return entry;
}
const OUTSIDE = "outside";

/** `-name` sorts in descending order. */
function sortOf(text: string): store.Sort {
  const isDown = text.startsWith("-");
  const by = store.SORTS.find((one) => one === text.slice(isDown ? 1 : 0));
  if (by === undefined)
    throw kernelErrors.invalidInput(`Resources are sorted by ${store.SORTS.join(", ")}, not by ${text}.`);
  return { by, isDown };
}

/** The default is the caller's account. */
const catalogOf = (kernel: Kernel, context: Context, account: string | undefined) =>
  new Catalog({
    account: visibleAccountOf(context.principal, account) ?? context.account,
    service: OUTSIDE,
    clock: kernel.clock,
    ids: kernel.ids,
    db: context.db,
    enqueue: context.enqueue.bind(context),
    note: context.note?.bind(context),
  });

const listOperation = operation({
  id: "medley.resources.list",
  summary: "Lists the resources of all services",
  description: "Of the caller's account; admins may name another. Filters must all match.",
  method: "GET",
  path: "/resources",
  permission: OWN_PERMISSION,
  mayBeOld: "if-allowed",
  query: Type.Object({
    account: Type.Optional(AccountId),
    type: Type.Optional(textOf("Resources of this kind alone.", "Vendor::Storage::Bucket")),
    service: Type.Optional(textOf("Resources of this service alone.", "voice")),
    text: Type.Optional(textOf("Only those with this in their name or ARN.", "prod")),
    tag: Type.Optional(textOf("Only those with this tag, or with this tag and value.", "stage=test")),
    sort: Type.String({
      maxLength: 20,
      default: "arn",
      description: "By arn, name, type or updated; with a minus, the other way round.",
      examples: ["-updated"],
    }),
    limit: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: "How many resources a page has.",
    }),
    nextToken: Type.Optional(Type.String({ description: "Where the next page goes on.", examples: [""] })),
  }),
  answers: {
    200: Type.Object({ resources: Type.Array(EntryView), nextToken: Type.Optional(Type.String()) }),
  },
  async handle({ query }, context) {
    const { limit: size, nextToken: token, ...filter } = query;
    const { account, sort: word, ...narrowing } = filter;
    const sort = sortOf(word);
    const owner = visibleAccountOf(context.principal, account) ?? context.account;
    const wanted = { ...narrowing, account: owner };
    const { rows, ...next } = await context.pages.of(
      { size, token, filter },
      (row: store.ResourceRow) => store.placeOf(row, sort),
      (after, limit) => store.listResources(context.db, wanted, sort, after, limit),
    );
    return {
      resources: rows.map((row) => ({ ...entryOf(row), updatedAt: isoOf(row.updated_at) })),
      ...next,
    };
  },
});

const putOperation = (kernel: Kernel) =>
  operation({
    id: "medley.resources.put",
    summary: "Registers an external resource",
    description:
      "It can then be tagged, grouped and backed up. Registering it again replaces it. A resource of a service is refused.",
    method: "PUT",
    path: "/resources",
    permission: ADMIN_PERMISSION,
    body: Entry,
    answers: { 200: EntryView },
    errors: [errors.notExternal],
    examples: {
      body: {
        arn: "arn:vendor:storage:us-east-1:123456789012:bucket/photos",
        type: "Vendor::Storage::Bucket",
        tags: { stage: "test" },
      },
    },
    async handle({ body }, context) {
      const catalog = catalogOf(kernel, context, body.account);
      const before = await catalog.find(body.arn);
      if (before && !before.external) throw errors.notExternal(`${body.arn} belongs to ${before.service}.`);
      const {
        arn,
        type,
        name = arn.split(/[:/]/).at(-1) ?? arn,
        region = parseArn(arn)?.region || EVERY_REGION,
        tags = {},
        details = {},
      } = body;
      await catalog.put({ arn, type, name, region, tags, details }, { external: true });
      return { arn, type, name, region, tags, details, service: OUTSIDE, external: true };
    },
  });

const removeOperation = (kernel: Kernel) =>
  operation({
    id: "medley.resources.remove",
    summary: "Removes an external resource from the catalogue",
    description: "The resource itself is not touched. A resource of a service is refused.",
    method: "DELETE",
    path: "/resources",
    permission: ADMIN_PERMISSION,
    query: Type.Object({ account: Type.Optional(AccountId), arn: Arn }),
    answers: { 204: noBody },
    errors: [errors.noSuchResource, errors.notExternal],
    async handle({ query }, context) {
      const catalog = catalogOf(kernel, context, query.account);
      const before = await catalog.find(query.arn);
      if (!before) throw errors.noSuchResource(`There is no resource ${query.arn}.`);
      if (!before.external) throw errors.notExternal(`${query.arn} belongs to ${before.service}.`);
      await catalog.remove(query.arn);
    },
  });

export const resourceOperations = (kernel: Kernel) => [
  listOperation,
  putOperation(kernel),
  removeOperation(kernel),
];
