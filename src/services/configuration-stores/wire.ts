/** Request and response shapes of the data API. */
import { type TSchema, Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { described } from "#kernel/shape";
import { NO_LABEL } from "./domain/filters.ts";
import type { KeyValue } from "./domain/key-values.ts";
import { keyValueOf, tagsOf } from "./store/index.ts";
import type { ContentRow, SnapshotRow } from "./tables.ts";

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const TagsShape = Type.Record(Type.String(), nullable(Type.String()));
const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const optional = (description: string, example: string) => Type.Optional(text(description, example));

const store = text("The name of the store.", "shop-settings");
export const StoreParams = Type.Object({ store });
export const KeyParams = Type.Object({ store, key: text("The key.", "Shop:Currency") });
export const SnapshotParams = Type.Object({ store, name: text("The name of the snapshot.", "release-12") });

const version = {
  "api-version": text("The version of the interface that the caller knows.", "2023-11-01"),
};
/** Clients use both spellings. */
const select = {
  $select: optional("Which members to answer, separated by commas; all when left out.", "key,value"),
  $Select: optional("The same as `$select`.", "key,value"),
};
const after = {
  after: Type.Optional(
    Type.String({
      maxLength: 16_384,
      description: "Where the next page goes on, as `@nextLink` has it.",
      examples: ["MTAw"],
    }),
  ),
};
const label = optional("The label; none when left out.", "production");
export const selectOf = (query: { $select?: string; $Select?: string }): string | undefined =>
  query.$select ?? query.$Select;

export const LabelQuery = Type.Object({ ...version, label });
export const KeyValueQuery = Type.Object({ ...version, ...select, label });
export const ListQuery = Type.Object({
  ...version,
  ...select,
  ...after,
  key: optional("Keys alone that are this, or begin with it when it ends in `*`.", "Shop:*"),
  label: optional("Labels alone that are this, or begin with it when it ends in `*`.", "production"),
  tags: Type.Optional(
    Type.Array(Type.String(), {
      description: "Those alone that have all these tags, each written as name=value.",
      examples: [["owner=design"]],
    }),
  ),
});
export const ValuesQuery = Type.Composite([
  ListQuery,
  Type.Object({ snapshot: optional("What the snapshot of this name holds.", "release-12") }),
]);
export const NamesQuery = Type.Object({
  ...version,
  ...select,
  ...after,
  name: optional("Names alone that are this, or begin with it when it ends in `*`.", "Shop:*"),
});
export const SnapshotsQuery = Type.Composite([
  NamesQuery,
  Type.Object({ status: optional("Snapshots in these states alone, separated by commas.", "ready") }),
]);
export const SnapshotQuery = Type.Object({ ...version, ...select });
export const OperationQuery = Type.Object({
  ...version,
  snapshot: text("The snapshot that is being made.", "release-12"),
});

const conditional = {
  "if-match": optional(
    "Only if it has this entity tag; `*`: only if it exists.",
    '"4f6dd610dd5e4deebc7fbaef685fb903"',
  ),
  "if-none-match": optional("Only if it has another entity tag; `*`: only if it does not exist.", "*"),
};
export const ConditionalHeaders = Type.Object(conditional);
export const ReadingHeaders = Type.Object({
  ...conditional,
  "accept-datetime": optional("As it was at this time.", "Wed, 01 May 2030 08:00:00 GMT"),
});

const tags = Type.Optional(
  Type.Union([TagsShape, Type.Null()], {
    description: "Texts by name, to find it by.",
    examples: [{ owner: "design" }],
  }),
);
export const KeyValueBody = Type.Object({
  value: Type.Optional(nullable(text("What the key stands for.", "EUR"))),
  content_type: Type.Optional(nullable(text("The media type of the value.", "text/plain"))),
  tags,
});

const etag = text("Changes with what it is of.", "4f6dd610dd5e4deebc7fbaef685fb903");
const shownTags = described(TagsShape, "Texts by name.", { owner: "design" });
const shownInstant = (description: string) => text(description, "2030-01-31T08:00:00+00:00");
export const KeyValueShape = Type.Partial(
  Type.Object({
    etag,
    key: text("The key.", "Shop:Currency"),
    label: nullable(text("The label; null when there is none.", "production")),
    content_type: nullable(text("The media type of the value.", "text/plain")),
    value: nullable(text("What the key stands for.", "EUR")),
    tags: shownTags,
    locked: Type.Boolean({ description: "Whether it cannot be changed.", examples: [false] }),
    last_modified: shownInstant("When it was last changed."),
  }),
);
const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item, { description: "The items of this page." }),
    etag: Type.Optional(etag),
    "@nextLink": optional("Where the next page is; absent on the last.", "/kv?after=MTAw"),
  });
export const KeyValuesPage = pageOf(KeyValueShape);
export const NamesPage = pageOf(
  Type.Object({ name: Type.Optional(nullable(text("The name; null for no label.", "Shop:Currency"))) }),
);

const FilterShape = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 4096, description: "As in a list.", examples: ["Shop:*"] }),
  label: Type.Optional(
    nullable(Type.String({ maxLength: 4096, description: "As in a list.", examples: ["production"] })),
  ),
  tags: Type.Optional(
    nullable(
      Type.Array(Type.String({ maxLength: 1024 }), {
        description: "As in a list.",
        examples: [["owner=design"]],
      }),
    ),
  ),
});
export const SnapshotBody = Type.Object({
  filters: Type.Array(FilterShape, {
    description: "Which key-values the snapshot holds.",
    examples: [[{ key: "Shop:*", label: "production" }]],
  }),
  composition_type: Type.Optional(
    Type.Union([Type.Literal("key"), Type.Literal("key_label")], {
      description: "Whether a key is held once, or once with each label.",
    }),
  ),
  retention_period: Type.Optional(
    Type.Integer({ description: "For how many seconds it is kept once archived.", examples: [86_400] }),
  ),
  tags,
});
export const SnapshotChange = Type.Object({
  status: Type.Union([Type.Literal("archived"), Type.Literal("ready")], {
    description: "archived: it goes when its retention period is over; ready: it stays.",
  }),
});
export const SnapshotShape = Type.Partial(
  Type.Object({
    etag,
    name: text("The snapshot's name.", "release-12"),
    status: text("How it is: provisioning, ready, archived or failed.", "ready"),
    filters: Type.Array(FilterShape, { description: "Which key-values it holds." }),
    composition_type: text("Whether a key is held once, or once with each label.", "key"),
    created: shownInstant("When it was made."),
    expires: nullable(shownInstant("When it goes; null while it stays.")),
    retention_period: Type.Integer({
      description: "For how many seconds it is kept once archived.",
      examples: [86_400],
    }),
    size: Type.Integer({ description: "How many bytes it holds.", examples: [2_048] }),
    items_count: Type.Integer({ description: "How many key-values it holds.", examples: [12] }),
    tags: shownTags,
  }),
);
export const SnapshotsPage = pageOf(SnapshotShape);
export const OperationShape = Type.Object({
  id: text("The operation.", "release-12"),
  status: text("How far it has come.", "Succeeded"),
  error: nullable(
    Type.Object(
      {
        code: text("What kind of failure it was.", "InternalServerError"),
        message: text("What went wrong.", "The snapshot could not be made."),
      },
      { description: "What it failed with; null when it did not." },
    ),
  ),
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
