/** A filter and a caller's sight mean the same in SQL, in the full-text index and over columns. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { type Database, migrate, openPostgres, openSqlite } from "#kernel/db";
import { random, rows, someFilter, someSight } from "../../../../tests/support/contribution-rows.ts";
import { createDatabase } from "../../../../tests/support/medley.ts";
import { selector } from "../domain/column-filter.ts";
import { columnsOf, emptyDictionaries } from "../domain/columns.ts";
import { facetsOf } from "../domain/facets.ts";
import { migrations } from "../migrations/index.ts";
import { type Condition, conditionsOf, sourcesOf } from "./search-conditions.ts";

const ACCOUNT = "a";
const TURNS = 200;
const textOrUndefined = (text: string | null): string | undefined => text ?? undefined;

/** Some are deleted, so that they must be found nowhere. */
const isDeleted = rows.map(() => random() < 0.1);

async function fill(database: Database): Promise<void> {
  await migrate(database, [{ owner: "contributions", migrations }], 0);
  await database.transact(async (db) => {
    for (const [at, row] of rows.entries()) {
      const tagIds = row.tags?.split(" ") ?? [];
      const facets = facetsOf({
        assignmentId: row.assignment_id,
        ownerId: row.owner_id,
        userId: textOrUndefined(row.user_id),
        country: textOrUndefined(row.country),
        geohash: textOrUndefined(row.geohash),
        images: row.images,
        videos: row.videos,
        tagIds,
      });
      const deletedAt = isDeleted[at] ? 1 : null;
      await sql`insert into contributions_contribution (account, place, id, assignment_id, owner_id, user_id, headline, body,
          attribution, url_words, words, facets, state, is_public, images, videos, likes, flags, external_ids, via,
          country, geohash, x, y, z, deleted_at)
        values (${ACCOUNT}, ${row.place}, ${`c${at}`}, ${row.assignment_id}, ${row.owner_id}, ${row.user_id}, '', '', '', '',
          'bread', ${facets.join(" ")}, ${row.state}, ${row.is_public}, ${row.images}, ${row.videos}, 0, 0, '{}', '{}',
          ${row.country}, ${row.geohash}, ${row.x}, ${row.y}, ${row.z}, ${deletedAt})`.execute(db);
      for (const tag of tagIds)
        await sql`insert into contributions_tagged (account, kind, record_id, tag_id, position)
          values (${ACCOUNT}, 'contribution', ${`c${at}`}, ${tag}, 0)`.execute(db);
    }
  });
}

it.each(["SQLite", "PostgreSQL"])("on %s", async (kind) => {
  const database =
    kind === "SQLite"
      ? openSqlite(undefined)
      : await openPostgres({ url: await createDatabase(), connectionsMax: 2 });
  try {
    await fill(database);
    const dictionaries = emptyDictionaries();
    const columns = columnsOf(
      rows.filter((_, at) => !isDeleted[at]),
      dictionaries,
    );
    const placesWhere = async (from: Condition, where: Condition, order: Condition) => {
      const { rows: found } = await sql<{ place: number }>`select ${order} as place from ${from}
        where ${where}`.execute(database.read);
      return found.map(({ place }) => Number(place));
    };
    const sorted = (places: readonly number[]) => [...places].sort((a, b) => a - b);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const [filter, sight] = [someFilter(), someSight()];
      const { at, count } = selector(dictionaries, filter, sight, undefined)(columns);
      const byColumns = [...at.subarray(0, count)].map((position) => columns.place[position]);
      const where = sql.join(conditionsOf(database.read, ACCOUNT, filter, sight), sql` and `);
      const byRows = await placesWhere(sql`contributions_contribution c`, where, sql`c.place`);
      const byIndex: number[] = [];
      for (const source of sourcesOf(database.read, ACCOUNT, filter, sight))
        byIndex.push(...(await placesWhere(source.from, source.where, source.order)));
      expect({ filter, sight, places: sorted(byRows) }).toEqual({ filter, sight, places: byColumns });
      expect({ filter, sight, places: sorted(byIndex) }).toEqual({ filter, sight, places: byColumns });
    }
  } finally {
    await database.close();
  }
});
