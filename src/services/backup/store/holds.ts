/** Legal holds, and the recovery points that they hold. */
import type { Kysely } from "kysely";
import { type HoldSelection, type HoldStatus, isHeldBy, isHolding } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { HoldRow, PointRow, Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;
export type Hold = Omit<HoldRow, "selection" | "status"> & {
  readonly status: HoldStatus;
  readonly selection: HoldSelection;
};

const holdOf = (row: HoldRow): Hold => ({
  ...row,
  status: row.status as HoldStatus,
  selection: JSON.parse(row.selection) as HoldSelection,
});
const holdsOf = (db: Db, account: string, region: string) =>
  db.selectFrom("backup_hold").selectAll().where("account", "=", account).where("region", "=", region);

export async function findHold(
  db: Db,
  account: string,
  region: string,
  id: string,
): Promise<Hold | undefined> {
  const row = await holdsOf(db, account, region).where("id", "=", id).executeTakeFirst();
  return row && holdOf(row);
}
export async function getHold(db: Db, account: string, region: string, id: string): Promise<Hold> {
  const hold = await findHold(db, account, region, id);
  if (!hold) throw errors.notFound(`There is no legal hold ${id} in this account and region.`);
  return hold;
}
export async function findHoldByToken(
  db: Db,
  account: string,
  region: string,
  token: string,
): Promise<Hold | undefined> {
  const row = await holdsOf(db, account, region).where("token", "=", token).executeTakeFirst();
  return row && holdOf(row);
}
export async function listHolds(
  db: Db,
  account: string,
  region: string,
  page: { readonly after: string; readonly limit: number },
): Promise<Hold[]> {
  const rows = await holdsOf(db, account, region)
    .where("id", ">", page.after)
    .orderBy("id")
    .limit(page.limit)
    .execute();
  return rows.map(holdOf);
}
export async function listHoldsShown(db: Db, account: string, limit: number): Promise<Hold[]> {
  const rows = await db
    .selectFrom("backup_hold")
    .selectAll()
    .where("account", "=", account)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(holdOf);
}
export async function listActiveHolds(db: Db, account: string, region: string): Promise<Hold[]> {
  const rows = await holdsOf(db, account, region).where("status", "!=", "CANCELED").execute();
  return rows.map(holdOf).filter(({ status }) => isHolding(status));
}
export async function insertHold(db: Db, account: string, row: HoldRow): Promise<void> {
  await db
    .insertInto("backup_hold")
    .values({ ...row, account })
    .execute();
}
export async function changeHold(
  db: Db,
  account: string,
  { region, id }: Pick<HoldRow, "region" | "id">,
  change: Partial<Pick<HoldRow, "status" | "canceled_at" | "cancel_description" | "retain_until">>,
): Promise<void> {
  await db
    .updateTable("backup_hold")
    .set(change)
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .execute();
}
export async function deleteHold(db: Db, account: string, region: string, id: string): Promise<void> {
  await db
    .deleteFrom("backup_hold")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .execute();
}

/** A hold that keeps this recovery point as it is. */
export async function findHoldOn(
  db: Db,
  account: string,
  point: {
    readonly region: string;
    readonly vaultName: string;
    readonly resourceArn: string;
    readonly createdAtMs: number;
  },
): Promise<Hold | undefined> {
  const holds = await listActiveHolds(db, account, point.region);
  return holds.find(({ selection }) => isHeldBy(selection, point));
}

/** Recovery points that a hold selects, in the order of their identifiers. */
export async function listHeldPoints(
  db: Db,
  account: string,
  hold: Pick<Hold, "region" | "selection">,
  page: { readonly after: string; readonly limit: number },
): Promise<PointRow[]> {
  const { vaultNames, resourceArns, fromMs, toMs } = hold.selection;
  let query = db
    .selectFrom("backup_point")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", hold.region)
    .where("id", ">", page.after);
  if (vaultNames.length > 0) query = query.where("vault", "in", vaultNames);
  if (resourceArns.length > 0) query = query.where("resource_arn", "in", resourceArns);
  if (fromMs !== undefined) query = query.where("created_at", ">=", fromMs);
  if (toMs !== undefined) query = query.where("created_at", "<=", toMs);
  return query.orderBy("id").limit(page.limit).execute();
}
