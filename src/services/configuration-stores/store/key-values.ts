/** Current key-values, and those of a past instant. */
import { queriesOf } from "#kernel/db";
import type { TextFilter } from "../domain/filters.ts";
import type { ContentRow, Db, ValueRow } from "../tables.ts";
import { compiledPointRead } from "./compiled.ts";
import {
  afterPosition,
  currentAt,
  filterShape,
  filterValues,
  inTurn,
  type Position,
  textConditions,
  type ValueFilter,
  valueConditions,
} from "./conditions.ts";
import { CHANGING_COLUMNS, CONTENT_COLUMNS } from "./rows.ts";

const { compiledInsert, compiledShapes, compiledUpdate } = queriesOf<Db>();

const findCurrent = compiledPointRead<ValueRow>(3, (db, store, key, label) =>
  db
    .selectFrom("configuration_value")
    .selectAll()
    .where("store", "=", store as string)
    .where("key", "=", key as string)
    .where("label", "=", label as string),
);
export const findValue = (db: Db, store: string, { key, label }: Position): Promise<ValueRow | undefined> =>
  findCurrent(db, store, key, label);

export const findValueAt = (
  db: Db,
  store: string,
  { key, label }: Position,
  atMs: number,
): Promise<ContentRow | undefined> =>
  db
    .selectFrom("configuration_revision")
    .select(CONTENT_COLUMNS)
    .where("store", "=", store)
    .where("key", "=", key)
    .where("label", "=", label)
    .where(currentAt(atMs))
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();

export type ListOptions = { readonly after: Position | undefined; readonly limit: number };

type ListShape = { readonly filter: ValueFilter; readonly isFurther: boolean };
function listOf<Column extends keyof ContentRow>(columns: readonly Column[]) {
  type Row = Pick<ContentRow, Column>;
  const select = compiledShapes<Row, ListShape>((db: Db, { filter, isFurther }, values) => {
    const next = inTurn(values) as () => never;
    let query = db.selectFrom("configuration_value").select(columns).where("store", "=", next());
    for (const condition of valueConditions(filter, next)) query = query.where(condition);
    if (isFurther) query = query.where(afterPosition({ key: next(), label: next() }));
    return query.orderBy("key").orderBy("label").limit(next());
  });
  return async (
    db: Db,
    store: string,
    filter: ValueFilter,
    { after, limit }: ListOptions,
  ): Promise<Row[]> => {
    const shape = { filter, isFurther: after !== undefined };
    const position = after ? [after.key, after.label] : [];
    const values = [store, ...filterValues(filter), ...position, limit];
    return (await select(db, `${filterShape(filter)} ${shape.isFurther}`, shape, values)).rows;
  };
}
export const listValues = listOf(CONTENT_COLUMNS);
/** The same list, with entity tags only. */
export const listEntityTags = listOf(["etag"]);

export async function listValuesAt(
  db: Db,
  store: string,
  filter: ValueFilter,
  { after, limit }: ListOptions,
  atMs: number,
): Promise<ContentRow[]> {
  let query = db
    .selectFrom("configuration_revision")
    .select(CONTENT_COLUMNS)
    .where("store", "=", store)
    .where(currentAt(atMs));
  for (const condition of valueConditions(filter)) query = query.where(condition);
  if (after) query = query.where(afterPosition(after));
  return query.orderBy("key").orderBy("label").limit(limit).execute();
}

export type NameOptions = {
  readonly filter: TextFilter;
  readonly after: string | undefined;
  readonly limit: number;
  readonly atMs: number | undefined;
};

const tableAt = (atMs: number | undefined) =>
  atMs === undefined ? ("configuration_value" as const) : ("configuration_revision" as const);

export async function listKeys(
  db: Db,
  store: string,
  { filter, after, limit, atMs }: NameOptions,
): Promise<string[]> {
  let query = db.selectFrom(tableAt(atMs)).select("key").where("store", "=", store);
  if (atMs !== undefined) query = query.where(currentAt(atMs));
  for (const condition of textConditions("key", filter)) query = query.where(condition);
  if (after !== undefined) query = query.where("key", ">", after);
  const rows = await query.groupBy("key").orderBy("key").limit(limit).execute();
  return rows.map(({ key }) => key);
}

/** Labels are few and key-values many, so each label is found by an index seek instead of a scan. */
export async function listLabels(
  db: Db,
  store: string,
  { filter, after, limit, atMs }: NameOptions,
): Promise<string[]> {
  const labels: string[] = [];
  let last = after;
  while (labels.length < limit) {
    let query = db.selectFrom(tableAt(atMs)).select("label").where("store", "=", store);
    if (atMs !== undefined) query = query.where(currentAt(atMs));
    for (const condition of textConditions("label", filter)) query = query.where(condition);
    if (last !== undefined) query = query.where("label", ">", last);
    const row = await query.orderBy("label").limit(1).executeTakeFirst();
    if (!row) break;
    labels.push(row.label);
    last = row.label;
  }
  return labels;
}

const KEY_COLUMNS = ["store", "key", "label"] as const;
/** False if the key-value exists. It reads nothing first, so writers of different keys do not conflict. */
export const insertValue = compiledInsert<ValueRow>("configuration_value", [
  "account",
  ...KEY_COLUMNS,
  ...CHANGING_COLUMNS,
]);
export const updateValue = compiledUpdate<ValueRow, (typeof KEY_COLUMNS)[number]>(
  "configuration_value",
  KEY_COLUMNS,
  CHANGING_COLUMNS,
);

export async function deleteValue(db: Db, { store, key, label }: ValueRow): Promise<void> {
  await db
    .deleteFrom("configuration_value")
    .where("store", "=", store)
    .where("key", "=", key)
    .where("label", "=", label)
    .execute();
}
