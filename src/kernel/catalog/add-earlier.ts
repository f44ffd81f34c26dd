/** For migrations: adds the rows of a table to the catalogue, in batches. */
import { sql } from "kysely";
import { arnOf } from "../arn/arn.ts";
import type { AnyDb } from "../db/database.ts";
import type { ResourceRow } from "../runtime/tables.ts";
import { EVERY_REGION } from "./entry.ts";

const ROWS_AT_ONCE = 500;

type Row = Readonly<Record<string, unknown>>;
export type EarlierResources = {
  readonly service: string;
  readonly type: string;
  readonly table: string;
  /** The last part of the ARN without the id, such as `user/`. */
  readonly resource: string;
  /** The column of the id. With `account`, it identifies a row. */
  readonly id: string;
  /** The columns that `nameOf` and the times need. */
  readonly columns: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  nameOf(row: Row): string;
};

function rowsAfter(db: AnyDb, { table, id, columns }: EarlierResources, last: Row | undefined) {
  let query = db.selectFrom(table).select(["account", id, ...columns]);
  if (last) {
    const key = sql`(${sql.ref("account")}, ${sql.ref(id)})`;
    query = query.where(sql<boolean>`${key} > (${last.account}, ${last[id]})`);
  }
  return query.orderBy("account").orderBy(id).limit(ROWS_AT_ONCE).execute();
}

/**
 * Resources in the catalogue stay as they are. The new ones have no tags. Watchers are not told, because these
 * resources existed before.
 */
export async function addEarlierResources(db: AnyDb, from: EarlierResources): Promise<void> {
  const { service, type, resource, id, createdAt, updatedAt } = from;
  let last: Row | undefined;
  for (;;) {
    const rows: Row[] = await rowsAfter(db, from, last);
    const entries = rows.map((row): ResourceRow => {
      const account = String(row.account);
      const nativeId = String(row[id]);
      return {
        account,
        arn: arnOf({ service, region: "", account, resource: `${resource}${nativeId}` }),
        region: EVERY_REGION,
        service,
        type,
        name: from.nameOf(row),
        native_id: nativeId,
        stack: null,
        tags: "{}",
        details: "{}",
        external: 0,
        created_at: Number(row[createdAt]),
        updated_at: Number(row[updatedAt]),
      };
    });
    if (entries.length > 0)
      await db
        .insertInto("medley_resource")
        .values(entries)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    if (rows.length < ROWS_AT_ONCE) return;
    last = rows.at(-1);
  }
}
