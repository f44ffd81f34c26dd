/** Filters as SQL, the same for current values, revisions and snapshots. */
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { TagFilter, TextFilter } from "../domain/filters.ts";

export type ValueFilter = {
  readonly key: TextFilter;
  readonly label: TextFilter;
  readonly tags: readonly TagFilter[];
};
type Condition = RawBuilder<SqlBool>;

/** Sorts after every text with the same prefix, in byte order. */
const LAST = "\u{10ffff}\u{10ffff}";

/** Bound values of a filter, in the order of its conditions. */
function textValues(filter: TextFilter): readonly string[] {
  if (filter.kind === "any") return [];
  return filter.kind === "oneOf" ? filter.values : [filter.prefix, filter.prefix + LAST];
}
export const filterValues = ({ key, label, tags }: ValueFilter): string[] => [
  ...textValues(key),
  ...textValues(label),
  ...tags.map(({ name, value }) => JSON.stringify([name, value])),
];
const textShape = (filter: TextFilter): string =>
  filter.kind === "oneOf" ? String(filter.values.length) : filter.kind;
/** Filters of the same shape produce the same SQL with other values. */
export const filterShape = ({ key, label, tags }: ValueFilter): string =>
  `${textShape(key)} ${textShape(label)} ${tags.length}`;

/** Returns the values one after another. */
export type Next = () => unknown;
export const inTurn = (values: readonly unknown[]): Next => {
  let at = 0;
  return () => values[at++];
};

export function textConditions(
  column: string,
  filter: TextFilter,
  next: Next = inTurn(textValues(filter)),
): Condition[] {
  const name = sql.ref(column);
  if (filter.kind === "any") return [];
  if (filter.kind === "oneOf")
    return filter.values.length === 1
      ? [sql<SqlBool>`${name} = ${next()}`]
      : [sql<SqlBool>`${name} in (${sql.join(filter.values.map(next))})`];
  return [sql<SqlBool>`${name} >= ${next()}`, sql<SqlBool>`${name} <= ${next()}`];
}

/**
 * A pair is in the list if removing it changes the list. This is exact and case-sensitive on both databases.
 */
const tagCondition = (pair: unknown): Condition =>
  sql<SqlBool>`replace(${sql.ref("tags")}, ${pair}, '') <> ${sql.ref("tags")}`;

export const valueConditions = (
  filter: ValueFilter,
  next: Next = inTurn(filterValues(filter)),
): Condition[] => [
  ...textConditions("key", filter.key, next),
  ...textConditions("label", filter.label, next),
  ...filter.tags.map(() => tagCondition(next())),
];

export type Position = { readonly key: string; readonly label: string };
export const afterPosition = ({ key, label }: Position): Condition =>
  sql<SqlBool>`(${sql.ref("key")}, ${sql.ref("label")}) > (${key}, ${label})`;

/** Rows of `configuration_revision` that a newer one replaced before an instant. */
export const replacedBy = (atMs: number): Condition =>
  sql<SqlBool>`exists (select 1 from configuration_revision as later
    where later.store = configuration_revision.store
    and later.key = configuration_revision.key and later.label = configuration_revision.label
    and later.last_modified <= ${atMs}
    and (later.last_modified, later.id) > (configuration_revision.last_modified, configuration_revision.id))`;

/**
 * Rows of `configuration_revision` that were current at an instant. The unary plus makes the database use
 * the index by key, which has the page order.
 */
export const currentAt = (atMs: number): Condition =>
  sql<SqlBool>`deleted = 0 and +last_modified <= ${atMs} and not ${replacedBy(atMs)}`;
