/** Tables whose rows belong to a version, with their common queries. Each query shape is built once. */
import type { Kysely } from "kysely";
import { type AnyDb, queriesOf } from "#kernel/db";
import type { Tables } from "../tables.ts";
import { inChunks } from "./in-chunks.ts";

type Db = Kysely<Tables>;
/** Which table and which columns these are, is known to the callers alone. */
const { compiledInsertAll, compiledShapes, compiledUpdate } = queriesOf<AnyDb>();
export const VERSION_PARTS = [
  "language_model",
  "language_feature",
  "language_pattern",
  "language_example",
] as const;
export type VersionPart = (typeof VERSION_PARTS)[number];
export type Page = { readonly skip: number; readonly take: number };

type Value = string | number | null;
type Columns<Row> = { readonly [Column in keyof Row]: Value };
/** Conditions on columns: one value, or one of several. */
export type Which<Row> = { readonly [Column in keyof Row]?: Row[Column] | readonly Row[Column][] };

/** The shape contains the length of a list of values, not the values. */
type Shape = {
  readonly conditions: readonly (readonly [column: string, count: number | undefined])[];
  readonly isPage: boolean;
};
function shapeOf(which: object, page?: Page): { key: string; shape: Shape; values: readonly Value[] } {
  const conditions = Object.entries(which).map(
    ([column, value]) => [column, Array.isArray(value) ? value.length : undefined] as const,
  );
  return {
    key: `${conditions.join(" ")} ${page !== undefined}`,
    shape: { conditions, isPage: page !== undefined },
    values: [...Object.values(which).flat(), ...(page ? [page.take, page.skip] : [])],
  };
}
const isEmpty = (which: object): boolean =>
  Object.values(which).some((value) => Array.isArray(value) && value.length === 0);

type Narrowed<Query> = { where(column: string, operator: "=" | "in", value: unknown): Query };
/** Adds conditions for a version and for the columns of the shape. Returns the remaining values too. */
function narrow<Query extends Narrowed<Query>>(
  query: Query,
  { conditions }: Shape,
  [account, version, ...values]: readonly unknown[],
): { readonly query: Query; readonly rest: readonly unknown[] } {
  const rest = [...values];
  let narrowed = query.where("account", "=", account).where("version", "=", version);
  for (const [column, count] of conditions)
    narrowed =
      count === undefined
        ? narrowed.where(column, "=", rest.shift())
        : narrowed.where(column, "in", rest.splice(0, count));
  return { query: narrowed, rest };
}

type Column<Row> = keyof Row & string;
const KEY = ["account", "version", "id"];

const listing = <Row extends Columns<Row>, Some extends Column<Row>>(
  table: VersionPart,
  some: readonly Some[],
  order: readonly Column<Row>[],
) => {
  const select = compiledShapes<Pick<Row, Some>, Shape>((db, shape, values) => {
    const { query, rest } = narrow(db.selectFrom(table).select(some), shape, values);
    const ordered = order.reduce((before, column) => before.orderBy(column), query);
    const [take = 0, skip = 0] = rest as readonly number[];
    return shape.isPage ? ordered.limit(take).offset(skip) : ordered;
  });
  return async (
    db: Db,
    account: string,
    version: string,
    which: Which<Row> = {},
    page?: Page,
  ): Promise<readonly Pick<Row, Some>[]> => {
    if (isEmpty(which)) return [];
    const { key, shape, values } = shapeOf(which, page);
    return (await select(db, key, shape, [account, version, ...values])).rows;
  };
};

export function versionPart<Row extends Columns<Row>>(
  table: VersionPart,
  columns: readonly Column<Row>[],
  order: readonly Column<Row>[],
) {
  const counted = compiledShapes<{ readonly count: number }, Shape>(
    (db, shape, values) =>
      narrow(
        db.selectFrom(table).select(({ fn }) => fn.countAll().as("count")),
        shape,
        values,
      ).query,
  );
  const deleted = compiledShapes<never, Shape>(
    (db, shape, values) => narrow(db.deleteFrom(table), shape, values).query,
  );

  const listOf = <Some extends Column<Row>>(some: readonly Some[]) => listing<Row, Some>(table, some, order);
  const list = listOf(columns);
  const find = async (
    db: Db,
    account: string,
    version: string,
    which: Which<Row>,
  ): Promise<Pick<Row, Column<Row>> | undefined> => (await list(db, account, version, which))[0];
  const count = async (db: Db, account: string, version: string): Promise<number> => {
    const { key, shape } = shapeOf({});
    return Number((await counted(db, key, shape, [account, version])).rows[0]?.count ?? 0);
  };
  /** Answers how many there were. */
  const remove = async (db: Db, account: string, version: string, which: Which<Row>): Promise<number> => {
    if (isEmpty(which)) return 0;
    const { key, shape, values } = shapeOf(which);
    return Number((await deleted(db, key, shape, [account, version, ...values])).numAffectedRows ?? 0n);
  };
  const change = async (
    db: Db,
    account: string,
    version: string,
    which: Which<Row>,
    set: Partial<Row>,
  ): Promise<void> => {
    if (isEmpty(which)) return;
    const { shape, values } = shapeOf(which);
    const all = (db as AnyDb).updateTable(table).set(set);
    await narrow(all, shape, [account, version, ...values]).query.execute();
  };
  const insert = inChunks<Row>(compiledInsertAll<Row>(table, columns));
  /** Of the row with the same id. */
  const update = (changing: readonly Column<Row>[]) =>
    compiledUpdate<Row, Column<Row>>(table, KEY as Column<Row>[], changing);
  return { listOf, list, find, count, remove, change, insert, update };
}

type OfIntent = { readonly intent: string };
type Change = (db: Db, account: string, version: string, which: OfIntent, set: OfIntent) => Promise<void>;
/** Gives all rows of an intent to another intent. */
export const moveIntentBy =
  (change: Change) =>
  (db: Db, account: string, version: string, from: string, to: string): Promise<void> =>
    change(db, account, version, { intent: from }, { intent: to });
