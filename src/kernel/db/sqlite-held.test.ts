/** Changes that share a commit: who sees them when, and what ends the wait. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type AnyDb, isUniqueViolation } from "./database.ts";
import { openSqlite } from "./sqlite.ts";
import { HELD_BYTES_MAX, HELD_COUNT_MAX, HELD_MS_MAX } from "./sqlite-group-commit.ts";

const folder = mkdtempSync(join(tmpdir(), "medley-held-"));
beforeAll(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterAll(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

async function withNumbers(name: string) {
  const file = join(folder, `${name}.db`);
  const database = openSqlite(file);
  await database.transact((db) => sql`create table number (id integer primary key)`.execute(db));
  const add = (id: number) => (db: AnyDb) => sql`insert into number values (${id})`.execute(db);
  const idsIn = async (db: AnyDb) =>
    (await sql<{ id: number }>`select id from number order by id`.execute(db)).rows.map(({ id }) => id);
  return { file, database, add, idsIn };
}
it("held changes share a commit: until then only their own readers see them", async () => {
  const { database, add, idsIn } = await withNumbers("held");
  await database.transactHeld(add(1));
  await expect(database.transactHeld(add(1))).rejects.toSatisfy(isUniqueViolation);
  await database.transactHeld(add(2));
  expect([await idsIn(database.readHeld), await idsIn(database.read)]).toEqual([[1, 2], []]);
  await database.commitHeld();
  expect([await idsIn(database.readHeld), await idsIn(database.read)]).toEqual([
    [1, 2],
    [1, 2],
  ]);
  await database.close();
});
it("held changes are committed before whatever else is written, and before a snapshot", async () => {
  const { database, add, idsIn } = await withNumbers("before");
  await database.transactHeld(add(1));
  await database.transact(add(2));
  expect(await idsIn(database.read)).toEqual([1, 2]);
  await database.transactHeld(add(3));
  await database.transactSoon(add(4));
  expect(await idsIn(database.read)).toEqual([1, 2, 3, 4]);
  await database.transactHeld(add(5));
  expect(await database.snapshot(idsIn)).toEqual([1, 2, 3, 4, 5]);
  await database.transactHeld(add(6));
  await database.transactLarge(add(7), 1024 * 1024 * 1024);
  expect(await idsIn(database.read)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await database.close();
});
it("held changes are committed when they are many, large, or wait long; and by a close", async () => {
  const { file, database, add, idsIn } = await withNumbers("limits");
  for (let id = 0; id < HELD_COUNT_MAX; id += 1) await database.transactHeld(add(id));
  await database.transactHeld(add(1000));
  expect((await idsIn(database.read)).length).toBeGreaterThanOrEqual(1000);
  await database.transactHeld((db) => sql`select ${Buffer.alloc(HELD_BYTES_MAX)}`.execute(db));
  await database.transactHeld(add(1001));
  expect(await idsIn(database.read)).toContain(1000);
  vi.advanceTimersByTime(HELD_MS_MAX);
  await database.transactHeld(() => {});
  expect(await idsIn(database.read)).toContain(1001);
  await database.transactHeld(add(1002));
  await database.close();
  const again = openSqlite(file);
  expect(await idsIn(again.read)).toContain(1002);
  await again.close();
});
it("held changes are seen by a reader only between two of them", async () => {
  const { database, add, idsIn } = await withNumbers("between");
  await database.transactHeld(add(1));
  let seen: Promise<number[]> | undefined;
  await database.transactHeld(async (db) => {
    await add(2)(db);
    seen = idsIn(database.readHeld);
    await new Promise((resolve) => setImmediate(resolve));
    await add(3)(db);
  });
  expect(await seen).toEqual([1, 2, 3]);
  await database.close();
});
it("held changes that were lost are reported to whoever comes next, and later ones work", async () => {
  const { database, add, idsIn } = await withNumbers("lost");
  await database.transact((db) =>
    sql`create table part (whole integer references number (id) deferrable initially deferred)`.execute(db),
  );
  const orphan = (db: AnyDb) => sql`insert into part values (99)`.execute(db);
  await database.transactHeld(orphan);
  await database.transactHeld(add(1));
  await expect(database.commitHeld()).rejects.toThrow(/FOREIGN KEY/);
  await database.transactHeld(orphan);
  // Not the fault of this one.
  await database.transact(add(2));
  await expect(database.transactHeld(add(3))).rejects.toThrow(/FOREIGN KEY/);
  await database.transactHeld(add(4));
  await database.commitHeld();
  expect(await idsIn(database.read)).toEqual([2, 4]);
  await database.close();
});
it("held changes that SQLite rolls back are reported as lost", async () => {
  const { database, add, idsIn } = await withNumbers("rolled-back");
  await database.transactHeld(add(1));
  // As SQLite does by itself when the disk is full.
  await expect(database.transactHeld((db) => sql`rollback`.execute(db))).rejects.toThrow(/savepoint/);
  await expect(database.commitHeld()).rejects.toThrow(/savepoint/);
  await database.transactHeld(add(2));
  await database.commitHeld();
  expect(await idsIn(database.read)).toEqual([2]);
  await database.close();
});
