/** Resources that have been backed up, as rows. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { ProtectedInVaultRow, ProtectedRow, Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();

export const findProtected = (
  db: Db,
  account: string,
  region: string,
  arn: string,
): Promise<ProtectedRow | undefined> =>
  db
    .selectFrom("backup_protected")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("arn", "=", arn)
    .executeTakeFirst();

export type NewBackup = Omit<ProtectedRow, "restore_minutes" | "restore_job_at" | "restored_point_at"> & {
  readonly vault: string;
};
const putProtected = compiledQuery<never, [string, string, string, string, string, number, string, string]>(
  ["", "", "", "", "", 0, "", ""],
  (db: Db, account, region, arn, type, name, backed_up_at, vault_arn, point_arn) => {
    const changing = { type, name, backed_up_at, vault_arn, point_arn };
    const unrestored = { restore_minutes: null, restore_job_at: null, restored_point_at: null };
    return db
      .insertInto("backup_protected")
      .values({ account, region, arn, ...changing, ...unrestored })
      .onConflict((conflict) => conflict.columns(["account", "region", "arn"]).doUpdateSet(changing));
  },
);
const putInVault = compiledQuery<never, [string, string, string, string, string, string, number, string]>(
  ["", "", "", "", "", "", 0, ""],
  (db: Db, account, region, vault, arn, type, name, backed_up_at, point_arn) => {
    const changing = { type, name, backed_up_at, point_arn };
    return db
      .insertInto("backup_protected_in_vault")
      .values({ account, region, vault, arn, ...changing, continuous_ended: 0 })
      .onConflict((conflict) =>
        conflict.columns(["account", "region", "vault", "arn"]).doUpdateSet(changing),
      );
  },
);
/** Its last backup is this one from now on. */
export async function noteProtected(db: Db, { vault, ...row }: NewBackup): Promise<void> {
  const { account, region, arn, type, name, backed_up_at, vault_arn, point_arn } = row;
  await putProtected(db, account, region, arn, type, name, backed_up_at, vault_arn, point_arn);
  await putInVault(db, account, region, vault, arn, type, name, backed_up_at, point_arn);
}
export async function noteRestored(
  db: Db,
  account: string,
  region: string,
  arn: string,
  restored: Pick<ProtectedRow, "restore_minutes" | "restore_job_at" | "restored_point_at">,
): Promise<void> {
  await db
    .updateTable("backup_protected")
    .set(restored)
    .where("account", "=", account)
    .where("region", "=", region)
    .where("arn", "=", arn)
    .execute();
}

/** In the order of their names. */
export const listProtected = (
  db: Db,
  account: string,
  region: string,
  { after = "", limit }: { after?: string | undefined; limit: number },
): Promise<ProtectedRow[]> =>
  db
    .selectFrom("backup_protected")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("arn", ">", after)
    .orderBy("arn")
    .limit(limit)
    .execute();
export const listProtectedInVault = (
  db: Db,
  account: string,
  region: string,
  vault: string,
  { after = "", limit }: { after?: string | undefined; limit: number },
): Promise<ProtectedInVaultRow[]> =>
  db
    .selectFrom("backup_protected_in_vault")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("vault", "=", vault)
    .where("arn", ">", after)
    .orderBy("arn")
    .limit(limit)
    .execute();

/** Whether a user has deleted the resource's continuous point in this vault. */
export async function hasContinuousEnded(
  db: Db,
  account: string,
  region: string,
  vault: string,
  arn: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("backup_protected_in_vault")
    .select("continuous_ended")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("vault", "=", vault)
    .where("arn", "=", arn)
    .executeTakeFirst();
  return Number(row?.continuous_ended ?? 0) === 1;
}
export async function endContinuous(
  db: Db,
  account: string,
  region: string,
  vault: string,
  arn: string,
): Promise<void> {
  await db
    .updateTable("backup_protected_in_vault")
    .set({ continuous_ended: 1 })
    .where("account", "=", account)
    .where("region", "=", region)
    .where("vault", "=", vault)
    .where("arn", "=", arn)
    .execute();
}
