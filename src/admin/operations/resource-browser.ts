/** Details of one resource, counts of resources by type, and a global search. */
import { Type } from "@sinclair/typebox";
import { AccountId } from "#kernel/auth";
import type { CatalogEntry } from "#kernel/catalog";
import { isoOf } from "#kernel/clock";
import { type Context, defineErrors, operationsFor, type Service } from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";
import { OWN_PERMISSION, visibleAccountOf } from "../protocol.ts";
import { waysOf } from "../resource-calls.ts";
import * as store from "../store/resources.ts";
import { Arn, EntryView, entryOf } from "./resources.ts";

const operation = operationsFor<KernelTables>();
const errors = defineErrors({ noSuchResource: ["NoSuchResource", 404] });
const LINKS_MAX = 50;
const NAMES_MAX = 200;
const JOB_PREFIX = "job_";

const count = (description: string) => Type.Integer({ description, examples: [3] });
const Link = Type.Object({ arn: Type.String(), name: Type.String(), type: Type.String() });

const Related = Type.Object({
  title: Type.String({ description: "What they are to it.", examples: ["Recovery points"] }),
  links: Type.Array(Link, { description: "Resources." }),
  rows: Type.Optional(
    Type.Object(
      {
        service: Type.String(),
        view: Type.String({ description: "The table's title.", examples: ["Latest attempts"] }),
        text: Type.String({ description: "What is to be found in the rows.", examples: ["nightly/"] }),
      },
      { description: "Instead: rows of a table." },
    ),
  ),
});

const treeOperation = (kernel: Kernel) =>
  operation({
    id: "medley.resources.tree",
    summary: "Counts resources by service and type",
    description: "Of the caller's account; admins may name another.",
    method: "GET",
    path: "/resources/tree",
    permission: OWN_PERMISSION,
    mayBeOld: "if-allowed",
    query: Type.Object({ account: Type.Optional(AccountId) }),
    answers: {
      200: Type.Object({
        services: Type.Array(
          Type.Object({
            name: Type.String(),
            title: Type.String(),
            count: count("How many resources it has."),
            types: Type.Array(
              Type.Object({ type: Type.String(), count: count("How many there are of it.") }),
              { description: "The kinds of its resources." },
            ),
          }),
          { description: "Services that have any." },
        ),
      }),
    },
    async handle({ query }, { db, principal, account }) {
      const rows = await store.countByType(db, visibleAccountOf(principal, query.account) ?? account);
      const names = [...new Set(rows.map(({ service }) => service))];
      return {
        services: names.map((name) => {
          const types = rows.filter(({ service }) => service === name);
          return {
            name,
            title: kernel.services.find((service) => service.name === name)?.title ?? name,
            count: types.reduce((sum, one) => sum + one.count, 0),
            types: types.map(({ type, count: many }) => ({ type, count: many })),
          };
        }),
      };
    },
  });

/** Collects strings that look like resource names. */
function namesIn(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (found.size >= NAMES_MAX) return found;
  if (typeof value === "string") {
    if (/^(?:arn:|\/subscriptions\/)/.test(value)) found.add(value);
  } else if (value !== null && typeof value === "object")
    for (const member of Object.values(value)) namesIn(member, found);
  return found;
}
const linkOf = ({ arn, name, type }: store.ResourceRow) => ({ arn, name, type });

/** Changes and their causes. The time is known only while the request log has the request. */
const historyOf = (kernel: Kernel, arn: string) =>
  kernel.effects
    .causesOf(arn)
    .slice(0, LINKS_MAX)
    .map(({ cause, change }) => {
      const request = kernel.requestLog.find(cause);
      const by = cause.startsWith(JOB_PREFIX) ? { job: cause } : { request: cause };
      return { change, ...by, ...(request && { at: isoOf(request.atMs) }) };
    });

/** Accounts can change only their own resources. */
function canOf(kernel: Kernel, entry: CatalogEntry, owner: string, context: Context) {
  const { principal, account } = context;
  const isOpen = owner === account && (principal.admin || !entry.external);
  const ways = isOpen ? waysOf(kernel.services, entry, context) : {};
  return {
    tag: ways.tag !== undefined || (ways.isTaggedInCatalog === true && principal.admin),
    delete: ways.delete !== undefined,
  };
}
async function relatedOf(kernel: Kernel, entry: CatalogEntry, owner: string, { request }: Context) {
  const shown = [];
  for (const { name: service, findRelated } of kernel.services) {
    if (!findRelated) continue;
    const own = kernel.jobContext(service, owner, request.id);
    for (const { title, ...found } of await findRelated(own, entry)) {
      const entries = "arns" in found ? await own.catalog.findMany(found.arns) : [];
      const links = entries.map(({ arn, name, type }) => ({ arn, name, type }));
      if ("view" in found) shown.push({ title, links, rows: { service, ...found } });
      else if (links.length > 0) shown.push({ title, links });
    }
  }
  return shown;
}

