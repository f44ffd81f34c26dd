/** Current and past states of key-values, newest first. */
import { type SqlBool, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Db, RevisionRow, ValueRow } from "../tables.ts";
import { replacedBy, type ValueFilter, valueConditions } from "./conditions.ts";
import { CONTENT_COLUMNS } from "./rows.ts";

const { compiledInsertAll } = queriesOf<Db>();

export type RevisionPosition = { readonly lastModifiedMs: number; readonly id: string };

const insertRow = compiledInsertAll<RevisionRow>("configuration_revision", [
  "account",
  "store",
  "id",
  "deleted",
  ...CONTENT_COLUMNS,
]);
export const insertRevision = (db: Db, id: string, row: ValueRow, deleted = false): Promise<void> =>
  insertRow(db, [{ ...row, id, deleted: deleted ? 1 : 0 }]);

export async function listRevisions(
  db: Db,
  store: string,
  filter: ValueFilter,
  options: {
    readonly after: RevisionPosition | undefined;
    readonly limit: number;
    readonly atMs: number | undefined;
    /** Revisions that were replaced earlier count as expired, even if they are not deleted yet. */
    readonly keptSinceMs: number;
  },
): Promise<RevisionRow[]> {
  const { after, limit, atMs, keptSinceMs } = options;
  let query = db.selectFrom("configuration_revision").selectAll().where("store", "=", store);
  for (const condition of valueConditions(filter)) query = query.where(condition);
  if (atMs !== undefined) query = query.where("last_modified", "<=", atMs);
  if (after) query = query.where(sql<SqlBool>`(last_modified, id) < (${after.lastModifiedMs}, ${after.id})`);
  return query
    .where("deleted", "=", 0)
    .where((e) => e.or([e("last_modified", ">", keptSinceMs), e.not(replacedBy(keptSinceMs))]))
    .orderBy("last_modified", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** The newest state of each key-value stays, unless it is a deletion. */
export async function deleteExpiredRevisions(db: Db, tier: string, beforeMs: number): Promise<void> {
  const stores = db.selectFrom("configuration_store").select("name").where("tier", "=", tier);
  await db
    .deleteFrom("configuration_revision")
    .where("store", "in", stores)
    .where("last_modified", "<=", beforeMs)
    .where((e) => e.or([e("deleted", "=", 1), replacedBy(beforeMs)]))
    .execute();
}
