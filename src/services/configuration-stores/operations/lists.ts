/** Lists: key-values, their keys and labels, and their revisions. */
import { answer, finishedJson, noBody } from "#kernel/operation";
import type { Page } from "#kernel/paging";
import { isUnchanged, quoted } from "../domain/conditions.ts";
import { parseFilter, parseLabelFilter, parseTagFilters } from "../domain/filters.ts";
import { readSelect, selected } from "../domain/key-values.ts";
import { findTier, tiers } from "../domain/tiers.ts";
import { errors, invalidArgument } from "../errors.ts";
import type { ShownValue } from "../state.ts";
import {
  findSnapshot,
  findStore,
  type ListOptions,
  listEntityTags,
  listKeys,
  listLabels,
  listRevisions,
  listSnapshotItems,
  listValues,
  listValuesAt,
  type NameOptions,
  type ValueFilter,
} from "../store/index.ts";
import type { ContentRow, RevisionRow } from "../tables.ts";
import {
  KEY_VALUE_FIELDS,
  KeyValuesPage,
  ListQuery,
  mediaTypeOf,
  NamesPage,
  NamesQuery,
  ReadingHeaders,
  rowBody,
  StoreParams,
  selectOf,
  ValuesQuery,
} from "../wire.ts";
import {
  type DataContext,
  instantOf,
  mementoHeaders,
  nextLinksOf,
  operation,
  pageEtagOf,
  pageRequestOf,
  permission,
  storeOf,
  syncToken,
} from "./answering.ts";

const filterOf = (query: { key?: string; label?: string; tags?: string[] }): ValueFilter => ({
  key: parseFilter("key", query.key),
  label: parseLabelFilter("label", query.label),
  tags: parseTagFilters("tags", query.tags),
});

/** Undefined means all members. */
type Wanted = ReturnType<typeof readSelect>;

function itemOf({ state: { shownValues } }: DataContext, row: ContentRow, wanted: Wanted): ShownValue {
  const known = wanted ? undefined : shownValues.find(row.etag);
  if (known) return known;
  const { key, label, etag } = row;
  const item = { key, label, etag, text: JSON.stringify(selected(rowBody(row), wanted)) };
  if (!wanted) shownValues.keep(item);
  return item;
}
/** If all items are cached, only their entity tags are read. */
async function listItems(
  context: DataContext,
  store: string,
  filter: ValueFilter,
  options: ListOptions,
  wanted: Wanted,
): Promise<ShownValue[]> {
  const { db, state } = context;
  if (!wanted) {
    const listed = await listEntityTags(db, store, filter, options);
    const items = listed.map(({ etag }) => state.shownValues.find(etag));
    if (items.every((item) => item !== undefined)) return items;
  }
  return (await listValues(db, store, filter, options)).map((row) => itemOf(context, row, wanted));
}

type Shown = {
  readonly store: string;
  readonly tail: string;
  readonly page: Page<ShownValue>;
  readonly wanted: Wanted;
  readonly atMs: number | undefined;
  readonly headers: { readonly "if-match"?: string; readonly "if-none-match"?: string };
};
function show(context: DataContext, { store, tail, page, wanted, atMs, headers }: Shown) {
  const next = nextLinksOf(context, tail, page);
  const etag = pageEtagOf([
    ...page.rows.map((item) => item.etag),
    next ? "more" : "end",
    ...(wanted ? [...wanted].sort() : []),
  ]);
  const answerHeaders = {
    "content-type": mediaTypeOf("kvset"),
    etag: quoted(etag),
    ...(next && { link: next.header }),
    ...mementoHeaders(atMs),
    ...syncToken(context, store),
  };
  const conditions = { ifMatch: headers["if-match"], ifNoneMatch: headers["if-none-match"] };
  if (isUnchanged(conditions, etag)) return answer(304, undefined, answerHeaders);
  const items = page.rows.map((item) => item.text).join(",");
  const rest = JSON.stringify({ etag, ...(next && { "@nextLink": next.body }) }).slice(1);
  return answer(200, `{"items":[${items}],${rest}`, answerHeaders);
}

