/** Roles of entities in an utterance. The same five operations for each kind of entity. */
import { Type } from "@sinclair/typebox";
import { answer, type Operation } from "#kernel/operation";
import type { Entity, Role } from "../domain/content.ts";
import { checkName, checkRoom, keyOf, ROLES_PER_ENTITY_MAX } from "../domain/limits.ts";
import type { StoredModel } from "../domain/models.ts";
import { errors } from "../errors.ts";
import type { LanguageContext } from "../state.ts";
import { NewModel, RoleView } from "../wire/models.ts";
import { Guid, Status, SUCCESS, versionParams } from "../wire/shared.ts";
import { checkNoPatternNames, getModel, relabel, renameInPatterns, replaceModel } from "./changes.ts";
import { entityKinds, type KindWords } from "./entity-kinds.ts";
import { called, edit, getPlace, operation, type Place } from "./lookup.ts";

type RoleKind = Pick<KindWords, "kind" | "path" | "words" | "one">;
const roleKinds: readonly RoleKind[] = [
  ...entityKinds.map((words) => (words.kind === "prebuilt" ? { ...words, one: "PrebuiltEntity" } : words)),
  {
    kind: "learned",
    path: "customprebuiltentities",
    words: "custom entity of a prebuilt domain",
    one: "CustomPrebuiltEntity",
  },
];

function getRole({ roles, name }: Entity, id: string): Role {
  const role = roles.find((one) => one.id === id.toLowerCase());
  if (!role) throw errors.badArgument(`The entity ${name} has no role with the ID ${id}.`);
  return role;
}
function checkFreeRole({ roles, name: entity }: Entity, name: string, id?: string): void {
  if (roles.some((role) => role.id !== id && keyOf(role.name) === keyOf(name)))
    throw errors.badArgument(`The entity ${entity} has a role ${name} already.`);
}
async function getEntity(
  context: LanguageContext,
  place: Pick<Place, "version">,
  { kind, path }: RoleKind,
  id: string,
): Promise<StoredModel & { readonly model: Entity }> {
  const stored = await getModel(context, place, kind, id);
  if (path === "customprebuiltentities" && stored.model.kind === "learned" && !stored.model.origin)
    throw errors.badArgument(`The entity ${stored.model.name} was not taken from a prebuilt domain.`);
  return stored;
}

const P = "/apps/{appId}/versions/{versionId}";

const pathOf = ({ path }: RoleKind): string => `${P}/${path}/{entityId}/roles`;
const params = versionParams({ entityId: Guid });
const withRole = versionParams({ entityId: Guid, roleId: Guid });

function readingOperations(words: RoleKind): Operation[] {
  return [
    operation({
      ...called("roles", `List${words.one}Roles`),
      summary: `Lists the roles of a ${words.words}`,
      description: "All roles, without pages.",
      method: "GET",
      path: pathOf(words),
      params,
      answers: { 200: Type.Array(RoleView) },
      async handle({ params: named }, context) {
        const { model } = await getEntity(context, await getPlace(context, named), words, named.entityId);
        return [...model.roles];
      },
    }),
    operation({
      ...called("roles", `Get${words.one}Role`),
      summary: `Returns a role of a ${words.words}`,
      description: "Ids come from the list of roles.",
      method: "GET",
      path: `${pathOf(words)}/{roleId}`,
      params: withRole,
      answers: { 200: RoleView },
      async handle({ params: named }, context) {
        const { model } = await getEntity(context, await getPlace(context, named), words, named.entityId);
        return getRole(model, named.roleId);
      },
    }),
  ];
}

function changingOperations(words: RoleKind): Operation[] {
  return [
    operation({
      ...called("roles", `Create${words.one}Role`),
      summary: `Adds a role to a ${words.words}`,
      description: `An entity may have ${ROLES_PER_ENTITY_MAX} roles with different names. Use it in labels and as \`{Entity:role}\` in patterns, then train the version.`,
      method: "POST",
      path: pathOf(words),
      params,
      body: NewModel,
      answers: { 201: Guid },
      examples: { body: { name: "destination" } },
      handle: ({ params: named, body }, context) =>
        edit(context, named, async (editing) => {
          const stored = await getEntity(context, editing, words, named.entityId);
          const role = { id: context.ids.uuid(), name: checkName("role", body.name) };
          checkFreeRole(stored.model, role.name);
          checkRoom("roles of an entity", stored.model.roles.length + 1, ROLES_PER_ENTITY_MAX);
          await replaceModel(editing, stored, { ...stored.model, roles: [...stored.model.roles, role] });
          return answer(201, role.id);
        }),
    }),
    operation({
      ...called("roles", `Update${words.one}Role`),
      summary: `Renames a role of a ${words.words}`,
      description: "Labels and patterns follow the new name. Train the version afterwards.",
      method: "PUT",
      path: `${pathOf(words)}/{roleId}`,
      params: withRole,
      body: NewModel,
      answers: { 200: Status },
      examples: { body: { name: "origin" } },
      handle: ({ params: named, body }, context) =>
        edit(context, named, async (editing) => {
          const stored = await getEntity(context, editing, words, named.entityId);
          const { model } = stored;
          const role = getRole(model, named.roleId);
          const name = checkName("role", body.name);
          checkFreeRole(model, name, role.id);
          await relabel(editing, { entity: model.name, role: role.name }, name);
          await renameInPatterns(editing, { entity: model.name, role: role.name }, name);
          const renamed = model.roles.map((one) => (one.id === role.id ? { ...one, name } : one));
          await replaceModel(editing, stored, { ...model, roles: renamed });
          return SUCCESS;
        }),
    }),
    operation({
      ...called("roles", `Delete${words.one}Role`),
      summary: `Deletes a role of a ${words.words}`,
      description: "Labels of the entity stay, without the role. Refused while a pattern names the role.",
      method: "DELETE",
      path: `${pathOf(words)}/{roleId}`,
      params: withRole,
      answers: { 200: Status },
      handle: ({ params: named }, context) =>
        edit(context, named, async (editing) => {
          const stored = await getEntity(context, editing, words, named.entityId);
          const { model } = stored;
          const role = getRole(model, named.roleId);
          await checkNoPatternNames(editing, { entity: model.name, role: role.name });
          await relabel(editing, { entity: model.name, role: role.name }, undefined);
          await replaceModel(editing, stored, { ...model, roles: model.roles.filter((one) => one !== role) });
          return SUCCESS;
        }),
    }),
  ];
}

export const roleOperations = roleKinds.flatMap((words) => [
  ...readingOperations(words),
  ...changingOperations(words),
]);
