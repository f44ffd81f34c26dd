/** Lookups that operations on lists and groups share. */
import { Type } from "@sinclair/typebox";
import { operationsFor } from "#kernel/operation";
import { type Container, type ContainerRef, type Kind, kinds, notFoundText } from "../domain/containers.ts";
import { errors } from "../errors.ts";
import type { FaceContext, State } from "../state.ts";
import { findContainer } from "../store/containers.ts";
import { findFace, type PersistedFace } from "../store/persisted-faces.ts";
import { findPerson, type Person } from "../store/persons.ts";
import type { Tables } from "../tables.ts";
import { containerId, uuidOf } from "../wire/shared.ts";

export const operation = operationsFor<Tables, State>();

/** Names of operations, paths and parameters of one kind. */
export function wordsOf(kind: Kind) {
  const { words, path, idName } = kinds[kind];
  const inPath = { [idName]: containerId(words) };
  const folder = words.replaceAll(" ", "-");
  const title = words.replace(/(?:^| )[a-z]/g, (start) => start.trim().toUpperCase());
  return {
    words,
    path: `/${path}`,
    one: `/${path}/{${idName}}`,
    /** `face.person-groups.create` */
    id: (name: string) => `face.${folder}s.${name}`,
    /** `face:CreatePersonGroup` */
    permission: (verb: string, what = "") => `face:${verb}${title}${what}`,
    params: Type.Object(inPath),
    personParams: Type.Object({ ...inPath, personId: uuidOf("person") }),
    faceParams: Type.Object({ ...inPath, persistedFaceId: uuidOf("face") }),
    faceOfPersonParams: Type.Object({
      ...inPath,
      personId: uuidOf("person"),
      persistedFaceId: uuidOf("face"),
    }),
    refOf: (params: object): ContainerRef => ({
      kind,
      id: (params as Readonly<Record<string, string>>)[idName] as string,
    }),
  };
}

export async function getContainer(context: FaceContext, ref: ContainerRef): Promise<Container> {
  const found = await findContainer(context.db, context.account, ref);
  if (!found) throw kinds[ref.kind].notFound(notFoundText(ref));
  return found;
}

/** IDs are UUIDs and may be in upper case. */
export async function getPerson(
  { db, account }: FaceContext,
  { uid }: Container,
  id: string,
): Promise<Person> {
  const found = await findPerson(db, account, uid, id.toLowerCase());
  if (!found) throw errors.personNotFound(`Person '${id}' is not found.`);
  return found;
}

export async function getFace(
  { db, account }: FaceContext,
  { uid }: Container,
  person: string,
  id: string,
): Promise<PersistedFace> {
  const found = await findFace(db, account, uid, { person, id: id.toLowerCase() });
  if (!found) throw errors.persistedFaceNotFound(`Persisted face '${id}' is not found.`);
  return found;
}

/** Rejects a change without any member. */
export function requireSomething({ name, userData }: { name?: string; userData?: string }): void {
  if (name === undefined && userData === undefined)
    throw errors.badArgument("Both 'name' and 'userData' are empty.");
}
