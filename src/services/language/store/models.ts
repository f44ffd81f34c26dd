/** Intents and entities of a version: a row each, with what is particular to its kind as JSON. */
import type { Kysely } from "kysely";
import { compiledInsert, compiledInsertAll, compiledQuery, compiledUpdate } from "#kernel/db";
import type { Entity, EntityKind, Intent } from "../domain/content.ts";
import { keyOf } from "../domain/limits.ts";
import type { ModelKind, StoredModel } from "../domain/models.ts";
import type { ModelRow, Tables } from "../tables.ts";
import { inChunks } from "./in-chunks.ts";

type Db = Kysely<Tables>;

const optional = (value: number | null): number | undefined => (value === null ? undefined : Number(value));
const storedOf = (row: ModelRow): StoredModel => ({
  model: {
    ...(JSON.parse(row.body) as Intent | Entity),
    kind: row.kind as ModelKind,
    id: row.id,
    name: row.name,
  } as StoredModel["model"],
  position: Number(row.position),
  changedRevision: Number(row.changed_revision),
  trainedRevision: optional(row.trained_revision),
  trainedAtMs: optional(row.trained_at),
  trainedExamples: optional(row.trained_examples),
});
const rowOf = (account: string, version: string, stored: StoredModel): ModelRow => {
  const { kind, id, name, ...body } = stored.model;
  return {
    account,
    version,
    id,
    kind,
    name,
    name_key: keyOf(name),
    position: stored.position,
    body: JSON.stringify(body),
    changed_revision: stored.changedRevision,
    trained_revision: stored.trainedRevision ?? null,
    trained_at: stored.trainedAtMs ?? null,
    trained_examples: stored.trainedExamples ?? null,
  };
};

const COLUMNS = [
  "account",
  "version",
  "id",
  "kind",
  "name",
  "name_key",
  "position",
  "body",
  "changed_revision",
  "trained_revision",
  "trained_at",
  "trained_examples",
] as const satisfies readonly (keyof ModelRow)[];

const selectOne = compiledQuery<ModelRow, [string, string, string]>(
  ["", "", ""],
  (db, account, version, id) =>
    db
      .selectFrom("language_model")
      .selectAll()
      .where("account", "=", account)
      .where("version", "=", version)
      .where("id", "=", id),
);
export async function findModel(
  db: Db,
  account: string,
  version: string,
  id: string,
): Promise<StoredModel | undefined> {
  const [row] = await selectOne(db, account, version, id);
  return row && storedOf(row);
}

const selectByName = compiledQuery<ModelRow, [string, string, string]>(
  ["", "", ""],
  (db, account, version, key) =>
    db
      .selectFrom("language_model")
      .selectAll()
      .where("account", "=", account)
      .where("version", "=", version)
      .where("name_key", "=", key),
);
export async function findModelByName(
  db: Db,
  account: string,
  version: string,
  name: string,
): Promise<StoredModel | undefined> {
  const [row] = await selectByName(db, account, version, keyOf(name));
  return row && storedOf(row);
}

const insertRow = compiledInsert<ModelRow>("language_model", COLUMNS);
export async function insertModel(
  db: Db,
  account: string,
  version: string,
  model: StoredModel,
): Promise<void> {
  await insertRow(db, rowOf(account, version, model));
}
const insertRows = inChunks(compiledInsertAll<ModelRow>("language_model", COLUMNS));
export async function insertModels(
  db: Db,
  account: string,
  version: string,
  models: readonly StoredModel[],
): Promise<void> {
  await insertRows(
    db,
    models.map((model) => rowOf(account, version, model)),
  );
}

const updateRow = compiledUpdate<ModelRow, "account" | "version" | "id">(
  "language_model",
  ["account", "version", "id"],
  ["name", "name_key", "body", "changed_revision", "trained_revision", "trained_at", "trained_examples"],
);
export async function updateModel(
  db: Db,
  account: string,
  version: string,
  model: StoredModel,
): Promise<void> {
  await updateRow(db, rowOf(account, version, model));
}

export async function deleteModel(db: Db, account: string, version: string, id: string): Promise<void> {
  await db
    .deleteFrom("language_model")
    .where("account", "=", account)
    .where("version", "=", version)
    .where("id", "=", id)
    .execute();
}

/** Names what changed, for the next training to tell. */
export async function touchModels(
  db: Db,
  account: string,
  version: string,
  names: readonly string[] | "all",
  revision: number,
): Promise<void> {
  if (names.length === 0) return;
  const changed = db
    .updateTable("language_model")
    .set({ changed_revision: revision })
    .where("account", "=", account)
    .where("version", "=", version);
  await (names === "all" ? changed : changed.where("name_key", "in", names.map(keyOf))).execute();
}

export type ModelPage = {
  readonly kinds?: readonly ModelKind[];
  readonly skip?: number;
  readonly take?: number;
};
/** In the order they were made in. */
export async function listModels(
  db: Db,
  account: string,
  version: string,
  { kinds, skip, take }: ModelPage = {},
): Promise<StoredModel[]> {
  const rows = await db
    .selectFrom("language_model")
    .selectAll()
    .where("account", "=", account)
    .where("version", "=", version)
    .$if(kinds !== undefined, (query) => query.where("kind", "in", kinds ?? []))
    .orderBy("position")
    .orderBy("id")
    .$if(take !== undefined, (query) => query.limit(take ?? 0).offset(skip ?? 0))
    .execute();
  return rows.map(storedOf);
}

export type ModelName = { readonly id: string; readonly name: string; readonly kind: ModelKind };
/** Without what is particular to them, which may be much. */
export async function listModelNames(db: Db, account: string, version: string): Promise<ModelName[]> {
  const rows = await db
    .selectFrom("language_model")
    .select(["id", "name", "kind"])
    .where("account", "=", account)
    .where("version", "=", version)
    .orderBy("position")
    .orderBy("id")
    .execute();
  return rows.map(({ id, name, kind }) => ({ id, name, kind: kind as ModelKind }));
}

export async function countModels(
  db: Db,
  account: string,
  version: string,
): Promise<Readonly<Partial<Record<"intent" | EntityKind, number>>>> {
  const rows = await db
    .selectFrom("language_model")
    .select(({ fn }) => ["kind", fn.countAll().as("count")])
    .where("account", "=", account)
    .where("version", "=", version)
    .groupBy("kind")
    .execute();
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)]));
}

/** What a training of a revision learned: of models that have not changed since the one before, only that it was looked at. */
export async function noteTrained(
  db: Db,
  account: string,
  version: string,
  {
    revision,
    nowMs,
    examples,
  }: { readonly revision: number; readonly nowMs: number; readonly examples: ReadonlyMap<string, number> },
): Promise<void> {
  const rows = await db
    .selectFrom("language_model")
    .select(["id", "name_key", "changed_revision", "trained_revision"])
    .where("account", "=", account)
    .where("version", "=", version)
    .execute();
  for (const { id, name_key, changed_revision, trained_revision } of rows) {
    const isNew = trained_revision === null || Number(trained_revision) < Number(changed_revision);
    if (!isNew || (trained_revision === null && Number(changed_revision) > revision)) continue;
    await db
      .updateTable("language_model")
      .set({ trained_revision: revision, trained_at: nowMs, trained_examples: examples.get(name_key) ?? 0 })
      .where("account", "=", account)
      .where("version", "=", version)
      .where("id", "=", id)
      .execute();
  }
}
