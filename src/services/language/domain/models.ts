/** Stored intents and entities, and their references to each other by name. */
import type {
  ChildEntity,
  Entity,
  EntityKind,
  FeatureRelation,
  Intent,
  Label,
  LearnedEntity,
} from "./content.ts";

export type ModelKind = "intent" | EntityKind;
export type Model = (Intent & { readonly kind: "intent" }) | Entity;
export type StoredModel = {
  readonly model: Model;
  /** Models are listed in the order they were made in. */
  readonly position: number;
  /** The revision of the version at the last change of its training data. */
  readonly changedRevision: number;
  readonly trainedRevision: number | undefined;
  readonly trainedAtMs: number | undefined;
  readonly trainedExamples: number | undefined;
};

export const NONE = "None";
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A child at any depth, with its position. */
export function findChild(children: readonly ChildEntity[], id: string): ChildEntity | undefined {
  for (const child of children) {
    const found = child.id === id ? child : findChild(child.children, id);
    if (found) return found;
  }
  return undefined;
}
/** The children with one replaced by the result of `change`, or removed if there is none. */
export function changeChild(
  children: readonly ChildEntity[],
  id: string,
  change: (child: ChildEntity) => ChildEntity | undefined,
): ChildEntity[] {
  return children.flatMap((child) => {
    if (child.id === id) return change(child) ?? [];
    return { ...child, children: changeChild(child.children, id, change) };
  });
}
export const levelsBelow = (children: readonly { readonly children: readonly unknown[] }[]): number =>
  children.reduce(
    (most, child) => Math.max(most, 1 + levelsBelow(child.children as Parameters<typeof levelsBelow>[0])),
    0,
  );
/** How deep in the tree it is, the first children being at 1. */
export function levelOf(children: readonly ChildEntity[], id: string): number | undefined {
  for (const child of children) {
    if (child.id === id) return 1;
    const below = levelOf(child.children, id);
    if (below !== undefined) return below + 1;
  }
  return undefined;
}
/** The names that lead to a child, the entity's own not among them. */
export function namesTo(children: readonly ChildEntity[], id: string): readonly string[] | undefined {
  for (const child of children) {
    if (child.id === id) return [child.name];
    const below = namesTo(child.children, id);
    if (below) return [child.name, ...below];
  }
  return undefined;
}

export const sameFeature = (a: FeatureRelation, b: FeatureRelation): boolean =>
  "phraseList" in a
    ? "phraseList" in b && same(a.phraseList, b.phraseList)
    : "model" in b && same(a.model, b.model);

/** The new name; undefined if the model was deleted. */
export type Renaming = {
  readonly of: "model" | "phraseList";
  readonly from: string;
  readonly to: string | undefined;
};

const renamedFeatures = (
  features: readonly FeatureRelation[],
  { of, from, to }: Renaming,
): readonly FeatureRelation[] =>
  features.flatMap((feature) => {
    const name = "model" in feature ? feature.model : feature.phraseList;
    if ((of === "model") !== "model" in feature || !same(name, from)) return feature;
    if (to === undefined) return [];
    return of === "model"
      ? { model: to, isRequired: feature.isRequired }
      : { phraseList: to, isRequired: feature.isRequired };
  });
const renamedChildren = (children: readonly ChildEntity[], renaming: Renaming): readonly ChildEntity[] =>
  children.map((child) => ({
    ...child,
    instanceOf:
      renaming.of === "model" && child.instanceOf !== undefined && same(child.instanceOf, renaming.from)
        ? renaming.to
        : child.instanceOf,
    features: renamedFeatures(child.features, renaming),
    children: renamedChildren(child.children, renaming),
  }));

/** The model with its references updated after a rename or deletion of another model. */
export function afterRenaming(model: Model, renaming: Renaming): Model {
  switch (model.kind) {
    case "intent":
      return { ...model, features: renamedFeatures(model.features, renaming) };
    case "learned":
      return {
        ...model,
        features: renamedFeatures(model.features, renaming),
        children: renamedChildren(model.children, renaming),
      };
    case "composite":
      if (renaming.of !== "model") return model;
      return {
        ...model,
        children: model.children.flatMap((child) => {
          if (!same(child.name, renaming.from)) return child;
          return renaming.to === undefined ? [] : { ...child, name: renaming.to };
        }),
      };
    default:
      return model;
  }
}

/** Where in labels something is renamed or deleted: an entity, a child by the names that lead to it, or a role of an entity. */
export type LabelPath = {
  readonly entity: string;
  readonly below?: readonly string[];
  readonly role?: string;
};

/** Labels after a rename, without those of deleted models. */
export function relabelled(
  labels: readonly Label[],
  { entity, below = [], role }: LabelPath,
  to: string | undefined,
): readonly Label[] {
  return labels.flatMap((label) => {
    const name = role === undefined ? label.entity : (label.entity.split("::")[0] ?? "");
    if (!same(name, entity)) return label;
    const [next, ...deeper] = below;
    if (next !== undefined)
      return { ...label, children: relabelled(label.children, { entity: next, below: deeper }, to) };
    if (role !== undefined)
      return label.role !== undefined && same(label.role, role) ? { ...label, role: to } : label;
    return to === undefined ? [] : { ...label, entity: to };
  });
}

/** Is there a label of this entity, of a child of it if it is hierarchical, or of the child that `below` leads to? */
export function isLabelled(labels: readonly Label[], { entity, below = [] }: LabelPath): boolean {
  const [next, ...deeper] = below;
  return labels.some(
    (label) =>
      (same(label.entity, entity) || same(label.entity.split("::")[0] ?? "", entity)) &&
      (next === undefined || isLabelled(label.children, { entity: next, below: deeper })),
  );
}

/** Names of the entities that labels are of, the outermost alone. */
export const entitiesIn = (labels: readonly Label[]): string[] => [
  ...new Set(labels.map(({ entity }) => entity.split("::")[0] ?? entity)),
];

export const emptyLearned = (id: string, name: string): LearnedEntity => ({
  kind: "learned",
  id,
  name,
  roles: [],
  children: [],
  features: [],
});
