/** Versions, without their content. */
import type { Kysely } from "kysely";
import { type AnyDb, queriesOf } from "#kernel/db";
import type { TrainingStatus, Version } from "../domain/application.ts";
import type { VersionSettings } from "../domain/content.ts";
import type { Tables, VersionRow } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledInsert, compiledQuery, compiledUpdate } = queriesOf<Db>();

const optional = (value: number | null): number | undefined => (value === null ? undefined : Number(value));
const versionOf = (row: VersionRow): Version => ({
  application: row.application,
  name: row.name,
  uid: row.uid,
  settings: JSON.parse(row.settings) as VersionSettings,
  revision: Number(row.revision),
  nextNumber: Number(row.next_number),
  hits: Number(row.hits),
  trainingStatus: row.training_status as TrainingStatus,
  trainingRevision: optional(row.training_revision),
  trainingFailure: row.training_failure ?? undefined,
  trainedRevision: optional(row.trained_revision),
  trainedAtMs: optional(row.trained_at),
  trainedBlob: row.trained_blob ?? undefined,
  publishedAtMs: optional(row.published_at),
  createdAtMs: Number(row.created_at),
  modifiedAtMs: Number(row.modified_at),
});
const rowOf = (account: string, version: Version): VersionRow => ({
  account,
  application: version.application,
  name: version.name,
  uid: version.uid,
  settings: JSON.stringify(version.settings),
  revision: version.revision,
  next_number: version.nextNumber,
  hits: version.hits,
  training_status: version.trainingStatus,
  training_revision: version.trainingRevision ?? null,
  training_failure: version.trainingFailure ?? null,
  trained_revision: version.trainedRevision ?? null,
  trained_at: version.trainedAtMs ?? null,
  trained_blob: version.trainedBlob ?? null,
  published_at: version.publishedAtMs ?? null,
  created_at: version.createdAtMs,
  modified_at: version.modifiedAtMs,
});

type Named = [account: string, application: string, name: string];
const named = (db: AnyDb, [account, application, name]: Named) =>
  db
    .selectFrom("language_version")
    .where("account", "=", account)
    .where("application", "=", application)
    .where("name", "=", name);
const selectOne = compiledQuery<VersionRow, Named>(["", "", ""], (db, ...which) =>
  named(db, which).selectAll(),
);
export async function findVersion(
  db: Db,
  account: string,
  application: string,
  name: string,
): Promise<Version | undefined> {
  const [row] = await selectOne(db, account, application, name);
  return row && versionOf(row);
}

const selectUid = compiledQuery<Pick<VersionRow, "uid">, Named>(["", "", ""], (db, ...which) =>
  named(db, which).select("uid"),
);
export async function findVersionUid(
  db: Db,
  account: string,
  application: string,
  name: string,
): Promise<string | undefined> {
  return (await selectUid(db, account, application, name))[0]?.uid;
}

const selectByUid = compiledQuery<VersionRow, [string, string]>(["", ""], (db, account, uid) =>
  db.selectFrom("language_version").selectAll().where("account", "=", account).where("uid", "=", uid),
);
export async function findVersionByUid(db: Db, account: string, uid: string): Promise<Version | undefined> {
  const [row] = await selectByUid(db, account, uid);
  return row && versionOf(row);
}

const CHANGING = [
  "name",
  "settings",
  "revision",
  "next_number",
  "training_status",
  "training_revision",
  "training_failure",
  "trained_revision",
  "trained_at",
  "trained_blob",
  "published_at",
  "modified_at",
] as const satisfies readonly (keyof VersionRow)[];
const insertRow = compiledInsert<VersionRow>("language_version", [
  "account",
  "application",
  "uid",
  "hits",
  "created_at",
  ...CHANGING,
]);
export async function insertVersion(db: Db, account: string, version: Version): Promise<void> {
  await insertRow(db, rowOf(account, version));
}

const updateRow = compiledUpdate<VersionRow, "account" | "uid">(
  "language_version",
  ["account", "uid"],
  CHANGING,
);
export async function updateVersion(db: Db, account: string, version: Version): Promise<void> {
  await updateRow(db, rowOf(account, version));
}

/** Its content remains, but is invisible. */
export async function deleteVersion(db: Db, account: string, uid: string): Promise<void> {
  await db.deleteFrom("language_version").where("account", "=", account).where("uid", "=", uid).execute();
}

export async function countVersions(db: Db, account: string, application: string): Promise<number> {
  const row = await db
    .selectFrom("language_version")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("application", "=", application)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** In the order they were made in. */
export async function listVersions(
  db: Db,
  account: string,
  application: string,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<Version[]> {
  const rows = await db
    .selectFrom("language_version")
    .selectAll()
    .where("account", "=", account)
    .where("application", "=", application)
    .orderBy("created_at")
    .orderBy("name")
    .limit(take)
    .offset(skip)
    .execute();
  return rows.map(versionOf);
}
