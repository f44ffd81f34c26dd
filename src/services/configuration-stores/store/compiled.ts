/** Compiled point reads of the hot path: text parameters, at most one row. */
import type { Compilable } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Db } from "../tables.ts";

const { compiledQuery } = queriesOf<Db>();

/** `build` must use each of the given texts once and in order. */
export function compiledPointRead<Row>(
  valueCount: number,
  build: (db: Db, ...values: string[]) => Compilable<Row>,
) {
  const standIns: string[] = Array.from({ length: valueCount }, () => "");
  const run = compiledQuery<Row, string[]>(standIns, build);
  return async (db: Db, ...values: string[]): Promise<Row | undefined> => (await run(db, ...values))[0];
}
