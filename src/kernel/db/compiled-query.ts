/** Queries of the hot paths: built once for each kind of database, then run with new values. */
import type { Compilable, CompiledQuery, Kysely, QueryResult } from "kysely";

type Value = string | number | Uint8Array | null;
// biome-ignore lint/suspicious/noExplicitAny: every service has tables of its own.
type Db = Kysely<any>;
type Run<Row> = (db: Db, values: readonly Value[]) => Promise<QueryResult<Row>>;

function compiledOnce<Row>(build: (db: Db) => Compilable<unknown>): Run<Row> {
  const compiled = new WeakMap<object, CompiledQuery<unknown>>();
  return (db, parameters) => {
    const executor = db.getExecutor();
    let query = compiled.get(executor.adapter);
    if (!query) {
      query = build(db).compile();
      compiled.set(executor.adapter, query);
    }
    const { sql, query: tree, queryId } = query;
    const bound: CompiledQuery<Row> = { sql, query: tree, queryId, parameters } as CompiledQuery<Row>;
    return executor.provideConnection((connection) => connection.executeQuery<Row>(bound));
  };
}

/** `build` must use the values it is given once each and in order; those of the first call are stand-ins. */
export function compiledQuery<Row, Values extends readonly Value[]>(
  standIns: Values,
  build: (db: Db, ...values: Values) => Compilable<unknown>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  const run = compiledOnce<Row>((db) => build(db, ...standIns));
  return async (db, ...values) => (await run(db, values)).rows;
}

/** Answers false, and changes nothing, when a row with the same key is there already. */
export function compiledInsert<Row extends { [Column in keyof Row]: Value }>(
  table: string,
  columns: readonly (keyof Row & string)[],
): (db: Db, row: Row) => Promise<boolean> {
  const standIn = Object.fromEntries(columns.map((column) => [column, ""]));
  const run = compiledOnce((db) =>
    db
      .insertInto(table)
      .values(standIn)
      .onConflict((conflict) => conflict.doNothing()),
  );
  return async (db, row) =>
    (
      await run(
        db,
        columns.map((column) => row[column]),
      )
    ).numAffectedRows === 1n;
}
