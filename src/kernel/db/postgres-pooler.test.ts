/** A pooler in transaction mode: no prepared statements, no session state. */
import { sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { createDatabase, prepareDatabase } from "../../../tests/support/medley.ts";
import type { AnyDb, Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";

let database: Database;
afterEach(() => database.close());
const open = async (query: string) => {
  const url = await prepareDatabase(await createDatabase());
  database = openPostgres({ url: `${url}${query}`, connectionsMax: 1 });
  return database;
};
const ask = async (db: AnyDb) => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]?.one;
/** Not by a statement of its own name, so that it counts what others left. */
const countNamed = async (db: AnyDb): Promise<number> => {
  const counted = sql<{
    count: number;
  }>`select count(*) as count from pg_prepared_statements where name like 'm%'
    and statement not like '%pg_prepared_statements%'`;
  return (await counted.execute(db)).rows[0]?.count ?? -1;
};
const settingOf = async (db: AnyDb, name: string) =>
  (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)).rows[0]?.value;

it("has names for statements and limits of its own on an ordinary connection", async () => {
  const { read } = await open("");
  await ask(read);
  expect(await countNamed(read)).toBe(1);
  expect(await settingOf(read, "statement_timeout")).toBe("1min");
  expect(await settingOf(read, "idle_in_transaction_session_timeout")).toBe("20s");
});
it("has neither with prepare=false, and settings of one's own are kept", async () => {
  const { read, transact } = await open("?prepare=false&options=-c%20statement_timeout%3D7s");
  await transact(ask);
  expect(await ask(read)).toBe(1);
  expect(await countNamed(read)).toBe(0);
  expect(await settingOf(read, "statement_timeout")).toBe("7s");
});
it("goes on without names where they are lost, and makes the change that met it again", async () => {
  const { read, transact } = await open("");
  await ask(read);
  await sql`deallocate all`.execute(read);
  expect(await transact(ask)).toBe(1);
  await ask(read);
  expect(await countNamed(read)).toBe(0);
});
it("says what is wrong where names must be kept and are not", async () => {
  const { read } = await open("?prepare=true");
  await ask(read);
  await sql`deallocate all`.execute(read);
  await expect(ask(read)).rejects.toMatchObject({ code: "26000" });
});
