/**
 * Ids of records in order of creation. Taking an id locks the row, so the writers of an account run one
 * after the other.
 */
import { queriesOf } from "#kernel/db";
import type { Db } from "./db.ts";

const { compiledQuery } = queriesOf<Db>();

const take = compiledQuery<{ next: number }, [string, number, number]>(
  ["", 0, 0],
  (db, account, count, again) =>
    db
      .insertInto("bank_sequence")
      .values({ account, next: count })
      .onConflict((conflict) =>
        conflict.column("account").doUpdateSet(({ eb }) => ({ next: eb("bank_sequence.next", "+", again) })),
      )
      .returning("next"),
);

/** Takes consecutive ids and returns the first. */
export async function takeIds(db: Db, account: string, count: number): Promise<number> {
  const [row] = await take(db, account, count, count);
  if (!row) throw new Error("the sequence gave no number");
  return Number(row.next) - count + 1;
}
export const takeId = (db: Db, account: string): Promise<number> => takeIds(db, account, 1);
