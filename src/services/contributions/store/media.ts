/** Pictures, films and their artifacts. */
import type { Kysely } from "kysely";
import type { ArtifactRow, MediaRow, Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;

export async function insertMedia(db: Db, row: MediaRow): Promise<void> {
  await db.insertInto("contributions_media").values(row).execute();
}
export async function changeMedia(
  db: Db,
  account: string,
  id: string,
  change: Partial<Omit<MediaRow, "account" | "id">>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("contributions_media")
    .set(change)
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
/** The ids that exist and are completely received. */
export async function findMedia(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<Map<string, MediaRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("contributions_media")
    .selectAll()
    .where("account", "=", account)
    .where("id", "in", ids)
    .where("state", "!=", "receiving")
    .execute();
  return new Map(rows.map((row) => [row.id, mediaOf(row)]));
}
/** PostgreSQL returns these numbers as text. */
const mediaOf = (row: MediaRow): MediaRow => ({
  ...row,
  size: Number(row.size),
  width: Number(row.width),
  height: Number(row.height),
  orientation: Number(row.orientation),
  duration_seconds: row.duration_seconds === null ? null : Number(row.duration_seconds),
  taken_at: row.taken_at === null ? null : Number(row.taken_at),
  created_at: Number(row.created_at),
});
const artifactOf = (row: ArtifactRow): ArtifactRow => ({
  ...row,
  size: Number(row.size),
  width: Number(row.width),
  height: Number(row.height),
});
export async function insertArtifact(db: Db, row: ArtifactRow): Promise<void> {
  await db.insertInto("contributions_artifact").values(row).execute();
}
export async function listArtifacts(
  db: Db,
  account: string,
  mediaIds: readonly string[],
): Promise<ArtifactRow[]> {
  if (mediaIds.length === 0) return [];
  const rows = await db
    .selectFrom("contributions_artifact")
    .selectAll()
    .where("account", "=", account)
    .where("media_id", "in", mediaIds)
    .execute();
  return rows.map(artifactOf);
}
export async function findArtifact(
  db: Db,
  account: string,
  mediaId: string,
  label: string,
): Promise<ArtifactRow | undefined> {
  return db
    .selectFrom("contributions_artifact")
    .selectAll()
    .where("account", "=", account)
    .where("media_id", "=", mediaId)
    .where("label", "=", label)
    .executeTakeFirst();
}
/** Returns the ids of their blobs. */
export async function deleteMedia(db: Db, account: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  await db
    .deleteFrom("contributions_artifact")
    .where("account", "=", account)
    .where("media_id", "in", ids)
    .execute();
  const media = await db
    .deleteFrom("contributions_media")
    .where("account", "=", account)
    .where("id", "in", ids)
    .returning("blob_id")
    .execute();
  return media.map(({ blob_id }) => blob_id);
}
/** Older media that neither a contribution nor a cover shows. */
export async function listUnusedMedia(
  db: Db,
  account: string,
  beforeMs: number,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("contributions_media as media")
    .select("media.id")
    .where("media.account", "=", account)
    .where("media.created_at", "<", beforeMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("contributions_media_usage as used")
            .select("used.id")
            .whereRef("used.account", "=", "media.account")
            .whereRef("used.media_id", "=", "media.id"),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("contributions_assignment as shown")
            .select("shown.id")
            .whereRef("shown.account", "=", "media.account")
            .whereRef("shown.cover_media_id", "=", "media.id"),
        ),
      ),
    )
    .orderBy("media.created_at")
    .orderBy("media.id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
