/**
 * Which part of the tests this run makes (CONTRIBUTING, "Two test commands"). `npm test` makes the first: everything on
 * SQLite, and on PostgreSQL what `BOTH_DATABASES` names. `npm run test:full` makes the second: the rest on PostgreSQL.
 * A run of single files makes both.
 */
import { expect } from "vitest";
import { isOnBothDatabases } from "../../tools/test-parts.mjs";

export type DatabaseKind = "sqlite" | "postgres";

/** The databases on which the test file that is being collected runs. */
export function databasesHere(): readonly DatabaseKind[] {
  const { MEDLEY_TEST_PART: part } = process.env;
  const file = expect.getState().testPath ?? "";
  if (part === undefined || isOnBothDatabases(file)) return ["sqlite", "postgres"];
  return part === "first" ? ["sqlite"] : ["postgres"];
}
