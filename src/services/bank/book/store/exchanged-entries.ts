/**
 * Replaces the entries of a user's accounts by those of a backup. Movements stay balanced: an account of the bank
 * takes the difference.
 */
import { sql } from "kysely";
import type { EntryRow } from "../tables.ts";
import type { Db } from "./db.ts";
import { findLedger, getOwnLedger } from "./ledger.ts";

const ROWS_AT_ONCE = 500;

/** By movement and currency: how much the user's entries change the sum. */
export class Differences {
  readonly #sums = new Map<string, number>();
  add(movementId: number, currency: string, amount: number): void {
    const key = `${currency} ${movementId}`;
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + amount);
  }
  /** By currency, only those that are not zero. */
  byCurrency(): Map<string, { readonly movementId: number; readonly amount: number }[]> {
    const found = new Map<string, { movementId: number; amount: number }[]>();
    for (const [key, amount] of this.#sums) {
      if (amount === 0) continue;
      const [currency = "", movementId = ""] = key.split(" ");
      const list = found.get(currency) ?? [];
      list.push({ movementId: Number(movementId), amount });
      found.set(currency, list);
    }
    return found;
  }
}

async function insertMissingMovements(
  db: Db,
  account: string,
  ids: readonly number[],
  atMs: number,
): Promise<void> {
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
    const rows = ids
      .slice(start, start + ROWS_AT_ONCE)
      .map((id) => ({ account, id, kind: "restored", created_at: atMs }));
    await db
      .insertInto("bank_movement")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The caller holds the sequence lock. */
export async function balanceDifferences(
  db: Db,
  account: string,
  differences: Differences,
  atMs: number,
): Promise<void> {
  for (const [currency, changes] of differences.byCurrency()) {
    const id = await getOwnLedger(db, account, "restored", currency, atMs);
    const ledger = await findLedger(db, account, id);
    if (!ledger) throw new Error(`the bank's own account ${id} is gone`);
    let { balance, serial, spent, paid_count } = ledger;
    const entries: EntryRow[] = changes.map(({ movementId, amount }) => {
      balance -= amount;
      serial += 1;
      spent += Math.max(0, amount);
      paid_count += amount > 0 ? 1 : 0;
      return {
        account,
        ledger_id: id,
        serial,
        movement_id: movementId,
        amount: -amount,
        balance_after: balance,
        spent_after: spent,
        created_at: atMs,
      };
    });
    await insertMissingMovements(
      db,
      account,
      changes.map(({ movementId }) => movementId),
      atMs,
    );
    for (let start = 0; start < entries.length; start += ROWS_AT_ONCE)
      await db
        .insertInto("bank_entry")
        .values(entries.slice(start, start + ROWS_AT_ONCE))
        .execute();
    await db
      .updateTable("bank_ledger")
      .set({ balance, serial, spent, paid_count })
      .where("account", "=", account)
      .where("id", "=", id)
      .execute();
  }
}

/** Ids that are taken later are above this one. */
export async function raiseSequence(db: Db, account: string, lastId: number): Promise<void> {
  await db
    .updateTable("bank_sequence")
    .set({ next: sql<number>`case when next < ${lastId} then ${lastId} else next end` })
    .where("account", "=", account)
    .execute();
}
