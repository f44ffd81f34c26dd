/** Creates accounts. */

import {
  type BankContext,
  insertLedger,
  type LedgerDetails,
  type LedgerRow,
  ledgerDetails,
  takeId,
} from "../book/index.ts";
import { makeIban } from "./domain/iban.ts";
import { findAlias, insertAlias } from "./store/users.ts";

const DAILY_LIMIT_MINOR = 10_000_000;

export type NewLedger = {
  readonly userId: number;
  readonly kind: string;
  readonly currency: string;
  readonly country: string;
  readonly displayName: string;
  readonly description: string;
  readonly dailyLimitMinor?: number;
  readonly overdraftLimitMinor?: number;
  readonly details?: LedgerDetails;
};

/** A number that no account here has. */
export async function freeIban({ db, account, ids }: BankContext, country: string): Promise<string> {
  let iban = "";
  do iban = makeIban(country, ids.digits(10));
  while (await findAlias(db, account, "IBAN", iban));
  return iban;
}

/** Opens an account with an IBAN of its own. */
export async function openLedger(context: BankContext, wanted: NewLedger): Promise<LedgerRow> {
  const { db, account, ids, clock } = context;
  const id = await takeId(db, account);
  const now = clock.nowMs();
  const iban = await freeIban(context, wanted.country);
  await insertAlias(db, {
    account,
    type: "IBAN",
    value: iban,
    name: wanted.displayName,
    user_id: wanted.userId,
    ledger_id: id,
  });
  const row: LedgerRow = {
    account,
    id,
    user_id: wanted.userId,
    kind: wanted.kind,
    currency: wanted.currency,
    balance: 0,
    overdraft_limit: wanted.overdraftLimitMinor ?? 0,
    daily_limit: wanted.dailyLimitMinor ?? DAILY_LIMIT_MINOR,
    serial: 0,
    spent: 0,
    paid_count: 0,
    status: "ACTIVE",
    sub_status: "NONE",
    iban,
    public_uuid: ids.uuid(),
    display_name: wanted.displayName,
    description: wanted.description,
    details: ledgerDetails.write(wanted.details ?? {}),
    created_at: now,
    updated_at: now,
  };
  await insertLedger(db, row);
  return row;
}
