/** Lists whose newest rows come first. */
import { type SelectQueryBuilder, sql } from "kysely";

/** The end of a page: the time and the id of its last row. */
export type NewestFirstKey = readonly [createdAtMs: number, id: string];
export const newestFirstKeyOf = (row: { created_at: number; id: string }): NewestFirstKey => [
  Number(row.created_at),
  row.id,
];

// biome-ignore lint/suspicious/noExplicitAny: any table with these two columns fits.
type Query<Row> = SelectQueryBuilder<any, any, Row>;

export function newestFirst<Row>(
  query: Query<Row>,
  after: NewestFirstKey | undefined,
  limit: number,
): Query<Row> {
  let ordered = query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit);
  if (after !== undefined) {
    const [createdAt, id] = after;
    ordered = ordered.where(sql<boolean>`(created_at, id) < (${createdAt}, ${id})`);
  }
  return ordered;
}

/** Rows between two instants; either may be left out. */
export type Span = { readonly afterMs?: number | undefined; readonly beforeMs?: number | undefined };
export function within<Row>(query: Query<Row>, column: string, { afterMs, beforeMs }: Span): Query<Row> {
  let narrowed = query;
  if (afterMs !== undefined) narrowed = narrowed.where(column, ">=", afterMs as never);
  if (beforeMs !== undefined) narrowed = narrowed.where(column, "<=", beforeMs as never);
  return narrowed;
}
export function equal<Row>(
  query: Query<Row>,
  columns: Readonly<Record<string, string | number | undefined>>,
): Query<Row> {
  let narrowed = query;
  for (const [column, value] of Object.entries(columns))
    if (value !== undefined) narrowed = narrowed.where(column, "=", value as never);
  return narrowed;
}
