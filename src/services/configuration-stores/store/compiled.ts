/** Queries of the hot path: built once for each kind of database, then run with new values. */
import type { Compilable, CompiledQuery } from "kysely";
import type { Db } from "./tables.ts";

/** `build` must use the given texts once each and in order. */
export function compiledQuery<Row>(
  valueCount: number,
  build: (db: Db, ...values: string[]) => Compilable<Row>,
) {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return async (db: Db, ...values: readonly string[]): Promise<Row | undefined> => {
    const { adapter } = db.getExecutor();
    let query = compiled.get(adapter);
    if (!query) {
      query = build(db, ...Array.from({ length: valueCount }, () => "")).compile();
      compiled.set(adapter, query);
    }
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: values });
    return rows[0];
  };
}
