/** Saving, loading and clearing state, whole or by service and account. */
import type { AnyDb } from "../db/database.ts";
import type { MigrationSet } from "../db/migrate.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { kernelMigrations } from "../runtime/migrations.ts";
import { insertRows, type Row, type TableRows } from "./rows.ts";
import { narrow, type StateFilter, tablesFor } from "./tables.ts";
import { upgradeRows } from "./upgrade.ts";

type Header = {
  readonly medley: 1;
  readonly exportedAt: string;
  readonly filter: StateFilter;
  readonly migrations: readonly string[];
};

export const migrationSetsOf = (kernel: Kernel): MigrationSet[] => [
  { owner: "kernel", migrations: kernelMigrations },
  ...kernel.services.map(({ name, migrations = {} }) => ({ owner: name, migrations })),
];
const namesOf = (sets: readonly MigrationSet[]): string[] =>
  sets.flatMap(({ owner, migrations }) => Object.keys(migrations).map((name) => `${owner}/${name}`));

/** One line of JSON for the header, then one per row; read in one transaction, so it is one moment's state. */
export async function exportState(kernel: Kernel, filter: StateFilter): Promise<string[]> {
  const header: Header = {
    medley: 1,
    exportedAt: kernel.clock.nowIso(),
    filter,
    migrations: namesOf(migrationSetsOf(kernel)),
  };
  const parts = tablesFor(kernel.services, filter);
  return kernel.database.transact(async (db) => {
    const lines = [`${JSON.stringify(header)}\n`];
    for (const part of parts) {
      const rows = await narrow(db.selectFrom(part.table).selectAll(), part, filter).execute();
      for (const row of rows) lines.push(`${JSON.stringify({ table: part.table, row: encodeBytes(row) })}\n`);
    }
    return lines;
  });
}

export async function resetState(kernel: Kernel, filter: StateFilter): Promise<void> {
  await kernel.database.transact((db) => clear(kernel, db, filter, false));
  kernel.owners.clear();
  kernel.accounts.forget();
}

/** Replaces what the export covers. What an older version exported is brought up to date on the way. */
export async function importState(kernel: Kernel, text: string): Promise<{ rows: number }> {
  const { header, tables } = parseExport(kernel, text);
  const ready = await upgradeRows(migrationSetsOf(kernel), header.migrations, tables);
  let rows = 0;
  await kernel.database.transact(async (db) => {
    rows = 0;
    await clear(kernel, db, header.filter, true);
    for (const table of ready) rows += await insertRows(db, table);
  });
  kernel.owners.clear();
  kernel.accounts.forget();
  kernel.jobs.wake();
  return { rows };
}

/** A reset keeps accounts and credentials; an import of the whole replaces them. */
async function clear(kernel: Kernel, db: AnyDb, filter: StateFilter, accountsToo: boolean): Promise<void> {
  for (const part of tablesFor(kernel.services, filter)) {
    const isCredential = ["medley_account", "medley_credential", "medley_policy"].includes(part.table);
    if (isCredential && !accountsToo) continue;
    let query = narrow(db.deleteFrom(part.table), part, filter);
    // Work that belongs to the process itself, such as its own schedules, is nobody's state.
    if (part.table === "medley_job") query = query.where("account", "!=", "");
    await query.execute();
  }
}

function parseExport(kernel: Kernel, text: string): { header: Header; tables: TableRows[] } {
  const [first = "", ...lines] = text.split("\n").filter((line) => line !== "");
  const header = parseLine(first) as unknown as Header;
  if (header?.medley !== 1 || !Array.isArray(header.migrations))
    throw kernelErrors.invalidInput("This is not a state export.");
  const known = new Set(tablesFor(kernel.services, header.filter ?? {}).map(({ table }) => table));
  const tables = new Map<string, Row[]>();
  for (const line of lines) {
    const { table, row } = parseLine(line) as { table?: string; row?: Row };
    if (typeof table !== "string" || row === null || typeof row !== "object")
      throw kernelErrors.invalidInput("A line of the export is not a row.");
    if (!known.has(table))
      throw kernelErrors.invalidInput(`The export holds a table that this process does not have: ${table}.`);
    if (table === "medley_job" && row.account === "") continue;
    const rows = tables.get(table) ?? [];
    rows.push(decodeBytes(row));
    tables.set(table, rows);
  }
  return {
    header: { ...header, filter: header.filter ?? {} },
    tables: [...tables].map(([table, rows]) => ({ table, rows })),
  };
}
function parseLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line);
  } catch {
    throw kernelErrors.invalidInput("A line of the export is not JSON.");
  }
}

function encodeBytes(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString("base64") } : value,
    ]),
  );
}
function decodeBytes(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const bytes = (value as { $bytes?: unknown } | null)?.$bytes;
      return [name, typeof bytes === "string" ? Buffer.from(bytes, "base64") : value];
    }),
  );
}
