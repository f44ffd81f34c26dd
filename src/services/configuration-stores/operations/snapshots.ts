/** Snapshots: named, immutable sets of key-values. */
import { httpDateOf } from "#kernel/clock";
import { answer, noBody } from "#kernel/operation";
import { isUnchanged, quoted, requireConditions } from "../domain/conditions.ts";
import { parseFilter } from "../domain/filters.ts";
import { readSelect, selected } from "../domain/key-values.ts";
import {
  nextStatus,
  type ParsedFilter,
  parseSnapshotFilter,
  parseStatusFilter,
  requireSnapshotName,
  requireSnapshotRequest,
  SNAPSHOT_BYTES_MAX,
  type SnapshotFilter,
  type SnapshotRequest,
} from "../domain/snapshots.ts";
import { findTier, type Tier, tiers } from "../domain/tiers.ts";
import { calledEndpointOf } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { expireLater, finishSnapshot, keepAfterAll } from "../jobs.ts";
import {
  findSnapshot,
  findStore,
  insertSnapshot,
  listSnapshots,
  listValues,
  snapshotUsage,
  tagsText,
  updateSnapshot,
} from "../store/index.ts";
import type { ContentRow, SnapshotRow } from "../tables.ts";
import {
  ConditionalHeaders,
  mediaTypeOf,
  OperationQuery,
  OperationShape,
  SNAPSHOT_FIELDS,
  SnapshotBody,
  SnapshotChange,
  SnapshotParams,
  SnapshotQuery,
  SnapshotShape,
  SnapshotsPage,
  SnapshotsQuery,
  StoreParams,
  selectOf,
  snapshotBody,
} from "../wire.ts";
import {
  type DataContext,
  nextLinksOf,
  operation,
  pageRequestOf,
  permission,
  storeOf,
  syncToken,
} from "./answering.ts";

const ROWS_AT_ONCE = 500;
/** Minimum size of a snapshot, so that empty snapshots count against the quota too. */
const OVERHEAD_BYTES = 1024;

const versionOf = (query: { "api-version": string }): string => encodeURIComponent(query["api-version"]);

function headersOf(
  context: DataContext,
  params: { store: string },
  query: { "api-version": string },
  row: SnapshotRow,
): Record<string, string> {
  const path = new URL(calledEndpointOf(context, params.store)).pathname.replace(/\/$/, "");
  const items = `${path}/kv?snapshot=${encodeURIComponent(row.name)}&api-version=${versionOf(query)}`;
  return {
    "content-type": mediaTypeOf("snapshot"),
    etag: quoted(row.etag),
    "last-modified": httpDateOf(row.last_modified),
    link: `<${items}>; rel="items"`,
    ...syncToken(context, row.store),
  };
}

async function getSnapshotRow(context: DataContext, store: string, name: string): Promise<SnapshotRow> {
  const found = await findSnapshot(context.db, store, name);
  if (!found) throw errors.notFound(`There is no snapshot named '${name.slice(0, 100)}'.`);
  return found;
}
const tierOf = async (context: DataContext, store: string): Promise<Tier> =>
  findTier((await findStore(context.db, store))?.tier ?? "") ?? tiers.free;

const getSnapshot = operation({
  id: "configuration-data.get-snapshot",
  summary: "Reads a snapshot.",
  description:
    "The response has the filters, size and status, not the items; list those with `configuration-data.list-key-values` and `snapshot`.",
  method: "GET",
  path: "/{store}/snapshots/{name}",
  permission: permission("snapshots/read"),
  params: SnapshotParams,
  query: SnapshotQuery,
  headers: ConditionalHeaders,
  answers: { 200: SnapshotShape, 304: noBody },
  errors: [errors.invalidArgument, errors.notFound, errors.preconditionFailed],
  async handle({ params, query, headers }, context) {
    const wanted = readSelect(selectOf(query), SNAPSHOT_FIELDS);
    const row = await getSnapshotRow(context, storeOf(params), params.name);
    const answerHeaders = headersOf(context, params, query, row);
    const conditions = { ifMatch: headers["if-match"], ifNoneMatch: headers["if-none-match"] };
    if (isUnchanged(conditions, row.etag)) return answer(304, undefined, answerHeaders);
    return answer(200, selected(snapshotBody(row), wanted), answerHeaders);
  },
});

