/** Audit frameworks with what their controls found. */
import type { Kysely } from "kysely";
import type { Control, Finding } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { FindingRow, FrameworkRow, Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;
export type Framework = Omit<FrameworkRow, "controls"> & { readonly controls: readonly Control[] };

const frameworkOf = (row: FrameworkRow): Framework => ({
  ...row,
  controls: JSON.parse(row.controls) as Control[],
});
const frameworksOf = (db: Db, account: string, region: string) =>
  db.selectFrom("backup_framework").selectAll().where("account", "=", account).where("region", "=", region);

export async function findFramework(
  db: Db,
  account: string,
  region: string,
  name: string,
): Promise<Framework | undefined> {
  const row = await frameworksOf(db, account, region).where("name", "=", name).executeTakeFirst();
  return row && frameworkOf(row);
}
export async function getFramework(
  db: Db,
  account: string,
  region: string,
  name: string,
): Promise<Framework> {
  const framework = await findFramework(db, account, region, name);
  if (!framework) throw errors.notFound(`There is no framework ${name} in this account and region.`);
  return framework;
}
export async function listFrameworks(
  db: Db,
  account: string,
  region: string,
  page: { readonly after: string; readonly limit: number },
): Promise<Framework[]> {
  const rows = await frameworksOf(db, account, region)
    .where("name", ">", page.after)
    .orderBy("name")
    .limit(page.limit)
    .execute();
  return rows.map(frameworkOf);
}
export async function listFrameworksShown(db: Db, account: string, limit: number): Promise<Framework[]> {
  const rows = await db
    .selectFrom("backup_framework")
    .selectAll()
    .where("account", "=", account)
    .orderBy("region")
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map(frameworkOf);
}
export async function insertFramework(db: Db, account: string, framework: Framework): Promise<void> {
  await db
    .insertInto("backup_framework")
    .values({ ...framework, account, controls: JSON.stringify(framework.controls) })
    .execute();
}
export async function changeFramework(
  db: Db,
  account: string,
  { region, name }: Pick<FrameworkRow, "region" | "name">,
  change: Partial<Omit<FrameworkRow, "account" | "region" | "name">>,
): Promise<void> {
  await db
    .updateTable("backup_framework")
    .set(change)
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .execute();
}
export async function deleteFramework(db: Db, account: string, region: string, name: string): Promise<void> {
  await deleteFindings(db, account, region, name);
  await db
    .deleteFrom("backup_framework")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .execute();
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
/** By control, in the order of the framework; in place of those before. */
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
