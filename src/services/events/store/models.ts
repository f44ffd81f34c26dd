/** Queries for detector models, alarm models and their versions. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { ModelKind } from "../domain/arns.ts";
import { errors } from "../errors.ts";
import type { ModelRow, Tables, VersionRow } from "../tables.ts";
import { inSizes } from "./sizes.ts";

type Db = Kysely<Tables>;
const { compiledQuery, compiledShapes } = queriesOf<Db>();
export const TITLE = { detector: "detector model", alarm: "alarm model" } as const;

const selectModel = compiledQuery<ModelRow, [string, string, string, string]>(
  ["", "", "", ""],
  (db: Db, account, region, kind, name) =>
    db
      .selectFrom("events_model")
      .selectAll()
      .where("account", "=", account)
      .where("region", "=", region)
      .where("kind", "=", kind)
      .where("name", "=", name),
);
export async function findModel(
  db: Db,
  account: string,
  region: string,
  kind: ModelKind,
  name: string,
): Promise<ModelRow | undefined> {
  return (await selectModel(db, account, region, kind, name))[0];
}
export async function getModel(
  db: Db,
  account: string,
  region: string,
  kind: ModelKind,
  name: string,
): Promise<ModelRow> {
  const model = await findModel(db, account, region, kind, name);
  if (!model) throw errors.notFound(`There is no ${TITLE[kind]} ${name} in this account and region.`);
  return model;
}
const selectModelsOfIds = compiledShapes<ModelRow, number>((db: Db, _count, [account, ...ids]) =>
  db.selectFrom("events_model").selectAll().where("account", "=", account).where("id", "in", ids),
);
export async function modelsOfIds(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<Map<string, ModelRow>> {
  const found = new Map<string, ModelRow>();
  for (const some of inSizes(ids)) {
    const { rows } = await selectModelsOfIds(db, String(some.length), some.length, [account, ...some]);
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}
export async function insertModel(db: Db, row: ModelRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("events_model")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account", "region", "kind", "name"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
export async function updateModel(
  db: Db,
  { account, id }: ModelRow,
  change: Partial<ModelRow>,
): Promise<void> {
  await db
    .updateTable("events_model")
    .set(change)
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();
}
/** Deletes versions and routes too. A job deletes the instances. */
export async function deleteModel(db: Db, { account, id }: ModelRow): Promise<void> {
  await db.deleteFrom("events_route").where("account", "=", account).where("model_id", "=", id).execute();
  await db.deleteFrom("events_version").where("account", "=", account).where("model_id", "=", id).execute();
  await db.deleteFrom("events_model").where("account", "=", account).where("id", "=", id).execute();
}
export async function listModels(
  db: Db,
  account: string,
  region: string,
  kind: ModelKind,
  after: string,
  limit: number,
): Promise<(ModelRow & { description: string | null })[]> {
  return db
    .selectFrom("events_model as m")
    .innerJoin("events_version as v", (join) =>
      join
        .onRef("v.account", "=", "m.account")
        .onRef("v.model_id", "=", "m.id")
        .onRef("v.version", "=", "m.latest_version"),
    )
    .selectAll("m")
    .select("v.description")
    .where("m.account", "=", account)
    .where("m.region", "=", region)
    .where("m.kind", "=", kind)
    .where("m.name", ">", after)
    .orderBy("m.name")
    .limit(limit)
    .execute();
}
/** All models of an account, for the console. */
export const listAllModels = (db: Db, account: string, limit: number): Promise<ModelRow[]> =>
  db
    .selectFrom("events_model")
    .selectAll()
    .where("account", "=", account)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
/** Those whose active version has detectors or alarms, the newest first. */
export const listModelsInUse = (db: Db, account: string, limit: number): Promise<ModelRow[]> =>
  db
    .selectFrom("events_model")
    .selectAll()
    .where("account", "=", account)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("events_instance")
          .select("key")
          .where("events_instance.account", "=", account)
          .whereRef("events_instance.model_id", "=", "events_model.id")
          .whereRef("events_instance.version", "=", "events_model.active_version"),
      ),
    )
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
export async function countModels(db: Db, account: string, region: string, kind: ModelKind): Promise<number> {
  const { count } = await db
    .selectFrom("events_model")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("region", "=", region)
    .where("kind", "=", kind)
    .executeTakeFirstOrThrow();
  return Number(count);
}

const selectVersion = compiledQuery<VersionRow, [string, string, number]>(
  ["", "", 0],
  (db: Db, account, modelId, version) =>
    db
      .selectFrom("events_version")
      .selectAll()
      .where("account", "=", account)
      .where("model_id", "=", modelId)
      .where("version", "=", version),
);
export async function findVersion(
  db: Db,
  account: string,
  modelId: string,
  version: number,
): Promise<VersionRow | undefined> {
  return (await selectVersion(db, account, modelId, version))[0];
}
export async function getVersion(db: Db, model: ModelRow, version: number): Promise<VersionRow> {
  const found = await findVersion(db, model.account, model.id, version);
  if (!found) throw errors.notFound(`There is no version ${version} of ${model.name}.`);
  return found;
}
export async function insertVersion(db: Db, row: VersionRow): Promise<void> {
  await db.insertInto("events_version").values(row).execute();
}
export async function updateVersion(
  db: Db,
  { account, model_id, version }: Pick<VersionRow, "account" | "model_id" | "version">,
  change: Partial<VersionRow>,
): Promise<void> {
  await db
    .updateTable("events_version")
    .set(change)
    .where("account", "=", account)
    .where("model_id", "=", model_id)
    .where("version", "=", version)
    .execute();
}
/** Newest first. */
export const listVersions = (
  db: Db,
  { account, id }: ModelRow,
  before: number,
  limit: number,
): Promise<VersionRow[]> =>
  db
    .selectFrom("events_version")
    .selectAll()
    .where("account", "=", account)
    .where("model_id", "=", id)
    .where("version", "<", before)
    .orderBy("version", "desc")
    .limit(limit)
    .execute();
export const findOldestOfStatus = (
  db: Db,
  { account, id }: ModelRow,
  status: string,
): Promise<VersionRow | undefined> =>
  db
    .selectFrom("events_version")
    .selectAll()
    .where("account", "=", account)
    .where("model_id", "=", id)
    .where("status", "=", status)
    .orderBy("version")
    .limit(1)
    .executeTakeFirst();
export async function changeStatuses(
  db: Db,
  { account, id }: ModelRow,
  { from, to, below }: { readonly from: string; readonly to: string; readonly below: number },
  nowMs: number,
): Promise<void> {
  await db
    .updateTable("events_version")
    .set({ status: to, updated_at: nowMs })
    .where("account", "=", account)
    .where("model_id", "=", id)
    .where("status", "=", from)
    .where("version", "<", below)
    .execute();
}
