/** The ledger: accounts with balances that are the sums of their entries, each movement written on both sides at once. */
import { queriesOf } from "#kernel/db";
import { ledgerDetails } from "../domain/details.ts";
import { isBalanced, type Leg, type OwnKind } from "../domain/posting.ts";
import type { EntryRow, LedgerRow, MovementRow, UserRow } from "../tables.ts";
import { type Db, numbersIn } from "./db.ts";
import { takeId } from "./sequence.ts";
import type { Slice } from "./slices.ts";

const { compiledInsert, compiledInsertAll, compiledQuery, compiledUpdate } = queriesOf<Db>();

const FIGURES = ["balance", "overdraft_limit", "daily_limit", "serial", "spent", "paid_count"] as const;
const LEDGER_COLUMNS = [
  "account",
  "id",
  "user_id",
  "kind",
  "currency",
  ...FIGURES,
  "status",
  "sub_status",
  "iban",
  "public_uuid",
  "display_name",
  "description",
  "details",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof LedgerRow)[];
const ledgerOf = numbersIn<LedgerRow>("id", "user_id", ...FIGURES, "created_at", "updated_at");

const insertRow = compiledInsert<LedgerRow>("bank_ledger", LEDGER_COLUMNS);
export async function insertLedger(db: Db, row: LedgerRow): Promise<void> {
  await insertRow(db, row);
}
const selectOne = compiledQuery<LedgerRow, [string, number]>(["", 0], (db, account, id) =>
  db.selectFrom("bank_ledger").selectAll().where("account", "=", account).where("id", "=", id),
);
export async function findLedger(db: Db, account: string, id: number): Promise<LedgerRow | undefined> {
  const [row] = await selectOne(db, account, id);
  return row && ledgerOf(row);
}
/** The facts about an account's owner that others may see. */
export type Owner = Pick<UserRow, "public_uuid" | "display_name" | "country" | "details">;
type NamedRow = LedgerRow & {
  readonly owner_uuid: string;
  readonly owner_name: string;
  readonly owner_country: string;
  readonly owner_details: UserRow["details"];
};
const selectNamed = compiledQuery<NamedRow, [string, string, string]>(
  ["", "", ""],
  (db, account, type, value) =>
    db
      .selectFrom("bank_alias as alias")
      .innerJoin("bank_ledger as ledger", (join) =>
        join.onRef("ledger.account", "=", "alias.account").onRef("ledger.id", "=", "alias.ledger_id"),
      )
      .innerJoin("bank_user as owner", (join) =>
        join.onRef("owner.account", "=", "ledger.account").onRef("owner.id", "=", "ledger.user_id"),
      )
      .selectAll("ledger")
      .select([
        "owner.public_uuid as owner_uuid",
        "owner.display_name as owner_name",
        "owner.country as owner_country",
        "owner.details as owner_details",
      ])
      .where("alias.account", "=", account)
      .where("alias.type", "=", type)
      .where("alias.value", "=", value),
);
/** The account that money finds under a name, and whose it is. */
export async function findNamedLedger(
  db: Db,
  account: string,
  type: string,
  value: string,
): Promise<{ readonly ledger: LedgerRow; readonly owner: Owner } | undefined> {
  const [row] = await selectNamed(db, account, type, value);
  if (!row) return undefined;
  const { owner_uuid, owner_name, owner_country, owner_details, ...ledger } = row;
  const owner = {
    public_uuid: owner_uuid,
    display_name: owner_name,
    country: owner_country,
    details: owner_details,
  };
  return { ledger: ledgerOf(ledger), owner };
}
export const updateSettings = compiledUpdate<LedgerRow, "account" | "id">(
  "bank_ledger",
  ["account", "id"],
  [
    "daily_limit",
    "overdraft_limit",
    "status",
    "sub_status",
    "display_name",
    "description",
    "details",
    "updated_at",
  ],
);
const updateBalance = compiledUpdate<
  Pick<LedgerRow, "account" | "id" | "balance" | "serial" | "spent" | "paid_count">,
  "account" | "id"
