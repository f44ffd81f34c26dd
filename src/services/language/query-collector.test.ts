/** How many queries are written down, and how many are kept. */
import { afterAll, expect, it } from "vitest";
import { migrate, openSqlite } from "#kernel/db";
import type { Instance } from "#kernel/operation";
import { migrations } from "./migrations.ts";
import { QueryCollector } from "./query-collector.ts";

const database = openSqlite(undefined);
afterAll(() => database.close());

it("writes 5,000 queries of a second down, and keeps 10,000 of an application", async () => {
  await migrate(database, [{ owner: "language", migrations }], 0);
  let last = 0;
  const nextId = () => {
    last += 1;
    return String(last).padStart(8, "0");
  };
  const collector = new QueryCollector({
    ids: { sortable: nextId },
    transactAs: (_service: string, _account: string, work: (context: object) => Promise<void>) =>
      database.transact((db) => work({ db })),
    log: {
      error: (message: string) => {
        throw new Error(message);
      },
    },
  } as unknown as Instance);
  const note = async (count: number, application = "a") => {
    for (let number = 1; number <= count; number += 1)
      collector.note(
        "1",
        {
          ...{ application, versionUid: "v", slot: "", text: `${count}`, intent: "i", score: 1 },
          ...{ answer: "{}", askedAtMs: 0 },
        },
        true,
      );
    await collector.flush();
    const rows = await database.read.selectFrom("language_query").select("id").orderBy("id").execute();
    return [rows.length, Number(rows[0]?.id)];
  };
  expect(await note(5_000)).toEqual([5_000, 1]);
  expect(await note(5_001)).toEqual([10_000, 1]);
  expect(await note(1, "other")).toEqual([10_001, 1]);
  expect(await note(1)).toEqual([10_001, 2]);
});
