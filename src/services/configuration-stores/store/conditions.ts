/** Filters as SQL, the same for current values, revisions and snapshots. */
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { TagFilter, TextFilter } from "../domain/filters.ts";

export type ValueFilter = {
  readonly key: TextFilter;
  readonly label: TextFilter;
  readonly tags: readonly TagFilter[];
};
type Condition = RawBuilder<SqlBool>;

/** Greater than every text that begins with the same prefix, in byte order. */
const LAST = "\u{10ffff}\u{10ffff}";

export function textConditions(column: string, filter: TextFilter): Condition[] {
  const name = sql.ref(column);
  if (filter.kind === "any") return [];
  if (filter.kind === "oneOf") {
    const [only] = filter.values;
    return filter.values.length === 1
      ? [sql<SqlBool>`${name} = ${only}`]
      : [sql<SqlBool>`${name} in (${sql.join(filter.values)})`];
  }
  return [sql<SqlBool>`${name} >= ${filter.prefix}`, sql<SqlBool>`${name} <= ${filter.prefix + LAST}`];
}

/** A pair is in the list when taking it out changes the list: exact and case-sensitive on either database. */
const tagCondition = ({ name, value }: TagFilter): Condition =>
  sql<SqlBool>`replace(${sql.ref("tags")}, ${JSON.stringify([name, value])}, '') <> ${sql.ref("tags")}`;

export const valueConditions = ({ key, label, tags }: ValueFilter): Condition[] => [
  ...textConditions("key", key),
  ...textConditions("label", label),
  ...tags.map(tagCondition),
];

export type Position = { readonly key: string; readonly label: string };
export const afterPosition = ({ key, label }: Position): Condition =>
  sql<SqlBool>`(${sql.ref("key")}, ${sql.ref("label")}) > (${key}, ${label})`;

/** Rows of `configuration_revision` that a newer one has replaced by an instant. */
export const replacedBy = (atMs: number): Condition =>
  sql<SqlBool>`exists (select 1 from configuration_revision as later
    where later.store = configuration_revision.store
    and later.key = configuration_revision.key and later.label = configuration_revision.label
    and later.last_modified <= ${atMs}
    and (later.last_modified, later.id) > (configuration_revision.last_modified, configuration_revision.id))`;

/** Rows of `configuration_revision` that were current at an instant. The plus keeps pages in the order of the index by key. */
export const currentAt = (atMs: number): Condition =>
  sql<SqlBool>`deleted = 0 and +last_modified <= ${atMs} and not ${replacedBy(atMs)}`;
