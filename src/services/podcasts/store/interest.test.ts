/** How many searches are remembered: the last that is, and the first that is not. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate, openSqlite } from "#kernel/db";
import { migrations } from "../migrations/index.ts";
import { addSearch, forgetOldSearches, listTerms } from "./interest.ts";

const DAY_MS = 86_400_000;
const database = openSqlite(undefined);
beforeAll(() => migrate(database, [{ owner: "podcasts", migrations }], 0));
afterAll(() => database.close());
const termsOf = async (account: string) =>
  (await listTerms(database.read, account, 30_000)).map(({ term }) => term);

it("two hundred of one key on a day", async () => {
  const search = (number: number, keyName = "key", atMs = number) =>
    database.transact((db) =>
      addSearch(db, "a", { keyName, term: `term ${number}`, shown: `${number}`, before: undefined, atMs }),
    );
  for (let number = 1; number <= 200; number += 1) await search(number);
  expect(await termsOf("a")).toHaveLength(200);
  await search(201);
  expect(await termsOf("a")).toHaveLength(200);
  await search(202, "other");
  await search(203, "key", DAY_MS);
  expect((await termsOf("a")).filter((term) => /20[1-3]/.test(term)).sort()).toEqual([
    "term 202",
    "term 203",
  ]);
});

it("the twenty thousand of an account that are searched for most", async () => {
  const fill = (from: number, to: number) =>
    database.transact(async (db) => {
      for (let first = from; first <= to; first += 200) {
        const numbers = Array.from({ length: Math.min(200, to - first + 1) }, (_, at) => first + at);
        const rows = numbers.map((heat) => ({ account: "b", term: `t${heat}`, shown: "", heat }));
        await db.insertInto("podcasts_term").values(rows).execute();
      }
      await forgetOldSearches(db, 0);
    });
  await fill(1, 20_000);
  expect(await termsOf("b")).toHaveLength(20_000);
  await fill(20_001, 20_001);
  const left = await termsOf("b");
  expect([left.length, left[0], left.at(-1)]).toEqual([20_000, "t20001", "t2"]);
});
