/** Faces without pictures: descriptors are made up and put where detection and adding would have put them. */
import { createHash } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { type Context, defineService, noBody, operationsFor } from "#kernel/operation";
import { apiKeyIn, plain } from "#kernel/protocols";
import { KINDS } from "../../src/services/face/domain/containers.ts";
import { DESCRIPTOR_LENGTH, type Descriptor, textOf } from "../../src/services/face/domain/descriptor.ts";
import { errors } from "../../src/services/face/errors.ts";
import { searchFaces, searchPersons } from "../../src/services/face/search/index.ts";
import { Indexes } from "../../src/services/face/search/indexes.ts";
import type { FaceContext } from "../../src/services/face/state.ts";
import { changeCounts, findContainer, updateContainer } from "../../src/services/face/store/containers.ts";
import { insertDetected } from "../../src/services/face/store/detected.ts";
import { insertFace } from "../../src/services/face/store/persisted-faces.ts";
import { findPerson, insertPerson, updatePerson } from "../../src/services/face/store/persons.ts";
import type { Tables } from "../../src/services/face/tables.ts";
import { accounts, type Instance, type SendOptions } from "./medley.ts";

/** Numbers between -1 and 1, the same for the same words. */
function numbersFor(words: string): Float32Array {
  const numbers = new Float32Array(DESCRIPTOR_LENGTH);
  for (let at = 0; at < DESCRIPTOR_LENGTH; at += 32)
    createHash("sha256")
      .update(`${words}/${at}`)
      .digest()
      .forEach((byte, index) => {
        numbers[at + index] = byte / 127.5 - 1;
      });
  return numbers;
}
/** Pictures of one person are about 0.3 apart, those of two about 1.3. */
export function descriptorFor(person: string, picture = 1): Descriptor {
  const [own, change] = [numbersFor(person), numbersFor(`${person}, picture ${picture}`)];
  return own.map((value, at) => 0.14 * value + 0.03 * (change[at] ?? 0));
}

type State = { readonly indexes: Indexes };
const operation = operationsFor<Tables, State>();
const Described = Type.Object({ person: Type.String(), picture: Type.Integer() });

const FACES_A_REQUEST = 100;

async function keepFace(
  { db, account, ids, secrets }: Context<Tables, State>,
  to: { kind: (typeof KINDS)[number]; id: string; personId?: string },
  face: { person: string; picture: number },
): Promise<string> {
  const container = await findContainer(db, account, to);
  if (!container) throw new Error(`no ${to.kind} ${to.id}`);
  const id = ids.uuid();
  const descriptor = secrets.seal(textOf(descriptorFor(face.person, face.picture)));
  const person = to.personId ?? "";
  await insertFace(db, account, container.uid, { person, id, userData: undefined, descriptor });
  const owner = await findPerson(db, account, container.uid, person);
  if (owner) await updatePerson(db, account, container.uid, { ...owner, faceCount: owner.faceCount + 1 });
  await changeCounts(db, account, container, { faces: 1, persons: 0 });
  return id;
}

