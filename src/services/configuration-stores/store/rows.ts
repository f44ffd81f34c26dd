/** Row format of key-values. */
import type { KeyValue, Tags } from "../domain/key-values.ts";
import type { ContentRow } from "../tables.ts";

/** Columns that a change of a key-value updates. */
export const CHANGING_COLUMNS = [
  "value",
  "content_type",
  "tags",
  "locked",
  "etag",
  "last_modified",
  "size",
] as const;
export const CONTENT_COLUMNS = ["key", "label", ...CHANGING_COLUMNS] as const;

/** Tags are stored as pairs, so that SQL can search for a pair in the text. */
export const tagsText = (tags: Tags): string =>
  JSON.stringify(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));
export const tagsOf = (text: string): Tags => Object.fromEntries(JSON.parse(text));

export const keyValueOf = (row: ContentRow): KeyValue => ({
  key: row.key,
  label: row.label,
  value: row.value,
  contentType: row.content_type,
  tags: tagsOf(row.tags),
  locked: row.locked === 1,
  etag: row.etag,
  lastModifiedMs: row.last_modified,
});
