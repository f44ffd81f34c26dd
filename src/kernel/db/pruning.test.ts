/** Old rows of large tables are deleted in steps of a limited size. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, prepareDatabase } from "../../../tests/support/medley.ts";
import type { Database } from "./database.ts";
import { openPostgres } from "./open.ts";
import { deleteSome, eachAccount, ROWS_AT_ONCE } from "./pruning.ts";
import { openSqlite } from "./sqlite.ts";

const KEPT = 300;

describe.each(["sqlite", "postgres"] as const)("pruning on %s", (kind) => {
  let database: Database;
  const step = ROWS_AT_ONCE[kind];
  const old = 2 * step + 200;
  beforeAll(async () => {
    database =
      kind === "sqlite"
        ? openSqlite(undefined)
        : await openPostgres({ url: await prepareDatabase(await createDatabase()), connectionsMax: 2 });
    await database.transact(async (db) => {
      await sql`create table note (account varchar(20) not null, id integer not null, primary key (account, id))`.execute(
        db,
      );
      await sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < ${sql.lit(old + KEPT)})
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
    const deleteStep = () =>
      database.transact((db) => deleteSome(db, "note", (notes) => notes.where("id", "<=", old)));
    while (await deleteStep()) left.push((await idsLeft()).length);
    expect(left).toEqual([old + KEPT - step, old + KEPT - 2 * step]);
    expect(await idsLeft()).toEqual(Array.from({ length: KEPT }, (_, at) => old + 1 + at));
  });
});
