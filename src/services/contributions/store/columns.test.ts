/** Word searches use the columns if few rows match, and the database if many do, or if the account is too large. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate, openSqlite } from "#kernel/db";
import { ColumnCache } from "../domain/column-cache.ts";
import { migrations } from "../migrations/index.ts";
import { findPlacesByColumns, readColumns, WITH_WORDS_MAX } from "./columns.ts";
import { countRefinements } from "./refinements.ts";

const ACCOUNT = "a";
const count = WITH_WORDS_MAX + 1;
const sight = { everything: true, goneAssignments: [] } as const;
const database = openSqlite(undefined);
beforeAll(async () => {
  await migrate(database, [{ owner: "contributions", migrations }], 0);
  await database.transact((db) =>
    sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < ${count})
      insert into contributions_contribution (account, place, id, assignment_id, owner_id, headline, body, attribution, url_words,
        words, facets, state, is_public, images, videos, likes, flags, external_ids, via)
      select ${ACCOUNT}, n, 'c' || n, 'g', case when n % 2 = 0 then 'even' else 'odd' end, '', '', '', '',
        case when n < ${count} then 'bread butter' else 'bread' end, '_', 'approved', 1, 0, 0, 0, 0, '{}', '{}' from number`.execute(
      db,
    ),
  );
});
afterAll(() => database.close());

it("tells a page and the number of all where the words are few enough", async () => {
  const cache = new ColumnCache();
  const find = (q: string) =>
    findPlacesByColumns(
      database.read,
      ACCOUNT,
      cache,
      { filter: { q, ownedBy: "even" }, sight },
      { limit: 3, offset: 1 },
    );
  expect(await find("butter")).toBeUndefined();
  await readColumns(database.read, ACCOUNT, cache);
  expect(await find("butter")).toEqual({
    places: [count - 3, count - 5, count - 7],
    total: (count - 1) / 2,
  });
  expect(await find("bread")).toBeUndefined();
});

it("keeps nothing of an account that is too large, and no other account has to go for it", async () => {
  const cache = new ColumnCache(count - 1);
  expect(cache.hasRoomFor("other", 0)).toBe(true);
  await readColumns(database.read, ACCOUNT, cache);
  expect([cache.isTooLarge(ACCOUNT), cache.isKnown(ACCOUNT), cache.of(ACCOUNT).size]).toEqual([
    true,
    false,
    0,
  ]);
  const page = findPlacesByColumns(database.read, ACCOUNT, cache, { filter: {}, sight }, { limit: 3 });
  expect(await page).toBeUndefined();
  const wanted = { refinements: ["assignment"], limit: 1 } as const;
  const counts = await countRefinements(database.read, ACCOUNT, cache, { filter: {}, sight }, wanted);
  expect(counts.get("assignment")).toEqual([{ value: "g", count }]);
  expect(cache.hasRoomFor("other", count - 1)).toBe(true);
  expect(cache.isTooLarge(ACCOUNT)).toBe(true);
});
it("gives up an account that has become too large while a page of it is read", async () => {
  const cache = new ColumnCache(count);
  await readColumns(database.read, ACCOUNT, cache);
  const find = () => findPlacesByColumns(database.read, ACCOUNT, cache, { filter: {}, sight }, { limit: 1 });
  expect(await find()).toEqual({ places: [count], total: count });
  await database.transact((db) =>
    sql`insert into contributions_contribution (account, place, id, assignment_id, owner_id, headline, body, attribution,
      url_words, words, facets, state, is_public, images, videos, likes, flags, external_ids, via)
      values (${ACCOUNT}, ${count + 1}, 'more', 'g', 'odd', '', '', '', '', 'more', '_', 'approved', 1, 0, 0, 0, 0, '{}', '{}')`.execute(
      db,
    ),
  );
  expect(await find()).toBeUndefined();
});
