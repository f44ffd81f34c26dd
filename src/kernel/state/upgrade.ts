/** Brings rows of an older export up to date by running the very migrations they have missed, in a scratch database. */
import { type MigrationSet, migrate } from "../db/migrate.ts";
import { openSqlite } from "../db/sqlite.ts";
import { kernelErrors } from "../operation/errors.ts";
import { insertRows, type TableRows } from "./rows.ts";

const only = (sets: readonly MigrationSet[], wanted: ReadonlySet<string>): MigrationSet[] =>
  sets.map(({ owner, migrations }) => ({
    owner,
    migrations: Object.fromEntries(
      Object.entries(migrations).filter(([name]) => wanted.has(`${owner}/${name}`)),
    ),
  }));

export async function upgradeRows(
  sets: readonly MigrationSet[],
  exported: readonly string[],
  tables: readonly TableRows[],
): Promise<readonly TableRows[]> {
  const known = new Set(
    sets.flatMap(({ owner, migrations }) => Object.keys(migrations).map((name) => `${owner}/${name}`)),
  );
  const mounted = new Set(sets.map(({ owner }) => owner));
  const unknown = exported.filter((name) => mounted.has(name.split("/")[0] ?? "") && !known.has(name));
  if (unknown.length > 0)
    throw kernelErrors.invalidInput(
      `The export was made by a newer version: it knows ${unknown.join(", ")}.`,
    );
  const applied = new Set(exported);
  if ([...known].every((name) => applied.has(name))) return tables;
  const scratch = openSqlite(undefined);
  try {
    await migrate(scratch, only(sets, applied), 0);
    await scratch.transact(async (db) => {
      for (const table of tables) await insertRows(db, table);
    });
    await migrate(scratch, sets, 0);
    const upgraded: TableRows[] = [];
    for (const { table } of tables)
      upgraded.push({ table, rows: await scratch.read.selectFrom(table).selectAll().execute() });
    return upgraded;
  } finally {
    await scratch.close();
  }
}
