/** Pieces of SQLite's full-text index are joined, and nothing is lost by it. */

import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { migrate, openSqlite } from "#kernel/db";
import { migrations } from "../migrations/index.ts";
import { joinSomePieces } from "./index-pieces.ts";

const TRANSACTIONS = 30;
const database = openSqlite(undefined);
afterAll(() => database.close());

const countPieces = async (): Promise<number> => {
  const { rows } = await sql<{
    count: number;
  }>`select count(distinct segid) as count from podcasts_document_fts_idx`.execute(database.read);
  return Number(rows[0]?.count);
};
const placesOf = async (word: string): Promise<number[]> => {
  const { rows } = await sql<{
    place: number;
  }>`select rowid as place from podcasts_document_fts where podcasts_document_fts match ${word} order by rowid`.execute(
    database.read,
  );
  return rows.map(({ place }) => place);
};

it("joins pieces of one size until there are none", async () => {
  await migrate(database, [{ owner: "podcasts", migrations }], 0);
  for (let number = 1; number <= TRANSACTIONS; number += 1)
    await database.transact((db) =>
      sql`insert into podcasts_document (account, search_id, kind, id, podcast_id, language, pub_date_ms, title, author, description, audio, facets)
        values ('a', ${number}, 'e', ${`id-${number}`}, 'p', 'English', 0, ${`bread word${number}`}, '', '', '', '_')`.execute(
        db,
      ),
    );
  expect(await countPieces()).toBeGreaterThan(4);
  while (await database.transact((db) => joinSomePieces(db)));
  expect(await countPieces()).toBeLessThanOrEqual(4);
  expect(await placesOf("aebread")).toEqual(Array.from({ length: TRANSACTIONS }, (_, at) => at + 1));
  expect(await placesOf("aeword7")).toEqual([7]);
});
