/** Migrates rows of an older export: runs the missed migrations on them in a scratch database. */
import type { SecretBox } from "../auth/secrets.ts";
import type { Database } from "../db/database.ts";
import { type MigrationSet, migrate } from "../db/migrate.ts";
import { openScratch } from "../db/sqlite.ts";
import { kernelErrors, ServiceError } from "../operation/errors.ts";
import type { ArchivedRow } from "./archive.ts";
import { pacedRows, RowInserter, refusalOf } from "./rows.ts";
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

export const isUpToDate = (sets: readonly MigrationSet[], exported: readonly string[]): boolean => {
  const applied = new Set(exported);
  return migrationNamesOf(sets).every((name) => applied.has(name));
};

export function refuseStranger(table: string, known: ReadonlySet<string>): void {
  if (!known.has(table))
    throw kernelErrors.invalidInput(`The export holds a table that this process does not have: ${table}.`);
}

/** Tables of the version of the export. Rows go in as they were, and come out in the current version. */
export class Upgrade {
  readonly #scratch: Database;
  readonly #sets: readonly MigrationSet[];
  readonly #secrets: SecretBox;
  private constructor(scratch: Database, sets: readonly MigrationSet[], secrets: SecretBox) {
    this.#scratch = scratch;
    this.#sets = sets;
    this.#secrets = secrets;
  }
  static async begin(
    sets: readonly MigrationSet[],
    exported: readonly string[],
    secrets: SecretBox,
  ): Promise<Upgrade> {
    const scratch = openScratch();
    try {
      await migrateScratch(scratch, only(sets, new Set(exported)), secrets);
    } catch (error) {
      await scratch.close();
      throw error;
    }
    return new Upgrade(scratch, sets, secrets);
  }
  async take(rows: AsyncIterable<ArchivedRow>): Promise<void> {
    const known = await this.#tables();
    await this.#scratch
      .transact(async (db) => {
        const inserter = new RowInserter(db);
        for await (const { table, row } of rows) {
          refuseStranger(table, known);
          await inserter.add(table, row);
        }
        await inserter.finish();
      })
      .catch((error) => {
        throw refusalOf(error);
      });
    await migrateScratch(this.#scratch, this.#sets, this.#secrets);
  }
  /** `wanted`: the current tables that the export covers, new ones included. */
  async *rows(wanted: readonly string[]): AsyncGenerator<ArchivedRow> {
    for (const table of wanted) {
      const query = this.#scratch.read.selectFrom(table).selectAll();
      for await (const row of pacedRows(query, table)) yield { table, row };
    }
  }
  close(): Promise<void> {
    return this.#scratch.close();
  }
  async #tables(): Promise<Set<string>> {
    const rows = await this.#scratch.read
      .selectFrom("sqlite_master")
      .select("name")
      .where("type", "=", "table")
      .where("name", "not in", ["medley_migration", "medley_setting"])
      .execute();
    return new Set(rows.map(({ name }) => name));
  }
}

async function migrateScratch(
  scratch: Database,
  sets: readonly MigrationSet[],
  secrets: SecretBox,
): Promise<void> {
  try {
    await migrate(scratch, sets, 0, async () => secrets);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw kernelErrors.invalidInput(
      `The rows of the export could not be brought up to date: ${(error as Error).message}.`,
    );
  }
}
