/** Stored faces of persons and lists. */
import { Type } from "@sinclair/typebox";
import { noBody, type Operation } from "#kernel/operation";
import {
  type Container,
  type ContainerRef,
  FACES_OF_PERSON_MAX,
  type GroupKind,
  isTrained,
  kinds,
  type ListKind,
  requireRoomForFace,
  requireRoomForFaceOfPerson,
} from "../domain/containers.ts";
import { errors } from "../errors.ts";
import { keepFace } from "../jobs/keep-face.ts";
import { forgetFaces } from "../search/index.ts";
import type { FaceContext } from "../state.ts";
import { changeCounts } from "../store/containers.ts";
import { deleteFaces, listFaces, type PersistedFace, setFaceUserData } from "../store/persisted-faces.ts";
import { updatePerson } from "../store/persons.ts";
import { FaceChange, PageQuery, PersistedFaceView, stretchOf } from "../wire/containers.ts";
import { AddedFace, AddFaceQuery, ImageBody, TAKES_PICTURE } from "../wire/shared.ts";
import { getContainer, getFace, getPerson, operation, wordsOf } from "./lookup.ts";
import { PICTURE_ERRORS } from "./picture.ts";
import { type TakenPicture, takeFace } from "./taken-face.ts";

export const faceViewOf = ({ id, userData }: PersistedFace) => ({
  persistedFaceId: id,
  ...(userData !== undefined && { userData }),
});

/**
 * Without a person, the container is a list. Existence and limits are checked before the picture is
 * processed, and again after.
 */
async function addFace(
  context: FaceContext,
  { ref, personId }: { readonly ref: ContainerRef; readonly personId?: string },
  picture: TakenPicture & { readonly query: { readonly userData?: string } },
) {
  const getPlace = async (inside: FaceContext) => {
    const container = await getContainer(inside, ref);
    const person = personId === undefined ? undefined : await getPerson(inside, container, personId);
    requireRoomForFace(container);
    if (person) requireRoomForFaceOfPerson(person.faceCount);
    return { container, person };
  };
  const { recognitionModel } = (await getPlace(context)).container;
  const descriptor = await takeFace(picture, context, recognitionModel);
  return context.transact(async (inside) => {
    const id = await keepFace(inside, await getPlace(inside), {
      descriptor,
      userData: picture.query.userData,
    });
    return { persistedFaceId: id };
  });
}

async function removeFace(context: FaceContext, container: Container, face: PersistedFace): Promise<void> {
  const { db, account } = context;
  await forgetFaces(context, container.uid, [face]);
  await deleteFaces(db, account, container.uid, { person: face.person, id: face.id });
  await changeCounts(db, account, container, { faces: -1, persons: 0 });
}

function addToListOperation(kind: ListKind): Operation {
  const { words, one, id, permission, params, refOf } = wordsOf(kind);
  return operation({
    ...TAKES_PICTURE,
    id: id("faces.add"),
    summary: `Adds the face of a picture to a ${words}`,
    description: `The picture must show one face, unless \`targetFace\` names one of several. Its descriptor is stored encrypted, the picture is not. ${isTrained(kind) ? "Searches find it after the next training." : "Searches find it immediately."}`,
    method: "POST",
    path: `${one}/persistedfaces`,
    permission: permission("Add", "Face"),
    params,
    query: AddFaceQuery,
    body: ImageBody,
    answers: { 200: AddedFace },
    errors: [kinds[kind].notFound, errors.quotaExceeded, ...PICTURE_ERRORS],
    handle: ({ params: named, query, body }, context) =>
      addFace(context, { ref: refOf(named) }, { query, body }),
  });
}
function removeFromListOperation(kind: ListKind): Operation {
  const { words, one, id, permission, faceParams, refOf } = wordsOf(kind);
  return operation({
    id: id("faces.delete"),
    summary: `Deletes a face of a ${words}`,
    description: "Searches no longer find it, also without a training.",
    method: "DELETE",
    path: `${one}/persistedfaces/{persistedFaceId}`,
    permission: permission("Delete", "Face"),
    params: faceParams,
    answers: { 200: noBody },
    errors: [kinds[kind].notFound, errors.persistedFaceNotFound],
    async handle({ params }, context) {
      const container = await getContainer(context, refOf(params));
      await removeFace(context, container, await getFace(context, container, "", params.persistedFaceId));
    },
  });
}

