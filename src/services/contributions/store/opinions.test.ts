/** How many opinions are told: the last that is, and the first that is not. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate, openSqlite } from "#kernel/db";
import { migrations } from "../migrations/index.ts";
import { flagsOf, listLikes } from "./opinions.ts";

const database = openSqlite(undefined);
beforeAll(() => migrate(database, [{ owner: "contributions", migrations }], 0));
afterAll(() => database.close());

/** Rows of one contribution, the first of which is the oldest. */
const load = (table: string, columns: string, values: string, count: number, first = 1) =>
  database.transact((db) =>
    sql`with recursive number (n) as (select ${first} union all select n + 1 from number where n < ${first + count - 1})
      insert into ${sql.raw(table)} (account, contribution_id, ${sql.raw(columns)}) select 'a', 'c', ${sql.raw(values)}
      from number`.execute(db),
  );

it("the first ten thousand who like a contribution", async () => {
  const more = (count: number, first: number) =>
    load("contributions_like", "user_id, liked_at", "'u' || n, n", count, first);
  const listed = async () => (await listLikes(database.read, "a", "c")).length;
  await more(9999, 1);
  expect(await listed()).toBe(9999);
  await more(1, 10_000);
  expect(await listed()).toBe(10_000);
  await more(1, 10_001);
  expect([await listed(), (await listLikes(database.read, "a", "c")).at(-1)]).toEqual([10_000, "u10000"]);
});

it("the latest twenty flags of a contribution", async () => {
  const columns = "id, flagged_by, type, notes, flagged_at";
  const more = (count: number, first: number) =>
    load("contributions_flag", columns, "'f' || n, 'u' || n, 'other', '', n", count, first);
  const told = async () => ((await flagsOf(database.read, "a", ["c"])).get("c") ?? []).map(({ id }) => id);
  await more(20, 1);
  expect(await told()).toHaveLength(20);
  await more(1, 21);
  expect([(await told()).length, (await told())[0], (await told()).at(-1)]).toEqual([20, "f21", "f2"]);
});
