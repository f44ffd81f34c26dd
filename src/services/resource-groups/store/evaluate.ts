/** Evaluates queries against the resource catalogue. */
import type { Catalog, CatalogEntry, Selection } from "#kernel/catalog";
import { EVERY_REGION } from "#kernel/catalog";
import {
  findStackProblem,
  isKnownArea,
  type Query,
  type QueryError,
  roleOf,
  selectionOf,
} from "../domain/index.ts";

/** Without a selection, the query failed for the given reasons. */
export type Evaluation = { readonly selection?: Selection; readonly problems: readonly QueryError[] };

const isSeenFrom = (region: string, entry: CatalogEntry | undefined): entry is CatalogEntry =>
  entry !== undefined && (entry.region === region || entry.region === EVERY_REGION);

async function findProblemOfStack(
  catalog: Catalog,
  arn: string,
  region: string,
): Promise<QueryError | undefined> {
  const entry = await catalog.find(arn);
  const stack = isSeenFrom(region, entry) ? entry : undefined;
  const role = stack && roleOf(stack);
  const isRoleThere = role === undefined || (await catalog.find(role)) !== undefined;
  return findStackProblem(arn, stack, isRoleThere);
}

async function listUnsupported(
  catalog: Catalog,
  types: readonly string[],
  region: string,
): Promise<string[]> {
  const unsupported: string[] = [];
  for (const type of types)
    if (!isKnownArea(type) && !(await catalog.hasType(region, type))) unsupported.push(type);
  return unsupported;
}

/** `except` is the group that owns the query. */
export async function evaluate(
  catalog: Catalog,
  query: Query,
  region: string,
  except?: string,
): Promise<Evaluation> {
  const problem =
    query.stack === undefined ? undefined : await findProblemOfStack(catalog, query.stack, region);
  if (problem) return { problems: [problem] };
  const unsupported = await listUnsupported(catalog, query.types ?? [], region);
  const problems = unsupported.map(
    (type): QueryError => ({
      code: "RESOURCE_TYPE_NOT_SUPPORTED",
      message: `Resources of type ${type} are not supported.`,
    }),
  );
  return { selection: selectionOf(query, region, except), problems };
}
