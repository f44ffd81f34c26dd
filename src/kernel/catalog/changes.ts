/**
 * The change feed. A service that watches a region gets a job soon after a change there, and takes the changes in
 * their order until none is left. Changes are written in the transaction that makes them, so none is lost. Without
 * a watcher a change costs one read of an empty table.
 */
import type { WorkKind } from "../operation/work.ts";
import type { Scope } from "../runtime/scope.ts";
import type { ResourceChangeRow, ResourceWatchRow } from "../runtime/tables.ts";
import { type CatalogEntry, EVERY_REGION } from "./entry.ts";
import { selectWatches } from "./statements.ts";

export type ResourceChange = {
  readonly arn: string;
  /** Absent: it was created. */
  readonly before?: CatalogEntry;
  /** Absent: it was deleted. */
  readonly after?: CatalogEntry;
};
/** The maximum number of jobs for a burst of changes. A single job row would make all writers conflict. */
const JOBS_AT_ONCE = 8;
/** Watches all regions. */
export const ANY_REGION = "*";
/** The payload of a watching job. */
export type WatchedRegion = { readonly region: string };

export const findWatches = ({ db, account }: Scope): Promise<ResourceWatchRow[]> =>
  selectWatches(db, account);

export async function watch(scope: Scope, region: string, job: WorkKind<WatchedRegion>): Promise<void> {
  const { db, account, service } = scope;
  await db
    .insertInto("medley_resource_watch")
    .values({ account, service, region, job: job.name })
    .onConflict((conflict) =>
      conflict.columns(["account", "service", "region"]).doUpdateSet({ job: job.name }),
    )
    .execute();
}
/** Drops changes that were not taken yet. */
export async function unwatch({ db, account, service }: Scope, region: string): Promise<void> {
  for (const table of ["medley_resource_watch", "medley_resource_change"] as const)
    await db
      .deleteFrom(table)
      .where("account", "=", account)
      .where("service", "=", service)
      .where("region", "=", region)
      .execute();
}

/** What a selection can see, and everything about a stack. */
const visibleOf = (entry: CatalogEntry | undefined): string =>
  JSON.stringify(
    entry && [
      entry.type,
      entry.region,
      entry.stack ?? null,
      Object.entries(entry.tags).sort(([a], [b]) => (a < b ? -1 : 1)),
      entry.type.endsWith("::Stack") ? entry.details : null,
    ],
  );
const concerns = (watching: ResourceWatchRow, entry: CatalogEntry | undefined): boolean =>
  entry !== undefined &&
  (entry.region === watching.region || entry.region === EVERY_REGION || watching.region === ANY_REGION);

/** However many changes there are, each watcher gets its rows in one insert, and one job. */
export async function noteChanges(
  scope: Scope,
  watches: readonly ResourceWatchRow[],
  changes: readonly ResourceChange[],
): Promise<void> {
  if (watches.length === 0) return;
  const visible = changes.filter(({ before, after }) => visibleOf(before) !== visibleOf(after));
  for (const watching of watches) {
    const concerning = visible.filter(
      ({ before, after }) => concerns(watching, before) || concerns(watching, after),
    );
    if (concerning.length > 0) await noteFor(scope, watching, concerning);
  }
}
async function noteFor(
  scope: Scope,
  { service, region, job }: ResourceWatchRow,
  changes: readonly ResourceChange[],
): Promise<void> {
  const { account, clock, db, ids } = scope;
  const rows = changes.map(
    ({ arn, before, after }): ResourceChangeRow => ({
      id: ids.next("change"),
      account,
      service,
      region,
      arn,
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      created_at: clock.nowMs(),
    }),
  );
  await db.insertInto("medley_resource_change").values(rows).execute();
  const lane = Math.floor(ids.fraction() * JOBS_AT_ONCE);
  const key = `watch:${service}:${account}:${region}:${lane}`;
  await scope.enqueue({ name: job } as WorkKind<WatchedRegion>, { region }, { account, key });
}

/** Oldest first; the returned changes are removed from the feed. */
export async function takeChanges(
  { db, account, service }: Scope,
  region: string,
  limit: number,
): Promise<ResourceChange[]> {
  const rows = (await db
    .selectFrom("medley_resource_change")
    .selectAll()
    .where("account", "=", account)
    .where("service", "=", service)
    .where("region", "=", region)
    .orderBy("id")
    .limit(limit)
    .execute()) as ResourceChangeRow[];
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom("medley_resource_change").where("id", "in", ids).execute();
  return rows.map(({ arn, before, after }) => ({
    arn,
    ...(before !== null && { before: JSON.parse(before) }),
    ...(after !== null && { after: JSON.parse(after) }),
  }));
}
