/** Queries of hot paths: built once for each kind of database, then run with new values. */

import type { Compilable, CompiledQuery, Kysely, QueryResult } from "kysely";
import { makeRoom } from "../memory/index.ts";
import { ReadyExecutor } from "./single-connection.ts";

type Value = string | number | Uint8Array | null;
// biome-ignore lint/suspicious/noExplicitAny: every service has tables of its own.
type Db = Kysely<any>;
type Run<Row> = (db: Db, values: readonly Value[]) => Promise<QueryResult<Row>>;

/** How many shapes of one query are cached. */
const SHAPES_MAX = 200;

/** A placeholder for a value while a query is built. */
class StandIn {
  readonly position: number;
  constructor(position: number) {
    this.position = position;
  }
}
const standInsFor = (count: number) => Array.from({ length: count }, (_, position) => new StandIn(position));

type Prepared = {
  readonly query: CompiledQuery<unknown>;
  /** True if the values are bound as given: each once, in order, and nothing else. */
  readonly inOrder: boolean;
};
function prepare(query: CompiledQuery<unknown>, count: number): Prepared {
  const { parameters } = query;
  const used = new Set(parameters.map((one) => (one instanceof StandIn ? one.position : undefined)));
  for (let position = 0; position < count; position += 1)
    if (!used.has(position))
      throw new Error(`value ${position} of a compiled query is not used: ${query.sql}`);
  const inOrder =
    parameters.length === count &&
    parameters.every((one, at) => one instanceof StandIn && one.position === at);
  return { query, inOrder };
}
function bind<Row>({ query, inOrder }: Prepared, values: readonly Value[]): CompiledQuery<Row> {
  const { sql, query: tree, queryId } = query;
  const parameters = inOrder
    ? values
    : query.parameters.map((one) => (one instanceof StandIn ? values[one.position] : one));
  return { sql, query: tree, queryId, parameters } as CompiledQuery<Row>;
}

const rowsOf = ({ rows }: QueryResult<unknown>) => rows;
const isOneChanged = ({ numAffectedRows }: QueryResult<unknown>) => numAffectedRows === 1n;

function compiledOnce<Row>(
  count: number,
  build: (db: Db, standIns: readonly StandIn[]) => Compilable<unknown>,
): Run<Row> {
  const compiled = new WeakMap<object, Prepared>();
  const run: Run<Row> = (db, values) => {
    const executor = db.getExecutor();
    const prepared = compiled.get(executor.adapter);
    if (!prepared) return runFirst(db, values);
    const bound = bind<Row>(prepared, values);
    return executor instanceof ReadyExecutor
      ? executor.connection.executeQuery<Row>(bound)
      : executor.provideConnection((connection) => connection.executeQuery<Row>(bound));
  };
  const runFirst: Run<Row> = async (db, values) => {
    compiled.set(db.getExecutor().adapter, prepare(build(db, standInsFor(count)).compile(), count));
    return run(db, values);
  };
  return run;
}

/** `build` must use each of its values. On the first call these are placeholders. */
function compiledQuery<Row, Values extends readonly Value[]>(
  standIns: Values,
  build: (db: Db, ...values: Values) => Compilable<unknown>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  // Stand-ins take the places of values of all types.
  const run = compiledOnce<Row>(standIns.length, (db, values) => build(db, ...(values as unknown as Values)));
  return (db, ...values) => run(db, values).then(rowsOf) as Promise<Row[]>;
}

/**
 * For a query whose shape depends on the request: one query is built for each shape, by `key`. `build` gets the
 * shape and placeholders for its values, and must use each of them.
 */
function compiledShapes<Row, Shape>(
  // biome-ignore lint/suspicious/noExplicitAny: a stand-in takes the place of a value of any type.
  build: (db: Db, shape: Shape, values: readonly any[]) => Compilable<unknown>,
): (db: Db, key: string, shape: Shape, values: readonly Value[]) => Promise<QueryResult<Row>> {
  const runs = new Map<string, Run<Row>>();
  return (db, key, shape, values) => {
    let run = runs.get(key);
    if (!run) {
      makeRoom(runs, SHAPES_MAX);
      run = compiledOnce<Row>(values.length, (on, standIns) => build(on, shape, standIns));
      runs.set(key, run);
    }
    return run(db, values);
  };
}

type Rowlike<Row> = { [Column in keyof Row]: Value };

function valuesOf<Row extends Rowlike<Row>>(
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): Value[] {
  const values: Value[] = [];
  for (const row of rows) for (const column of columns) values.push(row[column]);
  return values;
}

/** Returns false, and changes nothing, if a row with the same key exists. */
function compiledInsert<Row extends Rowlike<Row>>(
  table: string,
  columns: readonly (keyof Row & string)[],
): (db: Db, row: Row) => Promise<boolean> {
  const run = compiledOnce(columns.length, (db, standIns) =>
    db
      .insertInto(table)
      .values(Object.fromEntries(columns.map((column, at) => [column, standIns[at]])))
      .onConflict((conflict) => conflict.doNothing()),
  );
  return (db, row) => run(db, valuesOf(columns, [row])).then(isOneChanged);
}

