/** Checks the ledger: each currency sums to zero, and each balance is the sum of its entries. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { LedgerRow } from "../tables.ts";
import { type Db, numbersIn } from "./db.ts";

const WRONG_MAX = 100;
export type Proof = {
  readonly isSound: boolean;
  readonly entries: number;
  /** The sum of all entries by currency. It must be zero. */
  readonly sums: readonly { readonly currency: string; readonly sum: number; readonly entries: number }[];
  /** Accounts whose balance or entry count differs from their entries. */
  readonly wrong: readonly { readonly ledgerId: number; readonly balance: number; readonly sum: number }[];
};

/** A few milliseconds of the main thread. */
const ENTRIES_AT_ONCE = 2_000;
type ProofPieces = {
  readonly entriesAtOnce?: number;
  /** Others have their turn. */
  readonly betweenPieces?: () => Promise<unknown>;
};

type Claim = Pick<LedgerRow, "id" | "currency" | "balance" | "serial"> & { readonly last: number | null };
const claimOf = numbersIn<Claim>("id", "balance", "serial", "last");
/** The balances and counts of all accounts at one moment, and the id of the last movement at that moment. */
async function listClaims(db: Db, account: string): Promise<readonly Claim[]> {
  const claims = await db
    .selectFrom("bank_ledger")
    .select(["id", "currency", "balance", "serial"])
    .select(({ selectFrom }) =>
      selectFrom("bank_movement")
        .select(({ fn }) => fn.max<number>("id").as("last"))
        .where("account", "=", account)
        .as("last"),
    )
    .where("account", "=", account)
    .execute();
  return claims.map(claimOf);
}

type Place = { readonly ledgerId: number; readonly serial: number };
type Piece = { ledger_id: number; sum: number; entries: number; read: number; serial: number };
const pieceOf = numbersIn<Piece>("ledger_id", "sum", "entries", "read", "serial");
/** The next batch of entries, summed by account. Entries of newer movements are read but not counted. */
async function listPiece(
  db: Db,
  account: string,
  last: number,
  after: Place,
  entriesAtOnce: number,
): Promise<readonly Piece[]> {
  const isThen = sql`movement_id <= ${last}`;
  const rows = await db
    .selectFrom(
      db
        .selectFrom("bank_entry")
        .select(["ledger_id", "serial", "amount", "movement_id"])
        .where("account", "=", account)
        .where(sql<boolean>`(ledger_id, serial) > (${after.ledgerId}, ${after.serial})`)
        .orderBy("ledger_id")
        .orderBy("serial")
        .limit(entriesAtOnce)
        .as("entry"),
    )
    .select("ledger_id")
    .select(({ fn }) => [fn.countAll<number>().as("read"), fn.max<number>("serial").as("serial")])
    .select(sql<number>`sum(case when ${isThen} then amount else 0 end)`.as("sum"))
    .select(sql<number>`sum(case when ${isThen} then 1 else 0 end)`.as("entries"))
    .groupBy("ledger_id")
    .orderBy("ledger_id")
    .execute();
  return rows.map(pieceOf);
}

type Total = { sum: number; entries: number };
async function totalsOf(
  db: Db,
  account: string,
  last: number,
  { entriesAtOnce = ENTRIES_AT_ONCE, betweenPieces = nextTurn }: ProofPieces,
): Promise<ReadonlyMap<number, Total>> {
  const totals = new Map<number, Total>();
  let after: Place = { ledgerId: 0, serial: 0 };
  for (;;) {
    const pieces = await listPiece(db, account, last, after, entriesAtOnce);
    for (const { ledger_id, sum, entries } of pieces) {
      const before = totals.get(ledger_id) ?? NOTHING;
      totals.set(ledger_id, { sum: before.sum + sum, entries: before.entries + entries });
    }
    const end = pieces.at(-1);
    if (!end || pieces.reduce((all, { read }) => all + read, 0) < entriesAtOnce) return totals;
    after = { ledgerId: end.ledger_id, serial: end.serial };
    await betweenPieces();
  }
}
const NOTHING: Total = { sum: 0, entries: 0 };

/**
 * Checks the ledger as of one moment, even if it takes long: only restores change entries, and the movement id
 * tells which ones are newer. After a restore it begins again.
 */
export async function proveBooks(db: Db, account: string, pieces: ProofPieces = {}): Promise<Proof> {
  const before = await countRestored(db, account);
  const proof = await prove(db, account, pieces);
  const isDisturbed = !proof.isSound && before !== (await countRestored(db, account));
  return isDisturbed ? proveBooks(db, account, pieces) : proof;
}
/** The number of entries by which restores have balanced the books: a restore exchanges older entries. */
async function countRestored(db: Db, account: string): Promise<number> {
  const rows = await db
    .selectFrom("bank_ledger")
    .select("serial")
    .where("account", "=", account)
    .where("user_id", "=", 0)
    .where("kind", "=", "restored")
    .execute();
  return rows.reduce((sum, { serial }) => sum + Number(serial), 0);
}
async function prove(db: Db, account: string, pieces: ProofPieces): Promise<Proof> {
  const claims = await listClaims(db, account);
  const totals = await totalsOf(db, account, claims[0]?.last ?? 0, pieces);
  const byCurrency = new Map<string, Total>();
  const wrong: Proof["wrong"][number][] = [];
  for (const { id, currency, balance, serial } of claims) {
    const { sum, entries } = totals.get(id) ?? NOTHING;
    const before = byCurrency.get(currency) ?? NOTHING;
    byCurrency.set(currency, { sum: before.sum + sum, entries: before.entries + entries });
    if (balance !== sum || serial !== entries) wrong.push({ ledgerId: id, balance, sum });
  }
  const sums = [...byCurrency]
    .map(([currency, total]) => ({ currency, ...total }))
    .filter(({ entries }) => entries > 0)
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
  return {
    isSound: wrong.length === 0 && sums.every(({ sum }) => sum === 0),
    entries: sums.reduce((all, { entries }) => all + entries, 0),
    sums,
    wrong: wrong.slice(0, WRONG_MAX),
  };
}

/** Accounts that have books at all. */
export async function listBookkeepers(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("bank_sequence").select("account").orderBy("account").execute();
  return rows.map(({ account }) => account);
}