/** Additional operations of large lists, which do not include their faces. */
function largeListOperations(): Operation[] {
  const { words, one, id, permission, params, faceParams, refOf } = wordsOf("largefacelist");
  return [
    operation({
      id: id("faces.list"),
      summary: `Lists the faces of a ${words} by id`,
      description: "Continue with `start` set to the last id of a page.",
      method: "GET",
      path: `${one}/persistedfaces`,
      permission: permission("List", "Faces"),
      params,
      query: PageQuery,
      answers: { 200: Type.Array(PersistedFaceView, { description: "The faces." }) },
      errors: [kinds.largefacelist.notFound],
      async handle({ params: named, query }, context) {
        const { uid } = await getContainer(context, refOf(named));
        const faces = await listFaces(context.db, context.account, uid, "", stretchOf(query));
        return faces.map(faceViewOf);
      },
    }),
    operation({
      id: id("faces.get"),
      summary: `Returns a face of a ${words}`,
      description: "Only its id and user data; pictures are not stored.",
      method: "GET",
      path: `${one}/persistedfaces/{persistedFaceId}`,
      permission: permission("Get", "Face"),
      params: faceParams,
      answers: { 200: PersistedFaceView },
      errors: [kinds.largefacelist.notFound, errors.persistedFaceNotFound],
      async handle({ params: named }, context) {
        const container = await getContainer(context, refOf(named));
        return faceViewOf(await getFace(context, container, "", named.persistedFaceId));
      },
    }),
    operation({
      id: id("faces.update"),
      summary: `Changes the user data of a face of a ${words}`,
      description: "Needs no training.",
      method: "PATCH",
      path: `${one}/persistedfaces/{persistedFaceId}`,
      permission: permission("Update", "Face"),
      params: faceParams,
      body: FaceChange,
      answers: { 200: noBody },
      errors: [kinds.largefacelist.notFound, errors.persistedFaceNotFound],
      examples: { body: { userData: "Third picture" } },
      async handle({ params: named, body }, context) {
        const container = await getContainer(context, refOf(named));
        const face = await getFace(context, container, "", named.persistedFaceId);
        await setFaceUserData(context.db, context.account, container.uid, { ...face, ...body });
      },
    }),
  ];
}

function addToPersonOperation(kind: GroupKind): Operation {
  const { words, one, id, permission, personParams, refOf } = wordsOf(kind);
  return operation({
    ...TAKES_PICTURE,
    id: id("persons.faces.add"),
    summary: `Adds the face of a picture to a person of a ${words}`,
    description: `A person may have ${FACES_OF_PERSON_MAX} faces. The picture must show one face, unless \`targetFace\` names one of several. Its descriptor is stored encrypted, the picture is not. \`face.identify\` uses it after the next training, \`face.verify\` immediately.`,
    method: "POST",
    path: `${one}/persons/{personId}/persistedfaces`,
    permission: permission("Add", "PersonFace"),
    params: personParams,
    query: AddFaceQuery,
    body: ImageBody,
    answers: { 200: AddedFace },
    errors: [kinds[kind].notFound, errors.personNotFound, errors.quotaExceeded, ...PICTURE_ERRORS],
    handle: ({ params, query, body }, context) =>
      addFace(context, { ref: refOf(params), personId: params.personId }, { query, body }),
  });
}

function faceOfPersonOperations(kind: GroupKind): Operation[] {
  const { words, one, id, permission, faceOfPersonParams, refOf } = wordsOf(kind);
  const shared = {
    path: `${one}/persons/{personId}/persistedfaces/{persistedFaceId}`,
    params: faceOfPersonParams,
    errors: [kinds[kind].notFound, errors.personNotFound, errors.persistedFaceNotFound],
  };
  const getPlace = async (
    context: FaceContext,
    params: { readonly personId: string; readonly persistedFaceId: string },
  ) => {
    const container = await getContainer(context, refOf(params));
    const person = await getPerson(context, container, params.personId);
    return { container, person, face: await getFace(context, container, person.id, params.persistedFaceId) };
  };
  return [
    operation({
      ...shared,
      id: id("persons.faces.get"),
      summary: `Returns a face of a person of a ${words}`,
      description: "Only its id and user data; pictures are not stored.",
      method: "GET",
      permission: permission("Get", "PersonFace"),
      answers: { 200: PersistedFaceView },
      handle: async ({ params }, context) => faceViewOf((await getPlace(context, params)).face),
    }),
    operation({
      ...shared,
      id: id("persons.faces.update"),
      summary: `Changes the user data of a face of a person of a ${words}`,
      description: "Needs no training.",
      method: "PATCH",
      permission: permission("Update", "PersonFace"),
      body: FaceChange,
      answers: { 200: noBody },
      examples: { body: { userData: "Third picture" } },
      async handle({ params, body }, context) {
        const { container, face } = await getPlace(context, params);
        await setFaceUserData(context.db, context.account, container.uid, { ...face, ...body });
      },
    }),
    operation({
      ...shared,
      id: id("persons.faces.delete"),
      summary: `Deletes a face of a person of a ${words}`,
      description: "Searches no longer find it, also without a training. The person stays.",
      method: "DELETE",
      permission: permission("Delete", "PersonFace"),
      answers: { 200: noBody },
      async handle({ params }, context) {
        const { container, person, face } = await getPlace(context, params);
        await removeFace(context, container, face);
        const left = { ...person, faceCount: person.faceCount - 1 };
        await updatePerson(context.db, context.account, container.uid, left);
      },
    }),
  ];
}

export const listFaceOperations = (kind: ListKind): Operation[] => [
  addToListOperation(kind),
  removeFromListOperation(kind),
  ...(kind === "largefacelist" ? largeListOperations() : []),
];
export const personFaceOperations = (kind: GroupKind): Operation[] => [
  addToPersonOperation(kind),
  ...faceOfPersonOperations(kind),
];