const oneOperation = (kernel: Kernel) =>
  operation({
    id: "medley.resources.one",
    summary: "Returns a resource with its relations",
    description: "Shows what it refers to and what refers to it, and how it can be changed.",
    method: "GET",
    path: "/resources/one",
    permission: OWN_PERMISSION,
    mayBeOld: "if-allowed",
    query: Type.Object({ account: Type.Optional(AccountId), arn: Arn }),
    answers: {
      200: Type.Object({
        ...EntryView.properties,
        createdAt: Type.String(),
        can: Type.Object(
          {
            tag: Type.Boolean({ description: "Whether its tags can be changed." }),
            delete: Type.Boolean({ description: "Whether it can be deleted." }),
          },
          { description: "What can be done with it." },
        ),
        related: Type.Array(Related, { description: "What belongs to it, as the services tell." }),
        refersTo: Type.Array(Link, { description: "Resources that it names." }),
        referredBy: Type.Array(Link, { description: "Resources that name it." }),
        history: Type.Array(
          Type.Object({
            change: Type.String({ description: "made, changed or removed.", examples: ["changed"] }),
            at: Type.Optional(Type.String()),
            request: Type.Optional(
              Type.String({
                description: "The request that did it.",
                examples: ["36050bf9-1c70-44ed-9a30-79c3aaa95a79"],
              }),
            ),
            job: Type.Optional(
              Type.String({ description: "The job that did it.", examples: ["job_1m7fqc7680000eyv1bw2px5"] }),
            ),
          }),
          { description: "What happened to it on this node since it started, as far back as there is room." },
        ),
      }),
    },
    errors: [errors.noSuchResource],
    async handle({ query }, context) {
      const { db, principal, account } = context;
      const owner = visibleAccountOf(principal, query.account) ?? account;
      const row = await store.findResource(db, owner, query.arn);
      if (!row) throw errors.noSuchResource(`There is no resource ${query.arn}.`);
      const entry = entryOf(row);
      const names = [...namesIn(entry.details)].filter((name) => name !== row.arn && name !== row.native_id);
      const named = names.length === 0 ? [] : await store.listNamed(db, owner, names, LINKS_MAX);
      const referring = await store.listReferring(db, row, LINKS_MAX);
      return {
        ...entry,
        createdAt: isoOf(row.created_at),
        updatedAt: isoOf(row.updated_at),
        can: canOf(kernel, entry, owner, context),
        related: await relatedOf(kernel, entry, owner, context),
        refersTo: named.map(linkOf),
        referredBy: referring.map(linkOf),
        history: historyOf(kernel, row.arn),
      };
    },
  });

type Entry = {
  readonly kind: "operation" | "doc" | "resource";
  readonly title: string;
  readonly summary: string;
  readonly service: string;
  readonly id: string;
};
type Indexed = { readonly entry: Entry; readonly title: string; readonly words: string };

const indexOf = (services: readonly Service[]): readonly Indexed[] =>
  services.flatMap(({ name, title, summary, operations }) => [
    {
      entry: { kind: "doc" as const, title, summary, service: name, id: name },
      title: title.toLowerCase(),
      words: `${name} ${title} ${summary} documentation`.toLowerCase(),
    },
    ...operations.map(({ id, method, path, summary: said, description = "" }) => ({
      entry: { kind: "operation" as const, title: said, summary: `${method} ${path}`, service: name, id },
      title: said.toLowerCase(),
      words: `${id} ${method} ${path} ${said} ${description} ${title}`.toLowerCase(),
    })),
  ]);

/** All words must match. Titles that start with the first word rank first, then titles with any word. */
function rankOf({ title, words }: Indexed, wanted: readonly string[]): number | undefined {
  if (!wanted.every((word) => words.includes(word))) return undefined;
  const [first = ""] = wanted;
  if (title.startsWith(first)) return 0;
  return wanted.some((word) => title.includes(word)) ? 1 : 2;
}

const SearchResult = Type.Object({
  kind: Type.Union([Type.Literal("operation"), Type.Literal("doc"), Type.Literal("resource")], {
    description: "What it is.",
    examples: ["operation"],
  }),
  title: Type.String(),
  summary: Type.String(),
  service: Type.String(),
  id: Type.String({
    description: "The operation's id, the resource's ARN or the service's name.",
    examples: ["resource-groups.CreateGroup"],
  }),
});
const searchOperation = (services: () => readonly Service[]) => {
  let known: readonly Indexed[] | undefined;
  const search = (wanted: readonly string[], limit: number): readonly Entry[] => {
    known ??= indexOf(services());
    const found = known.flatMap((one) => {
      const rank = rankOf(one, wanted);
      return rank === undefined ? [] : [{ rank, entry: one.entry }];
    });
    return found
      .sort((a, b) => a.rank - b.rank)
      .slice(0, limit)
      .map(({ entry }) => entry);
  };
  return operation({
    id: "medley.search",
    summary: "Searches operations, documentation and resources",
    description:
      "All words must occur. Resources of the caller's account come first, at most a third of the results.",
    method: "GET",
    path: "/search",
    permission: OWN_PERMISSION,
    mayBeOld: "if-allowed",
    query: Type.Object({
      q: Type.String({ minLength: 1, maxLength: 200, description: "The words.", examples: ["create group"] }),
      limit: Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 30,
        description: "How many results.",
        examples: [30],
      }),
    }),
    answers: {
      200: Type.Object({
        results: Type.Array(SearchResult, { description: "What fits best comes first." }),
      }),
    },
    async handle({ query: { q, limit } }, { db, account }) {
      const wanted = q
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== "");
      // Long words are in few names.
      const [text, ...alsoTexts] = [...wanted].sort((a, b) => b.length - a.length);
      if (text === undefined) return { results: [] };
      const resources = await store.listResources(
        db,
        { account, text, alsoTexts },
        { by: "arn", isDown: false },
        undefined,
        Math.ceil(limit / 3),
      );
      const shown = resources.map((row) => ({
        kind: "resource" as const,
        title: row.name,
        summary: row.type,
        service: row.service,
        id: row.arn,
      }));
      return { results: [...shown, ...search(wanted, limit - shown.length)] };
    },
  });
};

export const browserOperations = (kernel: Kernel, services: () => readonly Service[]) => [
  treeOperation(kernel),
  oneOperation(kernel),
  searchOperation(services),
];
