/** Word searches use the columns if few rows match, and the database if many do. */
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { migrate, openSqlite } from "#kernel/db";
import { ColumnCache } from "../domain/column-cache.ts";
import { migrations } from "../migrations/index.ts";
import { findPlacesByColumns, readColumns, WITH_WORDS_MAX } from "./columns.ts";

const ACCOUNT = "a";
const database = openSqlite(undefined);
afterAll(() => database.close());

it("tells a page and the number of all where the words are few enough", async () => {
  await migrate(database, [{ owner: "contributions", migrations }], 0);
  const count = WITH_WORDS_MAX + 1;
  await database.transact((db) =>
    sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < ${count})
      insert into contributions_contribution (account, place, id, assignment_id, owner_id, headline, body, attribution, url_words,
        words, facets, state, is_public, images, videos, likes, flags, external_ids, via)
      select ${ACCOUNT}, n, 'c' || n, 'g', case when n % 2 = 0 then 'even' else 'odd' end, '', '', '', '',
        case when n < ${count} then 'bread butter' else 'bread' end, '_', 'approved', 1, 0, 0, 0, 0, '{}', '{}' from number`.execute(
      db,
    ),
  );
  const cache = new ColumnCache();
  const find = (q: string) =>
    findPlacesByColumns(
      database.read,
      ACCOUNT,
      cache,
      { filter: { q, ownedBy: "even" }, sight: { everything: true, goneAssignments: [] } },
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
