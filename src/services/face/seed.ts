/** Demo data: names without faces, because a face is somebody's. Seeding again changes nothing. */
import type { FaceContext } from "./state.ts";
import { changeCounts, insertContainer } from "./store/containers.ts";
import { insertPerson } from "./store/persons.ts";

const PERSONS = ["Ann", "Ben", "Cleo"];

export async function seed({ db, account, clock, ids }: FaceContext): Promise<void> {
  const made = {
    recognitionModel: "recognition_04",
    faceCount: 0,
    personCount: 0,
    createdAtMs: clock.nowMs(),
    training: undefined,
    trained: undefined,
  } as const;
  const family = { kind: "persongroup", id: "demo-family", uid: ids.uuid() } as const;
  const isNew = await insertContainer(db, account, {
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
  await insertContainer(db, account, {
    ...made,
    kind: "facelist",
    id: "demo-visitors",
    uid: ids.uuid(),
    name: "Visitors",
    userData: "Faces seen at the door.",
  });
}
