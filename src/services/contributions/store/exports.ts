/** Exports, the files in their archives, and how much there is to export. */
import { type Kysely, sql } from "kysely";
import { OPTIMISED } from "../domain/artifact-formats.ts";
import type { ExportEntryRow, ExportRow, Tables } from "../tables/index.ts";
import { countContributions, type Wanted } from "./search.ts";
import { selectFrom, sourcesOf } from "./search-conditions.ts";

type Db = Kysely<Tables>;

const whole = (value: number | null): number | null => (value === null ? null : Number(value));
/** PostgreSQL returns these numbers as text. */
const exportOf = (row: ExportRow): ExportRow => ({
  ...row,
  size: Number(row.size),
  entries: Number(row.entries),
  done: Number(row.done),
  contributions: Number(row.contributions),
  last_place: whole(row.last_place),
  started_at: Number(row.started_at),
  finished_at: whole(row.finished_at),
  completed_at: whole(row.completed_at),
});

export const insertExport = (db: Db, row: ExportRow) =>
  db.insertInto("contributions_export").values(row).execute();

export async function findExport(db: Db, account: string, id: string): Promise<ExportRow | undefined> {
  const row = await db
    .selectFrom("contributions_export")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && exportOf(row);
}
/** False if another run has continued it in the meantime. */
export async function changeExport(
  db: Db,
  account: string,
  { id, size }: Pick<ExportRow, "id" | "size">,
  change: Partial<ExportRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("contributions_export")
    .set(change)
    .where("account", "=", account)
    .where("id", "=", id)
    .where("size", "=", size)
    .where("finished_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
export async function countUnfinished(db: Db, account: string, ownerId: string): Promise<number> {
  const row = await db
    .selectFrom("contributions_export")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("owner_id", "=", ownerId)
    .where("finished_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
const FORGOTTEN_AT_ONCE = 100;
/** All archives of a user except the latest ones. */
export async function listBeyondLatest(
  db: Db,
  account: string,
  ownerId: string,
  kept: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("contributions_export")
    .select("id")
    .where("account", "=", account)
    .where("owner_id", "=", ownerId)
    .where("finished_at", "is not", null)
    .orderBy("finished_at", "desc")
    .orderBy("id", "desc")
    .limit(FORGOTTEN_AT_ONCE)
    .offset(kept)
    .execute();
  return rows.map(({ id }) => id);
}
/** Returns the id of its blob. */
export async function deleteExport(db: Db, account: string, id: string): Promise<string | undefined> {
  await db
    .deleteFrom("contributions_export_entry")
    .where("account", "=", account)
    .where("export_id", "=", id)
    .execute();
  const row = await db
    .deleteFrom("contributions_export")
    .where("account", "=", account)
    .where("id", "=", id)
    .returning("blob_id")
    .executeTakeFirst();
  return row?.blob_id;
}
export async function insertEntries(db: Db, rows: readonly ExportEntryRow[]): Promise<void> {
  if (rows.length > 0) await db.insertInto("contributions_export_entry").values(rows).execute();
}
const ENTRIES_AT_ONCE = 1000;
export async function* allEntries(db: Db, account: string, id: string): AsyncGenerator<ExportEntryRow> {
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom("contributions_export_entry")
      .selectAll()
      .where("account", "=", account)
      .where("export_id", "=", id)
      .where("position", ">", after)
      .orderBy("position")
      .limit(ENTRIES_AT_ONCE)
      .execute();
    yield* rows;
    if (rows.length < ENTRIES_AT_ONCE) return;
    after = Number(rows.at(-1)?.position);
  }
}

export type Amount = { readonly contributions: number; readonly media: number; readonly mediaBytes: number };
/** Media sizes as exported: the artifact without metadata, or the original until that artifact exists. */
export async function amountOf(
  db: Db,
  account: string,
  wanted: Wanted,
  format: "none" | "fullsize" | "tagged" | "original",
): Promise<Amount> {
  const contributions = await countContributions(db, account, wanted);
  if (format === "none") return { contributions, media: 0, mediaBytes: 0 };
  const size = format === "original" ? sql`m.size` : sql`coalesce(o.size, l.size, m.size)`;
  const chosen = selectFrom(sourcesOf(db, account, wanted.filter, wanted.sight), () => sql`c.id`);
  const { rows } = await sql<{ media: number; bytes: number | null }>`
    select count(*) as media, sum(${size}) as bytes
    from (${chosen}) as chosen
    join contributions_media_usage u on u.account = ${account} and u.contribution_id = chosen.id
    join contributions_media m on m.id = u.media_id
    left join contributions_artifact o on o.account = u.account and o.media_id = u.media_id and o.label = ${OPTIMISED}
    left join contributions_artifact l on l.account = u.account and l.media_id = u.media_id and l.label = 'large'`.execute(
    db,
  );
  return {
    contributions,
    media: Number(rows[0]?.media ?? 0),
    mediaBytes: Number(rows[0]?.bytes ?? 0),
  };
}
