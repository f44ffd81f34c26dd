/** Operations on one key-value: read, set, delete, lock, unlock. */
import { httpDateOf } from "#kernel/clock";
import { answer, noBody } from "#kernel/operation";
import { type Conditions, isUnchanged, quoted, requireConditions } from "../domain/conditions.ts";
import {
  type Content,
  isSameContent,
  labelOf,
  readSelect,
  requireContent,
  requireKey,
  selected,
} from "../domain/key-values.ts";
import { findTier, tiers } from "../domain/tiers.ts";
import { errors } from "../errors.ts";
import {
  deleteValue,
  findStore,
  findValue,
  findValueAt,
  insertRevision,
  insertValue,
  keyValueOf,
  tagsText,
  updateValue,
} from "../store/index.ts";
import type { ContentRow, ValueRow } from "../tables.ts";
import {
  ConditionalHeaders,
  KEY_VALUE_FIELDS,
  KeyParams,
  KeyValueBody,
  KeyValueQuery,
  KeyValueShape,
  LabelQuery,
  mediaTypeOf,
  ReadingHeaders,
  rowBody,
  selectOf,
} from "../wire.ts";
import {
  type DataContext,
  instantOf,
  mementoHeaders,
  operation,
  permission,
  storeOf,
  syncToken,
} from "./answering.ts";

const BODY_BYTES_MAX = 128 * 1024;
const ETAG_BYTES = 16;

type Addressed = { readonly store: string; readonly key: string; readonly label: string };
const addressOf = (params: { store: string; key: string }, query: { label?: string }): Addressed => ({
  store: storeOf(params),
  key: params.key,
  label: labelOf(query.label),
});
const conditionsOf = (headers: { "if-match"?: string; "if-none-match"?: string }): Conditions => ({
  ifMatch: headers["if-match"],
  ifNoneMatch: headers["if-none-match"],
});
const headersOf = (context: DataContext, store: string, row: ContentRow): Record<string, string> => ({
  "content-type": mediaTypeOf("kv"),
  etag: quoted(row.etag),
  "last-modified": httpDateOf(row.last_modified),
  ...syncToken(context, store),
});
const shown = (context: DataContext, store: string, row: ContentRow) =>
  answer(200, rowBody(row), headersOf(context, store, row));

const nothingThere = ({ key, label }: Addressed) =>
  errors.notFound(
    `There is no key-value with key '${key.slice(0, 100)}' and ${label === "" ? "no label" : `label '${label.slice(0, 100)}'`}.`,
  );

/** The rest of the path is the key, so keys may contain slashes. */
const atKey = { restOfPath: true, params: KeyParams, acceptsNul: true } as const;
const changing = { ...atKey, query: LabelQuery, headers: ConditionalHeaders } as const;

const getKeyValue = operation({
  id: "configuration-data.get-key-value",
  summary: "Reads a key-value, now or at an earlier time.",
  description:
    "`Accept-Datetime` reads the value at that time from the revisions, which are kept for 7 days (Free) or 30 days (Standard). Without `label` it reads the key-value that has none. `If-None-Match` gives 304 if nothing changed.",
  method: "GET",
  path: "/{store}/kv/{key}",
  permission: permission("keyValues/read"),
  ...atKey,
  query: KeyValueQuery,
  headers: ReadingHeaders,
  answers: { 200: KeyValueShape, 304: noBody },
  errors: [errors.invalidArgument, errors.notFound, errors.preconditionFailed],
  async handle({ params, query, headers }, context) {
    const address = addressOf(params, query);
    const wanted = readSelect(selectOf(query), KEY_VALUE_FIELDS);
    const atMs = instantOf(headers);
    const row =
      atMs === undefined
        ? await findValue(context.db, address.store, address)
        : await findValueAt(context.db, address.store, address, atMs);
    if (!row) throw nothingThere(address);
    const answerHeaders = { ...headersOf(context, address.store, row), ...mementoHeaders(atMs) };
    if (isUnchanged(conditionsOf(headers), row.etag)) return answer(304, undefined, answerHeaders);
    return answer(200, selected(rowBody(row), wanted), answerHeaders);
  },
});

/**
 * A job measures the used size from time to time. A counter updated by each write would serialize all
 * writers.
 */
async function requireRoom(context: DataContext, store: string): Promise<void> {
  const found = await findStore(context.db, store);
  const { storageBytesMax } = findTier(found?.tier ?? "") ?? tiers.free;
  if ((found?.used_bytes ?? 0) > storageBytesMax)
    throw errors.quotaExceeded(`The store holds more than the ${storageBytesMax} bytes of its tier.`, {
      fields: { policy: "Storage" },
    });
}

type Written = Content & { readonly locked: boolean; readonly size: number };

const rowOf = (context: DataContext, { store, key, label }: Addressed, content: Written): ValueRow => ({
  account: context.account,
  store,
  key,
  label,
  value: content.value,
  content_type: content.contentType,
  tags: tagsText(content.tags),
  locked: content.locked ? 1 : 0,
  etag: context.ids.bytes(ETAG_BYTES).toString("base64url"),
  last_modified: context.clock.nowMs(),
  size: content.size,
});

