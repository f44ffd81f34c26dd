/** The persons of groups. */
import type { Kysely } from "kysely";
import type { PersonRow, Tables } from "../tables.ts";
import type { Stretch } from "./containers.ts";

type Db = Kysely<Tables>;

export type Person = {
  readonly id: string;
  readonly name: string;
  readonly userData: string | undefined;
  readonly faceCount: number;
};
const personOf = ({ id, name, user_data, face_count }: PersonRow): Person => ({
  id,
  name,
  userData: user_data ?? undefined,
  faceCount: Number(face_count),
});

export async function findPerson(
  db: Db,
  account: string,
  container: string,
  id: string,
): Promise<Person | undefined> {
  const row = await db
    .selectFrom("face_person")
    .selectAll()
    .where("account", "=", account)
    .where("container", "=", container)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && personOf(row);
}

export async function listPersons(
  db: Db,
  account: string,
  container: string,
  { after = "", limit }: Stretch,
): Promise<Person[]> {
  const rows = await db
    .selectFrom("face_person")
    .selectAll()
    .where("account", "=", account)
    .where("container", "=", container)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(personOf);
}

export async function insertPerson(
  db: Db,
  account: string,
  container: string,
  { id, name, userData, faceCount }: Person,
): Promise<void> {
  const row: PersonRow = {
    account,
    container,
    id,
    name,
    user_data: userData ?? null,
    face_count: faceCount,
  };
  await db.insertInto("face_person").values(row).execute();
}

export async function updatePerson(
  db: Db,
  account: string,
  container: string,
  { id, name, userData, faceCount }: Person,
): Promise<void> {
  await db
    .updateTable("face_person")
    .set({ name, user_data: userData ?? null, face_count: faceCount })
    .where("account", "=", account)
    .where("container", "=", container)
    .where("id", "=", id)
    .execute();
}

export async function deletePerson(db: Db, account: string, container: string, id: string): Promise<void> {
  await db
    .deleteFrom("face_person")
    .where("account", "=", account)
    .where("container", "=", container)
    .where("id", "=", id)
    .execute();
}
