/** Operations particular to machine-learned, hierarchical and composite entities. */
import { answer } from "#kernel/operation";
import {
  CHILDREN_MAX,
  checkName,
  checkRoom,
  keyOf,
  LEARNED_ENTITIES_MAX,
  LEVELS_MAX,
} from "../domain/limits.ts";
import { emptyLearned } from "../domain/models.ts";
import { errors } from "../errors.ts";
import { findEntityByName } from "../store/models.ts";
import {
  ChildView,
  CompositeChange,
  EntityChange,
  hierarchicalChildShown,
  NewChild,
  NewEntity,
  NewModel,
} from "../wire/models.ts";
import { Guid, Status, SUCCESS, VersionParams, versionParams } from "../wire/shared.ts";
import { addModel, getModel, refer, relabel, renameEntity, replaceModel } from "./changes.ts";
import { addChild, findChildOf, newChildren, updateChild } from "./children.ts";
import { called, type Editing, edit, getPlace, operation } from "./lookup.ts";

const P = "/apps/{appId}/versions/{versionId}";
const entityParams = versionParams({ entityId: Guid });
const childParams = versionParams({ entityId: Guid, childId: Guid });
export const learnedRoom = {
  what: "machine-learned entities",
  kinds: ["learned", "hierarchical", "composite"],
  most: LEARNED_ENTITIES_MAX,
} as const;

const addEntity = operation({
  ...called("entities", "AddEntity"),
  summary: "Adds a machine-learned entity to a version",
  description: `Children may be nested to ${LEVELS_MAX} levels, with ${CHILDREN_MAX} children each. A version may have ${LEARNED_ENTITIES_MAX} machine-learned entities. Label it in examples and train the version.`,
  method: "POST",
  path: `${P}/entities`,
  params: VersionParams,
  body: NewEntity,
  answers: { 201: Guid },
  examples: { body: { name: "Order", children: [{ name: "Size" }, { name: "Topping" }] } },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const newId = () => context.ids.uuid();
      const children = await newChildren(editing, body.children ?? [], newId);
      const entity = { ...emptyLearned(newId(), checkName("entity", body.name)), children };
      return answer(201, await addModel(editing, entity, learnedRoom));
    }),
});

const updateEntity = operation({
  ...called("entities", "UpdateEntityChild"),
  summary: "Renames a machine-learned entity or child, or changes what a child is an instance of",
  description:
    "Labels follow the new name. A child is found only where the entity that it is an instance of is found.",
  method: "PATCH",
  path: `${P}/entities/{entityId}`,
  params: entityParams,
  body: EntityChange,
  answers: { 200: Status },
  examples: { body: { name: "Quantity", instanceOf: "number" } },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const child = await findChildOf(editing, params.entityId);
      if (child) {
        await updateChild(editing, child, body);
        return SUCCESS;
      }
      const stored = await getModel(context, editing, "learned", params.entityId);
      const name = await renameEntity(editing, stored, body.name);
      await replaceModel(editing, stored, { ...stored.model, name });
      return SUCCESS;
    }),
});

const addEntityChild = operation({
  ...called("entities", "AddEntityChild"),
  summary: "Adds a child to a machine-learned entity or to a child",
  description: `At most ${CHILDREN_MAX} children and ${LEVELS_MAX} levels. Train the version afterwards.`,
  method: "POST",
  path: `${P}/entities/{entityId}/children`,
  params: entityParams,
  body: NewChild,
  answers: { 201: Guid },
  examples: { body: { name: "Quantity", instanceOf: "number" } },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const newId = () => context.ids.uuid();
      const found = await findChildOf(editing, params.entityId);
      if (found)
        return answer(201, await addChild(editing, { ...found, childId: found.child.id }, body, newId));
      const stored = await getModel(context, editing, "learned", params.entityId);
      return answer(201, await addChild(editing, { stored, entity: stored.model }, body, newId));
    }),
});

const updateHierarchical = operation({
  ...called("entities", "UpdateHierarchicalEntity"),
  summary: "Renames a hierarchical entity",
  description: "Labels, patterns and features follow the new name.",
  method: "PATCH",
  path: `${P}/hierarchicalentities/{entityId}`,
  params: entityParams,
  body: NewModel,
  answers: { 200: Status },
  examples: { body: { name: "Place" } },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const stored = await getModel(context, editing, "hierarchical", params.entityId);
      const name = await renameEntity(editing, stored, body.name);
      await replaceModel(editing, stored, { ...stored.model, name });
      return SUCCESS;
    }),
});

async function getHierarchicalChild(
  context: Parameters<typeof getModel>[0],
  place: Parameters<typeof getModel>[1],
  { entityId, childId }: { readonly entityId: string; readonly childId: string },
) {
  const stored = await getModel(context, place, "hierarchical", entityId);
  const child = stored.model.children.find(({ id }) => id === childId.toLowerCase());
  if (!child)
    throw errors.badArgument(`The entity ${stored.model.name} has no child with the ID ${childId}.`);
  return { stored, child };
}

const getChild = operation({
  ...called("entities", "GetHierarchicalEntityChild"),
  summary: "Returns a child of a hierarchical entity",
  description: "Hierarchical entities come from imports of older applications.",
  method: "GET",
  path: `${P}/hierarchicalentities/{entityId}/children/{childId}`,
  params: childParams,
  answers: { 200: ChildView },
  async handle({ params }, context) {
    const { child } = await getHierarchicalChild(context, await getPlace(context, params), params);
    return hierarchicalChildShown(child);
  },
});

