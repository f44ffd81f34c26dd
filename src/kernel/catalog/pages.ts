/**
 * Selected resources, ordered by name, in pages, from indexes. The most selective condition leads: its index gives
 * names in order, and each range is read from where the last page ended. The other conditions are checked row by
 * row. A page ends early rather than read too many rows.
 */
import { type SelectQueryBuilder, sql } from "kysely";
import type { AnyDb } from "../db/database.ts";
import type { KernelTables } from "../runtime/tables.ts";
import { EVERY_REGION } from "./entry.ts";
import { isSelected, type Selection, type TagFilter } from "./selection.ts";

/** Fewer than requested, even none, together with `next`, means that there may be more. */
export type SelectedPage = {
  readonly resources: readonly SelectedResource[];
  /** Continue after this name. */
  readonly next?: string | undefined;
};
export type SelectedResource = { readonly arn: string; readonly type: string };

type Table = "medley_resource" | "medley_resource_tag";
/** Rows of one table with equal leading columns of an index, so they are ordered by `arn`. */
type Range = { readonly table: Table; readonly columns: Readonly<Record<string, string>> };
type Plan = {
  readonly ranges: readonly Range[] /** No row needs a further look. */;
  readonly exact: boolean;
};
type Candidate = SelectedResource & { region?: string; tags?: string; stack?: string | null };

const RANGES_MAX = 64;
const SAMPLE_SIZE = 1000;
/** A page usually fills from a few rows. Otherwise more are read at a time. */
const CHUNK_SIZE_FIRST = 128;
const CHUNK_GROWTH = 4;
const LOOKED_AT_MAX = 5000;

const regionsOf = ({ region }: Selection): string[] =>
  region === EVERY_REGION ? [region] : [region, EVERY_REGION];
const crossed = <A, B, C>(left: readonly A[], right: readonly B[], join: (a: A, b: B) => C): C[] =>
  left.flatMap((a) => right.map((b) => join(a, b)));

function planByTag(account: string, selection: Selection, filter: TagFilter, alone: boolean): Plan {
  const regions = regionsOf(selection);
  const { types } = selection;
  const byKey = regions.map((region) => ({ account, region, key: filter.key }));
  const values = [...new Set(filter.values)];
  const tooMany = values.length * regions.length > RANGES_MAX;
  const byValue =
    values.length === 0 || tooMany ? byKey : crossed(byKey, values, (one, value) => ({ ...one, value }));
  const useTypes = types !== undefined && byValue !== byKey && byValue.length * types.length <= RANGES_MAX;
  const columns = useTypes ? crossed(byValue, types, (one, type) => ({ ...one, type })) : byValue;
  return {
    ranges: columns.map((one) => ({ table: "medley_resource_tag", columns: one })),
    exact: alone && !tooMany && (types === undefined || useTypes),
  };
}
function planByType(account: string, selection: Selection, alone: boolean): Plan | undefined {
  const { types } = selection;
  const regions = regionsOf(selection);
  if (types === undefined || types.length * regions.length > RANGES_MAX) return undefined;
  const columns = crossed(regions, types, (region, type) => ({ account, region, type }));
  return { ranges: columns.map((one) => ({ table: "medley_resource", columns: one })), exact: alone };
}
function plansOf(account: string, selection: Selection): Plan[] {
  const { tags = [], types, stack } = selection;
  if (stack !== undefined)
    return [{ ranges: [{ table: "medley_resource", columns: { account, stack } }], exact: false }];
  const byType = planByType(account, selection, tags.length === 0);
  const byTag = tags.map((filter) => planByTag(account, selection, filter, tags.length === 1));
  if (byTag.length > 0 || byType) return [...byTag, ...(byType ? [byType] : [])];
  const columns = regionsOf(selection).map((region) => ({ account, region }));
  return [
    {
      ranges: columns.map((one) => ({ table: "medley_resource", columns: one })),
      exact: types === undefined,
    },
  ];
}

type RangeQuery = SelectQueryBuilder<KernelTables, Table, object>;
const rowsOf = (db: AnyDb, { table, columns }: Range): RangeQuery => {
  let query = db.selectFrom(table) as RangeQuery;
  for (const [column, value] of Object.entries(columns)) query = query.where(column as "account", "=", value);
  return query;
};

