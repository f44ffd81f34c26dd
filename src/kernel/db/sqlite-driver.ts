/**
 * Chooses the SQLite driver: better-sqlite3 if installed, `node:sqlite` from Node 22.16 on, otherwise a package
 * that contains its binaries. Nothing is compiled (docs/decisions/sqlite-driver.md).
 */
import { createRequire } from "node:module";
import { type BuiltinModule, openBuiltin } from "./sqlite-builtin.ts";
import type { SqliteHandle } from "./sqlite-handle.ts";

export type SqliteDriver = { readonly name: string; open(file: string): SqliteHandle };

export class NoSqliteDriverError extends Error {
  readonly code = "SQLITE_CANTOPEN";
}

const require = createRequire(import.meta.url);

function findInstalled(): SqliteDriver | undefined {
  try {
    const BetterSqlite3: new (file: string) => SqliteHandle = require("better-sqlite3");
    // Opening a database loads the binary, which may be missing or made for another Node.
    new BetterSqlite3(":memory:").close();
    return { name: "better-sqlite3", open: (file) => new BetterSqlite3(file) };
  } catch {
    return undefined;
  }
}

/** Node warns that this interface may change. Tests cover what we use with every supported release. */
function findBuiltin(): SqliteDriver | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    // The types of Node 20 do not have it.
    const { getBuiltinModule } = process as { getBuiltinModule?(name: string): BuiltinModule | undefined };
    const module = getBuiltinModule?.("node:sqlite");
    if (!module || !("setReturnArrays" in module.StatementSync.prototype)) return undefined;
    return { name: "Node's own", open: (file) => openBuiltin(module, file) };
  } finally {
    process.emitWarning = emitWarning;
  }
}

function loadPackaged(): SqliteDriver {
  try {
    const module: BuiltinModule = require("@photostructure/sqlite");
    return { name: "@photostructure/sqlite", open: (file) => openBuiltin(module, file) };
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new NoSqliteDriverError(
      `SQLite cannot be used: ${reason}; use Node 22.16 or later, or install @photostructure/sqlite`,
    );
  }
}

/** Chosen once per process. */
let driver: SqliteDriver | undefined;
export function getSqliteDriver(): SqliteDriver {
  driver ??= findInstalled() ?? findBuiltin() ?? loadPackaged();
  return driver;
}
