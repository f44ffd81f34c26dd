import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
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
