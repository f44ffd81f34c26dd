/** Compiled queries bind their values where the builder put them, on every kind of handle. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queriesOf } from "./compiled-query.ts";
import type { AnyDb, Database } from "./database.ts";
import { openSqlite } from "./sqlite.ts";

const {
  compiledChange,
  compiledInsert,
  compiledInsertAll,
  compiledInsertRow,
  compiledQuery,
  compiledShapes,
  compiledUpdate,
} = queriesOf<AnyDb>();
type Note = { id: string; text: string | null; count: number };
const insert = compiledInsert<Note>("note", ["id", "text", "count"]);
const insertAll = compiledInsertAll<Note>("note", ["id", "text", "count"]);
const update = compiledUpdate<Note, "id">("note", ["id"], ["text", "count"]);
const insertRow = compiledInsertRow<Note>("note");
const change = compiledChange<Note, "id">("note", ["id"]);
const select = compiledQuery<Note, [string]>([""], (db, id) =>
  db.selectFrom("note").selectAll().where("id", "=", id),
);
const folder = mkdtempSync(join(tmpdir(), "medley-compiled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ["in memory", undefined],
  ["in a file", join(folder, "notes.db")],
])("SQLite %s", (_, file) => {
  let database: Database;
  beforeAll(async () => {
    database = openSqlite(file);
    await database.transact(async (db) => {
      await db.schema
        .createTable("note")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("text", "text")
        .addColumn("count", "integer")
        .execute();
      await insertAll(db, [
        { id: "a", text: "first", count: 1 },
        { id: "b", text: null, count: 2 },
        { id: "c", text: "third", count: 3 },
      ]);
    });
  });
  afterAll(() => database.close());

  it("inserts, unless the key is taken", async () => {
    const both = await database.transact(async (db) => [
      await insert(db, { id: "d", text: "new", count: 4 }),
      await insert(db, { id: "a", text: "other", count: 9 }),
    ]);
    expect(both).toEqual([true, false]);
    expect(await select(database.read, "a")).toEqual([{ id: "a", text: "first", count: 1 }]);
    expect(await select(database.read, "d")).toEqual([{ id: "d", text: "new", count: 4 }]);
  });
  it("refuses several rows of which one is there, and takes none", async () => {
    const twice = database.transact((db) =>
      insertAll(db, [
        { id: "e", text: null, count: 5 },
        { id: "a", text: null, count: 1 },
      ]),
    );
    await expect(twice).rejects.toThrow("UNIQUE");
    await expect(database.transact((db) => insertAll(db, []))).resolves.toBeUndefined();
    expect(await select(database.read, "e")).toEqual([]);
  });
  it("updates the row that the key names", async () => {
    const found = await database.transact(async (db) => [
      await update(db, { id: "b", text: "second", count: 22 }),
      await update(db, { id: "nobody", text: "", count: 0 }),
    ]);
    expect(found).toEqual([true, false]);
    expect(await select(database.read, "b")).toEqual([{ id: "b", text: "second", count: 22 }]);
  });
  it("inserts the columns that a row has, and changes any of them", async () => {
    await database.transact(async (db) => {
      await insertRow(db, { id: "m", text: "one", count: 1 });
      await insertRow(db, { count: 2, text: null, id: "n" });
      await change(db, { id: "m" }, { count: 10 });
      await change(db, { id: "m" }, { text: null, count: undefined as never });
      await change(db, { id: "n" }, { text: "two", count: 20 });
      await change(db, { id: "n" }, {});
      await change(db, { id: "nobody" }, { count: 0 });
    });
    expect(await select(database.read, "m")).toEqual([{ id: "m", text: null, count: 10 }]);
    expect(await select(database.read, "n")).toEqual([{ id: "n", text: "two", count: 20 }]);
    const again = database.transact((db) => insertRow(db, { id: "m", text: null, count: 0 }));
    await expect(again).rejects.toThrow("UNIQUE");
    await database.transact((db) => db.deleteFrom("note").where("id", "in", ["m", "n"]).execute());
  });
  it("binds values in any order, more than once, and between constants", async () => {
    const odd = compiledQuery<Note, [number, string]>([0, ""], (db, count, id) =>
      db
        .selectFrom("note")
        .selectAll()
        .where("id", "!=", "nothing")
        .where("id", ">=", id)
        .where("count", "<=", count)
        .where("count", "!=", 3)
        .where("count", "<=", count)
        .orderBy("id")
        .limit(1),
    );
    expect(await odd(database.read, 100, "b")).toMatchObject([{ id: "b" }]);
    expect(await odd(database.read, 3, "c")).toEqual([]);
    expect(await odd(database.read, 4, "c")).toMatchObject([{ id: "d" }]);
  });
  it("builds one query for each shape", async () => {
    let built = 0;
    const among = compiledShapes<Note, number>((db, _count, ids) => {
      built += 1;
      return db.selectFrom("note").select("id").where("id", "in", ids).orderBy("id");
    });
    const idsOf = async (...ids: string[]) =>
      (await among(database.read, String(ids.length), ids.length, ids)).rows.map(({ id }) => id);
    expect(await idsOf("c", "a")).toEqual(["a", "c"]);
    expect(await idsOf("b", "c")).toEqual(["b", "c"]);
    expect(await idsOf("c")).toEqual(["c"]);
    expect(built).toBe(2);
  });
  it("does not let a value go unused", async () => {
    const forgetful = compiledQuery<Note, [string, string]>(["", ""], (db, id) =>
      db.selectFrom("note").selectAll().where("id", "=", id),
    );
    await expect(forgetful(database.read, "a", "b")).rejects.toThrow(
      "value 1 of a compiled query is not used",
    );
  });
  it("dies with its transaction", async () => {
    const ended = await database.transact(async (db) => ({ db }));
    await expect(select(ended.db, "a")).rejects.toThrow("after its transaction had ended");
  });
});
