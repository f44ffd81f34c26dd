/** The log lines of each function are kept up to a maximum number. */
import { describe, expect, it } from "vitest";
import { createDatabase } from "../../../../tests/support/medley.ts";
import { openKernel } from "../../../app/app.ts";
import { loadServices } from "../../../app/services.ts";
import { defaultConfig } from "../../../kernel/config/index.ts";
import { KeptLines } from "../running/kept-lines.ts";
import { insertLines, listLines, trimLines } from "./logs.ts";

const LINES_MAX = 5000;

const ACCOUNT = "111111111111";
const linesOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(from + index).padStart(8, "0"),
    atMs: 0,
    severity: "INFO",
    text: "x",
    revision: "r",
    instance: "i",
  }));

describe.each(["sqlite", "postgres"] as const)("lines of a function on %s", (on) => {
  it("as many as may be are kept, and of one more the oldest goes", async () => {
    const place = on === "sqlite" ? { memory: true } : { databaseUrl: await createDatabase() };
    const services = await loadServices(["functions"]);
    const { kernel } = await openKernel({ ...defaultConfig, logLevel: "silent", ...place }, services);
    const { database } = kernel;
    const kept = async (slug: string) => listLines(database.read, ACCOUNT, slug, { limit: 2 * LINES_MAX });
    try {
      for (let from = 0; from < LINES_MAX; from += 1000)
        await database.transact((db) => insertLines(db, ACCOUNT, "one", linesOf(from, 1000)));
      await database.transact((db) => insertLines(db, ACCOUNT, "other", linesOf(90_000, 1)));
      await database.transact((db) => trimLines(db, ACCOUNT, "one"));
      expect(await kept("one")).toHaveLength(LINES_MAX);
      await database.transact((db) => insertLines(db, ACCOUNT, "one", linesOf(LINES_MAX, 1)));
      await database.transact((db) => trimLines(db, ACCOUNT, "one"));
      const lines = await kept("one");
      expect([lines.length, lines[0]?.id]).toEqual([LINES_MAX, "00000001"]);
      expect(await kept("other")).toHaveLength(1);
      // The server trims at every twentieth write, counted per function.
      const keptLines = new KeptLines();
      const save = (slug: string, id: number) =>
        database.transact((db) => keptLines.save(db, { account: ACCOUNT, slug }, linesOf(id, 1)));
      for (let at = 1; at < 20; at += 1) {
        await save("one", LINES_MAX + at);
        await save("other", 90_000 + at);
      }
      expect(await kept("one")).toHaveLength(LINES_MAX + 19);
      await save("one", LINES_MAX + 20);
      expect(await kept("one")).toHaveLength(LINES_MAX);
      expect(await kept("other")).toHaveLength(20);
    } finally {
      await kernel.stop();
    }
  });
});
