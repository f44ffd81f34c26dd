/** Which migrations this process knows, and which belong to a newer version. */
import { type Database, isDatabaseAway } from "../db/database.ts";
import type { MigrationSet } from "../db/migrate.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { kernelMigrations } from "../runtime/migrations.ts";

export const migrationSetsOf = ({ services }: Pick<Kernel, "services">): MigrationSet[] => [
  { owner: "kernel", migrations: kernelMigrations },
  ...services.map(({ name, migrations = {} }) => ({ owner: name, migrations })),
];
/** `owner/name` of each. */
export const migrationNamesOf = (sets: readonly MigrationSet[]): string[] =>
  sets.flatMap(({ owner, migrations }) => Object.keys(migrations).map((name) => `${owner}/${name}`));

/** Applied migrations of our owners that this process does not know. Other owners do not matter here. */
export function newerAmong(sets: readonly MigrationSet[], applied: readonly string[]): string[] {
  const known = new Set(migrationNamesOf(sets));
  const owners = new Set(sets.map(({ owner }) => owner));
  return applied.filter((name) => owners.has(name.split("/")[0] ?? "") && !known.has(name));
}

/** Migrations of a newer version in this database; none if it is empty. */
export async function newerMigrations(database: Database, sets: readonly MigrationSet[]): Promise<string[]> {
  const rows = await database.read
    .selectFrom("medley_migration")
    .select(["owner", "name"])
    .execute()
    .catch((error) => {
      if (isDatabaseAway(error)) throw error;
      // The first migration creates the table.
      return [];
    });
  return newerAmong(
    sets,
    rows.map(({ owner, name }) => `${owner}/${name}`),
  );
}
