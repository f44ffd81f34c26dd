/** Things that a name tells apart within an account and region: found, listed by name, made, changed and deleted alike. */
import type { Kysely } from "kysely";
import type { AnyDb } from "#kernel/db";
import { errors } from "../errors.ts";
import type { FrameworkRow, ReportPlanRow, Tables, TestingPlanRow } from "../tables/index.ts";

type Db = Kysely<Tables>;
type Rows = {
  backup_framework: FrameworkRow;
  backup_report_plan: ReportPlanRow;
  backup_testing_plan: TestingPlanRow;
};
type Named = { readonly region: string; readonly name: string };

/** `json` are the columns that are kept as JSON; `Kept` is a row with what they say. */
export function namedStore<Table extends keyof Rows, Kept extends object>(
  table: Table,
  { noun, json }: { readonly noun: string; readonly json: readonly (keyof Rows[Table] & keyof Kept)[] },
) {
  const queried: string = table;
  const keptOf = (row: Rows[Table]): Kept =>
    Object.assign(
      {},
      row,
      Object.fromEntries(json.map((column) => [column, JSON.parse(String(row[column]))])),
    ) as Kept;
  const within = (db: Db, account: string, region: string) =>
    (db as AnyDb).selectFrom(queried).selectAll().where("account", "=", account).where("region", "=", region);

  async function find(db: Db, account: string, region: string, name: string): Promise<Kept | undefined> {
    const row = await within(db, account, region).where("name", "=", name).executeTakeFirst();
    return row && keptOf(row as Rows[Table]);
  }
  async function get(db: Db, account: string, region: string, name: string): Promise<Kept> {
    const found = await find(db, account, region, name);
    if (!found) throw errors.notFound(`There is no ${noun} ${name} in this account and region.`);
    return found;
  }
  /** By name; all of them without a page. */
  async function list(
    db: Db,
    account: string,
    region: string,
    page?: { readonly after: string; readonly limit: number },
  ): Promise<Kept[]> {
    const all = within(db, account, region).orderBy("name");
    const rows = await (page ? all.where("name", ">", page.after).limit(page.limit) : all).execute();
    return rows.map((row) => keptOf(row as Rows[Table]));
  }
  async function insert(db: Db, account: string, kept: Kept): Promise<void> {
    const written = Object.fromEntries(json.map((column) => [column, JSON.stringify(kept[column])]));
    await (db as AnyDb)
      .insertInto(queried)
      .values({ ...kept, account, ...written })
      .execute();
  }
  async function change(
    db: Db,
    account: string,
    { region, name }: Named,
    changed: Partial<Omit<Rows[Table], "account" | "region" | "name">>,
  ): Promise<void> {
    await (db as AnyDb)
      .updateTable(queried)
      .set(changed as Readonly<Record<string, unknown>>)
      .where("account", "=", account)
      .where("region", "=", region)
      .where("name", "=", name)
      .execute();
  }
  async function remove(db: Db, account: string, region: string, name: string): Promise<void> {
    await (db as AnyDb)
      .deleteFrom(queried)
      .where("account", "=", account)
      .where("region", "=", region)
      .where("name", "=", name)
      .execute();
  }
  return { keptOf, find, get, list, insert, change, remove };
}
