/** Shapes of a store's data on the wire. */
import { type TSchema, Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { NO_LABEL } from "./domain/filters.ts";
import type { KeyValue } from "./domain/key-values.ts";
import { keyValueOf, tagsOf } from "./store/index.ts";
import type { ContentRow, SnapshotRow } from "./tables.ts";

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const TagsShape = Type.Record(Type.String(), nullable(Type.String()));

export const StoreParams = Type.Object({ store: Type.String() });
export const KeyParams = Type.Object({ store: Type.String(), key: Type.String() });
export const SnapshotParams = Type.Object({ store: Type.String(), name: Type.String() });

const version = { "api-version": Type.Optional(Type.String()) };
/** Clients spell it both ways. */
const select = { $select: Type.Optional(Type.String()), $Select: Type.Optional(Type.String()) };
const after = { after: Type.Optional(Type.String({ maxLength: 16_384 })) };
export const selectOf = (query: { $select?: string; $Select?: string }): string | undefined =>
  query.$select ?? query.$Select;

export const LabelQuery = Type.Object({ ...version, label: Type.Optional(Type.String()) });
export const KeyValueQuery = Type.Object({ ...version, ...select, label: Type.Optional(Type.String()) });
export const ListQuery = Type.Object({
  ...version,
  ...select,
  ...after,
  key: Type.Optional(Type.String()),
  label: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
});
export const ValuesQuery = Type.Composite([
  ListQuery,
  Type.Object({ snapshot: Type.Optional(Type.String()) }),
]);
export const NamesQuery = Type.Object({
  ...version,
  ...select,
  ...after,
  name: Type.Optional(Type.String()),
});
export const SnapshotsQuery = Type.Composite([
  NamesQuery,
  Type.Object({ status: Type.Optional(Type.String()) }),
]);
export const SnapshotQuery = Type.Object({ ...version, ...select });
export const OperationQuery = Type.Object({ ...version, snapshot: Type.String() });

const conditional = {
  "if-match": Type.Optional(Type.String()),
  "if-none-match": Type.Optional(Type.String()),
};
export const ConditionalHeaders = Type.Object(conditional);
export const ReadingHeaders = Type.Object({
  ...conditional,
  "accept-datetime": Type.Optional(Type.String()),
});

export const KeyValueBody = Type.Object({
  value: Type.Optional(nullable(Type.String())),
  content_type: Type.Optional(nullable(Type.String())),
  tags: Type.Optional(nullable(TagsShape)),
});

export const KeyValueShape = Type.Partial(
  Type.Object({
    etag: Type.String(),
    key: Type.String(),
    label: nullable(Type.String()),
    content_type: nullable(Type.String()),
    value: nullable(Type.String()),
    tags: TagsShape,
    locked: Type.Boolean(),
    last_modified: Type.String(),
  }),
);
const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    etag: Type.Optional(Type.String()),
    "@nextLink": Type.Optional(Type.String()),
  });
export const KeyValuesPage = pageOf(KeyValueShape);
export const NamesPage = pageOf(Type.Object({ name: Type.Optional(nullable(Type.String())) }));

const FilterShape = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 4096 }),
  label: Type.Optional(nullable(Type.String({ maxLength: 4096 }))),
  tags: Type.Optional(nullable(Type.Array(Type.String({ maxLength: 1024 })))),
});
export const SnapshotBody = Type.Object({
  filters: Type.Array(FilterShape),
  composition_type: Type.Optional(Type.Union([Type.Literal("key"), Type.Literal("key_label")])),
  retention_period: Type.Optional(Type.Integer()),
  tags: Type.Optional(nullable(TagsShape)),
});
export const SnapshotChange = Type.Object({
  status: Type.Union([Type.Literal("archived"), Type.Literal("ready")]),
});
export const SnapshotShape = Type.Partial(
  Type.Object({
    etag: Type.String(),
    name: Type.String(),
    status: Type.String(),
    filters: Type.Array(FilterShape),
    composition_type: Type.String(),
    created: Type.String(),
    expires: nullable(Type.String()),
    retention_period: Type.Integer(),
    size: Type.Integer(),
    items_count: Type.Integer(),
    tags: TagsShape,
  }),
);
export const SnapshotsPage = pageOf(SnapshotShape);
export const OperationShape = Type.Object({
  id: Type.String(),
  status: Type.String(),
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
});

/** Such as `application/vnd.vendor.appconfig.kv+json`. */
export const mediaTypeOf = (
  kind: "kv" | "kvset" | "keyset" | "labelset" | "snapshot" | "snapshotset",
): string => `application/vnd.vendor.appconfig.${kind}+json; charset=utf-8`;

const timeOf = (ms: number): string => isoOf(ms).replace("Z", "+00:00");

export const keyValueBody = (found: KeyValue) => ({
  etag: found.etag,
  key: found.key,
  label: found.label === NO_LABEL ? null : found.label,
  content_type: found.contentType,
  value: found.value,
  tags: { ...found.tags },
  locked: found.locked,
  last_modified: timeOf(found.lastModifiedMs),
});
export const rowBody = (row: ContentRow) => keyValueBody(keyValueOf(row));
export const KEY_VALUE_FIELDS: ReadonlySet<string> = new Set(Object.keys(KeyValueShape.properties));
export const SNAPSHOT_FIELDS: ReadonlySet<string> = new Set(Object.keys(SnapshotShape.properties));

export const snapshotBody = (row: SnapshotRow) => ({
  etag: row.etag,
  name: row.name,
  status: row.status,
  filters: JSON.parse(row.filters),
  composition_type: row.composition,
  created: timeOf(row.created_at),
  expires: row.expires_at === null ? null : timeOf(row.expires_at),
  retention_period: row.retention_seconds,
  size: row.size,
  items_count: row.items,
  tags: { ...tagsOf(row.tags) },
});
