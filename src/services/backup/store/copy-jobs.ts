/** Copy jobs as rows. */
import type { Kysely } from "kysely";
import { errors } from "../errors.ts";
import type { CopyJobRow, Tables } from "../tables/index.ts";
import type { JobKey } from "./backup-jobs.ts";
import { equal, type NewestFirstKey, newestFirst, type Span, within } from "./newest-first.ts";

type Db = Kysely<Tables>;

const jobsOf = (db: Db, account: string, region: string) =>
  db.selectFrom("backup_copy_job").selectAll().where("account", "=", account).where("region", "=", region);
export const findCopyJob = (db: Db, account: string, region: string, id: string) =>
  jobsOf(db, account, region).where("id", "=", id).executeTakeFirst();
export async function getCopyJob(db: Db, account: string, region: string, id: string): Promise<CopyJobRow> {
  const job = await findCopyJob(db, account, region, id);
  if (!job) throw errors.notFound(`There is no copy job ${id} in this account and region.`);
  return job;
}
export const findCopyJobByToken = (db: Db, account: string, region: string, token: string) =>
  jobsOf(db, account, region).where("token", "=", token).executeTakeFirst();
export async function insertCopyJob(db: Db, row: CopyJobRow): Promise<void> {
  await db.insertInto("backup_copy_job").values(row).execute();
}
export async function updateCopyJob(
  db: Db,
  { account, region, id }: JobKey,
  changes: Partial<CopyJobRow>,
): Promise<void> {
  await db
    .updateTable("backup_copy_job")
    .set(changes)
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .execute();
}

export type CopyJobFilter = {
  readonly resourceArn?: string | undefined;
  readonly state?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly destinationVaultArn?: string | undefined;
  readonly parentId?: string | undefined;
  readonly messageCategory?: string | undefined;
  readonly created?: Span;
  readonly completed?: Span;
};
/** The newest first. */
export function listCopyJobs(
  db: Db,
  account: string,
  region: string,
  filter: CopyJobFilter,
  { after, limit }: { after?: NewestFirstKey | undefined; limit: number },
): Promise<CopyJobRow[]> {
  const query = equal(db.selectFrom("backup_copy_job").selectAll(), {
    account,
    region,
    resource_arn: filter.resourceArn,
    state: filter.state,
    resource_type: filter.resourceType,
    destination_vault_arn: filter.destinationVaultArn,
    parent_id: filter.parentId,
    message_category: filter.messageCategory,
  });
  const created = within(query, "created_at", filter.created ?? {});
  const completed = within(created, "completed_at", filter.completed ?? {});
  return newestFirst(completed, after, limit).execute() as Promise<CopyJobRow[]>;
}

/** Of all regions, the newest first. */
export const listCopyJobsShown = (db: Db, account: string, limit: number): Promise<CopyJobRow[]> =>
  newestFirst(
    equal(db.selectFrom("backup_copy_job").selectAll(), { account }),
    undefined,
    limit,
  ).execute() as Promise<CopyJobRow[]>;
