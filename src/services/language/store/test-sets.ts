/** Test sets of applications, and their runs. */
import type { Kysely } from "kysely";
import type { BatchTestStatus } from "../domain/batch-tests.ts";
import { RUNS_KEPT_MAX, type TestRun } from "../domain/test-sets.ts";
import type { Tables, TestRunRow } from "../tables.ts";

type Db = Kysely<Tables>;

/** As it was given. */
export async function findTestSet(db: Db, account: string, application: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("language_test_set")
    .select("utterances")
    .where("account", "=", account)
    .where("application", "=", application)
    .executeTakeFirst();
  return row?.utterances;
}
export async function putTestSet(
  db: Db,
  account: string,
  { application, utterances, changedAtMs }: { application: string; utterances: string; changedAtMs: number },
): Promise<void> {
  await db
    .insertInto("language_test_set")
    .values({ account, application, utterances, changed_at: changedAtMs })
    .onConflict((conflict) =>
      conflict.columns(["account", "application"]).doUpdateSet({ utterances, changed_at: changedAtMs }),
    )
    .execute();
}
export async function deleteTestSet(db: Db, account: string, application: string): Promise<void> {
  await db
    .deleteFrom("language_test_set")
    .where("account", "=", account)
    .where("application", "=", application)
    .execute();
}

const runOf = (row: TestRunRow): TestRun => ({
  id: row.id,
  application: row.application,
  version: row.version,
  blob: row.blob,
  status: row.status as BatchTestStatus,
  trainedAtMs: Number(row.trained_at),
  result: row.result === null ? undefined : JSON.parse(row.result),
});
/** The oldest make room. */
export async function insertTestRun(db: Db, account: string, run: TestRun): Promise<void> {
  const { id, application, version, blob, status, trainedAtMs } = run;
  await db
    .insertInto("language_test_run")
    .values({ account, id, application, version, blob, status, result: null, trained_at: trainedAtMs })
    .execute();
  const old = (await listTestRuns(db, account, application, RUNS_KEPT_MAX + 1)).slice(RUNS_KEPT_MAX);
  for (const one of old)
    await db
      .deleteFrom("language_test_run")
      .where("account", "=", account)
      .where("id", "=", one.id)
      .execute();
}
export async function updateTestRun(
  db: Db,
  account: string,
  { id, status, result }: Pick<TestRun, "id" | "status" | "result">,
): Promise<void> {
  await db
    .updateTable("language_test_run")
    .set({ status, result: result === undefined ? null : JSON.stringify(result) })
    .where("account", "=", account)
    .where("id", "=", id)
    .execute();
}
export async function findTestRun(db: Db, account: string, id: string): Promise<TestRun | undefined> {
  const row = await db
    .selectFrom("language_test_run")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && runOf(row);
}
/** The latest first. */
export async function listTestRuns(
  db: Db,
  account: string,
  application: string,
  limit: number,
): Promise<TestRun[]> {
  const rows = await db
    .selectFrom("language_test_run")
    .selectAll()
    .where("account", "=", account)
    .where("application", "=", application)
    .orderBy("trained_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(runOf);
}
