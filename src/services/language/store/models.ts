/** Intents and entities of a version: one row each, with the members of its kind as JSON. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { EntityKind } from "../domain/content.ts";
import { keyOf } from "../domain/limits.ts";
import type { Model, ModelKind, StoredModel } from "../domain/models.ts";
import type { ExamplesPerModel } from "../domain/training.ts";
import type { ModelRow, Tables } from "../tables.ts";
import { type Page, versionPart } from "./version-part.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();

const optional = (value: number | null): number | undefined => (value === null ? undefined : Number(value));
const SAID = ["id", "kind", "name", "body"] as const satisfies readonly (keyof ModelRow)[];
const modelOf = ({ id, kind, name, body }: Pick<ModelRow, (typeof SAID)[number]>): Model =>
  Object.assign(JSON.parse(body), { kind, id, name });
const storedOf = (row: ModelRow): StoredModel => ({
  model: modelOf(row),
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

/** In the order they were made in. */
const part = versionPart<ModelRow>(
  "language_model",
  [
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
  ],
  ["position", "id"],
);

export async function findModel(
  db: Db,
  account: string,
  version: string,
  id: string,
): Promise<StoredModel | undefined> {
  const row = await part.find(db, account, version, { id });
  return row && storedOf(row);
}
/** An intent and an entity may share a name. */
async function listModelsNamed(
  db: Db,
  account: string,
  version: string,
  name: string,
): Promise<StoredModel[]> {
  return (await part.list(db, account, version, { name_key: [keyOf(name)] })).map(storedOf);
}
export async function findIntentByName(
  ...where: Parameters<typeof listModelsNamed>
): Promise<StoredModel | undefined> {
  return (await listModelsNamed(...where)).find(({ model }) => model.kind === "intent");
}
export async function findEntityByName(
  ...where: Parameters<typeof listModelsNamed>
): Promise<StoredModel | undefined> {
  return (await listModelsNamed(...where)).find(({ model }) => model.kind !== "intent");
}

export const insertModels = (
  db: Db,
  account: string,
  version: string,
  models: readonly StoredModel[],
): Promise<void> =>
  part.insert(
    db,
    models.map((model) => rowOf(account, version, model)),
  );
const updateRow = part.update([
  "name",
  "name_key",
  "body",
  "changed_revision",
  "trained_revision",
  "trained_at",
  "trained_examples",
]);
export const updateModel = (db: Db, account: string, version: string, model: StoredModel): Promise<boolean> =>
  updateRow(db, rowOf(account, version, model));
export const deleteModel = (db: Db, account: string, version: string, id: string): Promise<number> =>
  part.remove(db, account, version, { id });

/** Marks models as changed, for the status of the next training. */
export async function touchModels(
  db: Db,
  account: string,
  version: string,
  names: readonly string[] | "all",
  revision: number,
): Promise<void> {
  const which = names === "all" ? {} : { name_key: names.map(keyOf) };
  await part.change(db, account, version, which, { changed_revision: revision });
}

type WhichModels = { readonly kinds?: readonly ModelKind[]; readonly page?: Page };
export async function listStoredModels(
  db: Db,
  account: string,
  version: string,
  { kinds, page }: WhichModels = {},
): Promise<StoredModel[]> {
  return (await part.list(db, account, version, kinds && { kind: kinds }, page)).map(storedOf);
}
const listSaid = part.listOf(SAID);
/** Models without the columns that training has recorded. */
export async function listModels(
  db: Db,
  account: string,
  version: string,
  { kinds, page }: WhichModels = {},
): Promise<Model[]> {
  return (await listSaid(db, account, version, kinds && { kind: kinds }, page)).map(modelOf);
}

export type ModelName = { readonly id: string; readonly name: string; readonly kind: ModelKind };
const selectNames = compiledQuery<Pick<ModelRow, "id" | "name" | "kind">, [string, string]>(
  ["", ""],
  (db, account, version) =>
    db
      .selectFrom("language_model")
      .select(["id", "name", "kind"])
      .where("account", "=", account)
      .where("version", "=", version)
      .orderBy("position")
      .orderBy("id"),
);
/** Without the members of their kind, which may be large. */
export async function listModelNames(db: Db, account: string, version: string): Promise<ModelName[]> {
  const rows = await selectNames(db, account, version);
  return rows.map(({ id, name, kind }) => ({ id, name, kind: kind as ModelKind }));
}

const selectCounts = compiledQuery<{ kind: string; count: number }, [string, string]>(
  ["", ""],
  (db, account, version) =>
    db
      .selectFrom("language_model")
      .select(({ fn }) => ["kind", fn.countAll().as("count")])
      .where("account", "=", account)
      .where("version", "=", version)
      .groupBy("kind"),
);
export async function countModels(
  db: Db,
  account: string,
  version: string,
): Promise<Readonly<Partial<Record<"intent" | EntityKind, number>>>> {
  const rows = await selectCounts(db, account, version);
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)]));
}

/**
 * Records a training of a revision. Models without changes since the previous one are only marked as
 * checked.
 */
export async function noteTrained(
  db: Db,
  account: string,
  version: string,
  {
    revision,
    nowMs,
    examples,
  }: { readonly revision: number; readonly nowMs: number; readonly examples: ExamplesPerModel },
): Promise<void> {
  const rows = await db
    .selectFrom("language_model")
    .select(["id", "kind", "name_key", "changed_revision", "trained_revision"])
    .where("account", "=", account)
    .where("version", "=", version)
    .execute();
  for (const { id, kind, name_key, changed_revision, trained_revision } of rows) {
    const isNew = trained_revision === null || Number(trained_revision) < Number(changed_revision);
    if (!isNew || (trained_revision === null && Number(changed_revision) > revision)) continue;
    const trained_examples = examples[kind === "intent" ? "intents" : "entities"].get(name_key) ?? 0;
    await db
      .updateTable("language_model")
      .set({ trained_revision: revision, trained_at: nowMs, trained_examples })
      .where("account", "=", account)
      .where("version", "=", version)
      .where("id", "=", id)
      .execute();
  }
}
