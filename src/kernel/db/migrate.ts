/** Forward migrations per owner (the kernel or a service), applied at start under a lock. */
import type { SecretBox } from "../auth/secrets.ts";
import type { Migration } from "../operation/service.ts";
import type { AnyDb, Database } from "./database.ts";
import { makeRemembered, remember } from "./fresh-schema.ts";
import { PortableTypes } from "./portable-types.ts";

export type MigrationSet = {
  readonly owner: string;
  readonly migrations: Readonly<Record<string, Migration>>;
};

const noSecrets = (): never => {
  throw new Error("there is nothing to seal secrets with");
};

/** Returns how many were applied. `secretsIn`: encrypts, for migrations that need it. */
export async function migrate(
  database: Database,
  sets: readonly MigrationSet[],
  nowMs: number,
  secretsIn: (db: AnyDb) => Promise<SecretBox> = noSecrets,
): Promise<number> {
  if (await isUpToDate(database, sets)) return 0;
  let box: SecretBox | undefined;
  const secrets = async (db: AnyDb) => {
    box ??= await secretsIn(db);
    return box;
  };
  let applied = 0;
  await database.migrateExclusively(async (db, run) => {
    await createMigrationTable(db, database.kind);
    const known = await appliedMigrations(db);
    const missing = sets.flatMap(({ owner, migrations }) =>
      Object.entries(migrations)
        .map(([name, migration]) => ({ owner, name, migration }))
        .filter(({ name }) => !known.has(`${owner}/${name}`)),
    );
    const isFresh = run !== undefined && known.size === 0;
    const isMade = isFresh && makeRemembered(run, sets);
    const portable = database.kind === "postgres" ? db.withPlugin(new PortableTypes()) : db;
    const note = (done: typeof missing) =>
      db
        .insertInto("medley_migration")
        .values(done.map(({ owner, name }) => ({ owner, name, applied_at: nowMs })))
        .execute();
    if (isMade) await note(missing);
    else
      for (const one of missing) {
        await one.migration.up(portable, { secrets: () => secrets(db) });
        await note([one]);
      }
    if (isFresh && !isMade && !box) await remember(db, sets);
    applied = missing.length;
  });
  // Values that are now encrypted must not stay readable in free pages.
  if (box) await database.eraseDeleted?.();
  return applied;
}

async function createMigrationTable(db: AnyDb, kind: Database["kind"]): Promise<void> {
  await db.schema
    .createTable("medley_migration")
    .ifNotExists()
    .addColumn("owner", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("applied_at", kind === "postgres" ? "bigint" : "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("medley_migration_pk", ["owner", "name"])
    .execute();
}

async function appliedMigrations(db: AnyDb): Promise<Set<string>> {
  const rows = await db.selectFrom("medley_migration").select(["owner", "name"]).execute();
  return new Set(rows.map((row) => `${row.owner}/${row.name}`));
}

async function isUpToDate(database: Database, sets: readonly MigrationSet[]): Promise<boolean> {
  const known = await appliedMigrations(database.read).catch(() => new Set<string>());
  return sets.every(({ owner, migrations }) =>
    Object.keys(migrations).every((name) => known.has(`${owner}/${name}`)),
  );
}
