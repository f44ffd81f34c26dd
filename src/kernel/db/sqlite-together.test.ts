/** Changes of one group share a transaction: a failed one takes nothing from the others. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { type AnyDb, isUniqueViolation } from "./database.ts";
import { openSqlite } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "medley-together-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withNumbers(file: string | undefined) {
  const database = openSqlite(file);
  await database.transact((db) => sql`create table number (id integer primary key)`.execute(db));
  await database.transact((db) =>
    sql`create table part (whole integer references number (id) deferrable initially deferred)`.execute(db),
  );
  const runs: string[] = [];
  /** Writes each of the ids, then calls `end`. */
  const add =
    (name: string, ids: readonly number[], end: () => unknown = () => {}) =>
    async (db: AnyDb) => {
      runs.push(name);
      for (const id of ids) await sql`insert into number values (${id})`.execute(db);
      await end();
      return name;
    };
  const ids = async () =>
    (await sql<{ id: number }>`select id from number order by id`.execute(database.read)).rows.map(
      ({ id }) => id,
    );
  return { database, add, ids, runs };
}
const refuse = () => {
  throw new Error("no");
};
const told = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((one) => (one.status === "fulfilled" ? one.value : (one.reason as Error).message));

describe.each(["in a file", "in memory"])("changes that share a commit, %s", (where) => {
  const open = (name: string) =>
    withNumbers(where === "in memory" ? undefined : join(folder, `${name}-${where}.db`));

  it("are all kept once, although one of them fails after it has written", async () => {
    const { database, add, ids } = await open("one");
    const results = await Promise.allSettled([
      database.transact(add("first", [1])),
      database.transact(add("failing", [2, 3], refuse)),
      database.transact(add("last", [4, 5])),
    ]);
    expect(told(results)).toEqual(["first", "no", "last"]);
    expect(await ids()).toEqual([1, 4, 5]);
    await database.close();
  });
  it("keep their order when they run again, and each failure is its own", async () => {
    const { database, add, ids } = await open("several");
    const work = [
      add("a", [1]),
      add("b", [2], refuse),
      add("c", [2]),
      add("d", [3, 2]),
      add("e", [3]),
      add("f", [1, 9]),
    ];
    const results = await Promise.allSettled(work.map((one) => database.transact(one)));
    expect(told(results)).toEqual([
      "a",
      "no",
      "c",
      expect.stringMatching(/UNIQUE/),
      "e",
      expect.stringMatching(/UNIQUE/),
    ]);
    const [, , , refused] = results;
    expect(refused).toSatisfy((one: PromiseRejectedResult) => isUniqueViolation(one.reason));
    expect(await ids()).toEqual([1, 2, 3]);
    await database.close();
  });
  it("run once if the failed ones have written nothing, or fail alone", async () => {
    const { database, add, ids, runs } = await open("once");
    const nothing = async (db: AnyDb) => {
      runs.push("nothing");
      await sql`insert into number values (1) on conflict do nothing`.execute(db);
      await sql`update number set id = 7 where id = 8`.execute(db);
      await sql`delete from number where id = 8 returning id`.execute(db);
      refuse();
    };
    const results = await Promise.allSettled([
      database.transact(add("first", [1])),
      database.transact(nothing),
      database.transact(add("taken", [1])),
      database.transact(add("last", [2])),
    ]);
    expect(told(results)).toEqual(["first", "no", expect.stringMatching(/UNIQUE/), "last"]);
    await expect(database.transact(add("alone", [3], refuse))).rejects.toThrow("no");
    expect(runs).toEqual(["first", "nothing", "taken", "last", "alone"]);
    expect(await ids()).toEqual([1, 2]);
    await database.close();
  });
  it("undo tables and rows that were returned", async () => {
    const { database, add, ids } = await open("others");
    const table = async (db: AnyDb) => {
      await sql`create table other (id integer)`.execute(db);
      refuse();
    };
    const returned = async (db: AnyDb) => {
      await sql`insert into number values (2) returning id`.execute(db);
      refuse();
    };
    const results = await Promise.allSettled([
      database.transact(add("first", [1])),
      database.transact(table),
      database.transact(returned),
    ]);
    expect(told(results)).toEqual(["first", "no", "no"]);
    await expect(sql`select * from other`.execute(database.read)).rejects.toThrow(/no such table/);
    expect(await ids()).toEqual([1]);
    await database.close();
  });
  it("are refused together if SQLite itself rolls back, and none of them is kept", async () => {
    const { database, add, ids } = await open("rolled-back");
    // As SQLite does by itself when the disk is full, even if the change handles the error.
    const rollBack = (db: AnyDb) => sql`rollback`.execute(db);
    const results = await Promise.allSettled([
      database.transact(add("first", [1])),
      database.transact(rollBack),
      database.transact(add("last", [2])),
    ]);
    expect(told(results)).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/rolled back/)));
    await database.transact(add("later", [3]));
    expect(await ids()).toEqual([3]);
    await database.close();
  });
  it("get no answer before the commit: all fail with it", async () => {
    const { database, add, ids } = await open("commit");
    const orphan = (db: AnyDb) => sql`insert into part values (99)`.execute(db);
    const results = await Promise.allSettled([
      database.transact(add("first", [1])),
      database.transact(refuse),
      database.transact(orphan),
    ]);
    expect(told(results)).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/FOREIGN KEY/)));
    expect(await ids()).toEqual([]);
    await database.close();
  });
  it("that run again cannot write with a handle of their first run", async () => {
    const { database, add, ids } = await open("handles");
    let late: Promise<unknown> = Promise.resolve();
    const careless = async (db: AnyDb) => {
      await add("careless", [1])(db);
      late = new Promise((resolve) => setImmediate(resolve)).then(() => add("late", [2])(db));
      late.catch(() => {});
      refuse();
    };
    const slow = async (db: AnyDb) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return add("slow", [3])(db);
    };
    const results = await Promise.allSettled([database.transact(careless), database.transact(slow)]);
    expect(told(results)).toEqual(["no", "slow"]);
    await expect(late).rejects.toThrow(/after its transaction had ended/);
    expect(await ids()).toEqual([3]);
    await database.close();
  });
});
it("work that cannot run twice does not", async () => {
  const { database, add, ids, runs } = await withNumbers(join(folder, "large.db"));
  const [large, failing] = await Promise.allSettled([
    database.transactLarge(async (db, pause) => {
      await pause();
      return add("large", [1])(db);
    }),
    new Promise((resolve) => setImmediate(resolve)).then(() =>
      database.transact(add("failing", [2], refuse)),
    ),
  ]);
  expect([large.status, failing.status, await ids()]).toEqual(["fulfilled", "rejected", [1]]);
  expect(runs.filter((name) => name === "large")).toEqual(["large"]);
  await database.close();
});
