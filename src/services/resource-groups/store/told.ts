/**
 * What listeners know: who is a member of a group as far as events have told, kept while events are on. Against it
 * every change is told once, whichever of several ways leads to it.
 */
import type { Kysely } from "kysely";
import type { Group } from "../domain/index.ts";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;

type Known = { readonly arn: string; readonly type: string };

const rowsOf = (db: Db, account: string, { region, name }: Group) =>
  db
    .selectFrom("resource_groups_told")
    .select(["arn", "type"])
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name);

export async function findTold(
  db: Db,
  account: string,
  group: Group,
  arns: readonly string[],
): Promise<Map<string, string>> {
  if (arns.length === 0) return new Map();
  const rows = await rowsOf(db, account, group).where("arn", "in", arns).execute();
  return new Map(rows.map(({ arn, type }) => [arn, type]));
}
export const listTold = (
  db: Db,
  account: string,
  group: Group,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Known[]> =>
  rowsOf(db, account, group).where("arn", ">", after).orderBy("arn").limit(limit).execute();

export async function putTold(
  db: Db,
  account: string,
  { region, name }: Group,
  known: readonly Known[],
): Promise<void> {
  if (known.length === 0) return;
  await db
    .insertInto("resource_groups_told")
    .values(known.map(({ arn, type }) => ({ account, region, name, arn, type })))
    .onConflict((conflict) => conflict.columns(["account", "region", "name", "arn"]).doNothing())
    .execute();
}
export async function deleteTold(
  db: Db,
  account: string,
  { region, name }: Group,
  arns: readonly string[],
): Promise<void> {
  if (arns.length === 0) return;
  await db
    .deleteFrom("resource_groups_told")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .where("arn", "in", arns)
    .execute();
}
export async function clearTold(db: Db, account: string, region: string): Promise<void> {
  await db
    .deleteFrom("resource_groups_told")
    .where("account", "=", account)
    .where("region", "=", region)
    .execute();
}
