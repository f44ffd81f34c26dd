/** Restore testing plans and selections. */
import type { Kysely } from "kysely";
import type { TestingPlan, TestingSelection } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { Tables, TestingPlanRow, TestingSelectionRow } from "../tables/index.ts";

type Db = Kysely<Tables>;
export type TestingPlanRecord = Omit<TestingPlanRow, "document"> & { readonly document: TestingPlan };
export type TestingSelectionRecord = Omit<TestingSelectionRow, "document"> & {
  readonly document: TestingSelection;
};

const planOf = (row: TestingPlanRow): TestingPlanRecord => ({
  ...row,
  document: JSON.parse(row.document) as TestingPlan,
});
const selectionOf = (row: TestingSelectionRow): TestingSelectionRecord => ({
  ...row,
  document: JSON.parse(row.document) as TestingSelection,
});
const plansOf = (db: Db, account: string, region: string) =>
  db
    .selectFrom("backup_testing_plan")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region);
const selectionsOf = (db: Db, account: string, region: string, plan: string) =>
  db
    .selectFrom("backup_testing_selection")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("plan", "=", plan);

export async function findTestingPlan(
  db: Db,
  account: string,
  region: string,
  name: string,
): Promise<TestingPlanRecord | undefined> {
  const row = await plansOf(db, account, region).where("name", "=", name).executeTakeFirst();
  return row && planOf(row);
}
export async function getTestingPlan(
  db: Db,
  account: string,
  region: string,
  name: string,
): Promise<TestingPlanRecord> {
  const plan = await findTestingPlan(db, account, region, name);
  if (!plan) throw errors.notFound(`There is no restore testing plan ${name} in this account and region.`);
  return plan;
}
export async function listTestingPlans(
  db: Db,
  account: string,
  region: string,
  page: { readonly after: string; readonly limit: number },
): Promise<TestingPlanRecord[]> {
  const rows = await plansOf(db, account, region)
    .where("name", ">", page.after)
    .orderBy("name")
    .limit(page.limit)
    .execute();
  return rows.map(planOf);
}
export async function insertTestingPlan(db: Db, account: string, plan: TestingPlanRecord): Promise<void> {
  await db
    .insertInto("backup_testing_plan")
    .values({ ...plan, account, document: JSON.stringify(plan.document) })
    .execute();
}
export async function changeTestingPlan(
  db: Db,
  account: string,
  { region, name }: Pick<TestingPlanRow, "region" | "name">,
  change: Partial<Pick<TestingPlanRow, "document" | "updated_at" | "last_run_at">>,
): Promise<void> {
  await db
    .updateTable("backup_testing_plan")
    .set(change)
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .execute();
}
export async function deleteTestingPlan(
  db: Db,
  account: string,
  region: string,
  name: string,
): Promise<void> {
  await db
    .deleteFrom("backup_testing_plan")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .execute();
}

export async function findTestingSelection(
  db: Db,
  account: string,
  region: string,
  plan: string,
  name: string,
): Promise<TestingSelectionRecord | undefined> {
  const row = await selectionsOf(db, account, region, plan).where("name", "=", name).executeTakeFirst();
  return row && selectionOf(row);
}
export async function getTestingSelection(
  db: Db,
  account: string,
  region: string,
  plan: string,
  name: string,
): Promise<TestingSelectionRecord> {
  const selection = await findTestingSelection(db, account, region, plan, name);
  if (!selection) throw errors.notFound(`The restore testing plan ${plan} has no selection ${name}.`);
  return selection;
}
export async function listTestingSelections(
  db: Db,
  account: string,
  region: string,
  plan: string,
  page: { readonly after: string; readonly limit: number },
): Promise<TestingSelectionRecord[]> {
  const rows = await selectionsOf(db, account, region, plan)
    .where("name", ">", page.after)
    .orderBy("name")
    .limit(page.limit)
    .execute();
  return rows.map(selectionOf);
}
export async function insertTestingSelection(
  db: Db,
  account: string,
  selection: TestingSelectionRecord,
): Promise<void> {
  await db
    .insertInto("backup_testing_selection")
    .values({ ...selection, account, document: JSON.stringify(selection.document) })
    .execute();
}
export async function changeTestingSelection(
  db: Db,
  account: string,
  { region, plan, name }: Pick<TestingSelectionRow, "region" | "plan" | "name">,
  change: Partial<Pick<TestingSelectionRow, "document" | "updated_at">>,
): Promise<void> {
  await db
    .updateTable("backup_testing_selection")
    .set(change)
    .where("account", "=", account)
    .where("region", "=", region)
    .where("plan", "=", plan)
    .where("name", "=", name)
    .execute();
}
export async function deleteTestingSelection(
  db: Db,
  account: string,
  region: string,
  plan: string,
  name: string,
): Promise<void> {
  await db
    .deleteFrom("backup_testing_selection")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("plan", "=", plan)
    .where("name", "=", name)
    .execute();
}
