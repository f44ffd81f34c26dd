/** Changes of models that affect others: names, labels, patterns and references. */
import type { ServiceError } from "#kernel/operation";
import type { Entity } from "../domain/content.ts";
import { checkName, checkRoom, keyOf } from "../domain/limits.ts";
import {
  afterRenaming,
  entitiesIn,
  isLabelled,
  type LabelPath,
  type Model,
  type ModelKind,
  type Renaming,
  relabelled,
  type StoredModel,
} from "../domain/models.ts";
import { afterRenamingIn, mentionsIn } from "../domain/patterns.ts";
import { errors } from "../errors.ts";
import type { LanguageContext } from "../state.ts";
import { listMentioning, updateExample } from "../store/examples.ts";
import {
  countModels,
  deleteModel,
  findEntityByName,
  findIntentByName,
  findModel,
  insertModels,
  listStoredModels,
  updateModel,
} from "../store/models.ts";
import { listPatterns, updatePattern } from "../store/patterns.ts";
import type { ContentPlace, Editing } from "./lookup.ts";

const same = (a: string, b: string): boolean => keyOf(a) === keyOf(b);

export const noModel = (id: string): ServiceError =>
  errors.badArgument(`The model with the ID ${id} does not exist in the specified application version.`);
/** The model that a path names, of one of these kinds. */
export async function getModel<Kind extends ModelKind>(
  { db, account }: Pick<LanguageContext, "db" | "account">,
  { version }: ContentPlace,
  kind: Kind,
  id: string,
): Promise<StoredModel & { readonly model: Extract<Model, { kind: Kind }> }> {
  const found = await findModel(db, account, version.uid, id.toLowerCase());
  if (found?.model.kind !== kind) throw noModel(id);
  return found as StoredModel & { readonly model: Extract<Model, { kind: Kind }> };
}

export async function getEntity(
  { db, account }: Pick<LanguageContext, "db" | "account">,
  { version }: ContentPlace,
  id: string,
): Promise<Entity> {
  const model = (await findModel(db, account, version.uid, id.toLowerCase()))?.model;
  if (!model || model.kind === "intent") throw noModel(id);
  return model;
}

/** An intent and an entity may share a name; two of either may not. */
export async function checkFree(
  { db, account, uid }: Editing,
  { id, kind }: Pick<Model, "id" | "kind">,
  name: string,
): Promise<void> {
  const find = kind === "intent" ? findIntentByName : findEntityByName;
  const found = await find(db, account, uid, name);
  if (found && found.model.id !== id)
    throw errors.badArgument(`The models: { ${name} } already exist in the specified application version.`);
}

export const newModel = (editing: Editing, model: Model): StoredModel => ({
  model,
  position: editing.nextNumber(),
  changedRevision: editing.revision,
  trainedRevision: undefined,
  trainedAtMs: undefined,
  trainedExamples: undefined,
});

/** Kinds that count together, and how many of them there may be. */
type Room = { readonly what: string; readonly kinds: readonly ModelKind[]; readonly most: number };
async function checkModelRoom(editing: Editing, { what, kinds, most }: Room): Promise<void> {
  const counts = await countModels(editing.db, editing.account, editing.uid);
  checkRoom(what, kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0) + 1, most);
}
/** Without `room`, the names that are allowed limit the number. */
export async function addModel(editing: Editing, model: Model, room?: Room): Promise<string> {
  await checkFree(editing, model, model.name);
  if (room) await checkModelRoom(editing, room);
  await insertModels(editing.db, editing.account, editing.uid, [newModel(editing, model)]);
  return model.id;
}

export async function replaceModel(editing: Editing, stored: StoredModel, model: Model): Promise<void> {
  await updateModel(editing.db, editing.account, editing.uid, {
    ...stored,
    model,
    changedRevision: editing.revision,
  });
}

/** Labels of an entity, a child or a role after it got another name, or is gone. */
export async function relabel(editing: Editing, path: LabelPath, to: string | undefined): Promise<void> {
  const { db, account, uid } = editing;
  for (const example of await listMentioning(db, account, uid, path.entity)) {
    if (!isLabelled(example.labels, path)) continue;
    const labels = relabelled(example.labels, path, to);
    await updateExample(db, account, uid, { ...example, labels });
    if (to === undefined) editing.touch(example.intent, ...entitiesIn(example.labels));
  }
}

/**
 * Updates references to an intent in other models. If an entity has the same name, the name denotes the
 * entity.
 */
export async function referToIntent(editing: Editing, renaming: Renaming): Promise<void> {
  const { db, account, uid } = editing;
  if (!(await findEntityByName(db, account, uid, renaming.from))) await refer(editing, renaming);
}
export async function refer(editing: Editing, renaming: Renaming): Promise<void> {
  const { db, account, uid } = editing;
  for (const stored of await listStoredModels(db, account, uid, {
    kinds: ["intent", "learned", "composite"],
  })) {
    const model = afterRenaming(stored.model, renaming);
    if (JSON.stringify(model) === JSON.stringify(stored.model)) continue;
    const changedRevision = renaming.to === undefined ? editing.revision : stored.changedRevision;
    await updateModel(db, account, uid, { ...stored, model, changedRevision });
  }
}

export async function renameInPatterns(
  { db, account, uid }: Editing,
  which: { readonly entity: string; readonly role?: string },
  to: string,
): Promise<void> {
  for (const pattern of await listPatterns(db, account, uid)) {
    const text = afterRenamingIn(pattern.text, which, to);
    if (text !== pattern.text) await updatePattern(db, account, uid, { ...pattern, text });
  }
}

/** Updates labels, patterns and references. */
export async function renameEntity(
  editing: Editing,
  stored: StoredModel,
  wanted: string | null | undefined,
): Promise<string> {
  const { model } = stored;
  const name = checkName("entity", wanted);
  if (name === model.name) return name;
  await checkFree(editing, model, name);
  if (model.kind === "hierarchical")
    for (const child of model.children)
      await relabel(editing, { entity: `${model.name}::${child.name}` }, `${name}::${child.name}`);
  await relabel(editing, { entity: model.name }, name);
  await renameInPatterns(editing, { entity: model.name }, name);
  await refer(editing, { of: "model", from: model.name, to: name });
  return name;
}

/** A pattern that names it would no longer mean anything. */
export async function checkNoPatternNames(
  { db, account, uid }: Editing,
  which: { readonly entity: string; readonly role?: string },
): Promise<void> {
  for (const { text } of await listPatterns(db, account, uid)) {
    const named = mentionsIn(text).some(
      ({ entity, role }) =>
        same(entity, which.entity) && (which.role === undefined || same(role ?? "", which.role)),
    );
    if (named)
      throw errors.badArgument(
        `The ${which.role === undefined ? `entity ${which.entity}` : `role ${which.role}`} is used by the pattern '${text}'.`,
      );
  }
}

export async function removeEntity(editing: Editing, { model }: StoredModel): Promise<void> {
  await checkNoPatternNames(editing, { entity: model.name });
  if (model.kind === "hierarchical")
    for (const child of model.children)
      await relabel(editing, { entity: `${model.name}::${child.name}` }, undefined);
  await relabel(editing, { entity: model.name }, undefined);
  await refer(editing, { of: "model", from: model.name, to: undefined });
  await deleteModel(editing.db, editing.account, editing.uid, model.id);
}
