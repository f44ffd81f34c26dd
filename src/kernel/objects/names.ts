/** The rows of services that name objects. */
import { sql } from "kysely";
import type { AnyDb, Database } from "../db/database.ts";
import type { Service } from "../operation/service.ts";
import { sharedTables } from "../runtime/tables.ts";
import type { ObjectStore, ObjectTable } from "./objects.ts";

/** What the upkeep of objects needs of a running instance. */
export type Upkeep = {
  readonly database: Database;
  readonly services: readonly Service[];
  readonly objects: ObjectStore;
  readonly clock: { machineNowMs(): number };
  readonly config: { readonly objectsGraceSeconds: number };
};
/** A table with objects of one service. */
export type NamingTable = ObjectTable & { readonly service: string };

const NAMES_AT_ONCE = 1000;
/** Tables of the kernel hold rows of all services. */
const isShared = (table: string): boolean => (sharedTables as readonly string[]).includes(table);

export const namingTables = (services: readonly Service[]): NamingTable[] =>
  services.flatMap(({ name, objectTables = [] }) => objectTables.map((one) => ({ ...one, service: name })));

/** The rows of a table that belong to its service. */
export const rowsOf = (db: AnyDb, { table, service }: NamingTable) =>
  db.selectFrom(table).$if(isShared(table), (query) => query.where("service", "=", service));

/** `until` is included; undefined for all that follow. */
export type NameRange = { readonly after: string; readonly until: string | undefined };

/** The names that rows of a service hold, in the range. */
export async function namesIn(
  db: AnyDb,
  tables: readonly NamingTable[],
  { after, until }: NameRange,
): Promise<Set<string>> {
  const names = new Set<string>();
  for (const one of tables)
    for (let from: string | undefined = after; from !== undefined; ) {
      const rows: { object: string }[] = await rowsOf(db, one)
        .select("object")
        .where("object", ">", from)
        .$if(until !== undefined, (query) => query.where("object", "<=", until))
        .orderBy("object")
        .limit(NAMES_AT_ONCE)
        .execute();
      for (const { object } of rows) names.add(object);
      from = rows.length < NAMES_AT_ONCE ? undefined : rows.at(-1)?.object;
    }
  return names;
}

const countAll = sql<number>`count(*)`.as("count");
/** How many rows name objects. */
export async function countNames(db: AnyDb, services: readonly Service[]): Promise<number> {
  let count = 0;
  for (const one of namingTables(services)) {
    const rows = rowsOf(db, one).select(countAll).where("object", "is not", null);
    count += Number((await rows.executeTakeFirstOrThrow()).count);
  }
  return count;
}
/** How many rows hold bytes of that size or more. */
export async function countLarge(db: AnyDb, services: readonly Service[], bytesMin: number): Promise<number> {
  let count = 0;
  for (const one of namingTables(services)) {
    const rows = rowsOf(db, one).select(countAll).where("object", "is", null);
    const large = rows.where(sql<number>`length(bytes)`, ">=", bytesMin);
    count += Number((await large.executeTakeFirstOrThrow()).count);
  }
  return count;
}
