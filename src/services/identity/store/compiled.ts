/** Queries of the hot paths: built once for each kind of database, then run with new values. */
import type { Compilable, CompiledQuery, Kysely } from "kysely";

type Value = string | number;
// biome-ignore lint/suspicious/noExplicitAny: each half of the service has tables of its own.
type Db = Kysely<any>;

/** `build` must use the values it is given once each and in order; those of the first call are stand-ins. */
export function compiledQuery<Row, Values extends readonly Value[]>(
  standIns: Values,
  build: (db: Db, ...values: Values) => Compilable<unknown>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  const compiled = new WeakMap<object, CompiledQuery<unknown>>();
  return async (db, ...values) => {
    const { adapter } = db.getExecutor();
    let query = compiled.get(adapter);
    if (!query) {
      query = build(db, ...standIns).compile();
      compiled.set(adapter, query);
    }
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: values } as CompiledQuery<Row>);
    return rows;
  };
}
