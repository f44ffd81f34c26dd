/** Counts of contributions by property, with the same filters as the list. */
import type { Kysely } from "kysely";
import type { ColumnCache } from "../domain/column-cache.ts";
import { RefinementCounts } from "../domain/column-counts.ts";
import { selector } from "../domain/column-filter.ts";
import { columnsOf, emptyDictionaries } from "../domain/columns.ts";
import type { Option, Refinement } from "../domain/refinements.ts";
import type { Tables } from "../tables/index.ts";
import { findColumnRows, selectedColumns } from "./columns.ts";
import type { Wanted } from "./search.ts";
import { findPlacesByWords } from "./search-conditions.ts";

type Db = Kysely<Tables>;
/** Few enough to read directly, if the columns are not in memory. */
const FEW = 5_000;

async function findCountsOfFew(
  db: Db,
  account: string,
  wanted: Wanted,
  refinements: readonly Refinement[],
): Promise<RefinementCounts | undefined> {
  const rows = await findColumnRows(db, account, wanted, FEW);
  if (!rows) return undefined;
  const dictionaries = emptyDictionaries();
  const columns = columnsOf(rows, dictionaries);
  const counts = new RefinementCounts(dictionaries, refinements);
  const everything = selector(dictionaries, {}, { everything: true, goneAssignments: [] }, undefined);
  counts.add(columns, everything(columns));
  return counts;
}

/** By refinement: most frequent first; equal counts by value. */
export async function countRefinements(
  db: Db,
  account: string,
  cache: ColumnCache,
  wanted: Wanted,
  { refinements, limit }: { refinements: readonly Refinement[]; limit: number },
): Promise<Map<Refinement, Option[]>> {
  const isNarrowed = Object.keys(wanted.filter).length > 0;
  const few =
    isNarrowed && !cache.isKnown(account)
      ? await findCountsOfFew(db, account, wanted, refinements)
      : undefined;
  if (few) return few.options(limit);
  const counts = new RefinementCounts(cache.of(account).dictionaries, refinements);
  const places = await findPlacesByWords(db, account, wanted.filter);
  for await (const { columns, selection } of selectedColumns(db, account, cache, wanted, places))
    counts.add(columns, selection);
  return counts.options(limit);
}
