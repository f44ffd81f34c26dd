/** Archives that were uploaded, as rows; their bytes are blobs. */
import type { Kysely } from "kysely";
import { NEWEST_GENERATION, type StorageSource } from "../domain/index.ts";
import type { ObjectRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
export type StoredObject = StorageSource & { readonly blobId: string; readonly size: number };

const objectOf = (row: ObjectRow): StoredObject => ({
  bucket: row.bucket,
  object: row.object,
  generation: String(row.generation),
  blobId: row.blob_id,
  size: Number(row.size),
});

export async function insertObject(
  db: Db,
  account: string,
  { bucket, object, generation, blobId: blob_id, size }: StoredObject,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto("functions_object")
    .values({ account, bucket, object, generation: Number(generation), blob_id, size, created_at: nowMs })
    .execute();
}
/** The newest generation, where none is named or zero is. */
export async function findObject(
  db: Db,
  account: string,
  { bucket = "", object = "", generation }: Partial<StorageSource>,
): Promise<StoredObject | undefined> {
  const wanted = Number(generation ?? NEWEST_GENERATION);
  // PostgreSQL refuses numbers out of the range of the column.
  if (!Number.isSafeInteger(wanted)) return undefined;
  const row = await db
    .selectFrom("functions_object")
    .selectAll()
    .where("account", "=", account)
    .where("bucket", "=", bucket)
    .where("object", "=", object)
    .$if(wanted !== Number(NEWEST_GENERATION), (query) => query.where("generation", "=", wanted))
    .orderBy("generation", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && objectOf(row);
}
export async function sizeOfObjects(db: Db, account: string): Promise<{ count: number; bytes: number }> {
  const row = await db
    .selectFrom("functions_object")
    .select(({ fn }) => [fn.countAll().as("count"), fn.sum("size").as("bytes")])
    .where("account", "=", account)
    .executeTakeFirst();
  return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) };
}
/** Deletes rows of archives that were never used in time. Returns their blobs. */
export async function dropOldObjects(
  db: Db,
  account: string,
  beforeMs: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("functions_object")
    .selectAll()
    .where("account", "=", account)
    .where("created_at", "<", beforeMs)
    .orderBy("created_at")
    .limit(limit)
    .execute();
  for (const { bucket, object, generation } of rows)
    await db
      .deleteFrom("functions_object")
      .where("account", "=", account)
      .where("bucket", "=", bucket)
      .where("object", "=", object)
      .where("generation", "=", generation)
      .execute();
  return rows.map(({ blob_id }) => blob_id);
}
/** Whether anything still needs these bytes. */
export async function isBlobUsed(db: Db, account: string, blobId: string): Promise<boolean> {
  for (const table of ["functions_object", "functions_revision"] as const) {
    const row = await db
      .selectFrom(table)
      .select("blob_id")
      .where("account", "=", account)
      .where("blob_id", "=", blobId)
      .limit(1)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}