const listKeyValues = operation({
  id: "configuration-data.list-key-values",
  summary: "Lists key-values by key, label and tags.",
  description:
    "`Accept-Datetime` lists them at an earlier time, and `snapshot` lists the copies in a snapshot, which needs the permission for snapshots too. Pages have 100 items; follow `@nextLink`. `If-None-Match` with the tag of a page gives 304 if nothing on it changed.",
  method: "GET",
  path: "/{store}/kv",
  permission: permission("keyValues/read"),
  params: StoreParams,
  acceptsNul: true,
  query: ValuesQuery,
  headers: ReadingHeaders,
  answers: { 200: finishedJson(KeyValuesPage), 304: noBody },
  errors: [errors.invalidArgument, errors.preconditionFailed],
  async handle({ params, query, headers }, context) {
    const store = storeOf(params);
    const filter = filterOf(query);
    const atMs = instantOf(headers);
    const wanted = readSelect(selectOf(query), KEY_VALUE_FIELDS);
    const page = await context.pages.of(
      pageRequestOf(store, query, atMs),
      (item: ShownValue): [string, string] => [item.key, item.label],
      async (last, limit) => {
        const options = { after: last && { key: last[0], label: last[1] }, limit };
        if (query.snapshot === undefined && atMs === undefined)
          return listItems(context, store, filter, options, wanted);
        const rows =
          query.snapshot === undefined
            ? await listValuesAt(context.db, store, filter, options, atMs ?? 0)
            : await keptBy(context, store, query.snapshot, filter, options);
        return rows.map((row) => itemOf(context, row, wanted));
      },
    );
    return show(context, { store, tail: "/kv", page, wanted, atMs, headers });
  },
});
/** A snapshot that is not readable has no items. */
async function keptBy(
  context: DataContext,
  store: string,
  name: string,
  filter: ValueFilter,
  options: ListOptions,
): Promise<ContentRow[]> {
  if (name.includes("\0")) throw invalidArgument("snapshot", "snapshot: Invalid character");
  const { resource_id: resource } = (await findStore(context.db, store)) ?? {};
  await context.requirePermission(permission("snapshots/read"), resource);
  const snapshot = await findSnapshot(context.db, store, name);
  if (snapshot?.status !== "ready" && snapshot?.status !== "archived") return [];
  return listSnapshotItems(context.db, store, name, filter, options);
}

const listKeyRevisions = operation({
  id: "configuration-data.list-revisions",
  summary: "Lists the revisions of key-values, newest first.",
  description:
    "Includes the present state. Revisions are kept for 7 days (Free) or 30 days (Standard). Pages have 100 items; follow `@nextLink`.",
  method: "GET",
  path: "/{store}/revisions",
  permission: permission("keyValues/read"),
  params: StoreParams,
  acceptsNul: true,
  query: ListQuery,
  headers: ReadingHeaders,
  answers: { 200: finishedJson(KeyValuesPage), 304: noBody },
  errors: [errors.invalidArgument, errors.preconditionFailed],
  async handle({ params, query, headers }, context) {
    const store = storeOf(params);
    const atMs = instantOf(headers);
    const filter = filterOf(query);
    const wanted = readSelect(selectOf(query), KEY_VALUE_FIELDS);
    const { revisionsKeptSeconds } = findTier((await findStore(context.db, store))?.tier ?? "") ?? tiers.free;
    const page = await context.pages.of(
      pageRequestOf(store, query, atMs),
      (row: RevisionRow): [number, string] => [row.last_modified, row.id],
      (last, limit) =>
        listRevisions(context.db, store, filter, {
          after: last && { lastModifiedMs: last[0], id: last[1] },
          limit,
          atMs,
          keptSinceMs: context.clock.nowMs() - revisionsKeptSeconds * 1000,
        }),
    );
    const rows = page.rows.map((row) => itemOf(context, row, wanted));
    return show(context, { store, tail: "/revisions", page: { ...page, rows }, wanted, atMs, headers });
  },
});

const NAME_FIELDS = new Set(["name"]);

type NameList = {
  readonly word: "keys" | "labels";
  readonly summary: string;
  readonly description: string;
  readonly media: "keyset" | "labelset";
  readonly filter: typeof parseFilter;
  list(db: DataContext["db"], store: string, options: NameOptions): Promise<string[]>;
  shown(name: string): string | null;
};
const nameList = ({ word, summary, description, media, filter, list, shown }: NameList) =>
  operation({
    id: `configuration-data.list-${word}`,
    summary,
    description,
    method: "GET",
    path: `/{store}/${word}`,
    permission: permission("keyValues/read"),
    params: StoreParams,
    acceptsNul: true,
    query: NamesQuery,
    headers: ReadingHeaders,
    answers: { 200: NamesPage },
    errors: [errors.invalidArgument],
    async handle({ params, query, headers }, context) {
      const store = storeOf(params);
      const atMs = instantOf(headers);
      readSelect(selectOf(query), NAME_FIELDS);
      const nameFilter = filter("name", query.name);
      const page = await context.pages.of(
        pageRequestOf(store, query, atMs),
        (name: string) => [name],
        (last, limit) => list(context.db, store, { filter: nameFilter, after: last?.[0], limit, atMs }),
      );
      const next = nextLinksOf(context, `/${word}`, page);
      return answer(
        200,
        {
          items: page.rows.map((name) => ({ name: shown(name) })),
          ...(next && { "@nextLink": next.body }),
        },
        {
          "content-type": mediaTypeOf(media),
          ...(next && { link: next.header }),
          ...mementoHeaders(atMs),
          ...syncToken(context, store),
        },
      );
    },
  });

export const listOperations = [
  listKeyValues,
  listKeyRevisions,
  nameList({
    word: "keys",
    summary: "Lists the keys of a store.",
    description: "Each key once, whatever its labels. Pages have 100 keys; follow `@nextLink`.",
    media: "keyset",
    filter: parseFilter,
    list: listKeys,
    shown: (name) => name,
  }),
  nameList({
    word: "labels",
    summary: "Lists the labels of a store.",
    description: "`null` stands for key-values without a label. Pages have 100 labels; follow `@nextLink`.",
    media: "labelset",
    filter: parseLabelFilter,
    list: listLabels,
    shown: (name) => (name === "" ? null : name),
  }),
];
