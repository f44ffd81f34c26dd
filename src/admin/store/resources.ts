/** All SQL of the catalogue browser except its pages. */
import { setImmediate } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { KernelTables } from "#kernel/runtime";
import { likeOf } from "./resource-filter.ts";
import type { ResourceRow } from "./resource-pages.ts";

export { listResources, placeOf, type ResourceRow, SORTS, type Sort } from "./resource-pages.ts";

type Db = Kysely<KernelTables>;
export const findResource = (db: Db, account: string, arn: string): Promise<ResourceRow | undefined> =>
  db
    .selectFrom("medley_resource")
    .selectAll()
    .where("account", "=", account)
    .where("arn", "=", arn)
    .executeTakeFirst();

export async function hasResources(db: Db, account: string): Promise<boolean> {
  const first = db.selectFrom("medley_resource").select("arn").where("account", "=", account).limit(1);
  return (await first.executeTakeFirst()) !== undefined;
}

export async function countByType(
  db: Db,
  account: string,
): Promise<readonly { service: string; type: string; count: number }[]> {
  const rows = await db
    .selectFrom("medley_resource")
    .select(({ fn }) => ["service", "type", fn.countAll().as("count")])
    .where("account", "=", account)
    .groupBy(["service", "type"])
    .orderBy("service")
    .orderBy("type")
    .execute();
  return rows.map(({ count, ...rest }) => ({ ...rest, count: Number(count) }));
}

/** Resources with one of these names, as ARN or native ID. */
export function listNamed(
  db: Db,
  account: string,
  names: readonly string[],
  limit: number,
): Promise<ResourceRow[]> {
  return db
    .selectFrom("medley_resource")
    .selectAll()
    .where("account", "=", account)
    .where(({ or, eb }) => or([eb("arn", "in", [...names]), eb("native_id", "in", [...names])]))
    .orderBy("arn")
    .limit(limit)
    .execute();
}
/** Only resources that refer to any other. A partial index has them. */
const REFERRING = sql<boolean>`(details like '%arn:%' or details like '%/subscriptions/%')`;
const LOOKED_AT_ONCE = 2000;

/** Resources whose details refer to this one. The search may read many rows, so it proceeds in batches. */
export async function listReferring(db: Db, row: ResourceRow, limit: number): Promise<ResourceRow[]> {
  const names = [row.arn, ...(row.native_id === null ? [] : [row.native_id])];
  const referring = db.selectFrom("medley_resource").where("account", "=", row.account).where(REFERRING);
  const found: ResourceRow[] = [];
  let after = "";
  do {
    const from = after;
    const next = await referring
      .select("arn")
      .where("arn", ">", from)
      .orderBy("arn")
      .offset(LOOKED_AT_ONCE)
      .limit(1)
      .executeTakeFirst();
    let some = referring.selectAll().where("arn", ">", from).where("arn", "!=", row.arn);
    if (next) some = some.where("arn", "<=", next.arn);
    const naming = some.where(({ or }) =>
      or(
        names.map(
          (name) =>
            sql<boolean>`lower(details) like ${likeOf(JSON.stringify(name).slice(1, -1))} escape '\\'`,
        ),
      ),
    );
    found.push(
      ...(await naming
        .orderBy("arn")
        .limit(limit - found.length)
        .execute()),
    );
    after = next?.arn ?? "";
    await setImmediate();
  } while (after !== "" && found.length < limit);
  return found;
}
