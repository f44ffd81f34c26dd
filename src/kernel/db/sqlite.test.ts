import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { type Database, isUniqueViolation } from "./database.ts";
import { openSqlite } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "medley-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("answers a group of changes before it begins the next", async () => {
  const database = openSqlite(join(folder, "groups.db"));
  const seen: string[] = [];
  let second = Promise.resolve();
  await database.transact(() => {
    second = database.transact(() => {
      seen.push("the next begins");
    });
  });
  setImmediate(() => seen.push("answers are written"));
  await second;
  await database.close();
  expect(seen).toEqual(["answers are written", "the next begins"]);
});

it.each(["a file", "memory"])("lets others have a turn between two long reads of %s", async (place) => {
  const database = openSqlite(place === "memory" ? undefined : join(folder, "turns.db"));
  const seen: string[] = [];
  const read = () =>
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 400000) select max(i) from n`.execute(
      database.read,
    );
  await read();
  setImmediate(() => seen.push("others"));
  await read();
  seen.push("reads");
  await database.close();
  expect(seen).toEqual(["others", "reads"]);
});

it.each(["transact", "transactSoon", "transactHeld"] as const)(
  "refuses a change by %s after it was closed, and nobody waits for it",
  async (transact) => {
    const database = openSqlite(join(folder, `closed-${transact}.db`));
    await database.transact((db) => sql`create table note (id integer)`.execute(db));
    await database.close();
    await expect(database[transact]((db) => sql`insert into note values (1)`.execute(db))).rejects.toThrow();
  },
);

it("copies many bytes into the file on another thread, also while others write and one erases", async () => {
  const database = openSqlite(join(folder, "bytes.db"));
  await database.transact((db) => sql`create table note (id integer primary key, bytes blob)`.execute(db));
  const bytes = Buffer.alloc(1024 * 1024, 7);
  const add = (id: number) =>
    database.transact((db) => db.insertInto("note").values({ id, bytes }).execute());
  for (let id = 0; id < 30; id += 1) await add(id);
  await database.eraseDeleted?.();
  expect(statSync(join(folder, "bytes.db-wal")).size).toBe(0);
  await add(30);
  await database.close();
  const again = openSqlite(join(folder, "bytes.db"));
  const rows = await again.read.selectFrom("note").select("bytes").execute();
  expect(rows.map((row) => bytes.equals(row.bytes))).toEqual(Array.from({ length: 31 }, () => true));
  await again.close();
});

it("commits a change of many bytes for itself, keeps the order, and is as careful as before with the next", async () => {
  const database = openSqlite(join(folder, "long.db"));
  await database.transact((db) => sql`create table note (id integer primary key, bytes blob)`.execute(db));
  const bytes = Buffer.alloc(1024 * 1024, 7);
  const seen: number[] = [];
  const syncOf = async (db: Database["read"]) =>
    Object.values((await sql<object>`pragma synchronous`.execute(db)).rows[0] ?? {})[0];
  const add = (id: number, size = 0) =>
    database.transact(async (db) => {
      await db
        .insertInto("note")
        .values({ id, bytes: bytes.subarray(0, size) })
        .execute();
      seen.push(id);
      return syncOf(db);
    }, size);
  const [FULL, NORMAL] = [2, 1];
  const made = await Promise.allSettled([add(1), add(2, bytes.length), add(2, bytes.length), add(3), add(4)]);
  expect(made.map((one) => (one.status === "fulfilled" ? one.value : one.status))).toEqual([
    FULL,
    NORMAL,
    "rejected",
    FULL,
    FULL,
  ]);
  expect(seen).toEqual([1, 2, 3, 4]);
  await database.close();
  const again = openSqlite(join(folder, "long.db"));
  const rows = await again.read.selectFrom("note").select(["id", "bytes"]).orderBy("id").execute();
  expect(rows.map(({ id, bytes: kept }) => [id, kept.length])).toEqual([
    [1, 0],
    [2, bytes.length],
    [3, 0],
    [4, 0],
  ]);
  await again.close();
});

describe("a large change", () => {
  const MUCH = 1024 * 1024 * 1024;
  async function withNotes() {
    const database = openSqlite(join(folder, `${Math.random()}.db`));
    await database.transact((db) => sql`create table note (id integer primary key, bytes blob)`.execute(db));
    const add = (id: number) =>
      database.transact((db) => db.insertInto("note").values({ id, bytes: null }).execute());
    const ids = async () =>
      (await database.read.selectFrom("note").select("id").orderBy("id").execute()).map(({ id }) => id);
    return { database, add, ids };
  }

  it("is made on another thread, and others wait for it", async () => {
    const { database, add, ids } = await withNotes();
    const bytes = Buffer.alloc(100_000, 7);
    let later: Promise<unknown> = Promise.resolve();
    const seen: number[][] = [];
    await database.transactLarge(async (db) => {
      later = add(2);
      for (let id = 10; id < 40; id += 1) await db.insertInto("note").values({ id, bytes }).execute();
      seen.push(await ids());
    }, MUCH);
    await later;
    seen.push((await ids()).slice(0, 3));
    const kept = await database.read
      .selectFrom("note")
      .select("bytes")
      .where("id", "=", 39)
      .executeTakeFirst();
    expect([seen, bytes.equals(kept?.bytes)]).toEqual([[[], [2, 10, 11]], true]);
    await database.close();
  });
  it("that fails leaves nothing behind, says why, and lets others write at once", async () => {
    const { database, add, ids } = await withNotes();
    await add(1);
    const large = database.transactLarge(async (db) => {
      await db.insertInto("note").values({ id: 2 }).execute();
      await db.insertInto("note").values({ id: 1 }).execute();
    }, MUCH);
    await expect(large).rejects.toSatisfy(isUniqueViolation);
    await add(3);
    expect(await ids()).toEqual([1, 3]);
    await database.close();
  });
});

it("leaves the disk to a later commit where nobody waits for it, but not for whoever shares the commit", async () => {
  const database = openSqlite(join(folder, "soon.db"));
  const syncOf = async (db: Database["read"]) =>
    Object.values((await sql<object>`pragma synchronous`.execute(db)).rows[0] ?? {})[0];
  const [FULL, NORMAL] = [2, 1];
  expect(await database.transactSoon(syncOf)).toBe(NORMAL);
  expect(await database.transact(syncOf)).toBe(FULL);
  expect(await Promise.all([database.transactSoon(syncOf), database.transact(syncOf)])).toEqual([FULL, FULL]);
  await expect(database.transactSoon(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await database.transact(syncOf)).toBe(FULL);
  await database.close();
});
