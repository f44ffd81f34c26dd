/** The latest hundred test runs of an application are kept. */
import { afterAll, expect, it } from "vitest";
import { migrate, openSqlite } from "#kernel/db";
import { migrations } from "../migrations.ts";
import { insertTestRun, listTestRuns } from "./test-sets.ts";

const RUNS_KEPT_MAX = 100;
const database = openSqlite(undefined);
afterAll(() => database.close());

it("forgets the oldest of an application, and none of another", async () => {
  await migrate(database, [{ owner: "language", migrations }], 0);
  const run = (number: number, application = "a") => ({
    id: `${application}${number}`,
    application,
    version: "0.1",
    blob: "b",
    status: "notstarted" as const,
    trainedAtMs: number,
    result: undefined,
  });
  await database.transact(async (db) => {
    await insertTestRun(db, "1", run(0, "other"));
    for (let number = 0; number <= RUNS_KEPT_MAX; number += 1) await insertTestRun(db, "1", run(number));
  });
  const kept = await listTestRuns(database.read, "1", "a", 1000);
  expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([RUNS_KEPT_MAX, `a${RUNS_KEPT_MAX}`, "a1"]);
  expect(await listTestRuns(database.read, "1", "other", 1000)).toHaveLength(1);
});
