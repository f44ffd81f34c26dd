/** Queries of the hot paths: built once for each kind of database, then run with new values. */
import type { Compilable, CompiledQuery, Kysely } from "kysely";

type Value = string | number;
// biome-ignore lint/suspicious/noExplicitAny: every service has tables of its own.
type Db = Kysely<any>;

/** `build` must use the values it is given once each and in order; those of the first call are stand-ins. */
export function compiledQuery<Row, Values extends readonly Value[]>(
  standIns: Values,
  build: (db: Db, ...values: Values) => Compilable<unknown>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  const compiled = new WeakMap<object, CompiledQuery<unknown>>();
  return async (db, ...values) => {
    const executor = db.getExecutor();
    let query = compiled.get(executor.adapter);
    if (!query) {
      query = build(db, ...standIns).compile();
      compiled.set(executor.adapter, query);
    }
    const bound = { ...query, parameters: values } as CompiledQuery<Row>;
    const { rows } = await executor.provideConnection((connection) => connection.executeQuery<Row>(bound));
    return rows;
  };
}
