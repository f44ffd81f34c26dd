/** Numbered pages of short lists, with the total. */
import type { SelectQueryBuilder } from "kysely";

export type PageNumber = { readonly page: number; readonly pageSize: number };
export type Counted<Row> = { readonly rows: readonly Row[]; readonly total: number };

// biome-ignore lint/suspicious/noExplicitAny: the tables of the query do not matter here.
type AnyQuery = SelectQueryBuilder<any, any, any>;

/** `query` has its conditions, but no columns and no order. */
export async function paged<Row>(
  query: AnyQuery,
  order: readonly (readonly [column: string, direction: "asc" | "desc"])[],
  { page, pageSize }: PageNumber,
): Promise<Counted<Row>> {
  const counted = await query.select(({ fn }) => fn.countAll().as("count")).executeTakeFirst();
  let ordered = query.selectAll();
  for (const [column, direction] of order) ordered = ordered.orderBy(column, direction);
  const rows = await ordered
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { rows: rows as Row[], total: Number(counted?.count ?? 0) };
}
