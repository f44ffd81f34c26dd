/** Imports state: everything is read and checked first, then one transaction replaces what it covers. */
import { sql } from "kysely";
import type { AnyDb } from "../db/database.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { type ArchivedRow, type ArchiveSource, type Header, openArchive } from "./archive.ts";
import { clear } from "./clear.ts";
import { bytesOf, Pace, type Row, RowInserter, refusalOf } from "./rows.ts";
import { type CheckSecrets, type Reseal, sealForImport } from "./seal.ts";
import { intersect, isCovered, objectTablesOf, type StateFilter, tablesFor } from "./tables.ts";
import { isUpToDate, refuseNewer, refuseStranger, Upgrade } from "./upgrade.ts";
import { migrationSetsOf } from "./versions.ts";

type ImportOptions = {
  /** This account is kept, so that an import cannot lock out its caller. */
  readonly caller: string;
  /** Imports only this part of a larger export. */
  readonly only?: StateFilter;
};
export type Imported = {
  readonly rows: number;
  /** Credentials of other accounts that clash with names or keys of the calling account. */
  readonly credentialsLeftOut: number;
};
/** Rows in the current version. They can be read again, because a transaction may be retried. */
type Prepared = { rows(): AsyncIterable<ArchivedRow>; close(): Promise<void> };

/** Replaces what the export covers. Rows of an older version are migrated. */
export async function importState(
  kernel: Kernel,
  source: ArchiveSource,
  { caller, only = {} }: ImportOptions,
): Promise<Imported> {
  const { header, rows } = await openArchive(source);
  const filter = intersect(header.filter, only);
  const wanted = new Set(tablesFor(kernel.services, filter).map(({ table }) => table));
  const arrival = new Arrival(kernel, header, caller);
  const prepared = await arrival.prepare(source, rows);
  try {
    return await replace(kernel, filter, wanted, prepared, arrival);
  } finally {
    await prepared.close();
  }
}

async function replace(
  kernel: Kernel,
  filter: StateFilter,
  wanted: ReadonlySet<string>,
  prepared: Prepared,
  { kept, bytes }: Arrival,
): Promise<Imported> {
  let imported: Imported = { rows: 0, credentialsLeftOut: 0 };
  // Running jobs would continue with replaced data.
  await kernel.jobs.pause();
  try {
    await kernel.database.transactLarge(async (db, pause) => {
      await clear(kernel, { db, pause }, filter, kept);
      const taken = kept === undefined ? new Set<string>() : await credentialNamesOf(db, kept);
      const inserter = new RowInserter(db, pause);
      let credentialsLeftOut = 0;
      for await (const { table, row } of prepared.rows()) {
        if (!wanted.has(table) || !isCovered(table, row, filter)) continue;
        if (table === "medley_credential" && taken.has(credentialNameOf(row))) credentialsLeftOut += 1;
        else await inserter.add(table, anew(table, row));
      }
      imported = { rows: await inserter.finish(), credentialsLeftOut };
      if (kernel.database.kind === "postgres") await analyze(db, inserter.filledTables);
    }, bytes);
    await kernel.stateReplaced();
  } catch (error) {
    throw refusalOf(error);
  } finally {
    kernel.jobs.resume();
  }
  return imported;
}

/** PostgreSQL would analyse so many rows only a minute later, and until then plan as if the table were empty. */
async function analyze(db: AnyDb, tables: readonly string[]): Promise<void> {
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db);
}

/** What is unique among credentials, such as the user name of a password. */
const credentialNameOf = ({ kind, lookup }: Row): string => `${kind} ${lookup}`;
async function credentialNamesOf(db: AnyDb, account: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom("medley_credential")
    .select(["kind", "lookup"])
    .where("account", "=", account)
    .execute();
  return new Set(rows.map((row) => credentialNameOf(row as Row)));
}

/** The first pass over an export. */
class Arrival {
  readonly #kernel: Kernel;
  readonly #header: Header;
  readonly #caller: string;
  readonly #reseal: Reseal;
  readonly #checkSecrets: CheckSecrets;
  readonly #objectTables: ReadonlySet<string>;
  #bringsCaller = false;
  /** Of all rows. */
  bytes = 0;

  constructor(kernel: Kernel, header: Header, caller: string) {
    this.#kernel = kernel;
    this.#header = header;
    this.#caller = caller;
    this.#objectTables = new Set(objectTablesOf(kernel.services));
    refuseNewer(migrationSetsOf(kernel), header.migrations);
    const { reseal, checkSecrets } = sealForImport(kernel, header.secrets ?? {});
    this.#reseal = reseal;
    this.#checkSecrets = checkSecrets;
  }
  /** The calling account, unless the export contains it. */
  get kept(): string | undefined {
    return this.#bringsCaller ? undefined : this.#caller;
  }
  /** Reads to the end, so that nothing is replaced before everything was checked. */
  async prepare(source: ArchiveSource, arriving: AsyncIterable<ArchivedRow>): Promise<Prepared> {
    const sets = migrationSetsOf(this.#kernel);
    const today = tablesFor(this.#kernel.services, this.#header.filter).map(({ table }) => table);
    if (!isUpToDate(sets, this.#header.migrations)) return this.#upgrade(arriving, today);
    const known = new Set(today);
    for await (const { table } of this.#judged(arriving)) refuseStranger(table, known);
    return { rows: () => this.#again(source), close: async () => {} };
  }
  async #upgrade(arriving: AsyncIterable<ArchivedRow>, today: readonly string[]): Promise<Prepared> {
    const upgrade = await Upgrade.begin(
      migrationSetsOf(this.#kernel),
      this.#header.migrations,
      this.#kernel.accounts.secrets,
    );
    try {
      await upgrade.take(this.#resealed(this.#judged(arriving)));
    } catch (error) {
      await upgrade.close();
      throw error;
    }
    return { rows: () => upgrade.rows(today), close: () => upgrade.close() };
  }
  async *#judged(arriving: AsyncIterable<ArchivedRow>): AsyncGenerator<ArchivedRow> {
    const pace = new Pace();
    for await (const one of arriving) {
      const { table, row } = one;
      if (!isCovered(table, row, this.#header.filter))
        throw kernelErrors.invalidInput(`The export holds a row of ${table} that it does not cover.`);
      refuseObjects(table, row, this.#objectTables);
      this.#checkSecrets(one);
      if (table === "medley_account" && row.id === this.#caller) this.#bringsCaller = true;
      this.bytes += bytesOf(row);
      yield one;
      await pace.step(row);
    }
  }
  async *#resealed(rows: AsyncIterable<ArchivedRow>): AsyncGenerator<ArchivedRow> {
    for await (const { table, row } of rows) yield { table, row: this.#reseal(row) };
  }
  async *#again(source: ArchiveSource): AsyncGenerator<ArchivedRow> {
    yield* this.#resealed((await openArchive(source)).rows);
  }
}

/** An export holds bytes and names no objects: what it names would belong to another row. */
function refuseObjects(table: string, row: Row, tables: ReadonlySet<string>): void {
  if (tables.has(table) && (row.object ?? null) !== null)
    throw kernelErrors.invalidInput(`The export holds a row of ${table} without its bytes.`);
}

/** The node that ran the job when it was saved is not this one. */
function anew(table: string, row: Row): Row {
  const { state, attempts } = row;
  if (table !== "medley_job" || state !== "running") return row;
  return { ...row, state: "waiting", attempts: Number(attempts) - 1, lease_owner: null, lease_until: null };
}
