/** Queries for logs of detectors and alarms, and for logging options. */
import type { Kysely } from "kysely";
import { deleteSome, eachAccount, findFirstBeyond, queriesOf } from "#kernel/db";
import type { LogRow, Tables } from "../tables.ts";
import { inSizes } from "./sizes.ts";

type Db = Kysely<Tables>;
const { compiledInsertAll, compiledQuery } = queriesOf<Db>();

const insertRows = compiledInsertAll<LogRow>("events_log", [
  "account",
  "id",
  "model_id",
  "region",
  "model",
  "key",
  "level",
  "kind",
  "text",
  "from_state",
  "to_state",
  "at",
]);
export async function insertLogs(db: Db, rows: readonly LogRow[]): Promise<void> {
  for (const some of inSizes(rows)) await insertRows(db, some);
}
/** Entries after `after`, in the order of writing. */
export const listLogs = (db: Db, account: string, after: string, limit: number): Promise<LogRow[]> =>
  db
    .selectFrom("events_log")
    .selectAll()
    .where("account", "=", account)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
export const listNewestLogs = (db: Db, account: string, limit: number): Promise<LogRow[]> =>
  db
    .selectFrom("events_log")
    .selectAll()
    .where("account", "=", account)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

export const accountsWithLogs = (db: Db): AsyncGenerator<string> => eachAccount(db, "events_log");

/** Keeps the newest entries. Deletes some of the others; returns whether there may be more. */
export async function pruneLogs(db: Db, account: string, keptMax: number): Promise<boolean> {
  const border = await findFirstBeyond(db, "events_log", account, keptMax);
  if (border === undefined) return false;
  return deleteSome(db, "events_log", (logs) =>
    logs.where("account", "=", account).where("id", "<=", border),
  );
}

const selectLogging = compiledQuery<{ options: string }, [string, string]>(
  ["", ""],
  (db: Db, account, region) =>
    db
      .selectFrom("events_logging")
      .select("options")
      .where("account", "=", account)
      .where("region", "=", region),
);
export async function findLogging(db: Db, account: string, region: string): Promise<string | undefined> {
  return (await selectLogging(db, account, region))[0]?.options;
}
export async function putLogging(db: Db, account: string, region: string, options: string): Promise<void> {
  await db
    .insertInto("events_logging")
    .values({ account, region, options })
    .onConflict((conflict) => conflict.columns(["account", "region"]).doUpdateSet({ options }))
    .execute();
}