/** Mounted beside the face service in tests. */
export const faceMaker = defineService({
  name: "face-maker",
  title: "Face maker",
  summary: "Puts made-up faces where pictures would have put them.",
  mount: "/face-maker",
  protocol: plain({ scheme: apiKeyIn("Vendor-Subscription-Key") }),
  operations: [
    operation({
      id: "face-maker.keep",
      summary: "Keeps faces in a container",
      method: "POST",
      path: "/persisted",
      permission: "face-maker:Keep",
      body: Type.Object({
        kind: Type.Union(KINDS.map((kind) => Type.Literal(kind))),
        id: Type.String(),
        personId: Type.Optional(Type.String()),
        faces: Type.Array(Described),
      }),
      bodyBytesMax: 10_000_000,
      answers: { 200: Type.Array(Type.String()) },
      async handle({ body: { faces, ...to } }, context) {
        const ids: string[] = [];
        for (const face of faces) ids.push(await keepFace(context, to, face));
        return ids;
      },
    }),
    operation({
      id: "face-maker.crowd",
      summary: "Makes persons of one face each",
      method: "POST",
      path: "/crowd",
      permission: "face-maker:Crowd",
      body: Type.Object({
        kind: Type.Union([Type.Literal("persongroup"), Type.Literal("largepersongroup")]),
        id: Type.String(),
        count: Type.Integer(),
      }),
      answers: { 200: Type.Array(Type.String()) },
      async handle({ body: { count, ...to } }, context) {
        const { db, account, ids } = context;
        const container = await findContainer(db, account, to);
        if (!container) throw new Error(`no ${to.kind} ${to.id}`);
        const personIds: string[] = [];
        for (let at = 0; at < count; at += 1) {
          const name = `person ${at}`;
          const personId = ids.uuid();
          await insertPerson(db, account, container.uid, {
            id: personId,
            name,
            userData: undefined,
            faceCount: 0,
          });
          await keepFace(context, { ...to, personId }, { person: name, picture: 1 });
          personIds.push(personId);
        }
        await changeCounts(db, account, container, { faces: 0, persons: count });
        return personIds;
      },
    }),
    operation({
      id: "face-maker.detect",
      summary: "Makes a detected face",
      method: "POST",
      path: "/detected",
      permission: "face-maker:Detect",
      body: Type.Object({ face: Described, recognitionModel: Type.String() }),
      answers: { 200: Type.String() },
      async handle({ body: { face, recognitionModel } }, { db, account, clock, ids, secrets }) {
        const id = ids.uuid();
        const descriptor = secrets.seal(textOf(descriptorFor(face.person, face.picture)));
        const expiresAtMs = clock.nowMs() + 86_400_000;
        await insertDetected(db, [
          { account, id, recognition_model: recognitionModel, descriptor, expires_at: expiresAtMs },
        ]);
        return id;
      },
    }),
    operation({
      id: "face-maker.begin-training",
      summary: "Leaves a container as a node leaves it that is at work on its first training",
      method: "POST",
      path: "/begin-training",
      permission: "face-maker:BeginTraining",
      body: Type.Object({ kind: Type.Union(KINDS.map((kind) => Type.Literal(kind))), id: Type.String() }),
      answers: { 204: noBody },
      async handle({ body }, { db, account, clock }) {
        const container = await findContainer(db, account, body);
        if (!container) throw new Error(`no ${body.kind} ${body.id}`);
        const changedAtMs = clock.nowMs();
        const training = { status: "running", message: undefined, changedAtMs, number: 1 } as const;
        await updateContainer(db, account, { ...container, training });
      },
    }),
    operation({
      id: "face-maker.nearest",
      summary: "Searches a container for a made-up face",
      method: "POST",
      path: "/nearest",
      permission: "face-maker:Search",
      transaction: "read",
      body: Type.Object({
        kind: Type.Union(KINDS.map((kind) => Type.Literal(kind))),
        id: Type.String(),
        face: Described,
        limit: Type.Integer(),
      }),
      answers: { 200: Type.Array(Type.Any()) },
      errors: Object.values(errors),
      async handle({ body: { kind, id, face, limit } }, context) {
        const descriptor = descriptorFor(face.person, face.picture);
        const inside = context as unknown as FaceContext;
        if (kind === "facelist" || kind === "largefacelist")
          return searchFaces(inside, { kind, id }, descriptor, limit);
        return (await searchPersons(inside, { kind, id }, [descriptor], limit))[0] ?? [];
      },
    }),
  ],
  start: ({ clock }) => ({ indexes: new Indexes(2 ** 28, () => clock.nowMs()) }),
  stop: ({ indexes }: State) => indexes.close(),
});

