/** The dictionary learns from the queue of index work, also from rows of earlier versions. */
import { afterAll, expect, it } from "vitest";
import { migrate, openSqlite } from "#kernel/db";
import { migrations } from "../migrations/index.ts";
import { leaveWork, takeIndexWork } from "./index-work.ts";
import { findKnown } from "./words.ts";

const database = openSqlite(undefined);
afterAll(() => database.close());

it("adds up what several rows say of a word", async () => {
  await migrate(database, [{ owner: "podcasts", migrations }], 0);
  await database.transact(async (db) => {
    const earlier = { account: "a", id: "1", kind: "words", detail: '{"bread":2,"constructor":1,"salt":1}' };
    await db.insertInto("podcasts_index_work").values(earlier).execute();
    await leaveWork(db, "a", {
      words: [
        ["bread", 3],
        ["__proto__", 1],
        ["salt", -1],
      ],
    });
    await leaveWork(db, "a", { words: [] });
    await leaveWork(db, "a", { podcastId: "p" });
  });
  expect(await database.transact((db) => takeIndexWork(db, "a", 10))).toEqual({
    podcastIds: ["p"],
    isEmpty: false,
  });
  expect(await findKnown(database.read, "a", ["bread", "constructor", "__proto__", "salt"])).toEqual([
    { word: "__proto__", count: 1 },
    { word: "bread", count: 5 },
    { word: "constructor", count: 1 },
  ]);
  expect(await database.transact((db) => takeIndexWork(db, "a", 10))).toEqual({
    podcastIds: [],
    isEmpty: true,
  });
});