const listAll = operation({
  id: "configuration-data.list-snapshots",
  summary: "Lists snapshots by name and status.",
  description: "Pages have 100 snapshots; follow `@nextLink`. Expired snapshots are gone.",
  method: "GET",
  path: "/{store}/snapshots",
  permission: permission("snapshots/read"),
  params: StoreParams,
  query: SnapshotsQuery,
  answers: { 200: SnapshotsPage },
  errors: [errors.invalidArgument],
  async handle({ params, query }, context) {
    const store = storeOf(params);
    const wanted = readSelect(selectOf(query), SNAPSHOT_FIELDS);
    const filter = parseFilter("name", query.name);
    const statuses = parseStatusFilter(query.status);
    const page = await context.pages.of(
      pageRequestOf(store, query),
      (row: SnapshotRow) => [row.name],
      (last, limit) => listSnapshots(context.db, store, { filter, statuses, after: last?.[0], limit }),
    );
    const next = nextLinksOf(context, "/snapshots", page);
    return answer(
      200,
      {
        items: page.rows.map((row) => selected(snapshotBody(row), wanted)),
        ...(next && { "@nextLink": next.body }),
      },
      {
        "content-type": mediaTypeOf("snapshotset"),
        ...(next && { link: next.header }),
        ...syncToken(context, store),
      },
    );
  },
});

type Taken = {
  readonly rows: readonly ContentRow[];
  readonly size: number;
  readonly problem: string | undefined;
};

