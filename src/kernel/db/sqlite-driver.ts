/**
 * Which driver speaks to SQLite: better-sqlite3 where somebody has installed it, Node's own from 22.16 on, otherwise a
 * package whose binaries come inside it. Nothing has to be compiled (docs/decisions/sqlite-driver.md).
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
    // The first database loads the binary, which may be missing or of another Node.
    new BetterSqlite3(":memory:").close();
    return { name: "better-sqlite3", open: (file) => new BetterSqlite3(file) };
  } catch {
    return undefined;
  }
}

/** Node warns that its interface may change; what we use of it is tested with every release we name. */
function findBuiltin(): SqliteDriver | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    // Not known to the types of Node 20.
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

/** It stays the same while the process runs. */
let driver: SqliteDriver | undefined;
export function getSqliteDriver(): SqliteDriver {
  driver ??= findInstalled() ?? findBuiltin() ?? loadPackaged();
  return driver;
}
