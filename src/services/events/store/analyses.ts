/** Queries for analyses of detector models. */
import type { Kysely } from "kysely";
import { deleteSome } from "#kernel/db";
import { errors } from "../errors.ts";
import type { AnalysisRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export async function insertAnalysis(db: Db, row: AnalysisRow): Promise<void> {
  await db.insertInto("events_analysis").values(row).execute();
}
export const findAnalysis = (
  db: Db,
  account: string,
  region: string,
  id: string,
): Promise<AnalysisRow | undefined> =>
  db
    .selectFrom("events_analysis")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .executeTakeFirst();
export async function getAnalysis(db: Db, account: string, region: string, id: string): Promise<AnalysisRow> {
  const analysis = await findAnalysis(db, account, region, id);
  if (!analysis) throw errors.notFound(`There is no analysis ${id} in this account and region.`);
  return analysis;
}
export async function finishAnalysis(
  db: Db,
  { account, region, id }: AnalysisRow,
  status: string,
  results: string,
): Promise<void> {
  await db
    .updateTable("events_analysis")
    .set({ status, results })
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .execute();
}
export async function countRunning(db: Db, account: string, region: string): Promise<number> {
  const { count } = await db
    .selectFrom("events_analysis")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("region", "=", region)
    .where("status", "=", "RUNNING")
    .executeTakeFirstOrThrow();
  return Number(count);
}
/** Deletes some. Returns whether there may be more. */
export const deleteAnalysesBefore = (db: Db, beforeMs: number): Promise<boolean> =>
  deleteSome(db, "events_analysis", (analyses) => analyses.where("created_at", "<", beforeMs));
