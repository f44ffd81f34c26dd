/** Names in labels and patterns of `.lu` text: what they stand for, and what is declared by being named. */
import { mentionsIn } from "../domain/patterns.ts";
import type { JsonLabel, JsonModel } from "./app-json.ts";
import { type App, entitiesOf, keyOf, same } from "./lu-app.ts";

/** What the names in labels stand for. */
export class LabelNames {
  readonly #app: App;
  readonly #known = new Set<string>();
  readonly #roleOwners = new Map<string, string>();
  readonly #composites: ReadonlySet<string>;
  /** The names of all children of each learned entity. */
  readonly #children = new Map<string, ReadonlySet<string>>();
  constructor(app: App) {
    this.#app = app;
    this.#composites = new Set(app.composites.map(({ name }) => keyOf(name)));
    for (const { name, roles } of entitiesOf(app)) {
      this.#known.add(keyOf(name));
      for (const role of roles ?? []) this.#roleOwners.set(keyOf(role), name ?? "");
    }
    for (const { name, children } of app.entities)
      this.#children.set(keyOf(name), new Set(namesBelow(children)));
  }
  /** A role alone means the entity that has it; what a composite holds stands beside it; a new name is an entity. */
  settled(labels: readonly JsonLabel[]): JsonLabel[] {
    return labels.flatMap((label) => {
      const key = keyOf(label.entity.split("::")[0]);
      const owner = this.#known.has(key) ? undefined : this.#roleOwners.get(key);
      if (owner !== undefined) return [{ ...label, entity: owner, role: label.entity }];
      if (!this.#known.has(key)) this.#add(label);
      else if (label.role) this.#addRole(key, label.role);
      const inside = label.children ?? [];
      if (this.#composites.has(key)) return [{ ...label, children: [] }, ...this.settled(inside)];
      const isOwn = (one: JsonLabel): boolean => this.#children.get(key)?.has(keyOf(one.entity)) ?? false;
      const others = inside.filter((one) => !isOwn(one));
      return [{ ...label, children: inside.filter(isOwn) }, ...this.settled(others)];
    });
  }
  /** What a pattern names and nobody declares stands for anything; a role that nobody declares is added. */
  settlePattern(pattern: string): void {
    for (const { entity, role } of mentionsIn(pattern)) {
      const key = keyOf(entity.split("::")[0]);
      if (!this.#known.has(key) && !this.#roleOwners.has(key)) {
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
  /** What is labelled is learned, whatever it was declared as for patterns. */
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
