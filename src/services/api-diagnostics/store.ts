/**
 * All SQL: settings versions of instances, and quota counters. A change of a setting updates the version in
 * the same transaction.
 */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { QuotaRow, Tables, VersionRow } from "./tables.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();

const selectVersion = compiledQuery<Pick<VersionRow, "version">, [string, string]>(
  ["", ""],
  (db, account, key) =>
    db
      .selectFrom("api_diagnostics_version")
      .select("version")
      .where("account", "=", account)
      .where("instance_key", "=", key),
);
export async function findVersion(db: Db, account: string, instanceKey: string): Promise<string | undefined> {
  const [row] = await selectVersion(db, account, instanceKey);
  return row?.version;
}
export async function saveVersion(
  db: Db,
  account: string,
  instanceKey: string,
  version: string,
): Promise<void> {
  await db
    .insertInto("api_diagnostics_version")
    .values({ account, instance_key: instanceKey, version })
    .onConflict((conflict) => conflict.columns(["account", "instance_key"]).doUpdateSet({ version }))
    .execute();
}
export async function deleteVersion(db: Db, account: string, instanceKey: string): Promise<void> {
  await db
    .deleteFrom("api_diagnostics_version")
    .where("account", "=", account)
    .where("instance_key", "=", instanceKey)
    .execute();
}

export const findQuota = (
  db: Db,
  account: string,
  instanceKey: string,
  counter: string,
): Promise<QuotaRow | undefined> =>
  db
    .selectFrom("api_diagnostics_quota")
    .selectAll()
    .where("account", "=", account)
    .where("instance_key", "=", instanceKey)
    .where("counter", "=", counter)
    .executeTakeFirst();
export async function putQuota(db: Db, account: string, row: Omit<QuotaRow, "account">): Promise<void> {
  const { calls, ends_at } = row;
  await db
    .insertInto("api_diagnostics_quota")
    .values({ account, ...row })
    .onConflict((conflict) =>
      conflict.columns(["account", "instance_key", "counter"]).doUpdateSet({ calls, ends_at }),
    )
    .execute();
}
/** Deletes counters of ended periods. */
export async function deleteEndedQuotas(
  db: Db,
  account: string,
  instanceKey: string,
  nowMs: number,
): Promise<void> {
  await db
    .deleteFrom("api_diagnostics_quota")
    .where("account", "=", account)
    .where("instance_key", "=", instanceKey)
    .where("ends_at", "<=", nowMs)
    .execute();
}
export async function countQuotas(db: Db, account: string, instanceKey: string): Promise<number> {
  const row = await db
    .selectFrom("api_diagnostics_quota")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("instance_key", "=", instanceKey)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
