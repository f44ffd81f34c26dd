/** Concurrent changes of one resource: on one node they run one after another, so PostgreSQL refuses none of them. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, prepareDatabase } from "../../../tests/support/medley.ts";
import type { AnyDb, Database } from "./database.ts";
import { KeyQueue } from "./key-queue.ts";
import { openPostgres } from "./postgres.ts";

const CHANGES = 20;

describe("changes of one resource", () => {
  let database: Database;
  let attempts = 0;
  const count = async (db: AnyDb) => {
    attempts += 1;
    const { rows } = await sql<{ value: number }>`select value from counted`.execute(db);
    const next = Number(rows[0]?.value) + 1;
    await sql`update counted set value = ${next}`.execute(db);
    return next;
  };
  beforeAll(async () => {
    database = openPostgres({ url: await prepareDatabase(await createDatabase()), connectionsMax: 8 });
    await database.migrateExclusively(async (db) => {
      await sql`create table counted as select 0 as value`.execute(db);
    });
  });
  afterAll(() => database.close());

  it("are made in the order of the requests, each at the first attempt", async () => {
    const all = Array.from({ length: CHANGES }, () => database.transact(count, undefined, "one"));
    expect(await Promise.all(all)).toEqual(all.map((_, at) => at + 1));
    expect(attempts).toBe(CHANGES);
  });
});

describe("a queue by key", () => {
  it("lets others run meanwhile, goes on after a failure, and keeps nothing", async () => {
    const queue = new KeyQueue();
    const events: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = queue.run("a", async () => {
      await held;
      events.push("a1");
      throw new Error("refused");
    });
    const second = queue.run("a", async () => events.push("a2"));
    await queue.run("b", async () => events.push("b"));
    expect([events, queue.size]).toEqual([["b"], 1]);
    release();
    await expect(first).rejects.toThrow("refused");
    await second;
    expect([events, queue.size]).toEqual([["b", "a1", "a2"], 0]);
  });
  it("waits no longer than the limit for work that is stuck", async () => {
    const queue = new KeyQueue(20);
    let release = () => {};
    const stuck = queue.run(
      "a",
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    expect(await queue.run("a", async () => "done")).toBe("done");
    release();
    await stuck;
    expect(queue.size).toBe(0);
  });
});
