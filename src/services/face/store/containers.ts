/** Lists and groups. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Container, ContainerRef, Kind, Training, TrainingStatus } from "../domain/containers.ts";
import type { RecognitionModel } from "../domain/models.ts";
import type { ContainerRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();

const trainingOf = (row: ContainerRow): Training | undefined =>
  row.training_status === null
    ? undefined
    : {
        status: row.training_status as TrainingStatus,
        message: row.training_message ?? undefined,
        changedAtMs: Number(row.training_changed_at),
        number: Number(row.training_number),
      };
const containerOf = (row: ContainerRow): Container => ({
  kind: row.kind as Kind,
  id: row.id,
  uid: row.uid,
  name: row.name,
  userData: row.user_data ?? undefined,
  recognitionModel: row.recognition_model as RecognitionModel,
  faceCount: Number(row.face_count),
  personCount: Number(row.person_count),
  createdAtMs: Number(row.created_at),
  training: trainingOf(row),
  trained:
    row.trained_generation === null
      ? undefined
      : { generation: Number(row.trained_generation), atMs: Number(row.trained_at) },
});
const rowOf = (account: string, container: Container): ContainerRow => ({
  account,
  kind: container.kind,
  id: container.id,
  uid: container.uid,
  name: container.name,
  user_data: container.userData ?? null,
  recognition_model: container.recognitionModel,
  face_count: container.faceCount,
  person_count: container.personCount,
  created_at: container.createdAtMs,
  training_number: container.training?.number ?? 0,
  training_status: container.training?.status ?? null,
  training_message: container.training?.message ?? null,
  training_changed_at: container.training?.changedAtMs ?? null,
  trained_generation: container.trained?.generation ?? null,
  trained_at: container.trained?.atMs ?? null,
});

const selectContainer = compiledQuery<ContainerRow, [string, string, string]>(
  ["", "", ""],
  (db, account, kind, id) =>
    db
      .selectFrom("face_container")
      .selectAll()
      .where("account", "=", account)
      .where("kind", "=", kind)
      .where("id", "=", id),
);
export async function findContainer(
  db: Db,
  account: string,
  { kind, id }: ContainerRef,
): Promise<Container | undefined> {
  const [row] = await selectContainer(db, account, kind, id);
  return row && containerOf(row);
}

/** Returns false if the ID exists. */
export async function insertContainer(db: Db, account: string, container: Container): Promise<boolean> {
  const result = await db
    .insertInto("face_container")
    .values(rowOf(account, container))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

const ofContainer = (db: Db, account: string, { kind, id }: ContainerRef) =>
  db
    .updateTable("face_container")
    .where("account", "=", account)
    .where("kind", "=", kind)
    .where("id", "=", id);

export async function updateContainer(db: Db, account: string, container: Container): Promise<void> {
  await ofContainer(db, account, container).set(rowOf(account, container)).execute();
}

/** Inserts and deletes update stored counts, so that no query counts a million rows. */
export async function changeCounts(
  db: Db,
  account: string,
  container: ContainerRef,
  by: { readonly faces: number; readonly persons: number },
): Promise<void> {
  await ofContainer(db, account, container)
    .set((row) => ({
      face_count: row("face_count", "+", by.faces),
      person_count: row("person_count", "+", by.persons),
    }))
    .execute();
}

export async function deleteContainer(db: Db, account: string, { kind, id }: ContainerRef): Promise<void> {
  await db
    .deleteFrom("face_container")
    .where("account", "=", account)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .execute();
}

export async function countContainers(db: Db, account: string, kind: Kind): Promise<number> {
  const row = await db
    .selectFrom("face_container")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("kind", "=", kind)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** A page of a list. `after`: the last ID of the previous page. */
export type Stretch = { readonly after?: string | undefined; readonly limit: number };

export async function listContainers(
  db: Db,
  account: string,
  kind: Kind,
  { after = "", limit }: Stretch,
): Promise<Container[]> {
  const rows = await db
    .selectFrom("face_container")
    .selectAll()
    .where("account", "=", account)
    .where("kind", "=", kind)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(containerOf);
}
