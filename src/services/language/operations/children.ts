/** Children of machine-learned entities, which their own ids name. */
import type { ChildEntity, LearnedEntity } from "../domain/content.ts";
import { CHILDREN_MAX, checkName, checkRoom, keyOf, LEVELS_MAX } from "../domain/limits.ts";
import {
  changeChild,
  findChild,
  type LabelPath,
  levelOf,
  levelsBelow,
  namesTo,
  type StoredModel,
} from "../domain/models.ts";
import { errors } from "../errors.ts";
import { findEntityByName, listStoredModels } from "../store/models.ts";
import type { GivenChild } from "../wire/models.ts";
import { relabel, replaceModel } from "./changes.ts";
import type { Editing } from "./lookup.ts";

export type FoundChild = {
  readonly stored: StoredModel;
  readonly entity: LearnedEntity;
  readonly child: ChildEntity;
};

export async function findChildOf(
  { db, account, uid }: Pick<Editing, "db" | "account" | "uid">,
  id: string,
): Promise<FoundChild | undefined> {
  for (const stored of await listStoredModels(db, account, uid, { kinds: ["learned"] })) {
    if (stored.model.kind !== "learned") continue;
    const child = findChild(stored.model.children, id.toLowerCase());
    if (child) return { stored, entity: stored.model, child };
  }
  return undefined;
}

/** Where labels of this child are. */
export async function findPathToChild(
  place: Pick<Editing, "db" | "account" | "uid">,
  id: string,
): Promise<LabelPath | undefined> {
  const found = await findChildOf(place, id);
  if (!found) return undefined;
  const { entity, child } = found;
  return { entity: entity.name, below: namesTo(entity.children, child.id) ?? [] };
}

/** Children of a new entity or child, with ids and the names of models that are there. */
export async function newChildren(
  editing: Editing,
  given: readonly GivenChild[],
  newId: () => string,
): Promise<readonly ChildEntity[]> {
  checkRoom("children of an entity", given.length, CHILDREN_MAX);
  const children: ChildEntity[] = [];
  for (const one of given) {
    const name = checkName("child", one.name);
    checkFreeAmong(children, name);
    children.push({
      id: newId(),
      name,
      instanceOf: await checkInstance(editing, one.instanceOf),
      features: [],
      children: await newChildren(editing, one.children ?? [], newId),
    });
  }
  if (levelsBelow(children) > LEVELS_MAX - 1)
    throw errors.badArgument(`Entities are nested to ${LEVELS_MAX} levels at the most.`);
  return children;
}

function checkFreeAmong(children: readonly ChildEntity[], name: string, id?: string): void {
  if (children.some((child) => child.id !== id && keyOf(child.name) === keyOf(name)))
    throw errors.badArgument(`The models: { ${name} } already exist in the specified application version.`);
}

/** The entity whose findings a child needs, by its name as it is spelt. */
export async function checkInstance(
  { db, account, uid }: Editing,
  instanceOf: string | null | undefined,
): Promise<string | undefined> {
  if (instanceOf === undefined || instanceOf === null || instanceOf === "") return undefined;
  const found = await findEntityByName(db, account, uid, instanceOf);
  if (!found || found.model.kind === "intent" || found.model.kind === "pattern-any")
    throw errors.badArgument(`There is no entity ${instanceOf} that a child could be an instance of.`);
  return found.model.name;
}

/** Below an entity, or below a child of one. */
export async function addChild(
  editing: Editing,
  parent: { readonly stored: StoredModel; readonly entity: LearnedEntity; readonly childId?: string },
  given: GivenChild,
  newId: () => string,
): Promise<string> {
  const { stored, entity, childId } = parent;
  const [added] = await newChildren(editing, [given], newId);
  if (!added) throw errors.badArgument("The child must be given.");
  const above = childId === undefined ? entity : findChild(entity.children, childId);
  checkFreeAmong(above?.children ?? [], added.name);
  checkRoom("children of an entity", (above?.children.length ?? 0) + 1, CHILDREN_MAX);
  const level = childId === undefined ? 0 : (levelOf(entity.children, childId) ?? 0);
  if (level + 1 + levelsBelow([added]) > LEVELS_MAX)
    throw errors.badArgument(`Entities are nested to ${LEVELS_MAX} levels at the most.`);
  const children =
    childId === undefined
      ? [...entity.children, added]
      : changeChild(entity.children, childId, (child) => ({
          ...child,
          children: [...child.children, added],
        }));
  await replaceModel(editing, stored, { ...entity, children });
  return added.id;
}

export async function updateChild(
  editing: Editing,
  { stored, entity, child }: FoundChild,
  { name, instanceOf }: { readonly name?: string | null; readonly instanceOf?: string | null },
): Promise<void> {
  const newName = name === undefined || name === null ? child.name : checkName("child", name);
  const path = namesTo(entity.children, child.id) ?? [];
  const siblings = siblingsOf(entity.children, child.id);
  checkFreeAmong(siblings, newName, child.id);
  const instance = instanceOf === undefined ? child.instanceOf : await checkInstance(editing, instanceOf);
  if (newName !== child.name) await relabel(editing, { entity: entity.name, below: path }, newName);
  const children = changeChild(entity.children, child.id, (one) => ({
    ...one,
    name: newName,
    instanceOf: instance,
  }));
  await replaceModel(editing, stored, { ...entity, children });
}
function siblingsOf(children: readonly ChildEntity[], id: string): readonly ChildEntity[] {
  if (children.some((child) => child.id === id)) return children;
  return children.map((child) => siblingsOf(child.children, id)).find((found) => found.length > 0) ?? [];
}

/** Answers false when no child has that id. */
export async function removeChild(editing: Editing, id: string): Promise<boolean> {
  const found = await findChildOf(editing, id);
  if (!found) return false;
  const { stored, entity, child } = found;
  await relabel(editing, { entity: entity.name, below: namesTo(entity.children, child.id) ?? [] }, undefined);
  await replaceModel(editing, stored, {
    ...entity,
    children: changeChild(entity.children, child.id, () => undefined),
  });
  return true;
}
