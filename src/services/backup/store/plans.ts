/** Backup plans with their versions and selections. */
import type { Kysely } from "kysely";
import type { PlanDocument, Selection } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { PlanRow, PlanVersionRow, SelectionRow, Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;
export type Plan = PlanRow & { readonly document: PlanDocument };

export const documentOf = (row: Pick<PlanVersionRow, "document">): PlanDocument =>
  JSON.parse(row.document) as PlanDocument;
export const selectionOf = (row: Pick<SelectionRow, "document">): Selection =>
  JSON.parse(row.document) as Selection;

const plansOf = (db: Db, account: string, region: string) =>
  db.selectFrom("backup_plan").selectAll().where("account", "=", account).where("region", "=", region);
const versionsOf = (db: Db, account: string, region: string, planId: string) =>
  db
    .selectFrom("backup_plan_version")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("plan_id", "=", planId);
const selectionsOf = (db: Db, account: string, region: string, planId: string) =>
  db
    .selectFrom("backup_selection")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("plan_id", "=", planId);

export const findPlanRow = (
  db: Db,
  account: string,
  region: string,
  id: string,
): Promise<PlanRow | undefined> => plansOf(db, account, region).where("id", "=", id).executeTakeFirst();

/** Deleted ones too. */
export async function getPlanRow(db: Db, account: string, region: string, id: string): Promise<PlanRow> {
  const row = await findPlanRow(db, account, region, id);
  if (!row) throw errors.notFound(`There is no backup plan ${id} in this account and region.`);
  return row;
}
export async function getLivePlan(db: Db, account: string, region: string, id: string): Promise<PlanRow> {
  const row = await getPlanRow(db, account, region, id);
  if (row.deleted_at !== null) throw errors.notFound(`The backup plan ${id} has been deleted.`);
  return row;
}
/** The version of that name, or the current one. */
export async function getPlanVersion(
  db: Db,
  account: string,
  plan: PlanRow,
  versionId = plan.version,
): Promise<PlanVersionRow> {
  const row = await versionsOf(db, account, plan.region, plan.id)
    .where("id", "=", versionId)
    .executeTakeFirst();
  if (!row) throw errors.notFound(`The backup plan ${plan.id} has no version ${versionId}.`);
  return row;
}

export async function findLivePlanByName(
  db: Db,
  account: string,
  region: string,
  name: string,
): Promise<PlanRow | undefined> {
  return plansOf(db, account, region)
    .where("name", "=", name)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}
export async function countLivePlans(db: Db, account: string, region: string): Promise<number> {
  const { count } = await db
    .selectFrom("backup_plan")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("region", "=", region)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** In the order of their identifiers. */
export async function listPlans(
  db: Db,
  account: string,
  region: string,
  filter: { readonly after: string; readonly limit: number; readonly includeDeleted: boolean },
): Promise<Plan[]> {
  let query = plansOf(db, account, region).where("id", ">", filter.after);
  if (!filter.includeDeleted) query = query.where("deleted_at", "is", null);
  const rows = await query.orderBy("id").limit(filter.limit).execute();
  return withDocuments(db, account, region, rows);
}
/** Plans with the documents of their current versions. */
async function withDocuments(
  db: Db,
  account: string,
  region: string,
  rows: readonly PlanRow[],
): Promise<Plan[]> {
  if (rows.length === 0) return [];
  const versions = await db
    .selectFrom("backup_plan_version")
    .select(["id", "document"])
    .where("account", "=", account)
    .where("region", "=", region)
    .where(
      "plan_id",
      "in",
      rows.map(({ id }) => id),
    )
    .where(
      "id",
      "in",
      rows.map(({ version }) => version),
    )
    .execute();
  const documents = new Map(versions.map((version) => [version.id, documentOf(version)]));
  return rows.map((row) => ({ ...row, document: documents.get(row.version) as PlanDocument }));
}

export async function listPlansShown(db: Db, account: string, limit: number): Promise<Plan[]> {
  const rows = await db
    .selectFrom("backup_plan")
    .selectAll()
    .where("account", "=", account)
    .where("deleted_at", "is", null)
    .orderBy("region")
    .orderBy("name")
    .limit(limit)
    .execute();
  const plans: Plan[] = [];
  for (const row of rows) plans.push(...(await withDocuments(db, account, row.region, [row])));
  return plans;
}

/** The newest first. */
export const listPlanVersions = (
  db: Db,
  account: string,
  plan: PlanRow,
  page: { readonly before: number; readonly limit: number },
): Promise<PlanVersionRow[]> =>
  versionsOf(db, account, plan.region, plan.id)
    .where("sequence", "<", page.before)
    .orderBy("sequence", "desc")
    .limit(page.limit)
    .execute();

export async function insertPlan(
  db: Db,
  account: string,
  row: PlanRow,
  version: PlanVersionRow,
): Promise<void> {
  await db
    .insertInto("backup_plan")
    .values({ ...row, account })
    .execute();
  await db.insertInto("backup_plan_version").values(version).execute();
}
export async function addPlanVersion(
  db: Db,
  account: string,
  plan: PlanRow,
  version: PlanVersionRow,
): Promise<void> {
  await db
    .insertInto("backup_plan_version")
    .values({ ...version, account })
    .execute();
  await changePlan(db, account, plan, {
    version: version.id,
    name: documentOf(version).name,
    updated_at: version.created_at,
  });
}
export async function changePlan(
  db: Db,
  account: string,
  { region, id }: Pick<PlanRow, "region" | "id">,
  change: Partial<Pick<PlanRow, "version" | "name" | "updated_at" | "deleted_at" | "last_run_at">>,
): Promise<void> {
  await db
    .updateTable("backup_plan")
    .set(change)
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .execute();
}
/** Whether there is a recovery point that the plan has made. */
export async function hasPointsOfPlan(db: Db, account: string, { region, id }: PlanRow): Promise<boolean> {
  const row = await db
    .selectFrom("backup_point")
    .select("id")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("created_by", "like", `%"planId":"${id}"%`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
export const listDeletedPlans = (db: Db, account: string, region: string): Promise<PlanRow[]> =>
  plansOf(db, account, region).where("deleted_at", "is not", null).execute();
export async function forgetPlan(db: Db, account: string, { region, id }: PlanRow): Promise<void> {
  await db
    .deleteFrom("backup_plan_version")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("plan_id", "=", id)
    .execute();
  await db
    .deleteFrom("backup_plan")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .execute();
}

export const listSelections = (
  db: Db,
  account: string,
  region: string,
  planId: string,
  page: { readonly after: string; readonly limit: number },
): Promise<SelectionRow[]> =>
  selectionsOf(db, account, region, planId)
    .where("id", ">", page.after)
    .orderBy("id")
    .limit(page.limit)
    .execute();
export async function countSelections(
  db: Db,
  account: string,
  region: string,
  planId: string,
): Promise<number> {
  const { count } = await db
    .selectFrom("backup_selection")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("region", "=", region)
    .where("plan_id", "=", planId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
export const findSelectionByName = (
  db: Db,
  account: string,
  region: string,
  planId: string,
  name: string,
): Promise<SelectionRow | undefined> =>
  selectionsOf(db, account, region, planId).where("name", "=", name).executeTakeFirst();
export async function getSelection(
  db: Db,
  account: string,
  region: string,
  planId: string,
  id: string,
): Promise<SelectionRow> {
  const row = await selectionsOf(db, account, region, planId).where("id", "=", id).executeTakeFirst();
  if (!row) throw errors.notFound(`The backup plan ${planId} has no selection ${id}.`);
  return row;
}
export async function insertSelection(db: Db, account: string, row: SelectionRow): Promise<void> {
  await db
    .insertInto("backup_selection")
    .values({ ...row, account })
    .execute();
}
export async function deleteSelection(db: Db, account: string, row: SelectionRow): Promise<void> {
  await db
    .deleteFrom("backup_selection")
    .where("account", "=", account)
    .where("region", "=", row.region)
    .where("plan_id", "=", row.plan_id)
    .where("id", "=", row.id)
    .execute();
}

/** Names from the list for which no vault exists. */
export async function listMissingVaults(
  db: Db,
  account: string,
  region: string,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom("backup_vault")
    .select("name")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "in", names)
    .execute();
  const there = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !there.has(name));
}
