/** Read-only inspection of a database for `medley doctor`. */
import { existsSync } from "node:fs";
import { sql } from "kysely";
import { Clock } from "#kernel/clock";
import type { Config } from "#kernel/config";
import type { Database, StandbyState } from "#kernel/db";
import { countNames, ObjectStore, openS3, type Verified, verifyObjects } from "#kernel/objects";
import { createLog } from "#kernel/observe";
import { migrationSetsOf, newerMigrations } from "#kernel/state";
import { NO_STANDBY, openDatabase } from "./app.ts";
import { databasePathOf } from "./data-folder.ts";
import { loadServices } from "./services.ts";

export type Inspection = {
  readonly problem?: string;
  readonly note?: string;
  readonly standby?: StandbyState;
};

export async function inspectDatabase(config: Config): Promise<Inspection> {
  const embedded = config.databaseUrl === undefined;
  if (embedded && config.readDatabase !== undefined) return { problem: NO_STANDBY };
  if (embedded && config.memory) return { note: "not needed with --memory" };
  if (embedded && !existsSync(databasePathOf(config.dataFolder)))
    return { note: "none yet: the first start creates one" };
  let database: Database | undefined;
  try {
    database = await openDatabase(config);
    const damage = await (embedded ? findDamage(database) : findMissingRight(database));
    if (damage !== undefined) return { problem: damage };
    const services = await loadServices(config.services);
    const newer = await newerMigrations(database, migrationSetsOf({ services }));
    if (newer.length > 0) return { problem: `a newer version has written it (it knows ${newer.join(", ")})` };
    await database.standby?.check();
    return database.standby ? { standby: database.standby.state } : {};
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { problem: message || String(code) };
  } finally {
    await database?.close();
  }
}

/** Database errors for a column or table of a later version. */
const NOT_MIGRATED = /no such (?:column|table)|does not exist/;
/** Compares the rows of a stopped database with the object store. */
export async function inspectObjects(config: Config): Promise<Inspection & { readonly found?: Verified }> {
  const isEmbedded = config.databaseUrl === undefined;
  if (isEmbedded && (config.memory || !existsSync(databasePathOf(config.dataFolder)))) return {};
  let database: Database | undefined;
  try {
    const log = createLog("silent");
    database = await openDatabase(config);
    const services = await loadServices(config.services);
    const objects = new ObjectStore(database, openS3(config, log));
    if (objects.s3)
      return { found: await verifyObjects({ database, services, objects, clock: new Clock(), config }) };
    const names = await countNames(database.read, services);
    return names === 0 ? {} : { problem: `${names} rows name objects of a store, and there is no --objects` };
  } catch (error) {
    const { message } = error as Error;
    if (NOT_MIGRATED.test(message)) return { note: "the next start prepares the database for it" };
    return { problem: message };
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
