/** Stores faces, and updates the counts of their containers. */
import type { Container } from "../domain/containers.ts";
import { type Descriptor, textOf } from "../domain/descriptor.ts";
import type { FaceContext } from "../state.ts";
import { changeCounts } from "../store/containers.ts";
import { insertFace } from "../store/persisted-faces.ts";
import { type Person, updatePerson } from "../store/persons.ts";

/** Without a person, the container is a list. Returns the ID of the face. */
export async function keepFace(
  { db, account, ids, secrets }: FaceContext,
  { container, person }: { readonly container: Container; readonly person: Person | undefined },
  { descriptor, userData }: { readonly descriptor: Descriptor; readonly userData: string | undefined },
): Promise<string> {
  const id = ids.uuid();
  await insertFace(db, account, container.uid, {
    person: person?.id ?? "",
    id,
    userData,
    descriptor: secrets.seal(textOf(descriptor)),
  });
  if (person) await updatePerson(db, account, container.uid, { ...person, faceCount: person.faceCount + 1 });
  await changeCounts(db, account, container, { faces: 1, persons: 0 });
  return id;
}
