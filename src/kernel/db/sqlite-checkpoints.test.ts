/** Checkpoints of the WAL: none is part of a commit, and the WAL restarts whoever writes or reads meanwhile. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { openSqlite } from "./sqlite.ts";

const MB = 1024 * 1024;
const text = "x".repeat(MB);
const folder = mkdtempSync(join(tmpdir(), "medley-checkpoints-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function opened(name: string) {
  const file = join(folder, name);
  const database = openSqlite(file);
  await database.transact((db) => sql`create table note (id integer primary key, text text)`.execute(db));
  let id = 0;
  const add = (count: number, bytes?: number) =>
    database.transact(async (db) => {
      for (let index = 0; index < count; index += 1)
        await db.insertInto("note").values({ id: ++id, text }).execute();
    }, bytes);
  return {
    database,
    add,
    fileBytes: () => statSync(file).size,
    logBytes: () => statSync(`${file}-wal`).size,
    countOf: () => database.read.selectFrom("note").select(sql<number>`count(*)`.as("count")).execute(),
  };
}

it.each([
  ["announced", 40 * MB],
  ["not announced", undefined],
])("the commit of a large change, %s, leaves the file to a thread", async (name, bytes) => {
  // The thread may be quicker than this look; a checkpoint within the commit would always be.
  let isSmall = false;
  for (let turn = 0; turn < 20 && !isSmall; turn += 1) {
    const { database, add, fileBytes } = await opened(`${name}-${turn}.db`);
    await add(40, bytes);
    isSmall = fileBytes() < MB;
    await eventually(() => fileBytes() > 40 * MB);
    await database.close();
  }
  expect(isSmall).toBe(true);
});

it("the WAL restarts while others write all the time", async () => {
  const { database, add, logBytes, countOf } = await opened("busy.db");
  await add(40);
  let added = 0;
  for (; logBytes() > 20 * MB; added += 2) await Promise.all([add(1, MB), add(1, MB)]);
  expect(await countOf()).toEqual([{ count: 40 + added }]);
  await database.close();
});

it("the WAL restarts after whoever reads an old snapshot has ended", async () => {
  const { database, add, fileBytes, logBytes } = await opened("snapshot.db");
  await add(1);
  await database.snapshot(async (db) => {
    await db.selectFrom("note").select("id").execute();
    for (let times = 0; times < 40; times += 1) await add(1, MB);
    expect([logBytes() > 40 * MB, fileBytes() < 20 * MB]).toEqual([true, true]);
  });
  await eventually(async () => {
    await add(1, MB);
    return logBytes() < 20 * MB && fileBytes() > 40 * MB;
  });
  await database.close();
});