>("bank_ledger", ["account", "id"], ["balance", "serial", "spent", "paid_count"]);
const insertMovement = compiledInsert<MovementRow>("bank_movement", ["account", "id", "kind", "created_at"]);
const insertEntries = compiledInsertAll<EntryRow>("bank_entry", [
  "account",
  "ledger_id",
  "serial",
  "movement_id",
  "amount",
  "balance_after",
  "spent_after",
  "created_at",
]);

/** Newest first, in both paging directions. Includes accounts that others share with the user. */
export async function pageOfLedgers(
  db: Db,
  account: string,
  { userId, kinds, sharedIds = [] }: LedgerChoice,
  { olderThan, newerThan, limit }: Slice,
): Promise<LedgerRow[]> {
  let query = db
    .selectFrom("bank_ledger")
    .selectAll()
    .where("account", "=", account)
    .where(({ eb, or }) =>
      or([eb("user_id", "=", userId), ...(sharedIds.length > 0 ? [eb("id", "in", sharedIds)] : [])]),
    )
    .where("kind", "in", kinds)
    .limit(limit);
  if (olderThan !== undefined) query = query.where("id", "<", olderThan);
  query =
    newerThan === undefined ? query.orderBy("id", "desc") : query.where("id", ">", newerThan).orderBy("id");
  const rows = (await query.execute()).map(ledgerOf);
  return newerThan === undefined ? rows : rows.reverse();
}

export type LedgerChoice = {
  readonly userId: number;
  readonly kinds: readonly string[];
  readonly sharedIds?: readonly number[];
};

const selectOwn = compiledQuery<{ id: number }, [string, string, string]>(
  ["", "", ""],
  (db, account, kind, currency) =>
    db
      .selectFrom("bank_ledger")
      .select("id")
      .where("account", "=", account)
      .where("user_id", "=", 0)
      .where("kind", "=", kind)
      .where("currency", "=", currency),
);
/**
 * The bank's own account of a kind. The caller holds the sequence lock; the account is created on first use.
 */
export async function getOwnLedger(
  db: Db,
  account: string,
  kind: OwnKind,
  currency: string,
  atMs: number,
): Promise<number> {
  const [known] = await selectOwn(db, account, kind, currency);
  if (known) return Number(known.id);
  const id = await takeId(db, account);
  const [meanwhile] = await selectOwn(db, account, kind, currency);
  if (meanwhile) return Number(meanwhile.id);
  await insertLedger(db, {
    account,
    id,
    user_id: 0,
    kind,
    currency,
    balance: 0,
    overdraft_limit: 0,
    daily_limit: 0,
    serial: 0,
    spent: 0,
    paid_count: 0,
    status: "ACTIVE",
    sub_status: "NONE",
    iban: "",
    public_uuid: "",
    display_name: kind,
    description: kind,
    details: ledgerDetails.write({}),
    created_at: atMs,
    updated_at: atMs,
  });
  return id;
}

/** The reason why a movement is refused, with the account concerned. */
export type Refusal = { readonly reason: "insufficient" | "closed" | "currency"; readonly ledger: LedgerRow };
export type Posted = {
  readonly movementId: number;
  /** The balance of each account afterwards, in the order of the legs. */
  readonly balancesAfter: readonly number[];
};

type Posting = {
  readonly id: number;
  readonly kind: string;
  readonly atMs: number;
  readonly legs: readonly Leg[];
  /** Accounts that were read since the sequence is held. */
  readonly known?: readonly LedgerRow[];
};

const mayOwe = ({ user_id }: LedgerRow): boolean => user_id === 0;

export const takesMoney = ({ status, sub_status }: LedgerRow): boolean =>
  status === "ACTIVE" || (status === "BLOCKED" && sub_status === "ONLY_ACCEPTING_INCOMING");

function findRefusal(ledger: LedgerRow, { currency, minor }: Leg): Refusal | undefined {
  if (ledger.currency !== currency) return { reason: "currency", ledger };
  if (ledger.status !== "ACTIVE" && !(minor > 0 && takesMoney(ledger))) return { reason: "closed", ledger };
  const after = ledger.balance + minor;
  if (minor < 0 && after < -ledger.overdraft_limit && !mayOwe(ledger))
    return { reason: "insufficient", ledger };
  return undefined;
}

