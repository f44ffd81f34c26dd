/** Queries for members of static groups. Resources that are not in the catalogue are left out. */
import type { Kysely } from "kysely";
import type { Catalog, CatalogEntry } from "#kernel/catalog";
import type { Group, Member, MemberState } from "../domain/index.ts";
import type { MemberRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

const AT_ONCE = 200;
const memberOf = ({ arn, type, state }: MemberRow): Member => ({ arn, type, state: state as MemberState });

const rowsOf = (db: Db, account: string, { region, name }: Group) =>
  db
    .selectFrom("resource_groups_member")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name);

/** Members of the given types by ARN, with their catalogue entries. */
export async function listMembers(
  db: Db,
  account: string,
  catalog: Catalog,
  group: Group,
  { after, limit, types }: { after: string; limit: number; types?: readonly string[] },
): Promise<{ readonly member: Member; readonly entry: CatalogEntry }[]> {
  const live: { member: Member; entry: CatalogEntry }[] = [];
  if (types?.length === 0) return live;
  let last = after;
  while (live.length < limit) {
    let query = rowsOf(db, account, group).where("arn", ">", last);
    if (types) query = query.where("type", "in", types);
    const members = (await query.orderBy("arn").limit(AT_ONCE).execute()).map(memberOf);
    const entries = await catalog.findMany(members.map(({ arn }) => arn));
    const byArn = new Map(entries.map((entry) => [entry.arn, entry]));
    for (const member of members) {
      const entry = byArn.get(member.arn);
      if (entry) live.push({ member, entry });
    }
    last = members.at(-1)?.arn ?? last;
    if (members.length < AT_ONCE) break;
  }
  return live.slice(0, limit);
}
export async function hasMembers(db: Db, account: string, catalog: Catalog, group: Group): Promise<boolean> {
  return (await listMembers(db, account, catalog, group, { after: "", limit: 1 })).length > 0;
}
export async function countMembers(db: Db, account: string, group: Group): Promise<number> {
  const { count } = await rowsOf(db, account, group)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findMembers(
  db: Db,
  account: string,
  group: Group,
  arns: readonly string[],
): Promise<Map<string, Member>> {
  const rows = await rowsOf(db, account, group).where("arn", "in", arns).execute();
  return new Map(rows.map((row) => [row.arn, memberOf(row)]));
}
/** Names of the groups that contain a resource. */
export async function listGroupNamesOf(
  db: Db,
  account: string,
  region: string,
  arn: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom("resource_groups_member")
    .select("name")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("arn", "=", arn)
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
}
/** Members whose join or leave is not settled. */
export async function listUnsettled(db: Db, account: string, group: Group): Promise<Member[]> {
  const rows = await rowsOf(db, account, group)
    .where("state", "in", ["joining", "leaving"])
    .orderBy("arn")
    .execute();
  return rows.map(memberOf);
}

export async function putMember(
  db: Db,
  account: string,
  { region, name }: Group,
  { arn, type, state }: Member,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto("resource_groups_member")
    .values({ account, region, name, arn, type, state, added_at: nowMs })
    .onConflict((conflict) =>
      conflict.columns(["account", "region", "name", "arn"]).doUpdateSet({ type, state }),
    )
    .execute();
}
export async function deleteMember(
  db: Db,
  account: string,
  { region, name }: Pick<Group, "region" | "name">,
  arn: string,
): Promise<void> {
  await db
    .deleteFrom("resource_groups_member")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .where("arn", "=", arn)
    .execute();
}
/** All rows, also of resources that are not in the catalogue. */
export async function listMemberRows(db: Db, account: string, group: Group): Promise<Member[]> {
  return (await rowsOf(db, account, group).orderBy("arn").execute()).map(memberOf);
}