/** What tests of the room ask again and again. */
export class FaceStage {
  readonly #instance: () => Instance;
  constructor(instance: () => Instance) {
    this.#instance = instance;
  }
  send(method: string, path: string, options: SendOptions = {}) {
    return this.#instance().apiKey("Vendor-Subscription-Key", method, `/face/v1.0${path}`, options);
  }
  /** Must succeed. */
  async done(method: string, path: string, options: SendOptions = {}) {
    const sent = await this.send(method, path, options);
    if (sent.status >= 300) throw new Error(`${method} ${path}: ${sent.status} ${sent.text}`);
    return sent.body;
  }
  /** Status and error code. */
  async outcome(method: string, path: string, options: SendOptions = {}): Promise<[number, string]> {
    const { status, body } = await this.send(method, path, options);
    return [status, body?.error?.code ?? ""];
  }
  async #make(path: string, body: object, as: SendOptions["as"] = "first") {
    const made = await this.#instance().apiKey("Vendor-Subscription-Key", "POST", `/face-maker${path}`, {
      body,
      as,
    });
    if (made.status >= 300) throw new Error(`${path}: ${made.status} ${made.text}`);
    return made.body;
  }
  /** Answers the ids of the faces, in order. A busy machine takes long for many, so a request has a few. */
  async keep(
    to: { kind: (typeof KINDS)[number]; id: string; personId?: string },
    faces: readonly { person: string; picture: number }[],
    as?: SendOptions["as"],
  ): Promise<string[]> {
    const ids: string[] = [];
    for (let at = 0; at < faces.length; at += FACES_A_REQUEST)
      ids.push(
        ...(await this.#make("/persisted", { ...to, faces: faces.slice(at, at + FACES_A_REQUEST) }, as)),
      );
    return ids;
  }
  /** Persons of one face each, named by their number; answers their ids. */
  crowd(to: { kind: "persongroup" | "largepersongroup"; id: string }, count: number): Promise<string[]> {
    return this.#make("/crowd", { ...to, count });
  }
  /** Training has begun, and does not end. */
  beginTraining(ref: { kind: (typeof KINDS)[number]; id: string }): Promise<void> {
    return this.#make("/begin-training", ref);
  }
  /** Answers the id of the face. */
  detect(person: string, picture = 99, recognitionModel = "recognition_01", as?: SendOptions["as"]) {
    return this.#make("/detected", { face: { person, picture }, recognitionModel }, as) as Promise<string>;
  }
  /** Persons or faces, nearest first; or the error's status and code. */
  async nearest(
    ref: { kind: (typeof KINDS)[number]; id: string },
    person: string,
    { limit = 5, as = "first" }: { limit?: number; as?: SendOptions["as"] } = {},
  ) {
    const body = { ...ref, face: { person, picture: 99 }, limit };
    const found = await this.#instance().apiKey("Vendor-Subscription-Key", "POST", "/face-maker/nearest", {
      body,
      as,
    });
    return found.status === 200 ? found.body : [found.status, found.body.error.code];
  }
  /** Trains, and answers the status it ends with. */
  async train(path: string, as: SendOptions["as"] = "first") {
    await this.done("POST", `${path}/train`, { as });
    for (;;) {
      const training = await this.done("GET", `${path}/training`, { as });
      if (!["nonstarted", "running"].includes(training.status)) return training;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  /** How many rows the tables have that hold persons, faces and what was made of them. */
  async kept(): Promise<typeof NOTHING_KEPT> {
    const { text } = await this.#instance().bearer("GET", "/_medley/state?service=face");
    const rowsOf = (table: string) => text.split(`"table":"${table}"`).length - 1;
    return {
      face_person: rowsOf("face_person"),
      face_persisted: rowsOf("face_persisted"),
      face_index_block: rowsOf("face_index_block"),
      face_snapshot: rowsOf("face_snapshot"),
    };
  }
  /** Waits for an operation, and answers how it ended. */
  async ended(location: string | null, as: SendOptions["as"] = "first") {
    for (;;) {
      const operation = await this.done("GET", location ?? "", { as });
      if (!["notstarted", "running"].includes(operation.status)) return operation;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

export const NOTHING_KEPT = { face_person: 0, face_persisted: 0, face_index_block: 0, face_snapshot: 0 };

export const scopeOf = (account: keyof typeof accounts): string =>
  `00000000-0000-0000-0000-${accounts[account].id}`;
