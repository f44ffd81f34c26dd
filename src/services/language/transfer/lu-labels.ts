/** Resolves names in labels and patterns of `.lu` text. Some names are declared by their use. */
import { mentionsIn } from "../domain/patterns.ts";
import type { JsonChild, JsonLabel, JsonModel } from "./app-json.ts";
import { type App, entitiesOf, keyOf, same } from "./lu-app.ts";

/** The entities that the names in labels denote. */
export class LabelNames {
  readonly #app: App;
  readonly #known = new Set<string>();
  readonly #roleOwners = new Map<string, string>();
  /** The names of all children of each learned entity. */
  readonly #childNames = new Map<string, ReadonlySet<string>>();
  constructor(app: App) {
    this.#app = app;
    for (const { name, roles } of entitiesOf(app)) {
      this.#known.add(keyOf(name));
      for (const role of roles ?? []) this.#roleOwners.set(keyOf(role), name ?? "");
    }
    for (const { name, children } of app.entities)
      this.#childNames.set(keyOf(name), new Set(namesBelow(children)));
  }
  /** A role alone means the entity that has it; children go below their parents; a new name is an entity. */
  settled(labels: readonly JsonLabel[]): JsonLabel[] {
    const flat = flatOf(labels);
    const taken = new Set<JsonLabel>();
    const nested = flat.map((label) => this.#withChildren(label, flat, taken));
    return nested.flatMap((label, at) => (taken.has(flat[at] as JsonLabel) ? [] : this.#atTop(label, flat)));
  }
  /** Of a learned entity with the labels of its children inside it, whatever the order that they were written in. */
  #withChildren(label: JsonLabel, flat: readonly JsonLabel[], taken: Set<JsonLabel>): JsonLabel {
    const below = (parent: JsonLabel, models: readonly JsonChild[]): JsonLabel[] =>
      flat.flatMap((one) => {
        const model = models.find(({ name }) => same(name, one.entity));
        if (!model || one === parent || taken.has(one) || !holds(parent, one)) return [];
        taken.add(one);
        return [{ ...one, children: below(one, childrenOf(model)) }];
      });
    const entity = this.#app.entities.find(({ name }) => same(name, label.entity));
    return { ...label, children: entity ? below(label, childrenOf(entity)) : [] };
  }
  #atTop(label: JsonLabel, flat: readonly JsonLabel[]): JsonLabel[] {
    const key = keyOf(label.entity.split("::")[0]);
    const owner = this.#known.has(key) ? undefined : this.#roleOwners.get(key);
    if (owner !== undefined) return [{ ...label, entity: owner, role: label.entity }];
    const isPart = flat.some((one) => this.#childNames.get(keyOf(one.entity))?.has(key));
    if (!this.#known.has(key)) {
      // A child whose entity is labelled, but whose parent is not, belongs nowhere.
      if (isPart) return [];
      this.#add(label);
    } else if (label.role) this.#addRole(key, label.role);
    return [label];
  }
  /** An undeclared name in a pattern becomes a Pattern.Any. An undeclared role is added. */
  settlePattern(pattern: string): void {
    for (const { entity, role } of mentionsIn(pattern)) {
      const key = keyOf(entity.split("::")[0]);
      if (!this.#known.has(key)) {
        this.#known.add(key);
        this.#app.patternAnyEntities.push({ name: entity, roles: role ? [role] : [], explicitList: [] });
      } else if (role) this.#addRole(key, role);
    }
  }
  #addRole(key: string, role: string): void {
    const entity = entitiesOf(this.#app).find(({ name }) => keyOf(name) === key);
    if (!entity || (entity.roles ?? []).some((one) => same(one, role))) return;
    entity.roles = [...(entity.roles ?? []), role];
  }
  /** A labelled entity is a learned one, whatever it was declared as for patterns. */
  learnLabelled(labels: readonly JsonLabel[]): void {
    for (const { entity, children } of labels) {
      this.learnLabelled(children ?? []);
      const at = this.#app.patternAnyEntities.findIndex(({ name }) => same(name, entity));
      const [found] = at < 0 ? [] : this.#app.patternAnyEntities.splice(at, 1);
      const isElsewhere = entitiesOf(this.#app).some(({ name }) => same(name, entity));
      if (found && !isElsewhere)
        this.#app.entities.push({ name: found.name, children: [], roles: found.roles, features: [] });
    }
  }
  #add({ entity, role }: JsonLabel): void {
    this.#known.add(keyOf(entity));
    this.#app.entities.push({ name: entity, children: [], roles: role ? [role] : [], features: [] });
  }
}

const namesBelow = (children: JsonModel["children"]): string[] =>
  (children ?? []).flatMap((child) =>
    typeof child === "string" ? [keyOf(child)] : [keyOf(child.name), ...namesBelow(child.children)],
  );
const childrenOf = ({ children }: JsonModel): JsonChild[] =>
  (children ?? []).map((child) => (typeof child === "string" ? { name: child } : child));
const holds = (outer: JsonLabel, inner: JsonLabel): boolean =>
  outer.startPos <= inner.startPos && inner.endPos <= outer.endPos;
/** All labels, outer ones first. For nested labels of the same entity, only the inner one. */
const flatOf = (labels: readonly JsonLabel[]): JsonLabel[] =>
  labels.flatMap((label) => {
    const inside = flatOf(label.children ?? []);
    return inside.some(({ entity }) => same(entity, label.entity))
      ? inside
      : [{ ...label, children: [] }, ...inside];
  });
