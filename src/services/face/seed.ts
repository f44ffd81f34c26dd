/** Demo data: names without faces, because a face is somebody's. Seeding again changes nothing. */
import { addContainer } from "./jobs/containers.ts";
import type { FaceContext } from "./state.ts";
import { changeCounts } from "./store/containers.ts";
import { insertPerson } from "./store/persons.ts";

const PERSONS = ["Ann", "Ben", "Cleo"];

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
    userData: "Add a face to each person, then train.",
  });
  if (isNew) {
    for (const name of PERSONS)
      await insertPerson(db, account, family.uid, {
        id: ids.uuid(),
        name,
        userData: undefined,
        faceCount: 0,
      });
    await changeCounts(db, account, family, { faces: 0, persons: PERSONS.length });
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
