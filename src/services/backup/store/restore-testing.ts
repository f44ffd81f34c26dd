/** Restore testing plans and selections. */
import type { Kysely } from "kysely";
import type { TestingPlan, TestingSelection } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { Tables, TestingPlanRow, TestingSelectionRow } from "../tables/index.ts";
import { NamedStore } from "./named.ts";

type Db = Kysely<Tables>;
export type TestingPlanRecord = Omit<TestingPlanRow, "document"> & { readonly document: TestingPlan };
export type TestingSelectionRecord = Omit<TestingSelectionRow, "document"> & {
  readonly document: TestingSelection;
};

export const {
  find: findTestingPlan,
  get: getTestingPlan,
  list: listTestingPlans,
  insert: insertTestingPlan,
  change: changeTestingPlan,
  remove: deleteTestingPlan,
} = new NamedStore<"backup_testing_plan", TestingPlanRecord>("backup_testing_plan", {
  noun: "restore testing plan",
  json: ["document"],
});

const selectionOf = (row: TestingSelectionRow): TestingSelectionRecord => ({
  ...row,
  document: JSON.parse(row.document) as TestingSelection,
});
const selectionsOf = (db: Db, account: string, region: string, plan: string) =>
  db
    .selectFrom("backup_testing_selection")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("plan", "=", plan);

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