const afterLeg = (ledger: LedgerRow, minor: number): LedgerRow => ({
  ...ledger,
  balance: ledger.balance + minor,
  serial: ledger.serial + 1,
  spent: ledger.spent + Math.max(0, -minor),
  paid_count: ledger.paid_count + (minor < 0 ? 1 : 0),
});

/**
 * Writes a movement completely or not at all. The caller holds the lock on the account's sequence, so no other
 * transaction changes a balance at the same time.
 */
export async function post(
  db: Db,
  account: string,
  { id, kind, atMs, legs, known = [] }: Posting,
): Promise<Posted | Refusal> {
  if (!isBalanced(legs)) throw new Error(`the movement ${kind} does not balance`);
  const ledgers = new Map(known.map((ledger) => [ledger.id, ledger]));
  const entries: EntryRow[] = [];
  for (const leg of legs) {
    const ledger = ledgers.get(leg.ledgerId) ?? (await findLedger(db, account, leg.ledgerId));
    if (!ledger) throw new Error(`there is no account ${leg.ledgerId}`);
    const refusal = findRefusal(ledger, leg);
    if (refusal) return refusal;
    const after = afterLeg(ledger, leg.minor);
    ledgers.set(leg.ledgerId, after);
    entries.push({
      account,
      ledger_id: leg.ledgerId,
      serial: after.serial,
      movement_id: id,
      amount: leg.minor,
      balance_after: after.balance,
      spent_after: after.spent,
      created_at: atMs,
    });
  }
  await insertMovement(db, { account, id, kind, created_at: atMs });
  await insertEntries(db, entries);
  for (const after of ledgers.values()) await updateBalance(db, after);
  return { movementId: id, balancesAfter: entries.map(({ balance_after }) => balance_after) };
}

const selectSpentBefore = compiledQuery<{ spent_after: number }, [string, number, number]>(
  ["", 0, 0],
  (db, account, ledgerId, beforeMs) =>
    db
      .selectFrom("bank_entry")
      .select("spent_after")
      .where("account", "=", account)
      .where("ledger_id", "=", ledgerId)
      .where("created_at", "<", beforeMs)
      .orderBy("created_at", "desc")
      .orderBy("serial", "desc")
      .limit(1),
);
/** The amount that left an account since an instant. Incoming money is not subtracted. */
export async function spentSince(
  db: Db,
  { account, id, spent }: Pick<LedgerRow, "account" | "id" | "spent">,
  sinceMs: number,
): Promise<number> {
  const [before] = await selectSpentBefore(db, account, id, sinceMs);
  return spent - Number(before?.spent_after ?? 0);
}

/** How many times money went out of a user's accounts. */
export async function countPayments(db: Db, account: string, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom("bank_ledger")
    .select(({ fn }) => fn.sum<number | null>("paid_count").as("count"))
    .where("account", "=", account)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count ?? 0);
}

const selectSpent = compiledQuery<{ id: number; spent: number }, [string, number, string]>(
  ["", 0, ""],
  (db, account, userId, currency) =>
    db
      .selectFrom("bank_ledger")
      .select(["id", "spent"])
      .where("account", "=", account)
      .where("user_id", "=", userId)
      .where("currency", "=", currency),
);
/**
 * The same for all accounts of a user in a currency. If the total ever spent is below `enough`, the dates
 * are not read.
 */
export async function spentByUserSince(
  db: Db,
  account: string,
  { userId, currency, enough = 0 }: { userId: number; currency: string; enough?: number },
  sinceMs: number,
): Promise<number> {
  const ledgers = await selectSpent(db, account, userId, currency);
  const ever = ledgers.reduce((sum, { spent }) => sum + Number(spent), 0);
  if (ever <= enough) return ever;
  let sum = 0;
  for (const { id, spent } of ledgers)
    sum += await spentSince(db, { account, id: Number(id), spent: Number(spent) }, sinceMs);
  return sum;
}
