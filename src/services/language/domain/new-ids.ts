/** The same content with new ids, so that two versions share none. */
import type { ChildEntity, Entity, VersionContent } from "./content.ts";

type NewId = () => string;

const childWith = (child: ChildEntity, newId: NewId): ChildEntity => ({
  ...child,
  id: newId(),
  children: child.children.map((one) => childWith(one, newId)),
});
function entityWith(entity: Entity, newId: NewId): Entity {
  const own = { id: newId(), roles: entity.roles.map((role) => ({ ...role, id: newId() })) };
  if (entity.kind === "learned")
    return { ...entity, ...own, children: entity.children.map((child) => childWith(child, newId)) };
  if (entity.kind === "hierarchical" || entity.kind === "composite")
    return { ...entity, ...own, children: entity.children.map((child) => ({ ...child, id: newId() })) };
  return { ...entity, ...own };
}

export const withNewIds = (content: VersionContent, newId: NewId): VersionContent => ({
  ...content,
  intents: content.intents.map((intent) => ({ ...intent, id: newId() })),
  entities: content.entities.map((entity) => entityWith(entity, newId)),
  patterns: content.patterns.map((pattern) => ({ ...pattern, id: newId() })),
});