/** How many rows a plan would read, counted up to the sample size. */
async function weigh(db: AnyDb, { ranges }: Plan): Promise<number> {
  let weight = 0;
  for (const range of ranges) {
    const sample = rowsOf(db, range)
      .select(sql<number>`1`.as("one"))
      .limit(SAMPLE_SIZE - weight);
    const { count } = await db
      .selectFrom(sample.as("sample"))
      .select(({ fn }) => fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    weight += Number(count);
    if (weight >= SAMPLE_SIZE) return SAMPLE_SIZE;
  }
  return weight;
}
async function choose(db: AnyDb, plans: readonly Plan[]): Promise<Plan> {
  const exact = plans.find((plan) => plan.exact);
  if (exact) return exact;
  let best = plans[0] as Plan;
  if (plans.length === 1) return best;
  let least = Number.POSITIVE_INFINITY;
  for (const plan of plans) {
    const weight = await weigh(db, plan);
    if (weight < least) [best, least] = [plan, weight];
    if (least === 0) break;
  }
  return best;
}

/** Other columns are fetched by primary key, never by a join that could read everything. */
function candidatesIn(db: AnyDb, range: Range, whole: boolean, after: string, limit: number) {
  const query = rowsOf(db, range)
    .where("arn", ">", after)
    .select(["arn", "type"])
    .orderBy("arn")
    .limit(limit);
  if (!whole) return query;
  if (range.table === "medley_resource") return query.select(["region", "tags", "stack"] as never[]);
  const inner = (column: string) =>
    sql`(
    select r.${sql.ref(column)} from medley_resource as r
    where r.account = medley_resource_tag.account and r.arn = medley_resource_tag.arn
  )`.as(column);
  return query.select(["region", inner("tags"), inner("stack")] as never[]);
}
async function readCandidates(
  db: AnyDb,
  { ranges, exact }: Plan,
  after: string,
  limit: number,
): Promise<Candidate[]> {
  const [first, ...others] = ranges.map((range, index) =>
    db.selectFrom(candidatesIn(db, range, !exact, after, limit).as(`range_${index}`)).selectAll(),
  );
  if (!first) return [];
  const all = others.reduce((query, other) => query.unionAll(other), first);
  return (await all.orderBy("arn").limit(limit).execute()) as Candidate[];
}

const selectableOf = ({ arn, type, region = "", tags, stack }: Candidate) => ({
  arn,
  type,
  region,
  tags: JSON.parse(tags ?? "{}"),
  ...(stack !== null && stack !== undefined && { stack }),
});

function fitting(plan: Plan, selection: Selection, candidates: readonly Candidate[]): SelectedResource[] {
  const fits = plan.exact
    ? ({ arn }: Candidate) => arn !== selection.except
    : (candidate: Candidate) => isSelected(selection, selectableOf(candidate));
  return candidates.filter(fits).map(({ arn, type }) => ({ arn, type }));
}

export async function readPage(
  db: AnyDb,
  account: string,
  given: Selection,
  { after = "", limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<SelectedPage> {
  if (given.types?.length === 0) return { resources: [] };
  const selection = given.types ? { ...given, types: [...new Set(given.types)] } : given;
  const plan = await choose(db, plansOf(account, selection));
  // One more than the page holds shows that there is a next page; another replaces the excluded one.
  let chunkSize = plan.exact ? limit + 2 : Math.max(CHUNK_SIZE_FIRST, limit + 2);
  const found: SelectedResource[] = [];
  let last = after;
  for (let looked = 0; looked < LOOKED_AT_MAX; ) {
    const candidates = await readCandidates(db, plan, last, chunkSize);
    found.push(...fitting(plan, selection, candidates));
    if (found.length > limit) return { resources: found.slice(0, limit), next: found[limit - 1]?.arn };
    if (candidates.length < chunkSize) return { resources: found };
    last = candidates.at(-1)?.arn ?? last;
    looked += chunkSize;
    chunkSize = Math.min(chunkSize * CHUNK_GROWTH, Math.max(limit + 2, LOOKED_AT_MAX - looked));
  }
  return { resources: found, next: last };
}
