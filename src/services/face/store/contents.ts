/** Contents of a container or snapshot, copied and deleted in parts to keep transactions short. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import type { IndexBlockRow, PersistedFaceRow, PersonRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledInsertAll } = queriesOf<Db>();

/** Owner of contents: an account, and the uid of a container or snapshot. */
export type Contents = { readonly account: string; readonly container: string };
/** Source of a copy. Only blocks of the current generation are copied. */
export type CopiedContents = Contents & { readonly generation: number | undefined };

export type Part = "face_person" | "face_persisted" | "face_index_block";
const PARTS: readonly Part[] = ["face_person", "face_persisted", "face_index_block"];
const KEYS: Readonly<Record<Part, readonly string[]>> = {
  face_person: ["id"],
  face_persisted: ["person", "id"],
  face_index_block: ["generation", "first_key"],
};
/** Blocks are large, so that their batches are small. */
const ROWS_AT_ONCE: Readonly<Record<Part, number>> = {
  face_person: 500,
  face_persisted: 250,
  face_index_block: 10,
};

/** Key of a row, in the order of the columns above. */
type Key = readonly (string | number)[];
const keyIs = (part: Part, comparison: string, key: Key): RawBuilder<boolean> =>
  sql`(${sql.join(KEYS[part].map((column) => sql.ref(column)))}) ${sql.raw(comparison)} (${sql.join(key)})`;

const insertPersons = compiledInsertAll<PersonRow>("face_person", [
  "account",
  "container",
  "id",
  "name",
  "user_data",
  "face_count",
]);
const insertFaces = compiledInsertAll<PersistedFaceRow>("face_persisted", [
  "account",
  "container",
  "person",
  "id",
  "user_data",
  "descriptor",
]);
const insertBlocks = compiledInsertAll<IndexBlockRow>("face_index_block", [
  "account",
  "container",
  "generation",
  "first_key",
  "entries",
]);
export type ContentRow = PersonRow | PersistedFaceRow | IndexBlockRow;
const insertRows: Readonly<Record<Part, (db: Db, rows: readonly ContentRow[]) => Promise<void>>> = {
  face_person: (db, rows) => insertPersons(db, rows as PersonRow[]),
  face_persisted: (db, rows) => insertFaces(db, rows as PersistedFaceRow[]),
  face_index_block: (db, rows) => insertBlocks(db, rows as IndexBlockRow[]),
};

/** The three tables share these columns. */
type AlikeTables = Record<Part, Contents & { readonly generation: number }>;
const alike = (db: Db) => db as Kysely<AlikeTables>;

async function listRows(
  db: Db,
  part: Part,
  from: Contents & { readonly generation?: number | undefined },
  after: Key,
): Promise<ContentRow[]> {
  const { generation } = from;
  const rows = alike(db)
    .selectFrom(part)
    .selectAll()
    .where("account", "=", from.account)
    .where("container", "=", from.container)
    .$if(generation !== undefined && part === "face_index_block", (query) =>
      query.where("generation", "=", generation as number),
    )
    .$if(after.length > 0, (query) => query.where(keyIs(part, ">", after)))
    .orderBy(sql.join(KEYS[part].map((column) => sql.ref(column))))
    .limit(ROWS_AT_ONCE[part]);
  return (await rows.execute()) as ContentRow[];
}
const keyOf = (part: Part, row: ContentRow): Key =>
  KEYS[part].map((column) => (row as Record<string, string | number>)[column] as string | number);

/** Position at which a copy continues. */
export type CopyPlace = { readonly part: Part; readonly after: Key };
export const COPY_BEGINS: CopyPlace = { part: "face_person", after: [] };

/** Copies the next rows. Without a next position, the copy is complete. */
export async function copySome(
  db: Db,
  from: CopiedContents,
  to: Contents,
  { part, after }: CopyPlace,
): Promise<{ readonly copied: number; readonly next: CopyPlace | undefined }> {
  const { rows, next } = await readSome(db, from, { part, after });
  await writeSome(db, to, part, rows);
  return { copied: rows.length, next };
}
/** Rows of one part, and the next position. */
export async function readSome(
  db: Db,
  from: CopiedContents,
  { part, after }: CopyPlace,
): Promise<{ readonly rows: readonly ContentRow[]; readonly next: CopyPlace | undefined }> {
  const rows = await listRows(db, part, from, after);
  const last = rows.at(-1);
  if (last) return { rows, next: { part, after: keyOf(part, last) } };
  const nextPart = PARTS[PARTS.indexOf(part) + 1];
  if (nextPart === "face_index_block" && from.generation === undefined) return { rows, next: undefined };
  return { rows, next: nextPart && { part: nextPart, after: [] } };
}
export const writeSome = (
  db: Db,
  { account, container }: Contents,
  part: Part,
  rows: readonly ContentRow[],
): Promise<void> =>
  insertRows[part](
    db,
    rows.map((row) => ({ ...row, account, container })),
  );
export const rowsAtOnceOf = (part: Part): number => ROWS_AT_ONCE[part];

/** Deletes some rows. Returns true if none were left. */
export async function freeSome(db: Db, contents: Contents): Promise<boolean> {
  for (const part of PARTS) {
    const last = (await listRows(db, part, contents, [])).at(-1);
    if (!last) continue;
    await alike(db)
      .deleteFrom(part)
      .where("account", "=", contents.account)
      .where("container", "=", contents.container)
      .where(keyIs(part, "<=", keyOf(part, last)))
      .execute();
    return false;
  }
  return true;
}
