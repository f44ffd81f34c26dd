/** On PostgreSQL, simultaneous contributions do not conflict, and deletion leaves nothing in the full-text index. */
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, migrate, openPostgres } from "#kernel/db";
import { createDatabase } from "../../../../tests/support/medley.ts";
import { migrations } from "../migrations/index.ts";

let database: Database;
beforeAll(async () => {
  database = await openPostgres({ url: await createDatabase(), connectionsMax: 2 });
  await migrate(database, [{ owner: "contributions", migrations }], 0);
});
afterAll(() => database.close());

const insert = (db: Kysely<unknown>, account: string, place: number) =>
  sql`insert into contributions_contribution (account, place, id, assignment_id, owner_id, headline, body, attribution, url_words,
      words, facets, state, is_public, images, videos, likes, flags, external_ids, via)
    values (${account}, ${place}, ${`c${place}`}, 'g', 'o', '', '', '', '', 'bread', '_', 'approved', 1, 0, 0, 0, 0, '{}', '{}')`.execute(
    db,
  );
const listIndexed = async (): Promise<number[]> => {
  const { rows } = await sql<{ place: number }>`select place from contributions_fts order by place`.execute(
    database.read,
  );
  return rows.map(({ place }) => Number(place));
};

it("each is made once, though others write beside it all the while", async () => {
  let attempts = 0;
  let written = 0;
  let goOn = () => {};
  const allWritten = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const contribute = (account: string, [first, second]: readonly [number, number]) =>
    database.transact(async (db) => {
      attempts += 1;
      await insert(db, account, first);
      written += 1;
      if (written === 2) goOn();
      await allWritten;
      await insert(db, account, second);
    });
  await Promise.all([contribute("a", [1, 3]), contribute("b", [2, 4])]);
  expect([attempts, await listIndexed()]).toEqual([2, [1, 2, 3, 4]]);
});

it("goes out of the index with its row", async () => {
  await database.transact((db) =>
    sql`delete from contributions_contribution where place = 1`.execute(db).then(() => {}),
  );
  expect(await listIndexed()).toEqual([2, 3, 4]);
});
