/** Looks at a database without changing it: what `medley doctor` says about it. */
import { existsSync } from "node:fs";
import { sql } from "kysely";
import type { Config } from "#kernel/config";
import type { Database } from "#kernel/db";
import { migrationSetsOf, newerMigrations } from "#kernel/state";
import { openDatabase } from "./app.ts";
import { databasePathOf } from "./data-folder.ts";
import { loadServices } from "./services.ts";

export type Inspection = { readonly problem?: string; readonly note?: string };

export async function inspectDatabase(config: Config): Promise<Inspection> {
  const embedded = config.databaseUrl === undefined;
  if (embedded && config.memory) return { note: "not needed with --memory" };
  if (embedded && !existsSync(databasePathOf(config.dataFolder)))
    return { note: "none yet: the first start makes one" };
  let database: Database | undefined;
  try {
    database = await openDatabase(config);
    const damage = await (embedded ? findDamage(database) : findMissingRight(database));
    if (damage !== undefined) return { problem: damage };
    const services = await loadServices(config.services);
    const newer = await newerMigrations(database, migrationSetsOf({ services }));
    return newer.length === 0
      ? {}
      : { problem: `a newer version has written it (it knows ${newer.join(", ")})` };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { problem: message || String(code) };
  } finally {
    await database?.close();
  }
}

async function findDamage({ read }: Database): Promise<string | undefined> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(read);
  const [found] = rows;
  return found === undefined || found.quick_check === "ok" ? undefined : found.quick_check;
}
async function findMissingRight({ read }: Database): Promise<string | undefined> {
  const { rows } = await sql<{
    allowed: boolean | null;
  }>`select has_schema_privilege(current_schema(), 'CREATE') as allowed`.execute(read);
  return rows[0]?.allowed === true ? undefined : "this user may not create tables there";
}
