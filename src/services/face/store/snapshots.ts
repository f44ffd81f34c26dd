/** Snapshots, and the accounts that may read them besides the owner. */
import type { Kysely } from "kysely";
import type { Container, Kind } from "../domain/containers.ts";
import type { RecognitionModel } from "../domain/models.ts";
import type { SnapshotRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export type Snapshot = {
  readonly owner: string;
  readonly id: string;
  readonly uid: string;
  readonly isTaken: boolean;
  /** State of the source when the snapshot was taken. */
  readonly source: Pick<
    Container,
    "kind" | "name" | "userData" | "recognitionModel" | "faceCount" | "personCount" | "trained"
  >;
  readonly userData: string | undefined;
  readonly applyScope: readonly string[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
};
const snapshotOf = (row: SnapshotRow): Snapshot => ({
  owner: row.account,
  id: row.id,
  uid: row.uid,
  isTaken: Number(row.taken) === 1,
  source: {
    kind: row.kind as Kind,
    name: row.name,
    userData: row.container_user_data ?? undefined,
    recognitionModel: row.recognition_model as RecognitionModel,
    faceCount: Number(row.face_count),
    personCount: Number(row.person_count),
    trained:
      row.trained_generation === null
        ? undefined
        : { generation: Number(row.trained_generation), atMs: Number(row.trained_at) },
  },
  userData: row.user_data ?? undefined,
  applyScope: JSON.parse(row.apply_scope),
  createdAtMs: Number(row.created_at),
  updatedAtMs: Number(row.updated_at),
  expiresAtMs: Number(row.expires_at),
});
const rowOf = ({ source, ...snapshot }: Snapshot): SnapshotRow => ({
  account: snapshot.owner,
  id: snapshot.id,
  kind: source.kind,
  uid: snapshot.uid,
  taken: snapshot.isTaken ? 1 : 0,
  name: source.name,
  container_user_data: source.userData ?? null,
  recognition_model: source.recognitionModel,
  face_count: source.faceCount,
  person_count: source.personCount,
  trained_generation: source.trained?.generation ?? null,
  trained_at: source.trained?.atMs ?? null,
  user_data: snapshot.userData ?? null,
  apply_scope: JSON.stringify(snapshot.applyScope),
  created_at: snapshot.createdAtMs,
  updated_at: snapshot.updatedAtMs,
  expires_at: snapshot.expiresAtMs,
});

export async function findSnapshot(db: Db, owner: string, id: string): Promise<Snapshot | undefined> {
  const row = await db
    .selectFrom("face_snapshot")
    .selectAll()
    .where("account", "=", owner)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && snapshotOf(row);
}

/** A snapshot that the account owns or may read. */
export async function findReadableSnapshot(
  db: Db,
  account: string,
  id: string,
): Promise<Snapshot | undefined> {
  const reader = await db
    .selectFrom("face_snapshot_reader")
    .select("owner")
    .where("account", "=", account)
    .where("snapshot", "=", id)
    .executeTakeFirst();
  return findSnapshot(db, reader?.owner ?? account, id);
}

/** All snapshots that the account owns or may read, oldest first. */
export async function listReadableSnapshots(
  db: Db,
  account: string,
  { kind, nowMs, limit }: { kind?: Kind | undefined; nowMs: number; limit: number },
): Promise<Snapshot[]> {
  const rows = await db
    .selectFrom("face_snapshot")
    .selectAll()
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb("account", "=", account),
        exists(
          selectFrom("face_snapshot_reader as reader")
            .select("reader.snapshot")
            .where("reader.account", "=", account)
            .whereRef("reader.snapshot", "=", "face_snapshot.id")
            .whereRef("reader.owner", "=", "face_snapshot.account"),
        ),
      ]),
    )
    .where("taken", "=", 1)
    .where("expires_at", ">", nowMs)
    .$if(kind !== undefined, (query) => query.where("kind", "=", kind as string))
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(snapshotOf);
}

export async function countSnapshots(db: Db, owner: string): Promise<number> {
  const row = await db
    .selectFrom("face_snapshot")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", owner)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export async function insertSnapshot(db: Db, snapshot: Snapshot): Promise<void> {
  await db.insertInto("face_snapshot").values(rowOf(snapshot)).execute();
}
export async function updateSnapshot(db: Db, snapshot: Snapshot): Promise<void> {
  await db
    .updateTable("face_snapshot")
    .set(rowOf(snapshot))
    .where("account", "=", snapshot.owner)
    .where("id", "=", snapshot.id)
    .execute();
}

/** Replaces the set of accounts that may read the snapshot besides its owner. */
export async function setReaders(
  db: Db,
  { owner, id }: Pick<Snapshot, "owner" | "id">,
  accounts: readonly string[],
): Promise<void> {
  await db.deleteFrom("face_snapshot_reader").where("owner", "=", owner).where("snapshot", "=", id).execute();
  const rows = accounts.map((account) => ({ account, snapshot: id, owner }));
  if (rows.length > 0) await db.insertInto("face_snapshot_reader").values(rows).execute();
}

export async function deleteSnapshot(db: Db, { owner, id }: Pick<Snapshot, "owner" | "id">): Promise<void> {
  await setReaders(db, { owner, id }, []);
  await db.deleteFrom("face_snapshot").where("account", "=", owner).where("id", "=", id).execute();
}
