/** Old rows of large tables are deleted in steps of a limited size. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, prepareDatabase } from "../../../tests/support/medley.ts";
import type { Database } from "./database.ts";
import { openPostgres } from "./open.ts";
import { deleteSome, eachAccount, ROWS_AT_ONCE } from "./pruning.ts";
import { openSqlite } from "./sqlite.ts";

const OLD = 2 * ROWS_AT_ONCE + 200;
const KEPT = 300;

describe.each(["sqlite", "postgres"] as const)("pruning on %s", (kind) => {
  let database: Database;
  beforeAll(async () => {
    database =
      kind === "sqlite"
        ? openSqlite(undefined)
        : await openPostgres({ url: await prepareDatabase(await createDatabase()), connectionsMax: 2 });
    await database.transact(async (db) => {
      await sql`create table note (account varchar(20) not null, id integer not null, primary key (account, id))`.execute(
        db,
      );
      await sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < ${sql.lit(OLD + KEPT)})
        insert into note select case when n % 2 = 0 then 'even' else 'odd' end, n from number`.execute(db);
    });
  });
  afterAll(() => database.close());

  const idsLeft = async (): Promise<number[]> =>
    (await database.read.selectFrom("note").select("id").orderBy("id").execute()).map(({ id }) => Number(id));

  it("finds the accounts that have rows", async () => {
    const found: string[] = [];
    for await (const account of eachAccount<{ note: { account: string } }>(database.read, "note"))
      found.push(account);
    expect(found).toEqual(["even", "odd"]);
  });
  it("deletes so many in a step, and only what was chosen", async () => {
    const left: number[] = [];
    const step = () =>
      database.transact((db) => deleteSome(db, "note", (notes) => notes.where("id", "<=", OLD)));
    while (await step()) left.push((await idsLeft()).length);
    expect(left).toEqual([OLD + KEPT - ROWS_AT_ONCE, OLD + KEPT - 2 * ROWS_AT_ONCE]);
    expect(await idsLeft()).toEqual(Array.from({ length: KEPT }, (_, at) => OLD + 1 + at));
  });
});
