/**
 * The members of each group as the published events describe them, kept while events are on. Changes are compared
 * with these rows, so that each change is published once.
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

export async function findAnnouncedMembers(
  db: Db,
  account: string,
  group: Group,
  arns: readonly string[],
): Promise<Map<string, string>> {
  if (arns.length === 0) return new Map();
  const rows = await rowsOf(db, account, group).where("arn", "in", arns).execute();
  return new Map(rows.map(({ arn, type }) => [arn, type]));
}
export const listAnnouncedMembers = (
  db: Db,
  account: string,
  group: Group,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Known[]> =>
  rowsOf(db, account, group).where("arn", ">", after).orderBy("arn").limit(limit).execute();

export async function putAnnouncedMembers(
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
export async function deleteAnnouncedMembers(
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
export async function clearAnnouncedMembers(db: Db, account: string, region: string): Promise<void> {
  await db
    .deleteFrom("resource_groups_told")
    .where("account", "=", account)
    .where("region", "=", region)
    .execute();
}