/** All key-values that match a filter, in batches. */
async function* portionsOf(context: DataContext, store: string, filter: ParsedFilter) {
  for (let after: ContentRow | undefined; ; ) {
    const rows = await listValues(context.db, store, filter, { after, limit: ROWS_AT_ONCE });
    yield rows;
    after = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** Filters are applied in order. If keys must be unique, the last matching filter wins. */
async function takeItems(
  context: DataContext,
  store: string,
  { filters, composition }: SnapshotRequest,
  bytesMax: number,
): Promise<Taken> {
  const taken = new Map<string, ContentRow>();
  let size = 0;
  for (const [index, given] of filters.entries()) {
    for await (const rows of portionsOf(context, store, parseSnapshotFilter(given, index))) {
      for (const row of rows) {
        const identity = composition === "key" ? row.key : JSON.stringify([row.key, row.label]);
        size += row.size - (taken.get(identity)?.size ?? 0);
        taken.set(identity, row);
      }
      if (size > bytesMax)
        return { rows: [], size: 0, problem: `The snapshot takes more than the ${bytesMax} bytes allowed.` };
    }
  }
  return { rows: [...taken.values()], size, problem: undefined };
}

async function create(
  context: DataContext,
  store: string,
  name: string,
  request: SnapshotRequest,
): Promise<SnapshotRow> {
  const tier = await tierOf(context, store);
  const retentionSeconds = requireSnapshotRequest(request, tier);
  if (await findSnapshot(context.db, store, name))
    throw errors.alreadyExists("A snapshot of that name exists.");
  const { bytes, count } = await snapshotUsage(context.db, store);
  const room = tier.snapshotStorageBytesMax - bytes - (count + 1) * OVERHEAD_BYTES;
  if (room < 0)
    throw errors.quotaExceeded("The store's room for snapshots is used up.", {
      fields: { policy: "Storage" },
    });
  const { rows, size, problem } = await takeItems(
    context,
    store,
    request,
    Math.min(SNAPSHOT_BYTES_MAX, room),
  );
  const now = context.clock.nowMs();
  const row: SnapshotRow = {
    account: context.account,
    store,
    name,
    status: "provisioning",
    filters: JSON.stringify(request.filters),
    composition: request.composition,
    tags: tagsText(request.tags),
    retention_seconds: retentionSeconds,
    created_at: now,
    last_modified: now,
    expires_at: null,
    size,
    items: rows.length,
    etag: context.ids.bytes(16).toString("base64url"),
    error: problem ?? null,
  };
  const items = rows.map((item) => ({ ...item, account: context.account, store, snapshot: name }));
  await insertSnapshot(context.db, row, items);
  const runAtMs = now + context.config.provisioningSeconds * 1000;
  await context.enqueue(finishSnapshot, { store, name }, { runAtMs });
  return row;
}

const createSnapshot = operation({
  id: "configuration-data.create-snapshot",
  summary: "Creates a snapshot of the key-values that one to three filters match.",
  description:
    "Copies the key-values now; a job makes the snapshot readable after `--provisioning-seconds`. Poll the URL in `operation-location`. A snapshot may have 1 MB; a larger one ends as `failed`. A name can be used once: snapshots cannot be changed or deleted, only archived.",
  method: "PUT",
  path: "/{store}/snapshots/{name}",
  permission: permission("snapshots/write"),
  alsoNeeds: [permission("keyValues/read")],
  params: SnapshotParams,
  query: SnapshotQuery,
  body: SnapshotBody,
  acceptsNul: true,
  answers: { 201: SnapshotShape },
  errors: [errors.invalidArgument, errors.alreadyExists, errors.quotaExceeded],
  async handle({ params, query, body }, context) {
    requireSnapshotName(params.name);
    const filters = body.filters.map(
      ({ key, label, tags }): SnapshotFilter => ({
        key,
        label: label ?? null,
        ...(tags && tags.length > 0 && { tags }),
      }),
    );
    const row = await create(context, storeOf(params), params.name, {
      filters,
      composition: body.composition_type ?? "key",
      retentionSeconds: body.retention_period,
      tags: body.tags ?? {},
    });
    const endpoint = calledEndpointOf(context, params.store);
    return answer(201, snapshotBody(row), {
      ...headersOf(context, params, query, row),
      "operation-location": `${endpoint}/operations?snapshot=${encodeURIComponent(row.name)}&api-version=${versionOf(query)}`,
    });
  },
});

const changeSnapshot = operation({
  id: "configuration-data.change-snapshot",
  summary: "Archives or recovers a snapshot.",
  description:
    "An archived snapshot stays readable and is deleted by a job after its retention period: 7 days in the Free tier, by default 30 and at most 90 days in Standard. Recovering it before then cancels the deletion. Refused while it is being created or if it failed.",
  method: "PATCH",
  path: "/{store}/snapshots/{name}",
  permission: permission("snapshots/archive/action"),
  params: SnapshotParams,
  query: SnapshotQuery,
  headers: ConditionalHeaders,
  body: SnapshotChange,
  answers: { 200: SnapshotShape },
  errors: [errors.invalidArgument, errors.notFound, errors.preconditionFailed, errors.invalidState],
  async handle({ params, query, headers, body }, context) {
    const row = await getSnapshotRow(context, storeOf(params), params.name);
    requireConditions({ ifMatch: headers["if-match"], ifNoneMatch: headers["if-none-match"] }, row.etag);
    const status = nextStatus(row.status, body.status);
    const changed = status ? await moveTo(context, row, status) : row;
    return answer(200, snapshotBody(changed), headersOf(context, params, query, changed));
  },
});
async function moveTo(
  context: DataContext,
  row: SnapshotRow,
  status: "archived" | "ready",
): Promise<SnapshotRow> {
  const now = context.clock.nowMs();
  const expiresAtMs = status === "archived" ? now + row.retention_seconds * 1000 : null;
  const changed: SnapshotRow = {
    ...row,
    status,
    expires_at: expiresAtMs,
    last_modified: now,
    etag: context.ids.bytes(16).toString("base64url"),
  };
  const { expires_at, last_modified, etag } = changed;
  await updateSnapshot(context.db, row.store, row.name, { status, expires_at, last_modified, etag });
  if (expiresAtMs === null) await keepAfterAll(context, row);
  else await expireLater(context, row, expiresAtMs);
  return changed;
}

const STATUS_WORDS = {
  provisioning: "Running",
  ready: "Succeeded",
  archived: "Succeeded",
  failed: "Failed",
} as const;
const getOperation = operation({
  id: "configuration-data.get-operation",
  summary: "Reads the status of a snapshot's creation.",
  description: "`Running`, then `Succeeded` or `Failed` with the error.",
  method: "GET",
  path: "/{store}/operations",
  permission: permission("snapshots/read"),
  params: StoreParams,
  query: OperationQuery,
  answers: { 200: OperationShape },
  errors: [errors.notFound],
  async handle({ params, query }, context) {
    const store = storeOf(params);
    const row = await getSnapshotRow(context, store, query.snapshot);
    const status = STATUS_WORDS[row.status];
    const error =
      status === "Failed" ? { code: "QuotaExceeded", message: row.error ?? "The snapshot failed." } : null;
    return answer(200, { id: row.name, status, error }, syncToken(context, store));
  },
});

export const snapshotOperations = [getSnapshot, listAll, createSnapshot, changeSnapshot, getOperation];
