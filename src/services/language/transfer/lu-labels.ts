/** Resolves names in labels and patterns of `.lu` text. Some names are declared by their use. */
import { checkRoom, LEARNED_ENTITIES_MAX, ROLES_PER_ENTITY_MAX } from "../domain/limits.ts";
import { mentionsIn } from "../domain/patterns.ts";
import type { JsonChild, JsonLabel, JsonModel } from "./app-json.ts";
import { type App, entitiesOf, keyOf, same, withMore } from "./lu-app.ts";

type WithRoles = ReturnType<typeof entitiesOf>[number];
type Model = { readonly children?: JsonModel["children"] };

/** The entities that the names in labels denote. */
export class LabelNames {
  readonly #app: App;
  readonly #entities = new Map<string, WithRoles>();
  readonly #roleOwners = new Map<string, string>();
  readonly #learned = new Map<string, JsonModel>();
  /** The learned entities that have a child of that name, at any level. */
  readonly #parents = new Map<string, Set<string>>();
  readonly #children = new Map<Model, ReadonlyMap<string, JsonChild>>();
  constructor(app: App) {
    this.#app = app;
    checkRoom("machine-learned entities", app.entities.length, LEARNED_ENTITIES_MAX);
    for (const entity of entitiesOf(app)) {
      putFirst(this.#entities, keyOf(entity.name), entity);
      for (const role of entity.roles ?? []) this.#roleOwners.set(keyOf(role), entity.name ?? "");
    }
    for (const entity of app.entities) {
      const key = keyOf(entity.name);
      putFirst(this.#learned, key, entity);
      for (const child of namesBelow(entity.children))
        this.#parents.set(child, (this.#parents.get(child) ?? new Set()).add(key));
    }
  }
  /** A role alone means the entity that has it; children go below their parents; a new name is an entity. */
  settled(labels: readonly JsonLabel[]): JsonLabel[] {
    const flat = flatOf(labels);
    const taken = new Set<JsonLabel>();
    const nested = flat.map((label, at) => this.#withChildren(label, at, flat, taken));
    const labelled = new Set(flat.map(({ entity }) => keyOf(entity)));
    return nested.flatMap((label, at) =>
      taken.has(flat[at] as JsonLabel) ? [] : this.#atTop(label, labelled),
    );
  }
  /** Of a learned entity with the labels of its children inside it, whatever the order that they were written in. */
  #withChildren(label: JsonLabel, at: number, flat: readonly JsonLabel[], taken: Set<JsonLabel>): JsonLabel {
    const below = (place: number, parent: Model): JsonLabel[] =>
      heldBy(place, flat).flatMap((inside) => {
        const one = flat[inside] as JsonLabel;
        const model = this.#childrenOf(parent).get(keyOf(one.entity));
        if (!model || taken.has(one)) return [];
        taken.add(one);
        return [{ ...one, children: below(inside, model) }];
      });
    const entity = this.#learned.get(keyOf(label.entity));
    return { ...label, children: entity ? below(at, entity) : [] };
  }
  #childrenOf(parent: Model): ReadonlyMap<string, JsonChild> {
    const known = this.#children.get(parent);
    if (known) return known;
    const children = new Map<string, JsonChild>();
    for (const child of parent.children ?? []) {
      const model = typeof child === "string" ? { name: child } : child;
      putFirst(children, keyOf(model.name), model);
    }
    this.#children.set(parent, children);
    return children;
  }
  #atTop(label: JsonLabel, labelled: ReadonlySet<string>): JsonLabel[] {
    const key = keyOf(label.entity.split("::")[0]);
    const isKnown = this.#entities.has(key);
    const owner = isKnown ? undefined : this.#roleOwners.get(key);
    if (owner !== undefined) return [{ ...label, entity: owner, role: label.entity }];
    if (!isKnown) {
      // A child whose entity is labelled, but whose parent is not, belongs nowhere.
      for (const parent of this.#parents.get(key) ?? []) if (labelled.has(parent)) return [];
      this.#add(label);
    } else if (label.role) this.#addRole(key, label.role);
    return [label];
  }
  /** An undeclared name in a pattern becomes a Pattern.Any. An undeclared role is added. */
  settlePattern(pattern: string): void {
    for (const { entity, role } of mentionsIn(pattern)) {
      const key = keyOf(entity.split("::")[0]);
      if (!this.#entities.has(key)) {
        const any = { name: entity, roles: role ? [role] : [], explicitList: [] };
        this.#entities.set(key, any);
        this.#app.patternAnyEntities.push(any);
      } else if (role) this.#addRole(key, role);
    }
  }
  #addRole(key: string, role: string): void {
    const entity = this.#entities.get(key);
    if (!entity || entity.roles?.some((one) => same(one, role))) return;
    entity.roles = withMore(entity.roles, [role]);
    checkRoom("roles of an entity", entity.roles.length, ROLES_PER_ENTITY_MAX);
  }
  #add({ entity, role }: JsonLabel): void {
    const learned = { name: entity, children: [], roles: role ? [role] : [], features: [] };
    this.#entities.set(keyOf(entity), learned);
    this.#app.entities.push(learned);
  }
}

/** A labelled entity is a learned one, whatever it was declared as for patterns. */
export function learnLabelled(app: App): void {
  const labelled = new Set(app.utterances.flatMap(({ entities }) => namesIn(entities)));
  const isLabelled = ({ name }: WithRoles): boolean => labelled.has(keyOf(name));
  const learned = app.patternAnyEntities.filter(isLabelled);
  app.patternAnyEntities = app.patternAnyEntities.filter((any) => !isLabelled(any));
  const others = new Set(entitiesOf(app).map(({ name }) => keyOf(name)));
  for (const { name, roles } of learned)
    if (!others.has(keyOf(name))) app.entities.push({ name, children: [], roles, features: [] });
}
const namesIn = (labels: readonly JsonLabel[] | null | undefined): string[] =>
  (labels ?? []).flatMap(({ entity, children }) => [keyOf(entity), ...namesIn(children)]);

function putFirst<Item>(items: Map<string, Item>, key: string, item: Item): void {
  if (!items.has(key)) items.set(key, item);
}
const namesBelow = (children: JsonModel["children"]): string[] =>
  (children ?? []).flatMap((child) =>
    typeof child === "string" ? [keyOf(child)] : [keyOf(child.name), ...namesBelow(child.children)],
  );
/** The places of the labels inside another. They follow it; those of the same text may precede it. */
function heldBy(place: number, flat: readonly JsonLabel[]): number[] {
  const outer = flat[place] as JsonLabel;
  const isHeld = (at: number): boolean => {
    const inner = flat[at];
    return inner !== undefined && outer.startPos <= inner.startPos && inner.endPos <= outer.endPos;
  };
  let first = place;
  while (isHeld(first - 1)) first -= 1;
  const places: number[] = [];
  for (let at = first; isHeld(at); at += 1) if (at !== place) places.push(at);
  return places;
}
/** All labels, outer ones first. For nested labels of the same entity, only the inner one. */
const flatOf = (labels: readonly JsonLabel[]): JsonLabel[] =>
  labels.flatMap((label) => {
    const inside = flatOf(label.children ?? []);
    return inside.some(({ entity }) => same(entity, label.entity))
      ? inside
      : [{ ...label, children: [] }, ...inside];
  });
