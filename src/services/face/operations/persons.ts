/** Operations on persons of groups. */
import { Type } from "@sinclair/typebox";
import { noBody, type Operation } from "#kernel/operation";
import { type GroupKind, kinds, requireRoomForPerson } from "../domain/containers.ts";
import { errors } from "../errors.ts";
import { forgetFaces } from "../search/index.ts";
import type { FaceContext } from "../state.ts";
import { changeCounts } from "../store/containers.ts";
import { deleteFaces, listFacesOfPersons } from "../store/persisted-faces.ts";
import { deletePerson, insertPerson, listPersons, type Person, updatePerson } from "../store/persons.ts";
import { NamedThing, NewPersonAnswer, PageQuery, PersonView, stretchOf } from "../wire/containers.ts";
import { getContainer, getPerson, operation, requireSomething, wordsOf } from "./lookup.ts";

/** Response form with face IDs. `persons` must be sorted by ID. */
async function viewsOf({ db, account }: FaceContext, container: string, persons: readonly Person[]) {
  const [first, last] = [persons[0], persons.at(-1)];
  if (!first || !last) return [];
  const faceIds = new Map<string, string[]>(persons.map(({ id }) => [id, []]));
  for (const { person, id } of await listFacesOfPersons(db, account, container, [first.id, last.id]))
    faceIds.get(person)?.push(id);
  return persons.map(({ id, name, userData }) => ({
    personId: id,
    ...(name !== "" && { name }),
    ...(userData !== undefined && { userData }),
    persistedFaceIds: faceIds.get(id) ?? [],
  }));
}

function createOperation(kind: GroupKind): Operation {
  const { words, one, id, permission, params, refOf } = wordsOf(kind);
  return operation({
    id: id("persons.create"),
    summary: `Adds a person to a ${words}`,
    description: `A ${words} may have ${kinds[kind].personsMax} persons. The person is found after faces were added and the group was trained.`,
    method: "POST",
    path: `${one}/persons`,
    permission: permission("Create", "Person"),
    params,
    body: NamedThing,
    answers: { 200: NewPersonAnswer },
    errors: [kinds[kind].notFound, errors.badArgument, errors.quotaExceeded],
    examples: { body: { name: "Ann" } },
    async handle({ params: named, body }, context) {
      requireSomething(body);
      const { db, account, ids } = context;
      const container = await getContainer(context, refOf(named));
      requireRoomForPerson(container);
      const { name = "", userData } = body;
      const person: Person = { id: ids.uuid(), name, userData, faceCount: 0 };
      await insertPerson(db, account, container.uid, person);
      await changeCounts(db, account, container, { faces: 0, persons: 1 });
      return { personId: person.id };
    },
  });
}

function readOperation(kind: GroupKind): Operation {
  const { words, one, id, permission, personParams, refOf } = wordsOf(kind);
  return operation({
    id: id("persons.get"),
    summary: `Returns a person of a ${words} with the ids of their faces`,
    description: "`name` is left out if it is empty.",
    method: "GET",
    path: `${one}/persons/{personId}`,
    permission: permission("Get", "Person"),
    params: personParams,
    answers: { 200: PersonView },
    errors: [kinds[kind].notFound, errors.personNotFound],
    async handle({ params }, context) {
      const container = await getContainer(context, refOf(params));
      const person = await getPerson(context, container, params.personId);
      const [view] = await viewsOf(context, container.uid, [person]);
      return view as NonNullable<typeof view>;
    },
  });
}

function listOperation(kind: GroupKind): Operation {
  const { words, one, id, permission, params, refOf } = wordsOf(kind);
  return operation({
    id: id("persons.list"),
    summary: `Lists the persons of a ${words} by id`,
    description: "Each with the ids of their faces. Continue with `start` set to the last id of a page.",
    method: "GET",
    path: `${one}/persons`,
    permission: permission("List", "Persons"),
    params,
    query: PageQuery,
    answers: { 200: Type.Array(PersonView, { description: "The persons." }) },
    errors: [kinds[kind].notFound],
    async handle({ params: named, query }, context) {
      const { uid } = await getContainer(context, refOf(named));
      const persons = await listPersons(context.db, context.account, uid, stretchOf(query));
      return viewsOf(context, uid, persons);
    },
  });
}

function changeOperation(kind: GroupKind): Operation {
  const { words, one, id, permission, personParams, refOf } = wordsOf(kind);
  return operation({
    id: id("persons.update"),
    summary: `Changes the name or the user data of a person of a ${words}`,
    description: "Members that are not given stay. Needs no training.",
    method: "PATCH",
    path: `${one}/persons/{personId}`,
    permission: permission("Update", "Person"),
    params: personParams,
    body: NamedThing,
    answers: { 200: noBody },
    errors: [kinds[kind].notFound, errors.personNotFound, errors.badArgument],
    examples: { body: { name: "Anna" } },
    async handle({ params, body }, context) {
      requireSomething(body);
      const container = await getContainer(context, refOf(params));
      const person = await getPerson(context, container, params.personId);
      await updatePerson(context.db, context.account, container.uid, { ...person, ...body });
    },
  });
}

function removeOperation(kind: GroupKind): Operation {
  const { words, one, id, permission, personParams, refOf } = wordsOf(kind);
  return operation({
    id: id("persons.delete"),
    summary: `Deletes a person of a ${words} with all their faces`,
    description: "Searches no longer find the person, also without a training. This cannot be undone.",
    method: "DELETE",
    path: `${one}/persons/{personId}`,
    permission: permission("Delete", "Person"),
    params: personParams,
    answers: { 200: noBody },
    errors: [kinds[kind].notFound, errors.personNotFound],
    async handle({ params }, context) {
      const { db, account } = context;
      const container = await getContainer(context, refOf(params));
      const { id: person } = await getPerson(context, container, params.personId);
      const faces = await listFacesOfPersons(db, account, container.uid, [person, person]);
      await forgetFaces(context, container.uid, faces);
      await deleteFaces(db, account, container.uid, { person });
      await deletePerson(db, account, container.uid, person);
      await changeCounts(db, account, container, { faces: -faces.length, persons: -1 });
    },
  });
}

export const personOperations = (kind: GroupKind): Operation[] => [
  createOperation(kind),
  readOperation(kind),
  listOperation(kind),
  changeOperation(kind),
  removeOperation(kind),
];
