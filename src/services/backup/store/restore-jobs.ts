/** Restore jobs as rows. */
import type { Kysely } from "kysely";
import { errors } from "../errors.ts";
import type { RestoreJobRow, Tables } from "../tables/index.ts";
import type { JobKey } from "./backup-jobs.ts";
import { equal, type NewestFirstKey, newestFirst, type Span, within } from "./newest-first.ts";

type Db = Kysely<Tables>;

const jobsOf = (db: Db, account: string, region: string) =>
  db.selectFrom("backup_restore_job").selectAll().where("account", "=", account).where("region", "=", region);
export const findRestoreJob = (db: Db, account: string, region: string, id: string) =>
  jobsOf(db, account, region).where("id", "=", id).executeTakeFirst();
export async function getRestoreJob(
  db: Db,
  account: string,
  region: string,
  id: string,
): Promise<RestoreJobRow> {
  const job = await findRestoreJob(db, account, region, id);
  if (!job) throw errors.notFound(`There is no restore job ${id} in this account and region.`);
  return job;
}
export const findRestoreJobByToken = (db: Db, account: string, region: string, token: string) =>
  jobsOf(db, account, region).where("token", "=", token).executeTakeFirst();
export async function insertRestoreJob(db: Db, row: RestoreJobRow): Promise<void> {
  await db.insertInto("backup_restore_job").values(row).execute();
}
export async function updateRestoreJob(
  db: Db,
  { account, region, id }: JobKey,
  changes: Partial<RestoreJobRow>,
): Promise<void> {
  await db
    .updateTable("backup_restore_job")
    .set(changes)
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .execute();
}

export type RestoreJobFilter = {
  readonly resourceArn?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly state?: string | undefined;
  readonly testingPlanArn?: string | undefined;
  readonly created?: Span;
  readonly completed?: Span;
  readonly pointCreated?: Span;
};
/** The newest first. */
export function listRestoreJobs(
  db: Db,
  account: string,
  region: string,
  filter: RestoreJobFilter,
  { after, limit }: { after?: NewestFirstKey | undefined; limit: number },
): Promise<RestoreJobRow[]> {
  const query = equal(db.selectFrom("backup_restore_job").selectAll(), {
    account,
    region,
    resource_arn: filter.resourceArn,
    resource_type: filter.resourceType,
    state: filter.state,
    testing_plan_arn: filter.testingPlanArn,
  });
  const created = within(query, "created_at", filter.created ?? {});
  const completed = within(created, "completed_at", filter.completed ?? {});
  const ofPoints = within(completed, "point_created_at", filter.pointCreated ?? {});
  return newestFirst(ofPoints, after, limit).execute() as Promise<RestoreJobRow[]>;
}

/** Of all regions, the newest first. */
export const listRestoreJobsShown = (db: Db, account: string, limit: number): Promise<RestoreJobRow[]> =>
  newestFirst(
    equal(db.selectFrom("backup_restore_job").selectAll(), { account }),
    undefined,
    limit,
  ).execute() as Promise<RestoreJobRow[]>;
