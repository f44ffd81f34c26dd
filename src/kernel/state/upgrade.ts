/** Brings rows of an older export up to date by running the very migrations they have missed, in a scratch database. */
import type { Database } from "../db/database.ts";
import { type MigrationSet, migrate } from "../db/migrate.ts";
import { openSqlite } from "../db/sqlite.ts";
import { kernelErrors, ServiceError } from "../operation/errors.ts";
import { insertRows, type TableRows } from "./rows.ts";
import { migrationNamesOf, newerAmong } from "./versions.ts";

const only = (sets: readonly MigrationSet[], wanted: ReadonlySet<string>): MigrationSet[] =>
  sets.map(({ owner, migrations }) => ({
    owner,
    migrations: Object.fromEntries(
      Object.entries(migrations).filter(([name]) => wanted.has(`${owner}/${name}`)),
    ),
  }));

export function refuseNewer(sets: readonly MigrationSet[], exported: readonly string[]): void {
  const newer = newerAmong(sets, exported);
  if (newer.length > 0)
    throw kernelErrors.invalidInput(`The export was made by a newer version: it knows ${newer.join(", ")}.`);
}

/** `wanted`: the tables of today that the export covers, among them such as did not exist when it was made. */
export async function upgradeRows(
  sets: readonly MigrationSet[],
  exported: readonly string[],
  tables: readonly TableRows[],
  wanted: readonly string[],
): Promise<readonly TableRows[]> {
  const applied = new Set(exported);
  if (migrationNamesOf(sets).every((name) => applied.has(name))) {
    const known = new Set(wanted);
    refuseStrangers(tables, known);
    return tables;
  }
  const scratch = openSqlite(undefined);
  try {
    await migrate(scratch, only(sets, applied), 0);
    refuseStrangers(tables, await tablesOf(scratch));
    await scratch.transact(async (db) => {
      for (const table of tables) await insertRows(db, table);
    });
    await migrateRows(scratch, sets);
    const upgraded: TableRows[] = [];
    for (const table of wanted)
      upgraded.push({ table, rows: await scratch.read.selectFrom(table).selectAll().execute() });
    return upgraded;
  } finally {
    await scratch.close();
  }
}

function refuseStrangers(tables: readonly TableRows[], known: ReadonlySet<string>): void {
  const stranger = tables.find(({ table }) => !known.has(table));
  if (stranger)
    throw kernelErrors.invalidInput(
      `The export holds a table that this process does not have: ${stranger.table}.`,
    );
}
async function tablesOf(scratch: Database): Promise<Set<string>> {
  const rows = await scratch.read
    .selectFrom("sqlite_master")
    .select("name")
    .where("type", "=", "table")
    .where("name", "not in", ["medley_migration", "medley_setting"])
    .execute();
  return new Set(rows.map(({ name }) => name));
}
async function migrateRows(scratch: Database, sets: readonly MigrationSet[]): Promise<void> {
  try {
    await migrate(scratch, sets, 0);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw kernelErrors.invalidInput(
      `The rows of the export could not be brought up to date: ${(error as Error).message}.`,
    );
  }
}
