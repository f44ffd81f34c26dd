/**
 * Any number of rows that wait for SQLite's full-text index enter it in batches, and searches find them all the
 * time.
 */
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { migrate, openSqlite } from "#kernel/db";
import { tailEndOf } from "../domain/search-tail.ts";
import { migrations } from "../migrations/index.ts";
import { countContributions } from "./search.ts";
import { MOVED_AT_ONCE, moveSearchTail } from "./search-tail.ts";

const ACCOUNT = "a";
const NOW_MS = 1_000_000;
const END = tailEndOf(NOW_MS);
const database = openSqlite(undefined);
afterAll(() => database.close());

/** As an import writes them: rows only. */
const load = (count: number, firstPlace: number) =>
  database.transact((db) =>
    sql`with recursive number (n) as (select 0 union all select n + 1 from number where n < ${count - 1})
      insert into contributions_contribution (account, place, id, assignment_id, owner_id, headline, body, attribution, url_words,
        words, facets, state, is_public, images, videos, likes, flags, external_ids, via)
      select ${ACCOUNT}, ${firstPlace} + n, 'c' || (${firstPlace} + n), 'g', 'o', '', '', '', '', 'bread', '_', 'approved', 1, 0, 0, 0, 0, '{}', '{}'
      from number`.execute(db),
  );
const countIndexed = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from contributions_fts
    where contributions_fts match ${`words : ${ACCOUNT}bread`}`.execute(database.read);
  return Number(rows[0]?.count);
};
const countFound = () =>
  countContributions(database.read, ACCOUNT, {
    filter: { q: "bre" },
    sight: { everything: true, goneAssignments: [] },
  });
const move = () => database.transact((db) => moveSearchTail(db, NOW_MS));

it("takes no more at once than a contribution can wait for", async () => {
  await migrate(database, [{ owner: "contributions", migrations }], 0);
  expect(await move()).toBe(false);
  const count = 2 * MOVED_AT_ONCE + 1;
  await load(count, 1);
  expect([await countIndexed(), await countFound()]).toEqual([0, count]);
  expect(await move()).toBe(true);
  expect([await countIndexed(), await countFound()]).toEqual([MOVED_AT_ONCE, count]);
  expect(await move()).toBe(true);
  expect([await countIndexed(), await countFound()]).toEqual([2 * MOVED_AT_ONCE, count]);
  expect(await move()).toBe(false);
  expect([await countIndexed(), await countFound()]).toEqual([count, count]);
});
it("lets what is of other times go into the index by itself", async () => {
  const [indexed, found] = [await countIndexed(), await countFound()];
  await load(10, END);
  expect([await countIndexed(), await countFound()]).toEqual([indexed + 10, found + 10]);
});
