/** All SQL on accounts, credentials and policies. */
import type { Kysely } from "kysely";
import type { CredentialRow, KernelTables } from "../runtime/tables.ts";
import type { Policy } from "./policies.ts";

type Db = Kysely<KernelTables>;

export const findAccount = (db: Db, id: string) =>
  db.selectFrom("medley_account").selectAll().where("id", "=", id).executeTakeFirst();
export const listAccounts = (db: Db) => db.selectFrom("medley_account").selectAll().orderBy("id").execute();
export const countAccounts = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom("medley_account")
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
};

export async function putAccount(
  db: Db,
  account: { id: string; name: string; admin: boolean; nowMs: number },
): Promise<void> {
  const changing = { name: account.name, admin: account.admin ? 1 : 0 };
  await db
    .insertInto("medley_account")
    .values({ id: account.id, created_at: account.nowMs, ...changing })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changing))
    .execute();
}
export async function deleteAccount(db: Db, id: string): Promise<void> {
  await db.deleteFrom("medley_credential").where("account", "=", id).execute();
  await db.deleteFrom("medley_policy").where("account", "=", id).execute();
  await db.deleteFrom("medley_session").where("account", "=", id).execute();
  await db.deleteFrom("medley_account").where("id", "=", id).execute();
}

export const findCredential = (db: Db, kind: string, lookup: string) =>
  db
    .selectFrom("medley_credential")
    .selectAll()
    .where("kind", "=", kind)
    .where("lookup", "=", lookup)
    .executeTakeFirst();
export const findCredentialById = (db: Db, id: string) =>
  db.selectFrom("medley_credential").selectAll().where("id", "=", id).executeTakeFirst();
export const listCredentials = (db: Db, account: string) =>
  db.selectFrom("medley_credential").selectAll().where("account", "=", account).orderBy("id").execute();
export async function putCredential(db: Db, row: CredentialRow): Promise<void> {
  const { id: _id, created_at: _created, ...changing } = row;
  await db
    .insertInto("medley_credential")
    .values(row)
    .onConflict((conflict) => conflict.columns(["kind", "lookup"]).doUpdateSet(changing))
    .execute();
}
export const insertCredential = (db: Db, row: CredentialRow) =>
  db.insertInto("medley_credential").values(row).execute();
export async function deleteCredential(db: Db, id: string): Promise<boolean> {
  const result = await db.deleteFrom("medley_credential").where("id", "=", id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function replacePolicies(db: Db, account: string, policies: readonly Policy[]): Promise<void> {
  await db.deleteFrom("medley_policy").where("account", "=", account).execute();
  const rows = policies.map((policy, position) => ({
    account,
    position,
    effect: policy.effect,
    actions: JSON.stringify(policy.actions),
    resources: JSON.stringify(policy.resources),
  }));
  if (rows.length > 0) await db.insertInto("medley_policy").values(rows).execute();
}
export async function listPolicies(db: Db, account: string): Promise<Policy[]> {
  const rows = await db
    .selectFrom("medley_policy")
    .selectAll()
    .where("account", "=", account)
    .orderBy("position")
    .execute();
  return rows.map((row) => ({
    effect: row.effect === "Deny" ? "Deny" : "Allow",
    actions: JSON.parse(row.actions),
    resources: JSON.parse(row.resources),
  }));
}

export const findSetting = async (db: Db, name: string): Promise<string | undefined> =>
  (await db.selectFrom("medley_setting").select("value").where("name", "=", name).executeTakeFirst())?.value;
export async function putSetting(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto("medley_setting")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
