/** Queries that many stores need, for tables whose rows have an account, a region and a name. */
import type { Kysely, Selectable } from "kysely";
import type { AnyDb } from "./database.ts";

type NamedTable<Tables> = {
  readonly [Name in keyof Tables & string]: Tables[Name] extends {
    account: unknown;
    region: unknown;
    name: unknown;
  }
    ? Name
    : never;
}[keyof Tables & string];
export type NamesAfter = {
  readonly account: string;
  readonly region: string;
  readonly after: string;
  readonly limit: number;
};

/** One page of a region, in the order of the names. */
export const listByName = <Tables, Name extends NamedTable<Tables>>(
  db: Kysely<Tables>,
  table: Name,
  { account, region, after, limit }: NamesAfter,
): Promise<Selectable<Tables[Name]>[]> =>
  (db as AnyDb)
    .selectFrom(table)
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", ">", after)
    .orderBy("name")
    .limit(limit)
    .execute() as Promise<Selectable<Tables[Name]>[]>;

/** The first rows of all regions, for overviews. */
export const listOfAllRegions = <Tables, Name extends NamedTable<Tables>>(
  db: Kysely<Tables>,
  table: Name,
  account: string,
  limit: number,
): Promise<Selectable<Tables[Name]>[]> =>
  (db as AnyDb)
    .selectFrom(table)
    .selectAll()
    .where("account", "=", account)
    .orderBy("region")
    .orderBy("name")
    .limit(limit)
    .execute() as Promise<Selectable<Tables[Name]>[]>;
