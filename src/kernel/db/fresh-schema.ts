/**
 * The schema that all migrations make of an empty embedded database. The build runs the migrations once and saves
 * the result in a file. So a first start takes 40 ms of processor time instead of 200. Schemas of other sets of
 * migrations, such as those of `--services`, are cached while the process lives.
 */
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { workerFile } from "../workers/worker-file.ts";
import type { AnyDb } from "./database.ts";

/** The migrations that make a schema: their owner and names. */
type Sets = readonly { readonly owner: string; readonly migrations: Readonly<Record<string, unknown>> }[];

type Schema = { readonly key: string; readonly statements: readonly string[] };

const remembered = new Map<string, readonly string[]>();
let isFileRead = false;

/** For the build, which saves it in the file. */
export const rememberedSchemas = (): readonly Schema[] =>
  [...remembered].map(([key, statements]) => ({ key, statements }));

/** The file is missing during the build. */
function readFile(): void {
  if (isFileRead) return;
  isFileRead = true;
  try {
    const text = readFileSync(workerFile(import.meta.url, "fresh-schema.json"), "utf8");
    for (const { key, statements } of JSON.parse(text) as Schema[]) remembered.set(key, statements);
  } catch {
    // Migrations make the schema then.
  }
}

const keyOf = (sets: Sets): string =>
  JSON.stringify(sets.map(({ owner, migrations }) => [owner, Object.keys(migrations)]));

/** Returns false if neither the build nor this process has such a schema yet. */
export function makeRemembered(run: (script: string) => void, sets: Sets): boolean {
  readFile();
  const statements = remembered.get(keyOf(sets));
  if (statements) run(statements.join(";\n"));
  return statements !== undefined;
}

/** Call after the migrations have run on an empty database. Nothing is cached if a migration has inserted rows. */
export async function remember(db: AnyDb, sets: Sets): Promise<void> {
  const { rows: tables } = await sql<{ name: string; type: string }>`
    select name, type from pragma_table_list where schema = 'main' and name not like 'sqlite_%'`.execute(db);
  const shadows = new Set(tables.filter(({ type }) => type === "shadow").map(({ name }) => name));
  for (const { name, type } of tables)
    if (type === "table" && name !== "medley_migration" && (await hasRows(db, name))) return;
  const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master
    where sql is not null and name <> 'medley_migration' and name not like 'sqlite_%' order by rowid`.execute(
    db,
  );
  remembered.set(
    keyOf(sets),
    rows.filter(({ name }) => !shadows.has(name)).map((row) => row.sql),
  );
}

async function hasRows(db: AnyDb, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
  return rows.length > 0;
}
