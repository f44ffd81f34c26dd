/** A part of a list that is read by ids: below one or above one. */
import { type SelectQueryBuilder, sql } from "kysely";
import type { Tables } from "../tables.ts";

export type Slice = {
  readonly olderThan?: number | undefined;
  readonly newerThan?: number | undefined;
  readonly limit: number;
};

/** Newest first, in both paging directions. */
export async function sliceOf<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { olderThan, newerThan, limit }: Slice,
): Promise<Row[]> {
  const id = sql.ref<number>("id");
  let sliced = query.limit(limit);
  if (olderThan !== undefined) sliced = sliced.where(id, "<", olderThan);
  if (newerThan !== undefined) sliced = sliced.where(id, ">", newerThan);
  const rows = await sliced.orderBy(id, newerThan === undefined ? "desc" : "asc").execute();
  return newerThan === undefined ? rows : rows.reverse();
}
