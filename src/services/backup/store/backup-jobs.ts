/** Backup jobs as rows. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import { errors } from "../errors.ts";
import type { BackupJobRow, Tables } from "../tables/index.ts";
import { equal, type NewestFirstKey, newestFirst, type Span, within } from "./newest-first.ts";

type Db = Kysely<Tables>;
const { compiledChange, compiledInsertRow, compiledQuery } = queriesOf<Db>();
export type JobKey = { readonly account: string; readonly region: string; readonly id: string };

const jobsOf = (db: Db, account: string, region: string) =>
  db.selectFrom("backup_job").selectAll().where("account", "=", account).where("region", "=", region);
const selectJob = compiledQuery<BackupJobRow, [string, string, string]>(
  ["", "", ""],
  (db: Db, account, region, id) => jobsOf(db, account, region).where("id", "=", id),
);
export async function findBackupJob(
  db: Db,
  account: string,
  region: string,
  id: string,
): Promise<BackupJobRow | undefined> {
  const [row] = await selectJob(db, account, region, id);
  return row;
}
export async function getBackupJob(
  db: Db,
  account: string,
  region: string,
  id: string,
): Promise<BackupJobRow> {
  const job = await findBackupJob(db, account, region, id);
  if (!job) throw errors.notFound(`There is no backup job ${id} in this account and region.`);
  return job;
}
export const findBackupJobByToken = (db: Db, account: string, region: string, token: string) =>
  jobsOf(db, account, region).where("token", "=", token).executeTakeFirst();
export const insertBackupJob = compiledInsertRow<BackupJobRow>("backup_job");
export const updateBackupJob = compiledChange<BackupJobRow, keyof JobKey>("backup_job", [
  "account",
  "region",
  "id",
]);

export type BackupJobFilter = {
  readonly resourceArn?: string | undefined;
  readonly state?: string | undefined;
  readonly vault?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly parentId?: string | undefined;
  readonly messageCategory?: string | undefined;
  readonly created?: Span;
  readonly completed?: Span;
};
/** The newest first. */
export function listBackupJobs(
  db: Db,
  account: string,
  region: string,
  filter: BackupJobFilter,
  { after, limit }: { after?: NewestFirstKey | undefined; limit: number },
): Promise<BackupJobRow[]> {
  const query = equal(db.selectFrom("backup_job").selectAll(), {
    account,
    region,
    resource_arn: filter.resourceArn,
    state: filter.state,
    vault: filter.vault,
    resource_type: filter.resourceType,
    parent_id: filter.parentId,
    message_category: filter.messageCategory,
  });
  const created = within(query, "created_at", filter.created ?? {});
  const completed = within(created, "completed_at", filter.completed ?? {});
  return newestFirst(completed, after, limit).execute() as Promise<BackupJobRow[]>;
}
export const listBackupJobsShown = (db: Db, account: string, limit: number): Promise<BackupJobRow[]> =>
  newestFirst(
    equal(db.selectFrom("backup_job").selectAll(), { account }),
    undefined,
    limit,
  ).execute() as Promise<BackupJobRow[]>;

/** How many children of a job are in which state. */
export async function countChildren(
  db: Db,
  account: string,
  region: string,
  table: "backup_job" | "backup_copy_job",
  parentId: string,
): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom(table)
    .select(({ fn }) => ["state", fn.countAll().as("count")])
    .where("account", "=", account)
    .where("region", "=", region)
    .where("parent_id", "=", parentId)
    .groupBy("state")
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}
