/** Public pages. */
import { queriesOf } from "#kernel/db";
import type { OpenPageRow } from "../tables.ts";
import type { Db } from "./db.ts";

const { compiledInsert, compiledQuery } = queriesOf<Db>();

export const insertOpenPage = compiledInsert<OpenPageRow>("bank_open_page", [
  "account",
  "uuid",
  "kind",
  "record_id",
  "created_at",
]);
const selectOpenPage = compiledQuery<OpenPageRow, [string]>([""], (db, uuid) =>
  db.selectFrom("bank_open_page").selectAll().where("uuid", "=", uuid),
);
/** Finds the page by its address alone, because a visitor has no account. */
export async function findOpenPage(db: Db, uuid: string): Promise<OpenPageRow | undefined> {
  const [row] = await selectOpenPage(db, uuid);
  return row && { ...row, record_id: Number(row.record_id) };
}
