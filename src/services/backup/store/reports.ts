/** Report plans and the reports they made. */
import type { Kysely } from "kysely";
import type { DeliveryChannel, ReportFormat, ReportSetting } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { ReportJobRow, ReportPlanRow, Tables } from "../tables/index.ts";
import { NamedStore } from "./named.ts";
import { equal, type NewestFirstKey, newestFirst, type Span, within } from "./newest-first.ts";

type Db = Kysely<Tables>;
export type ReportPlan = Omit<ReportPlanRow, "setting" | "channel"> & {
  readonly setting: ReportSetting;
  readonly channel: DeliveryChannel;
};
export type ReportFile = { readonly key: string; readonly format: ReportFormat; readonly blobId: string };
export type ReportJob = Omit<ReportJobRow, "files"> & { readonly files: readonly ReportFile[] };

const jobOf = (row: ReportJobRow): ReportJob => ({ ...row, files: JSON.parse(row.files) as ReportFile[] });
export const {
  find: findReportPlan,
  get: getReportPlan,
  list: listReportPlans,
  insert: insertReportPlan,
  change: changeReportPlan,
  remove: deleteReportPlan,
} = new NamedStore<"backup_report_plan", ReportPlan>("backup_report_plan", {
  noun: "report plan",
  json: ["setting", "channel"],
});
export async function findReportPlanOnFramework(
  db: Db,
  account: string,
  region: string,
  frameworkArn: string,
): Promise<ReportPlan | undefined> {
  const plans = await listReportPlans(db, account, region);
  return plans.find(({ setting }) => setting.frameworkArns.includes(frameworkArn));
}
const reportJobsOf = (db: Db, account: string, region: string) =>
  db.selectFrom("backup_report_job").selectAll().where("account", "=", account).where("region", "=", region);
export async function findReportJob(
  db: Db,
  account: string,
  region: string,
  id: string,
): Promise<ReportJob | undefined> {
  const row = await reportJobsOf(db, account, region).where("id", "=", id).executeTakeFirst();
  return row && jobOf(row);
}
export async function getReportJob(db: Db, account: string, region: string, id: string): Promise<ReportJob> {
  const job = await findReportJob(db, account, region, id);
  if (!job) throw errors.notFound(`There is no report job ${id} in this account and region.`);
  return job;
}
export async function findReportJobByToken(
  db: Db,
  account: string,
  region: string,
  plan: string,
  token: string,
): Promise<ReportJob | undefined> {
  const row = await reportJobsOf(db, account, region)
    .where("plan", "=", plan)
    .where("token", "=", token)
    .executeTakeFirst();
  return row && jobOf(row);
}
/** The newest first. */
export async function listReportJobs(
  db: Db,
  account: string,
  region: string,
  filter: {
    readonly plan?: string | undefined;
    readonly status?: string | undefined;
    readonly created?: Span;
  },
  { after, limit }: { after?: NewestFirstKey | undefined; limit: number },
): Promise<ReportJob[]> {
  const query = equal(db.selectFrom("backup_report_job").selectAll(), {
    account,
    region,
    plan: filter.plan,
    status: filter.status,
  });
  const rows = await newestFirst(within(query, "created_at", filter.created ?? {}), after, limit).execute();
  return (rows as ReportJobRow[]).map(jobOf);
}
export async function insertReportJob(db: Db, account: string, job: ReportJob): Promise<void> {
  await db
    .insertInto("backup_report_job")
    .values({ ...job, account, files: JSON.stringify(job.files) })
    .execute();
}
export async function changeReportJob(
  db: Db,
  account: string,
  { region, id }: Pick<ReportJobRow, "region" | "id">,
  change: Partial<Pick<ReportJobRow, "status" | "message" | "files" | "completed_at">>,
): Promise<void> {
  await db
    .updateTable("backup_report_job")
    .set(change)
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .execute();
}
export async function deleteReportJob(db: Db, account: string, region: string, id: string): Promise<void> {
  await db
    .deleteFrom("backup_report_job")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .execute();
}

/** The regions in which an account has vaults. */
export async function listRegions(db: Db, account: string): Promise<string[]> {
  const rows = await db
    .selectFrom("backup_vault")
    .select("region")
    .distinct()
    .where("account", "=", account)
    .orderBy("region")
    .execute();
  return rows.map(({ region }) => region);
}
