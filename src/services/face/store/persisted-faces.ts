/** Stored faces of persons and lists, with encrypted descriptors. */
import { type Kysely, sql } from "kysely";
import type { FaceKey } from "../domain/containers.ts";
import type { PersistedFaceRow, Tables } from "../tables.ts";
import type { Stretch } from "./containers.ts";

type Db = Kysely<Tables>;

export type PersistedFace = FaceKey & { readonly userData: string | undefined };
export type SealedFace = FaceKey & { readonly descriptor: string };

/** SQLite limits the number of values in one statement. */
const KEYS_AT_ONCE = 400;

const faceOf = ({ person, id, user_data }: Omit<PersistedFaceRow, "descriptor">): PersistedFace => ({
  person,
  id,
  userData: user_data ?? undefined,
});
const FACE_COLUMNS = ["account", "container", "person", "id", "user_data"] as const;

const facesOf = (db: Db, account: string, container: string) =>
  db.selectFrom("face_persisted").where("account", "=", account).where("container", "=", container);

export async function findFace(
  db: Db,
  account: string,
  container: string,
  { person, id }: FaceKey,
): Promise<PersistedFace | undefined> {
  const row = await facesOf(db, account, container)
    .select(FACE_COLUMNS)
    .where("person", "=", person)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && faceOf(row);
}

/** Faces of one person, or of a list. */
export async function listFaces(
  db: Db,
  account: string,
  container: string,
  person: string,
  { after = "", limit }: Stretch,
): Promise<PersistedFace[]> {
  const rows = await facesOf(db, account, container)
    .select(FACE_COLUMNS)
    .where("person", "=", person)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(faceOf);
}

/** Faces of persons with adjacent IDs, from the first to the last. */
export const listFacesOfPersons = (
  db: Db,
  account: string,
  container: string,
  [first, last]: readonly [first: string, last: string],
): Promise<FaceKey[]> =>
  facesOf(db, account, container)
    .select(["person", "id"])
    .where("person", ">=", first)
    .where("person", "<=", last)
    .orderBy("person")
    .orderBy("id")
    .execute();

/** In the order of person and ID, which training uses. */
export const listSealedFaces = (
  db: Db,
  account: string,
  container: string,
  after: FaceKey | undefined,
  limit: number,
): Promise<SealedFace[]> =>
  facesOf(db, account, container)
    .select(["person", "id", "descriptor"])
    // A row comparison lets both databases seek in the index instead of skipping rows.
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(person, id) > (${after?.person}, ${after?.id})`),
    )
    .orderBy("person")
    .orderBy("id")
    .limit(limit)
    .execute();

export const listSealedFacesOfPerson = (
  db: Db,
  account: string,
  container: string,
  person: string,
): Promise<SealedFace[]> =>
  facesOf(db, account, container)
    .select(["person", "id", "descriptor"])
    .where("person", "=", person)
    .orderBy("id")
    .execute();

/** Existing faces, in no particular order. */
export async function findSealedFaces(
  db: Db,
  account: string,
  container: string,
  keys: readonly FaceKey[],
): Promise<SealedFace[]> {
  const found: SealedFace[] = [];
  for (let first = 0; first < keys.length; first += KEYS_AT_ONCE) {
    const some = keys.slice(first, first + KEYS_AT_ONCE);
    const rows = await facesOf(db, account, container)
      .select(["person", "id", "descriptor"])
      .where("person", "in", [...new Set(some.map(({ person }) => person))])
      .where(
        "id",
        "in",
        some.map(({ id }) => id),
      )
      .execute();
    found.push(...rows);
  }
  return found;
}

export async function insertFace(
  db: Db,
  account: string,
  container: string,
  { person, id, userData, descriptor }: PersistedFace & SealedFace,
): Promise<void> {
  const row: PersistedFaceRow = { account, container, person, id, user_data: userData ?? null, descriptor };
  await db.insertInto("face_persisted").values(row).execute();
}

const changeable = (db: Db, account: string, container: string, { person, id }: FaceKey) =>
  db
    .updateTable("face_persisted")
    .where("account", "=", account)
    .where("container", "=", container)
    .where("person", "=", person)
    .where("id", "=", id);

/** Returns false if the face does not exist. */
export async function setFaceUserData(
  db: Db,
  account: string,
  container: string,
  { userData, ...key }: PersistedFace,
): Promise<boolean> {
  const result = await changeable(db, account, container, key)
    .set({ user_data: userData ?? null })
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Deletes one face, or all faces of a person. Returns the number of deleted faces. */
export async function deleteFaces(
  db: Db,
  account: string,
  container: string,
  { person, id }: { readonly person: string; readonly id?: string },
): Promise<number> {
  const result = await db
    .deleteFrom("face_persisted")
    .where("account", "=", account)
    .where("container", "=", container)
    .where("person", "=", person)
    .$if(id !== undefined, (query) => query.where("id", "=", id as string))
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
