/** The ledger check finds every change that was made directly in the tables. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Database, migrate, openPostgres, openSqlite } from "#kernel/db";
import { createDatabase } from "../../../../../tests/support/medley.ts";
import { migrations } from "../migrations.ts";
import type { Db } from "./db.ts";
import { getOwnLedger, post } from "./ledger.ts";
import { proveBooks } from "./proof.ts";

describe.each(["sqlite", "postgres"] as const)("the proof of the books on %s", (kind) => {
  let database: Database;
  let db: Db;
  let account: string;
  let ids: number[];
  beforeAll(async () => {
    database =
      kind === "sqlite"
        ? openSqlite(undefined)
        : await openPostgres({ url: await createDatabase(), connectionsMax: 2 });
    db = database.read as Db;
    await migrate(database, [{ owner: "bank", migrations }], 0);
  });
  afterAll(() => database.close());
  beforeEach(async ({ task }) => {
    account = task.name;
    await database.transact(async (inner) => {
      const own = (name: "outside" | "clearing") => getOwnLedger(inner, account, name, "EUR", 0);
      ids = [await own("outside"), await own("clearing")];
      for (const id of [10, 20, 30]) await pay(inner, id);
    });
  });
  const pay = (inner: Db, id: number) => {
    const [from = 0, to = 0] = ids;
    const legs = [
      { ledgerId: from, currency: "EUR", minor: -id },
      { ledgerId: to, currency: "EUR", minor: id },
    ];
    return post(inner, account, { id, kind: "payment", atMs: id, legs });
  };
  const prove = () => proveBooks(db, account);
  const change = (id: number, balance: number) =>
    db
      .updateTable("bank_ledger")
      .set({ balance })
      .where("account", "=", account)
      .where("id", "=", id)
      .execute();
  const wrongIn = async () => {
    const { isSound, wrong } = await prove();
    expect(isSound).toBe(false);
    return wrong;
  };

  it("finds books sound that are", async () => {
    const sums = [{ currency: "EUR", sum: 0, entries: 6 }];
    expect(await prove()).toEqual({ isSound: true, entries: 6, sums, wrong: [] });
  });
  it("is of one moment, though money moves between the pieces it is made in", async () => {
    let id = 40;
    const sums = [{ currency: "EUR", sum: 0, entries: 6 }];
    const proof = await proveBooks(db, account, {
      entriesAtOnce: 2,
      betweenPieces: () => database.transact((inner) => pay(inner as Db, id++)),
    });
    expect(proof).toEqual({ isSound: true, entries: 6, sums, wrong: [] });
    expect(id).toBeGreaterThan(42);
    expect((await prove()).entries).toBe(6 + (id - 40) * 2);
  });
  it("finds a balance that is not the sum of its entries", async () => {
    await change(ids[0]!, -61);
    expect(await wrongIn()).toEqual([{ ledgerId: ids[0], balance: -61, sum: -60 }]);
  });
  it("finds an entry that is gone", async () => {
    await db.deleteFrom("bank_entry").where("account", "=", account).where("amount", "=", 30).execute();
    expect(await wrongIn()).toEqual([{ ledgerId: ids[1], balance: 60, sum: 30 }]);
    expect((await prove()).sums).toEqual([{ currency: "EUR", sum: -30, entries: 5 }]);
  });
  it("finds entries that do not balance though each account's balance is right", async () => {
    await db
      .updateTable("bank_entry")
      .set({ amount: 31 })
      .where("account", "=", account)
      .where("amount", "=", 30)
      .execute();
    await change(ids[1]!, 61);
    expect(await wrongIn()).toEqual([]);
  });
});