/** Several rows in one statement. An existing key is an error, or its row is skipped. */
function compiledInsertAll<Row extends Rowlike<Row>>(
  table: string,
  columns: readonly (keyof Row & string)[],
  { taken }: { readonly taken: "error" | "pass over" } = { taken: "error" },
): (db: Db, rows: readonly Row[]) => Promise<void> {
  const insert = compiledShapes<never, number>((db, count, values) => {
    const all = db
      .insertInto(table)
      .values(
        Array.from({ length: count }, (_, row) =>
          Object.fromEntries(columns.map((column, at) => [column, values[row * columns.length + at]])),
        ),
      );
    return taken === "error" ? all : all.onConflict((conflict) => conflict.doNothing());
  });
  return async (db, rows) => {
    if (rows.length > 0) await insert(db, String(rows.length), rows.length, valuesOf(columns, rows));
  };
}

/** Sets `columns` of the row with this `key`. Returns whether it exists. */
function compiledUpdate<Row extends Rowlike<Row>, Key extends keyof Row & string>(
  table: string,
  key: readonly Key[],
  columns: readonly (keyof Row & string)[],
): (db: Db, row: Row) => Promise<boolean> {
  const all = [...columns, ...key];
  const run = compiledOnce(all.length, (db, standIns) => {
    const set = Object.fromEntries(columns.map((column, at) => [column, standIns[at]]));
    let update = db.updateTable(table).set(set);
    for (const [at, column] of key.entries())
      update = update.where(column, "=", standIns[columns.length + at] as never);
    return update;
  });
  return (db, row) => run(db, valuesOf(all, [row])).then(isOneChanged);
}

/** Inserts a row with the columns that it has. An existing key is an error. */
function compiledInsertRow<Row extends Rowlike<Row>>(table: string): (db: Db, row: Row) => Promise<void> {
  const insert = compiledShapes<never, readonly string[]>((db, columns, values) =>
    db.insertInto(table).values(Object.fromEntries(columns.map((column, at) => [column, values[at]]))),
  );
  return async (db, row) => {
    const columns = Object.keys(row);
    await insert(db, columns.join(), columns, Object.values(row));
  };
}

/** Sets any columns of the row with this `key`. */
function compiledChange<Row extends Rowlike<Row>, Key extends keyof Row & string>(
  table: string,
  key: readonly Key[],
): (db: Db, row: Pick<Row, Key>, changes: Partial<Row>) => Promise<void> {
  const change = compiledShapes<never, readonly string[]>((db, columns, values) => {
    const set = Object.fromEntries(columns.map((column, at) => [column, values[at]]));
    let update = db.updateTable(table).set(set);
    for (const [at, column] of key.entries())
      update = update.where(column, "=", values[columns.length + at] as never);
    return update;
  });
  return async (db, row, changes) => {
    const entries = Object.entries(changes as Record<string, Value | undefined>).filter(
      (entry): entry is [string, Value] => entry[1] !== undefined,
    );
    if (entries.length === 0) return;
    const columns = entries.map(([column]) => column);
    const values = [...entries.map(([, value]) => value), ...key.map((column) => row[column])];
    await change(db, columns.join(), columns, values);
  };
}

/** The same, for the tables of one service: a query that names another table or column does not compile. */
type Queries<Own extends Db> = {
  compiledQuery<Row, Values extends readonly Value[]>(
    standIns: Values,
    build: (db: Own, ...values: Values) => Compilable<unknown>,
  ): (db: Own, ...values: Values) => Promise<Row[]>;
  compiledShapes<Row, Shape>(
    // biome-ignore lint/suspicious/noExplicitAny: a stand-in takes the place of a value of any type.
    build: (db: Own, shape: Shape, values: readonly any[]) => Compilable<unknown>,
  ): (db: Own, key: string, shape: Shape, values: readonly Value[]) => Promise<QueryResult<Row>>;
  compiledInsert<Row extends Rowlike<Row>>(
    table: TableIn<Own>,
    columns: readonly (keyof Row & string)[],
  ): (db: Own, row: Row) => Promise<boolean>;
  compiledInsertAll<Row extends Rowlike<Row>>(
    table: TableIn<Own>,
    columns: readonly (keyof Row & string)[],
    options?: { readonly taken: "error" | "pass over" },
  ): (db: Own, rows: readonly Row[]) => Promise<void>;
  compiledInsertRow<Row extends Rowlike<Row>>(table: TableIn<Own>): (db: Own, row: Row) => Promise<void>;
  compiledUpdate<Row extends Rowlike<Row>, Key extends keyof Row & string>(
    table: TableIn<Own>,
    key: readonly Key[],
    columns: readonly (keyof Row & string)[],
  ): (db: Own, row: Row) => Promise<boolean>;
  compiledChange<Row extends Rowlike<Row>, Key extends keyof Row & string>(
    table: TableIn<Own>,
    key: readonly Key[],
  ): (db: Own, row: Pick<Row, Key>, changes: Partial<Row>) => Promise<void>;
};
type TableIn<Own extends Db> = Own extends Kysely<infer Tables> ? keyof Tables & string : never;
// biome-ignore lint/suspicious/noExplicitAny: the functions themselves work on tables of every service.
const queries: Queries<any> = {
  compiledQuery,
  compiledShapes,
  compiledInsert,
  compiledInsertAll,
  compiledInsertRow,
  compiledUpdate,
  compiledChange,
};
export const queriesOf = <Own extends Db>(): Queries<Own> => queries;
