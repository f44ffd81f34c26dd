/** The latest ten tests of an application are kept. */
import { afterAll, expect, it } from "vitest";
import { migrate, openSqlite } from "#kernel/db";
import { migrations } from "../migrations.ts";
import { insertBatchTest } from "./batch-tests.ts";

const database = openSqlite(undefined);
afterAll(() => database.close());

it("forgets the oldest of an application, and none of another", async () => {
  await migrate(database, [{ owner: "language", migrations }], 0);
  const insert = (number: number, application = "a") =>
    database.transact((db) =>
      insertBatchTest(db, "1", {
        id: `${application}${number}`,
        application,
        blob: "b",
        status: "notstarted",
        utterances: [],
        result: undefined,
        createdAtMs: number,
        changedAtMs: number,
      }),
    );
  const kept = async () =>
    (await database.read.selectFrom("language_batch_test").select("id").orderBy("created_at").execute()).map(
      ({ id }) => id,
    );
  await insert(0, "other");
  for (let number = 1; number <= 10; number += 1) await insert(number);
  expect((await kept()).slice(0, 2)).toEqual(["other0", "a1"]);
  await insert(11);
  expect([(await kept()).length, ...(await kept()).slice(0, 2)]).toEqual([11, "other0", "a2"]);
});
