/** Adds faces to the persons of the demo group, from drawn portraits, and trains the group. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { Container, ContainerRef } from "../domain/containers.ts";
import type { Descriptor } from "../domain/descriptor.ts";
import { PORTRAITS } from "../domain/portraits.ts";
import { portraitOf } from "../recognizer/portraits.ts";
import type { FaceContext, State } from "../state.ts";
import { findContainer } from "../store/containers.ts";
import { listPersons } from "../store/persons.ts";
import type { Tables } from "../tables.ts";
import { keepFace } from "./keep-face.ts";
import { askForTraining } from "./train.ts";

type DemoGroup = { readonly id: string; readonly uid: string };

/** The group, and its persons with a portrait but without a face. */
async function findFaceless({ db, account }: FaceContext, { id, uid }: DemoGroup) {
  const ref: ContainerRef = { kind: "persongroup", id };
  const container = await findContainer(db, account, ref);
  if (container?.uid !== uid) return undefined;
  const persons = await listPersons(db, account, uid, { limit: 100 });
  return {
    container,
    persons: persons.filter(({ name, faceCount }) => PORTRAITS.has(name) && faceCount === 0),
  };
}

/** Waits for the networks, so it must run outside of a transaction. */
async function lookAt(context: FaceContext, name: string, { recognitionModel }: Container) {
  const picture = portraitOf(name);
  if (!picture) return undefined;
  const task = { picture, detectionModel: "detection_01", recognitionModel } as const;
  const { faces } = await context.state.recognizer.look(context.account, task);
  return faces[0]?.descriptor;
}

async function addFaces(context: FaceContext, group: DemoGroup): Promise<void> {
  const found = await findFaceless(context, group);
  if (!found) return;
  const seen = new Map<string, Descriptor | undefined>();
  for (const { name } of found.persons) seen.set(name, await lookAt(context, name, found.container));
  await context.transact(async (inside) => {
    const now = await findFaceless(inside, group);
    if (!now) return;
    for (const person of now.persons) {
      const descriptor = seen.get(person.name);
      if (descriptor)
        await keepFace(inside, { ...now, person }, { descriptor, userData: "A drawn portrait." });
    }
    const after = await findFaceless(inside, group);
    if (after) await askForTraining(inside, after.container);
  });
}

export const demoFacesJob = jobsFor<Tables, State>()({
  name: "face.demo-faces",
  payload: Type.Object({ id: Type.String(), uid: Type.String() }),
  transaction: "manual",
  run: (group, context) => addFaces(context, group),
});
