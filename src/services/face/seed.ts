/**
 * Demo data: a family with drawn faces, which a job adds and trains, and an empty list. Seeding is
 * idempotent.
 */
import { PORTRAITS } from "./domain/portraits.ts";
import { addContainer } from "./jobs/containers.ts";
import { demoFacesJob } from "./jobs/demo-faces.ts";
import type { FaceContext } from "./state.ts";
import { changeCounts } from "./store/containers.ts";
import { insertPerson } from "./store/persons.ts";

export async function seed(context: FaceContext): Promise<void> {
  const { db, account, clock, ids } = context;
  const made = {
    recognitionModel: "recognition_04",
    faceCount: 0,
    personCount: 0,
    createdAtMs: clock.nowMs(),
    training: undefined,
    trained: undefined,
  } as const;
  const family = { kind: "persongroup", id: "demo-family", uid: ids.uuid() } as const;
  const isNew = await addContainer(context, {
    ...made,
    ...family,
    name: "Family",
    userData: "Drawn faces, of nobody in particular.",
  });
  if (isNew) {
    for (const name of PORTRAITS.keys())
      await insertPerson(db, account, family.uid, {
        id: ids.uuid(),
        name,
        userData: undefined,
        faceCount: 0,
      });
    await changeCounts(db, account, family, { faces: 0, persons: PORTRAITS.size });
    await context.enqueue(demoFacesJob, { id: family.id, uid: family.uid });
  }
  await addContainer(context, {
    ...made,
    kind: "facelist",
    id: "demo-visitors",
    uid: ids.uuid(),
    name: "Visitors",
    userData: "Faces seen at the door.",
  });
}
