/** Saving, loading and clearing state, whole or by service and account. */
import type { AnyDb } from "../db/database.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Kernel } from "../runtime/kernel.ts";
import type { JobRow } from "../runtime/tables.ts";
import { type ArchivedRow, ArchiveWriter, checkSize, type Header, readHeader, readRows } from "./archive.ts";
import { insertRows, type Row, type TableRows } from "./rows.ts";
import { sealForExport, sealForImport } from "./seal.ts";
import {
  accountColumnOf,
  credentialTables,
  intersect,
  isCovered,
  narrow,
  type StateFilter,
  type TablePart,
  tablesFor,
  tablesToReset,
} from "./tables.ts";
import { refuseNewer, upgradeRows } from "./upgrade.ts";
import { migrationNamesOf, migrationSetsOf } from "./versions.ts";

const TABLE_ROWS_MAX = 2_000_000;
/** What base64 makes of bytes. */
const BYTES_GROW = 4 / 3;

/** Read in one transaction, so it is one moment's state. */
export async function exportState(kernel: Kernel, filter: StateFilter): Promise<readonly Buffer[]> {
  const parts = tablesFor(kernel.services, filter);
  const { note, reseal } = sealForExport(kernel);
  return kernel.database.transact(async (db) => {
    const archive = new ArchiveWriter();
    for (const part of parts)
      for await (const row of rowsOf(db, part, filter)) archive.add({ table: part.table, row: reseal(row) });
    return archive.finish({
      exportedAt: kernel.clock.nowIso(),
      filter,
      migrations: migrationNamesOf(migrationSetsOf(kernel)),
      secrets: note,
    });
  });
}

async function* rowsOf(db: AnyDb, part: TablePart, filter: StateFilter): AsyncGenerator<Row> {
  if (part.table === "medley_blob_chunk") {
    yield* chunksOf(db, part, filter);
    return;
  }
  const { count } = await narrow(
    db.selectFrom(part.table).select((e) => e.fn.countAll<number>().as("count")),
    part,
    filter,
  ).executeTakeFirstOrThrow();
  if (Number(count) > TABLE_ROWS_MAX)
    throw kernelErrors.invalidInput(
      `${part.table} has more than the ${TABLE_ROWS_MAX} rows of one export: save it by service and account.`,
    );
  yield* await narrow(db.selectFrom(part.table).selectAll(), part, filter).execute();
}
/** Bytes are read one blob after another: together they may be more than fits into memory. */
async function* chunksOf(db: AnyDb, part: TablePart, filter: StateFilter): AsyncGenerator<Row> {
  const blobs = await narrow(
    db.selectFrom("medley_blob").select(["id", "size"]),
    { ...part, table: "medley_blob" },
    filter,
  ).execute();
  checkSize(blobs.reduce((sum, { size }) => sum + size * BYTES_GROW, 0));
  for (const { id } of blobs)
    yield* await db
      .selectFrom(part.table)
      .selectAll()
      .where("blob_id", "=", id)
      .orderBy("position")
      .execute();
}

/** Accounts and credentials stay. */
export async function resetState(kernel: Kernel, filter: StateFilter): Promise<void> {
  const parts = tablesToReset(kernel.services, filter);
  await kernel.database.transact((db) => clear(kernel, db, parts, filter));
  await kernel.stateReplaced();
}

export type ImportOptions = {
  /** Stays an account, so that nobody is shut out by state that was saved elsewhere. */
  readonly caller: string;
  /** Takes no more than this out of an export that covers more. */
  readonly only?: StateFilter;
};

/** Replaces what the export covers. What an older version exported is brought up to date on the way. */
export async function importState(
  kernel: Kernel,
  bytes: Uint8Array,
  { caller, only = {} }: ImportOptions,
): Promise<{ rows: number }> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readHeader(archive);
  const filter = intersect(header.filter, only);
  const parts = tablesFor(kernel.services, filter);
  const wanted = new Set(parts.map(({ table }) => table));
  const ready = (await prepareRows(kernel, header, archive))
    .filter(({ table }) => wanted.has(table))
    .map(({ table, rows }) => ({ table, rows: rows.filter((row) => isCovered(table, row, filter)) }));
  const kept = hasAccount(ready, caller) ? undefined : caller;
  let rows = 0;
  // Work under way would go on with what is replaced.
  await kernel.jobs.pause();
  try {
    await kernel.database.transact(async (db) => {
      rows = 0;
      await clear(kernel, db, parts, filter, kept);
      for (const table of ready) rows += await insertRows(db, table);
    });
    await kernel.stateReplaced();
  } finally {
    kernel.jobs.resume();
  }
  return { rows };
}

async function prepareRows(kernel: Kernel, header: Header, archive: Buffer): Promise<readonly TableRows[]> {
  const sets = migrationSetsOf(kernel);
  refuseNewer(sets, header.migrations);
  const wanted = tablesFor(kernel.services, header.filter).map(({ table }) => table);
  const reseal = sealForImport(kernel, header.secrets ?? {});
  const rows = readRows(archive, header).map(({ table, row }) => ({ table, row: reseal(row) }));
  const upgraded = await upgradeRows(sets, header.migrations, byTable(rows, header.filter), wanted);
  return upgraded.map(({ table, rows }) => ({
    table,
    rows: table === "medley_job" ? rows.map(startAnew) : rows,
  }));
}
function byTable(rows: readonly ArchivedRow[], filter: StateFilter): TableRows[] {
  const tables = new Map<string, Row[]>();
  for (const { table, row } of rows) {
    if (!isCovered(table, row, filter))
      throw kernelErrors.invalidInput(`The export holds a row of ${table} that it does not cover.`);
    const known = tables.get(table);
    if (known) known.push(row);
    else tables.set(table, [row]);
  }
  return [...tables].map(([table, rows]) => ({ table, rows }));
}
/** The node that was at work on it when it was saved is not this one. */
function startAnew(row: Row): Row {
  const { state, attempts } = row as unknown as JobRow;
  if (state !== "running") return row;
  return { ...row, state: "waiting", attempts: attempts - 1, lease_owner: null, lease_until: null };
}

const hasAccount = (tables: readonly TableRows[], id: string): boolean =>
  tables.some(({ table, rows }) => table === "medley_account" && rows.some((row) => row.id === id));

/** `kept`: an account whose credentials stay. */
async function clear(
  kernel: Kernel,
  db: AnyDb,
  parts: readonly TablePart[],
  filter: StateFilter,
  kept?: string,
): Promise<void> {
  const credentials = new Set(credentialTables(kernel.services));
  for (const part of parts) {
    const query = narrow(db.deleteFrom(part.table), part, filter);
    const sparing = kept !== undefined && credentials.has(part.table);
    await (sparing ? query.where(accountColumnOf(part.table), "!=", kept) : query).execute();
  }
}
