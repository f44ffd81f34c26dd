/** Queries for delivery endpoints. */
import type { Kysely } from "kysely";
import type { EndpointRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export const findEndpoint = (db: Db, account: string, arn: string): Promise<EndpointRow | undefined> =>
  db
    .selectFrom("events_endpoint")
    .selectAll()
    .where("account", "=", account)
    .where("arn", "=", arn)
    .executeTakeFirst();
export const listEndpoints = (db: Db, account: string, limit: number): Promise<EndpointRow[]> =>
  db
    .selectFrom("events_endpoint")
    .selectAll()
    .where("account", "=", account)
    .orderBy("arn")
    .limit(limit)
    .execute();
export async function putEndpoint(db: Db, row: EndpointRow): Promise<void> {
  await db
    .insertInto("events_endpoint")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["account", "arn"]).doUpdateSet({ url: row.url, secret: row.secret }),
    )
    .execute();
}
export async function deleteEndpoint(db: Db, account: string, arn: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("events_endpoint")
    .where("account", "=", account)
    .where("arn", "=", arn)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
