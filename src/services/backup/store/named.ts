/** Rows with a unique name within an account and region: find, list by name, insert, update and delete. */
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

/** Its methods can be used unbound, so that each store exports them under its own names. */
export class NamedStore<Table extends keyof Rows, Kept extends object> {
  readonly #table: string;
  readonly #noun: string;
  readonly #json: readonly (keyof Rows[Table] & keyof Kept)[];

  /** `json`: the columns that are stored as JSON. `Kept`: a row with these columns parsed. */
  constructor(
    table: Table,
    { noun, json }: { readonly noun: string; readonly json: readonly (keyof Rows[Table] & keyof Kept)[] },
  ) {
    this.#table = table;
    this.#noun = noun;
    this.#json = json;
  }
  readonly keptOf = (row: Rows[Table]): Kept =>
    Object.assign(
      {},
      row,
      Object.fromEntries(this.#json.map((column) => [column, JSON.parse(String(row[column]))])),
    ) as Kept;

  readonly find = async (
    db: Db,
    account: string,
    region: string,
    name: string,
  ): Promise<Kept | undefined> => {
    const row = await this.#within(db, account, region).where("name", "=", name).executeTakeFirst();
    return row && this.keptOf(row as Rows[Table]);
  };
  readonly get = async (db: Db, account: string, region: string, name: string): Promise<Kept> => {
    const found = await this.find(db, account, region, name);
    if (!found) throw errors.notFound(`There is no ${this.#noun} ${name} in this account and region.`);
    return found;
  };
  /** By name; all of them without a page. */
  readonly list = async (
    db: Db,
    account: string,
    region: string,
    page?: { readonly after: string; readonly limit: number },
  ): Promise<Kept[]> => {
    const all = this.#within(db, account, region).orderBy("name");
    const rows = await (page ? all.where("name", ">", page.after).limit(page.limit) : all).execute();
    return rows.map((row) => this.keptOf(row as Rows[Table]));
  };
  readonly insert = async (db: Db, account: string, kept: Kept): Promise<void> => {
    const written = Object.fromEntries(this.#json.map((column) => [column, JSON.stringify(kept[column])]));
    await (db as AnyDb)
      .insertInto(this.#table)
      .values({ ...kept, account, ...written })
      .execute();
  };
  readonly change = async (
    db: Db,
    account: string,
    { region, name }: Named,
    changed: Partial<Omit<Rows[Table], "account" | "region" | "name">>,
  ): Promise<void> => {
    await (db as AnyDb)
      .updateTable(this.#table)
      .set(changed as Readonly<Record<string, unknown>>)
      .where("account", "=", account)
      .where("region", "=", region)
      .where("name", "=", name)
      .execute();
  };
  readonly remove = async (db: Db, account: string, region: string, name: string): Promise<void> => {
    await (db as AnyDb)
      .deleteFrom(this.#table)
      .where("account", "=", account)
      .where("region", "=", region)
      .where("name", "=", name)
      .execute();
  };
  #within(db: Db, account: string, region: string) {
    return (db as AnyDb)
      .selectFrom(this.#table)
      .selectAll()
      .where("account", "=", account)
      .where("region", "=", region);
  }
}
