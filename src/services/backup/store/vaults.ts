/** Vaults as rows. */
import type { Kysely } from "kysely";
import { listOfAllRegions, queriesOf } from "#kernel/db";
import { errors } from "../errors.ts";
import type { Tables, VaultRow } from "../tables/index.ts";

type Db = Kysely<Tables>;
const { compiledInsert, compiledQuery } = queriesOf<Db>();

const selectVault = compiledQuery<VaultRow, [string, string, string]>(
  ["", "", ""],
  (db: Db, account, region, name) =>
    db
      .selectFrom("backup_vault")
      .selectAll()
      .where("account", "=", account)
      .where("region", "=", region)
      .where("name", "=", name),
);
export async function findVault(
  db: Db,
  account: string,
  region: string,
  name: string,
): Promise<VaultRow | undefined> {
  const [row] = await selectVault(db, account, region, name);
  return row;
}
export async function getVault(db: Db, account: string, region: string, name: string): Promise<VaultRow> {
  const vault = await findVault(db, account, region, name);
  if (!vault) throw errors.notFound(`There is no backup vault ${name} in this account and region.`);
  return vault;
}

/** Answers false when there is one of that name. */
export const insertVault = compiledInsert<VaultRow>("backup_vault", [
  "account",
  "region",
  "name",
  "id",
  "type",
  "state",
  "sealed_key",
  "encryption_key_arn",
  "creator_request_id",
  "policy",
  "topic_arn",
  "topic_spelling",
  "events",
  "endpoint_url",
  "endpoint_secret",
  "endpoint_events",
  "min_days",
  "max_days",
  "locked",
  "lock_date",
  "points",
  "created_at",
]);

type Changes = Partial<
  Pick<
    VaultRow,
    | "policy"
    | "topic_arn"
    | "topic_spelling"
    | "events"
    | "endpoint_url"
    | "endpoint_secret"
    | "endpoint_events"
    | "min_days"
    | "max_days"
    | "locked"
    | "lock_date"
  >
>;
export async function updateVault(
  db: Db,
  { account, region, name }: VaultRow,
  changes: Changes,
): Promise<void> {
  await db
    .updateTable("backup_vault")
    .set(changes)
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .execute();
}
const addPoints = compiledQuery<never, [number, string, string, string]>(
  [0, "", "", ""],
  (db: Db, by, account, region, name) =>
    db
      .updateTable("backup_vault")
      .set((expression) => ({ points: expression("points", "+", by) }))
      .where("account", "=", account)
      .where("region", "=", region)
      .where("name", "=", name),
);
/** `by`: how many recovery points came, or went. */
export async function countPoints(
  db: Db,
  account: string,
  region: string,
  name: string,
  by: number,
): Promise<void> {
  await addPoints(db, by, account, region, name);
}
export async function deleteVault(db: Db, { account, region, name }: VaultRow): Promise<void> {
  for (const [table, column] of [
    ["backup_protected_in_vault", "vault"],
    ["backup_vault", "name"],
  ] as const)
    await db
      .deleteFrom(table)
      .where("account", "=", account)
      .where("region", "=", region)
      .where(column as never, "=", name as never)
      .execute();
}
export async function countVaults(db: Db, account: string, region: string): Promise<number> {
  const row = await db
    .selectFrom("backup_vault")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("region", "=", region)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** In the order of their names. */
export const listVaults = (
  db: Db,
  account: string,
  region: string,
  { type, after = "", limit }: { type?: string | undefined; after?: string | undefined; limit: number },
): Promise<VaultRow[]> =>
  db
    .selectFrom("backup_vault")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", ">", after)
    .$if(type !== undefined, (query) => query.where("type", "=", type ?? ""))
    .orderBy("name")
    .limit(limit)
    .execute();

/** Vaults to verify, of one account or of all, in order of their ids. */
export const listVaultsById = (
  db: Db,
  account: string | undefined,
  fromId: string,
  limit: number,
): Promise<VaultRow[]> =>
  db
    .selectFrom("backup_vault")
    .selectAll()
    .where("id", ">=", fromId)
    .$if(account !== undefined, (query) => query.where("account", "=", account ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
export const listVaultsShown = (db: Db, account: string, limit: number): Promise<VaultRow[]> =>
  listOfAllRegions(db, "backup_vault", account, limit);

/** Vaults of other accounts that have an access policy. */
export const listVaultsWithPolicy = (
  db: Db,
  account: string,
  region: string,
  {
    type,
    after,
    limit,
  }: { type?: string | undefined; after: { readonly account: string; readonly name: string }; limit: number },
): Promise<VaultRow[]> =>
  db
    .selectFrom("backup_vault")
    .selectAll()
    .where("account", "<>", account)
    .where("region", "=", region)
    .where("policy", "is not", null)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("account", "name"), ">", tuple(after.account, after.name)),
    )
    .$if(type !== undefined, (query) => query.where("type", "=", type ?? ""))
    .orderBy("account")
    .orderBy("name")
    .limit(limit)
    .execute();
