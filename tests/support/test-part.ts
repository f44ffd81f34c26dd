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

/** For what the second part does in the same file. */
export const isFirstPart = (): boolean => process.env.MEDLEY_TEST_PART === "first";
/** How often a fault test repeats itself: a few times in `npm test`, as often as it takes in the second part. */
export const roundsHere = (few: number, many: number): number => (isFirstPart() ? few : many);
