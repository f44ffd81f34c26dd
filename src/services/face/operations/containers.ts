/** Operations on lists and groups, the same for all four kinds. */
import { Type } from "@sinclair/typebox";
import { noBody, type Operation } from "#kernel/operation";
import { isTrained, type Kind, kinds, requireRoomForContainer } from "../domain/containers.ts";
import { errors } from "../errors.ts";
import { addContainer, removeContainer } from "../jobs/containers.ts";
import { countContainers, listContainers, updateContainer } from "../store/containers.ts";
import { listFaces } from "../store/persisted-faces.ts";
import {
  ContainersQuery,
  containerView,
  containerViewOf,
  NamedThing,
  NewContainer,
  OneQuery,
  stretchOf,
} from "../wire/containers.ts";
import { getContainer, operation, requireSomething, wordsOf } from "./lookup.ts";
import { faceViewOf } from "./persisted-faces.ts";

function roomOf(kind: Kind): string {
  const { words, containersMax, facesMax, personsMax } = kinds[kind];
  const persons = personsMax === 0 ? "" : ` with ${personsMax} persons`;
  const next = isTrained(kind) ? " Add faces, then train it before searches." : " It needs no training.";
  return `An account may have ${containersMax} ${words}s${persons} and ${facesMax} faces each.${next}`;
}
function createOperation(kind: Kind): Operation {
  const { words, one, id, permission, params, refOf } = wordsOf(kind);
  return operation({
    id: id("create"),
    summary: `Creates a ${words}`,
    description: `${roomOf(kind)} The recognition model cannot change, and faces of other models cannot be compared with it.`,
    method: "PUT",
    path: one,
    permission: permission("Create"),
    params,
    body: NewContainer,
    answers: { 200: noBody },
    errors: [kinds[kind].exists, errors.quotaExceeded],
    examples: { body: { name: "Family", recognitionModel: "recognition_04" } },
    async handle({ params: named, body }, context) {
      const { db, account, clock, ids } = context;
      const ref = refOf(named);
      const count = await countContainers(db, account, kind);
      const isMade = await addContainer(context, {
        ...ref,
        uid: ids.uuid(),
        name: body.name,
        userData: body.userData,
        recognitionModel: body.recognitionModel,
        faceCount: 0,
        personCount: 0,
        createdAtMs: clock.nowMs(),
        training: undefined,
        trained: undefined,
      });
      if (!isMade) throw kinds[kind].exists(`There is a ${words} '${ref.id}' already.`);
      requireRoomForContainer(kind, count);
    },
  });
}

/** A face list includes its faces. Other kinds have too many. */
function readOperation(kind: Kind): Operation {
  const { words, one, id, permission, params, refOf } = wordsOf(kind);
  return operation({
    id: id("get"),
    summary: `Returns a ${words}`,
    description:
      kind === "facelist"
        ? "Includes all faces of the list."
        : "Faces and persons are not included; list them separately.",
    method: "GET",
    path: one,
    permission: permission("Get"),
    params,
    query: OneQuery,
    answers: { 200: containerView(kind) },
    errors: [kinds[kind].notFound],
    async handle({ params: named, query }, context) {
      const container = await getContainer(context, refOf(named));
      const view = containerViewOf(container, query);
      if (kind !== "facelist") return view;
      const limit = kinds.facelist.facesMax;
      const faces = await listFaces(context.db, context.account, container.uid, "", { limit });
      return { ...view, persistedFaces: faces.map(faceViewOf) };
    },
  });
}

function changeOperation(kind: Kind): Operation {
  const { words, one, id, permission, params, refOf } = wordsOf(kind);
  return operation({
    id: id("update"),
    summary: `Changes the name or the user data of a ${words}`,
    description: "Members that are not given stay. Needs no training.",
    method: "PATCH",
    path: one,
    permission: permission("Update"),
    params,
    body: NamedThing,
    answers: { 200: noBody },
    errors: [kinds[kind].notFound, errors.badArgument],
    examples: { body: { name: "Friends" } },
    async handle({ params: named, body }, context) {
      requireSomething(body);
      const container = await getContainer(context, refOf(named));
      await updateContainer(context.db, context.account, { ...container, ...body });
    },
  });
}

function removeOperation(kind: Kind): Operation {
  const { words, one, id, permission, params, refOf } = wordsOf(kind);
  return operation({
    id: id("delete"),
    summary: `Deletes a ${words} with its content`,
    description:
      "It is gone immediately; a job deletes the faces and the training. Snapshots of it stay. This cannot be undone.",
    method: "DELETE",
    path: one,
    permission: permission("Delete"),
    params,
    answers: { 200: noBody },
    errors: [kinds[kind].notFound],
    async handle({ params: named }, context) {
      await removeContainer(context, await getContainer(context, refOf(named)));
    },
  });
}

/** An account has few face lists, so one response contains all of them. */
function listOperation(kind: Kind): Operation {
  const { words, path, id, permission } = wordsOf(kind);
  const shared = {
    id: id("list"),
    summary: `Lists ${words}s by id`,
    description:
      kind === "facelist"
        ? "All on one page, without their faces."
        : "Continue with `start` set to the last id of a page.",
    method: "GET",
    path,
    permission: permission("List", "s"),
    answers: { 200: Type.Array(containerView(kind), { description: `The ${words}s.` }) },
  } as const;
  if (kind === "facelist")
    return operation({
      ...shared,
      query: OneQuery,
      async handle({ query }, { db, account }) {
        const all = await listContainers(db, account, kind, { limit: kinds[kind].containersMax });
        return all.map((container) => containerViewOf(container, query));
      },
    });
  return operation({
    ...shared,
    query: ContainersQuery,
    async handle({ query }, { db, account }) {
      const some = await listContainers(db, account, kind, stretchOf(query));
      return some.map((container) => containerViewOf(container, query));
    },
  });
}

export const containerOperations = (kind: Kind): Operation[] => [
  createOperation(kind),
  readOperation(kind),
  changeOperation(kind),
  removeOperation(kind),
  listOperation(kind),
];
