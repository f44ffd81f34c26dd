/** Tests of models, with their utterances and results. */
import type { Kysely } from "kysely";
import { type BatchTest, type BatchTestStatus, TESTS_KEPT_MAX } from "../domain/batch-tests.ts";
import type { BatchTestRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

const testOf = (row: BatchTestRow): BatchTest => ({
  id: row.id,
  application: row.application,
  status: row.status as BatchTestStatus,
  blob: row.blob,
  utterances: JSON.parse(row.utterances),
  result: row.result ?? undefined,
  createdAtMs: Number(row.created_at),
  changedAtMs: Number(row.changed_at),
});

const rowOf = (account: string, test: BatchTest): BatchTestRow => ({
  account,
  id: test.id,
  application: test.application,
  status: test.status,
  blob: test.blob,
  utterances: JSON.stringify(test.utterances),
  result: test.result ?? null,
  created_at: test.createdAtMs,
  changed_at: test.changedAtMs,
});

/** The application's oldest tests make room. */
export async function insertBatchTest(db: Db, account: string, test: BatchTest): Promise<void> {
  await db.insertInto("language_batch_test").values(rowOf(account, test)).execute();
  const old = await db
    .selectFrom("language_batch_test")
    .select("id")
    .where("account", "=", account)
    .where("application", "=", test.application)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .offset(TESTS_KEPT_MAX)
    .limit(TESTS_KEPT_MAX)
    .execute();
  if (old.length === 0) return;
  await db
    .deleteFrom("language_batch_test")
    .where("account", "=", account)
    .where(
      "id",
      "in",
      old.map(({ id }) => id),
    )
    .execute();
}

export async function updateBatchTest(db: Db, account: string, test: BatchTest): Promise<void> {
  const { status, result, changed_at } = rowOf(account, test);
  await db
    .updateTable("language_batch_test")
    .set({ status, result, changed_at })
    .where("account", "=", account)
    .where("id", "=", test.id)
    .execute();
}

export async function findBatchTest(
  db: Db,
  account: string,
  application: string,
  id: string,
): Promise<BatchTest | undefined> {
  const row = await db
    .selectFrom("language_batch_test")
    .selectAll()
    .where("account", "=", account)
    .where("application", "=", application)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && testOf(row);
}
