/** Word searches on PostgreSQL take few places from the index of words, and leave many to the planner. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate, openPostgres } from "#kernel/db";
import { createDatabase } from "../../../../tests/support/medley.ts";
import { migrations } from "../migrations/index.ts";
import { findCountUpTo, pageOfContributions } from "./search.ts";
import { FEW_PLACES_MAX, findSources } from "./search-conditions.ts";

const ACCOUNT = "a";
const count = FEW_PLACES_MAX + 1;
const sight = { everything: true, goneAssignments: [] } as const;
let database: Awaited<ReturnType<typeof openPostgres>>;
beforeAll(async () => {
  database = await openPostgres({ url: await createDatabase(), connectionsMax: 2 });
  await migrate(database, [{ owner: "contributions", migrations }], 0);
  await database.transact((db) =>
    sql`insert into contributions_contribution (account, place, id, assignment_id, owner_id, headline, body,
        attribution, url_words, words, facets, state, is_public, images, videos, likes, flags, external_ids, via)
      select ${ACCOUNT}, n, 'c' || n, 'g', '', '', '', '', '',
        case when n < ${count} then 'bread butter' else 'bread' end, '_', 'approved', 1, 0, 0, 0, 0, '{}', '{}'
      from generate_series(1, cast(${count} as integer)) n`.execute(db),
  );
});
afterAll(() => database.close());

const statementOf = async (q: string): Promise<string> => {
  const [source] = await findSources(database.read, ACCOUNT, { q }, sight);
  return source.where.compile(database.read).sql;
};
it.each([
  ["butter", FEW_PLACES_MAX, true],
  ["bread", FEW_PLACES_MAX + 1, false],
] as const)("finds %s, which %d contributions have", async (q, total, isByPlaces) => {
  expect((await statementOf(q)).includes("any(cast(")).toBe(isByPlaces);
  const wanted = { filter: { q }, sight };
  const page = await pageOfContributions(database.read, ACCOUNT, wanted, { beforePlace: 4, limit: 2 });
  expect(page.map(({ place }) => place)).toEqual([3, 2]);
  expect(await findCountUpTo(database.read, ACCOUNT, wanted, count)).toBe(total);
});