/** Undefined if the key-value exists. */
export async function add(
  context: DataContext,
  address: Addressed,
  content: Written,
): Promise<ValueRow | undefined> {
  const row = rowOf(context, address, content);
  if (!(await insertValue(context.db, row))) return undefined;
  await insertRevision(context.db, context.ids.sortable(), row);
  return row;
}
export async function replace(context: DataContext, address: Addressed, content: Written): Promise<ValueRow> {
  const row = rowOf(context, address, content);
  await updateValue(context.db, row);
  await insertRevision(context.db, context.ids.sortable(), row);
  return row;
}

function requireUnlocked(current: ValueRow | undefined): void {
  if (current?.locked !== 1) return;
  throw errors.locked("The key is read-only. To allow modification unlock it first.", {
    target: current.key,
    fields: { title: `Modifing key '${current.key}' is not allowed` },
  });
}

const putKeyValue = operation({
  id: "configuration-data.put-key-value",
  summary: "Creates or replaces a key-value.",
  description:
    "Also adds a revision. The same content again changes nothing, not even the entity tag. A key-value may have 10 KB with its label, content type and tags. Refused if it is locked, or if the store holds more than its tier allows (10 MB Free, 1 GB Standard), which a job measures at least daily.",
  method: "PUT",
  path: "/{store}/kv/{key}",
  permission: permission("keyValues/write"),
  ...changing,
  body: KeyValueBody,
  bodyBytesMax: BODY_BYTES_MAX,
  answers: { 200: KeyValueShape },
  errors: [
    errors.invalidArgument,
    errors.preconditionFailed,
    errors.locked,
    errors.tooLarge,
    errors.quotaExceeded,
  ],
  async handle({ params, query, headers, body }, context) {
    const address = addressOf(params, query);
    requireKey(address.key);
    const content: Content = {
      value: body.value ?? null,
      contentType: body.content_type ?? null,
      tags: body.tags ?? {},
    };
    const size = requireContent(address.key, address.label, content);
    await requireRoom(context, address.store);
    const row = await set(context, address, { ...content, locked: false, size }, conditionsOf(headers));
    return shown(context, address.store, row);
  },
});
async function set(
  context: DataContext,
  address: Addressed,
  content: Written,
  conditions: Conditions,
): Promise<ValueRow> {
  if (conditions.ifMatch === undefined) {
    const added = await add(context, address, content);
    if (added) return added;
  }
  const current = await findValue(context.db, address.store, address);
  requireConditions(conditions, current?.etag);
  requireUnlocked(current);
  if (current && isSameContent(keyValueOf(current), content)) return current;
  return replace(context, address, content);
}

const deleteKeyValue = operation({
  id: "configuration-data.delete-key-value",
  summary: "Deletes a key-value.",
  description:
    "Revisions stay readable for 7 days (Free) or 30 days (Standard), and snapshots keep their copy. 204 if there is none. A locked key-value is refused.",
  method: "DELETE",
  path: "/{store}/kv/{key}",
  permission: permission("keyValues/delete"),
  ...changing,
  answers: { 200: KeyValueShape, 204: noBody },
  errors: [errors.invalidArgument, errors.preconditionFailed, errors.locked],
  async handle({ params, query, headers }, context) {
    const address = addressOf(params, query);
    const current = await findValue(context.db, address.store, address);
    requireConditions(conditionsOf(headers), current?.etag);
    if (!current) return answer(204, undefined, syncToken(context, address.store));
    requireUnlocked(current);
    await deleteValue(context.db, current);
    const end = { ...current, value: null, size: 0, last_modified: context.clock.nowMs() };
    await insertRevision(context.db, context.ids.sortable(), end, true);
    return shown(context, address.store, current);
  },
});

async function setLock(
  context: DataContext,
  address: Addressed,
  conditions: Conditions,
  locked: boolean,
): Promise<ValueRow> {
  const current = await findValue(context.db, address.store, address);
  requireConditions(conditions, current?.etag);
  if (!current) throw nothingThere(address);
  if ((current.locked === 1) === locked) return current;
  return replace(context, address, { ...keyValueOf(current), locked, size: current.size });
}
const lockOperation = (method: "PUT" | "DELETE", verb: string, summary: string, description: string) =>
  operation({
    id: `configuration-data.${verb}-key-value`,
    summary,
    description,
    method,
    path: "/{store}/locks/{key}",
    permission: permission("keyValues/write"),
    ...changing,
    answers: { 200: KeyValueShape },
    errors: [errors.invalidArgument, errors.notFound, errors.preconditionFailed],
    async handle({ params, query, headers }, context) {
      const address = addressOf(params, query);
      const row = await setLock(context, address, conditionsOf(headers), method === "PUT");
      return shown(context, address.store, row);
    },
  });

export const keyValueOperations = [
  getKeyValue,
  putKeyValue,
  deleteKeyValue,
  lockOperation(
    "PUT",
    "lock",
    "Locks a key-value.",
    "A locked key-value can be read, but not set or deleted. Changes the entity tag and adds a revision, unless it is locked already.",
  ),
  lockOperation(
    "DELETE",
    "unlock",
    "Unlocks a key-value.",
    "Changes the entity tag and adds a revision, unless it is unlocked already.",
  ),
];
