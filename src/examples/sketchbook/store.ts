/** The only SQL. `db` comes first, so every call joins the caller's transaction; hot queries are compiled once. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Colour, Note } from "./domain.ts";
import type { NoteRow, Tables } from "./tables.ts";

type Db = Kysely<Tables>;
const { compiledInsert, compiledQuery, compiledUpdate } = queriesOf<Db>();
export type StoredNote = Note & { readonly createdAtMs: number; readonly updatedAtMs: number };

const noteOf = (row: NoteRow): StoredNote => ({
  id: row.id,
  title: row.title,
  text: row.text,
  colour: row.colour as Colour,
  remindAtMs: row.remind_at === null ? undefined : Number(row.remind_at),
  createdAtMs: Number(row.created_at),
  updatedAtMs: Number(row.updated_at),
});
const rowOf = (account: string, note: StoredNote): NoteRow => ({
  account,
  id: note.id,
  title: note.title,
  text: note.text,
  colour: note.colour,
  remind_at: note.remindAtMs ?? null,
  created_at: note.createdAtMs,
  updated_at: note.updatedAtMs,
});

const selectNote = compiledQuery<NoteRow, [string, string]>(["", ""], (db, account, id) =>
  db.selectFrom("sketchbook_note").selectAll().where("account", "=", account).where("id", "=", id),
);
export async function findNote(db: Db, account: string, id: string): Promise<StoredNote | undefined> {
  const [row] = await selectNote(db, account, id);
  return row && noteOf(row);
}

const insertRow = compiledInsert<NoteRow>("sketchbook_note", [
  "account",
  "id",
  "title",
  "text",
  "colour",
  "remind_at",
  "created_at",
  "updated_at",
]);
/** Answers false when there is one with that id. */
export const insertNote = (db: Db, account: string, note: StoredNote): Promise<boolean> =>
  insertRow(db, rowOf(account, note));

const updateRow = compiledUpdate<NoteRow, "account" | "id">(
  "sketchbook_note",
  ["account", "id"],
  ["title", "text", "colour", "remind_at", "updated_at"],
);
export async function updateNote(db: Db, account: string, note: StoredNote): Promise<void> {
  await updateRow(db, rowOf(account, note));
}

/** Answers false when there is none with that id. */
export async function deleteNote(db: Db, account: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom("sketchbook_note")
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function countNotes(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("sketchbook_note")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** In the order of their ids, which is the order they were written in. */
export async function listNotes(
  db: Db,
  account: string,
  { colour, after = "", limit }: { colour?: Colour | undefined; after?: string | undefined; limit: number },
): Promise<StoredNote[]> {
  const rows = await db
    .selectFrom("sketchbook_note")
    .selectAll()
    .where("account", "=", account)
    .where("id", ">", after)
    .$if(colour !== undefined, (query) => query.where("colour", "=", colour ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(noteOf);
}
