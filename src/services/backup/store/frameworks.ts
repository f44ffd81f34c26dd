/** Audit frameworks and the findings of their controls. */
import type { Kysely } from "kysely";
import { listOfAllRegions } from "#kernel/db";
import type { Control, Finding } from "../domain/index.ts";
import type { FindingRow, FrameworkRow, Tables } from "../tables/index.ts";
import { NamedStore } from "./named.ts";

type Db = Kysely<Tables>;
export type Framework = Omit<FrameworkRow, "controls"> & { readonly controls: readonly Control[] };

const frameworks = new NamedStore<"backup_framework", Framework>("backup_framework", {
  noun: "framework",
  json: ["controls"],
});
export const {
  find: findFramework,
  get: getFramework,
  list: listFrameworks,
  insert: insertFramework,
  change: changeFramework,
} = frameworks;
export async function listFrameworksShown(db: Db, account: string, limit: number): Promise<Framework[]> {
  const rows = await listOfAllRegions(db, "backup_framework", account, limit);
  return rows.map(frameworks.keptOf);
}
export async function deleteFramework(db: Db, account: string, region: string, name: string): Promise<void> {
  await deleteFindings(db, account, region, name);
  await frameworks.remove(db, account, region, name);
}

async function deleteFindings(db: Db, account: string, region: string, framework: string): Promise<void> {
  await db
    .deleteFrom("backup_finding")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("framework", "=", framework)
    .execute();
}
const FINDINGS_AT_ONCE = 100;
/** Replaces the findings by control, in the order of the framework. */
export async function replaceFindings(
  db: Db,
  account: string,
  { region, name }: Pick<FrameworkRow, "region" | "name">,
  findings: readonly (readonly Finding[])[],
): Promise<void> {
  await deleteFindings(db, account, region, name);
  const rows = findings.flatMap((found, control) =>
    found.map(({ arn, type, isCompliant }) => ({
      account,
      region,
      framework: name,
      control,
      arn,
      type,
      compliant: isCompliant ? 1 : 0,
    })),
  );
  for (let start = 0; start < rows.length; start += FINDINGS_AT_ONCE)
    await db
      .insertInto("backup_finding")
      .values(rows.slice(start, start + FINDINGS_AT_ONCE))
      .execute();
}
/** By control and name. */
export const listFindings = (
  db: Db,
  account: string,
  region: string,
  framework: string,
  page: { readonly control: number; readonly after: string; readonly limit: number },
): Promise<FindingRow[]> =>
  db
    .selectFrom("backup_finding")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("framework", "=", framework)
    .where("control", "=", page.control)
    .where("arn", ">", page.after)
    .orderBy("arn")
    .limit(page.limit)
    .execute();
export async function countFindings(
  db: Db,
  account: string,
  region: string,
  framework: string,
): Promise<{ readonly control: number; readonly isCompliant: boolean; readonly count: number }[]> {
  const rows = await db
    .selectFrom("backup_finding")
    .select(({ fn }) => ["control", "compliant", fn.countAll<number>().as("count")])
    .where("account", "=", account)
    .where("region", "=", region)
    .where("framework", "=", framework)
    .groupBy(["control", "compliant"])
    .execute();
  return rows.map(({ control, compliant, count }) => ({
    control,
    isCompliant: compliant === 1,
    count: Number(count),
  }));
}
