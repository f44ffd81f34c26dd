/** Recovery points as rows. */
import { type Kysely, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import { findPointIn } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { PointRow, Tables } from "../tables/index.ts";
import { equal, type NewestFirstKey, newestFirst, type Span, within } from "./newest-first.ts";
import { countPoints } from "./vaults.ts";

type Db = Kysely<Tables>;
const { compiledChange, compiledInsertRow, compiledQuery } = queriesOf<Db>();

const selectPoint = compiledQuery<PointRow, [string, string, string]>(
  ["", "", ""],
  (db: Db, account, region, id) =>
    db
      .selectFrom("backup_point")
      .selectAll()
      .where("account", "=", account)
      .where("region", "=", region)
      .where("id", "=", id),
);
export async function findPoint(
  db: Db,
  account: string,
  region: string,
  id: string,
): Promise<PointRow | undefined> {
  const [row] = await selectPoint(db, account, region, id);
  return row;
}
/** By its name; another account's is none of the caller's. */
export async function findPointByArn(db: Db, account: string, arn: string): Promise<PointRow | undefined> {
  const named = findPointIn(arn);
  if (!named || named.account !== account) return undefined;
  return findPoint(db, account, named.region, named.name);
}
export async function getPointInVault(
  db: Db,
  account: string,
  region: string,
  vault: string,
  arn: string,
): Promise<PointRow> {
  const point = await findPointByArn(db, account, arn);
  if (!point || point.region !== region || point.vault !== vault)
    throw errors.notFound(`There is no recovery point ${arn} in the backup vault ${vault}.`);
  return point;
}

const insertRow = compiledInsertRow<PointRow>("backup_point");
export async function insertPoint(db: Db, row: PointRow): Promise<void> {
  await insertRow(db, row);
  await countPoints(db, row.account, row.region, row.vault, 1);
}
export const updatePoint = compiledChange<PointRow, "account" | "region" | "id">("backup_point", [
  "account",
  "region",
  "id",
]);
export async function deletePoint(db: Db, { account, region, id, vault }: PointRow): Promise<void> {
  await db
    .deleteFrom("backup_point")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .execute();
  await countPoints(db, account, region, vault, -1);
}

export type PointFilter = {
  readonly vault?: string | undefined;
  readonly resourceArn?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly planId?: string | undefined;
  readonly parentId?: string | undefined;
  /** `any`: every point that has an index. */
  readonly indexStatus?: string | undefined;
  readonly created?: Span;
};
/** Newest first. Covers every region if none is given. */
export function listPoints(
  db: Db,
  account: string,
  region: string | undefined,
  filter: PointFilter,
  { after, limit }: { after?: NewestFirstKey | undefined; limit: number },
): Promise<PointRow[]> {
  const { vault, resourceArn, resourceType, planId, parentId, indexStatus, created = {} } = filter;
  let query = equal(db.selectFrom("backup_point").selectAll(), {
    account,
    region,
    vault,
    resource_arn: resourceArn,
    resource_type: resourceType,
    parent_id: parentId,
    index_status: indexStatus === "any" ? undefined : indexStatus,
  });
  if (indexStatus === "any") query = query.where("index_status", "is not", null);
  // The creator is written by ourselves, members in this order.
  if (planId !== undefined)
    query = query.where("created_by", "like", `{"planId":${JSON.stringify(planId)},%`);
  return newestFirst(within(query, "created_at", created), after, limit).execute() as Promise<PointRow[]>;
}
/** A vault, and a resource of its region. */
type ResourceInVault = readonly [account: string, region: string, vaultId: string, resourceArn: string];
const pointsOfResource = (db: Db, ...[account, region, vaultId, resourceArn]: ResourceInVault) =>
  db
    .selectFrom("backup_point")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("vault_id", "=", vaultId)
    .where("resource_arn", "=", resourceArn);
/** The last whole one of a resource in a vault, to build on. */
export const findLatestWhole = (db: Db, ...of: ResourceInVault) =>
  pointsOfResource(db, ...of)
    .where("status", "in", ["COMPLETED", "PARTIAL"])
    .where("root", "is not", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
/** The continuous point of a resource in a vault. */
export const findContinuous = (db: Db, ...of: ResourceInVault) =>
  pointsOfResource(db, ...of)
    .where("kind", "=", "CONTINUOUS")
    .where("status", "=", "COMPLETED")
    .limit(1)
    .executeTakeFirst();
export const listPointsByHolder = (
  db: Db,
  account: string,
  vaultId: string,
  holder: string,
): Promise<PointRow[]> =>
  db
    .selectFrom("backup_point")
    .selectAll()
    .where("account", "=", account)
    .where("vault_id", "=", vaultId)
    .where("holder", "=", holder)
    .execute();
/**
 * The points with content in a vault and its cold storage, in order of their ids. The expression prevents the use of an
 * index by vault: sorting all points of the vault for each page takes longer.
 */
export const listPointsById = (
  db: Db,
  { account, region }: Pick<PointRow, "account" | "region">,
  placeIds: readonly string[],
  after: string,
  limit: number,
): Promise<PointRow[]> =>
  db
    .selectFrom("backup_point")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where(sql`vault_id || ''`, "in", placeIds)
    .where("root", "is not", null)
    .where("status", "<>", "DELETING")
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
export async function hasPoints(db: Db, account: string, region: string, vault: string): Promise<boolean> {
  const row = await db
    .selectFrom("backup_point")
    .select("id")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("vault", "=", vault)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
export const listPointsShown = (db: Db, account: string, limit: number): Promise<PointRow[]> =>
  newestFirst(
    equal(db.selectFrom("backup_point").selectAll(), { account }),
    undefined,
    limit,
  ).execute() as Promise<PointRow[]>;