const renameChild = operation({
  ...called("entities", "UpdateHierarchicalEntityChild"),
  summary: "Renames a child of a hierarchical entity",
  description: "Labels and features follow the new name.",
  method: "PATCH",
  path: `${P}/hierarchicalentities/{entityId}/children/{childId}`,
  params: childParams,
  body: NewModel,
  answers: { 200: Status },
  examples: { body: { name: "To" } },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const { stored, child } = await getHierarchicalChild(context, editing, params);
      const { model } = stored;
      const name = checkName("child", body.name);
      if (model.children.some((one) => one !== child && keyOf(one.name) === keyOf(name)))
        throw errors.badArgument(`The entity ${model.name} has a child ${name} already.`);
      const [before, after] = [`${model.name}::${child.name}`, `${model.name}::${name}`];
      await relabel(editing, { entity: before }, after);
      await refer(editing, { of: "model", from: before, to: after });
      const children = model.children.map((one) => (one === child ? { ...one, name } : one));
      await replaceModel(editing, stored, { ...model, children });
      return SUCCESS;
    }),
});

const deleteChild = operation({
  ...called("entities", "DeleteHierarchicalEntityChild"),
  summary: "Deletes a child of a hierarchical entity",
  description: "Its labels and features that refer to it are removed.",
  method: "DELETE",
  path: `${P}/hierarchicalentities/{entityId}/children/{childId}`,
  params: childParams,
  answers: { 200: Status },
  handle: ({ params }, context) =>
    edit(context, params, async (editing) => {
      const { stored, child } = await getHierarchicalChild(context, editing, params);
      const name = `${stored.model.name}::${child.name}`;
      await relabel(editing, { entity: name }, undefined);
      await refer(editing, { of: "model", from: name, to: undefined });
      const children = stored.model.children.filter((one) => one !== child);
      await replaceModel(editing, stored, { ...stored.model, children });
      return SUCCESS;
    }),
});

/** The entity that a composite is to hold, by its name as it is spelt. */
async function checkPart({ db, account, uid }: Editing, composite: string, name: string): Promise<string> {
  const [first = "", child] = name.split("::");
  const found = await findEntityByName(db, account, uid, first);
  const model = found?.model;
  if (!model || model.kind === "intent" || model.kind === "composite" || keyOf(first) === keyOf(composite))
    throw errors.badArgument(`There is no entity ${name} that a composite could hold.`);
  if (child === undefined) return model.name;
  const known =
    model.kind === "hierarchical" && model.children.find((one) => keyOf(one.name) === keyOf(child));
  if (!known) throw errors.badArgument(`There is no entity ${name} that a composite could hold.`);
  return `${model.name}::${known.name}`;
}

const updateComposite = operation({
  ...called("entities", "UpdateCompositeEntity"),
  summary: "Changes the name and the children of a composite entity",
  description: `The given children replace the earlier ones; without any they stay. A composite cannot contain another composite. At most ${CHILDREN_MAX} children.`,
  method: "PUT",
  path: `${P}/compositeentities/{entityId}`,
  params: entityParams,
  body: CompositeChange,
  answers: { 200: Status },
  examples: { body: { name: "Order", children: ["Product", "number"] } },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const stored = await getModel(context, editing, "composite", params.entityId);
      const { model } = stored;
      const wanted = body.children ?? model.children.map(({ name }) => name);
      checkRoom("children of an entity", wanted.length, CHILDREN_MAX);
      const children: { id: string; name: string }[] = [];
      for (const part of wanted) {
        const name = await checkPart(editing, model.name, part);
        const before = model.children.find((one) => keyOf(one.name) === keyOf(name));
        if (!children.some((one) => one.name === name))
          children.push(before ?? { id: context.ids.uuid(), name });
      }
      const name = body.name ? await renameEntity(editing, stored, body.name) : model.name;
      await replaceModel(editing, stored, { ...model, name, children });
      return SUCCESS;
    }),
});

const addPart = operation({
  ...called("entities", "AddCompositeEntityChild"),
  summary: "Adds an entity to a composite entity",
  description: `The entity must exist and must not be a composite. At most ${CHILDREN_MAX} children.`,
  method: "POST",
  path: `${P}/compositeentities/{entityId}/children`,
  params: entityParams,
  body: NewModel,
  answers: { 201: Guid },
  examples: { body: { name: "number" } },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const stored = await getModel(context, editing, "composite", params.entityId);
      const { model } = stored;
      const name = await checkPart(editing, model.name, body.name ?? "");
      if (model.children.some((one) => keyOf(one.name) === keyOf(name)))
        throw errors.badArgument(`The entity ${model.name} holds ${name} already.`);
      checkRoom("children of an entity", model.children.length + 1, CHILDREN_MAX);
      const child = { id: context.ids.uuid(), name };
      await replaceModel(editing, stored, { ...model, children: [...model.children, child] });
      return answer(201, child.id);
    }),
});

const removePart = operation({
  ...called("entities", "DeleteCompositeEntityChild"),
  summary: "Removes an entity from a composite entity",
  description: "The entity itself stays.",
  method: "DELETE",
  path: `${P}/compositeentities/{entityId}/children/{childId}`,
  params: childParams,
  answers: { 200: Status },
  handle: ({ params }, context) =>
    edit(context, params, async (editing) => {
      const stored = await getModel(context, editing, "composite", params.entityId);
      const children = stored.model.children.filter(({ id }) => id !== params.childId.toLowerCase());
      if (children.length === stored.model.children.length)
        throw errors.badArgument(
          `The entity ${stored.model.name} has no child with the ID ${params.childId}.`,
        );
      await replaceModel(editing, stored, { ...stored.model, children });
      return SUCCESS;
    }),
});

export const learnedEntityOperations = [
  addEntity,
  updateEntity,
  addEntityChild,
  updateHierarchical,
  getChild,
  renameChild,
  deleteChild,
  updateComposite,
  addPart,
  removePart,
];
