/** Payments to beneficiaries abroad, based on an offer whose rates hold for an hour. */

import { Type } from "@sinclair/typebox";
import {
  type BankContext,
  errors,
  findRecord,
  type KeptOf,
  keptIn,
  type LedgerRow,
  newestFirst,
  recordKind,
} from "../book/index.ts";
import { convert, type Label, type Money, type PointerTo } from "../money/index.ts";

export const BENEFICIARY = "currency-cloud-beneficiary";
const QUOTE = "currency-cloud-payment-quote";
/** The pointer type of a beneficiary. Its value is the beneficiary's id. */
const POINTER = "CURRENCY_CLOUD_BENEFICIARY";

export const BeneficiaryKept = recordKind(
  ["currency-cloud-beneficiary"],
  Type.Object({
    name: Type.String(),
    currency: Type.String(),
    accountNumber: Type.String(),
    externalUuid: Type.String(),
  }),
);
export type BeneficiaryKept = KeptOf<typeof BeneficiaryKept>;
export const CloudQuoteKept = recordKind(
  ["currency-cloud-payment-quote"],
  Type.Object({
    beneficiaries: Type.Array(Type.Number()),
    /** The rate of each currency for one euro while the offer is valid. */
    rates: Type.Record(Type.String(), Type.String()),
    expiresAtMs: Type.Number(),
  }),
);
export type CloudQuoteKept = KeptOf<typeof CloudQuoteKept>;
export const isBeneficiary = ({ type }: PointerTo): boolean => type === POINTER;

type Abroad = { readonly label: Label; readonly accountNumber: string; readonly currency: string };
export async function getBeneficiary(
  { db, account }: BankContext,
  userId: number,
  { value }: PointerTo,
): Promise<Abroad> {
  const found = await findRecord(db, account, { kind: BENEFICIARY, userId }, Number(value) || 0);
  if (!found) throw errors.badRequest(`There is no beneficiary ${value.slice(0, 50)}.`);
  const { name, currency, accountNumber } = keptIn(BeneficiaryKept, found);
  const label = { iban: accountNumber, display_name: name, country: "", is_light: false };
  return { label, accountNumber, currency };
}

/** The amount to debit so that the beneficiary gets the requested amount. It uses the newest valid offer. */
export async function pricedByQuote(
  { db, account, clock }: BankContext,
  from: LedgerRow,
  { value }: PointerTo,
  money: Money,
): Promise<{ readonly source: Money; readonly quoteId: number }> {
  const place = { kind: QUOTE, userId: from.user_id, ownerId: from.id };
  for await (const quote of newestFirst(db, account, place)) {
    const { beneficiaries, rates, expiresAtMs } = keptIn(CloudQuoteKept, quote);
    // Older ones have expired too.
    if (expiresAtMs <= clock.nowMs()) break;
    const [own, others] = [rates[from.currency], rates[money.currency]];
    if (!beneficiaries.includes(Number(value)) || !own || !others) continue;
    const source =
      from.currency === money.currency
        ? money
        : convert(money, from.currency, { from: others, to: own }, "up");
    return { source, quoteId: quote.id };
  }
  throw errors.badRequest("There is no offer for this beneficiary that still holds: ask for one first.");
}
