/** All SQL of the versions of instances' settings: whoever changes one of them moves its version in the same transaction. */
import type { Kysely } from "kysely";
import { compiledQuery } from "#kernel/db";
import type { Tables, VersionRow } from "./tables.ts";

type Db = Kysely<Tables>;

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
