/** Who speaks to SQLite: better-sqlite3, the faster one, where its binary is there; otherwise what Node has built in. */
import { createRequire } from "node:module";
import { type BuiltinModule, openBuiltin } from "./sqlite-builtin.ts";
import type { SqliteHandle } from "./sqlite-handle.ts";

export type SqliteDriver = { readonly name: string; open(file: string): SqliteHandle };

export class NoSqliteDriverError extends Error {
  readonly code = "SQLITE_CANTOPEN";
}

type BetterSqlite3 = new (file: string) => SqliteHandle;

function loadBetterSqlite3(): SqliteDriver {
  const BetterSqlite3: BetterSqlite3 = createRequire(import.meta.url)("better-sqlite3");
  // Its binary is loaded with the first database, not before.
  new BetterSqlite3(":memory:").close();
  return { name: "better-sqlite3", open: (file) => new BetterSqlite3(file) };
}

/** Since Node 22.16. Node warns that its interface may change; what we use of it is tested with every release we name. */
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

function load(): SqliteDriver {
  try {
    return loadBetterSqlite3();
  } catch (error) {
    const builtin = findBuiltin();
    if (builtin) return builtin;
    throw new NoSqliteDriverError(
      `SQLite cannot be used: ${(error as Error).message.split("\n")[0]}; use Node 22.16 or later, or run npm rebuild better-sqlite3 (needs python3, make and a C++ compiler)`,
    );
  }
}

/** It stays the same while the process runs. */
let driver: SqliteDriver | undefined;
export function getSqliteDriver(): SqliteDriver {
  driver ??= load();
  return driver;
}
