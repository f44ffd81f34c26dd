/**
 * Currency conversion: an offer holds for one minute, and the money passes through the bank's own exchange
 * accounts.
 */

import {
  type BankContext,
  clearDeadline,
  createRecord,
  errors,
  keptIn,
  type LedgerRow,
  type RecordRow,
  setDeadline,
} from "../book/index.ts";
import { isCurrency, type Money } from "./domain/money.ts";
import { convert, crossRate, RATES, readRate } from "./domain/rates.ts";
import { findInside, type Inside, labelled, pay, receive } from "./paying.ts";
import { getKnownLedger } from "./store/known.ts";
import { findRate, upsertRate } from "./store/rates.ts";
import { type ConversionKept, QuoteKept } from "./views/conversions.ts";

const HOLDS_MS = 60_000;
export const QUOTE = "currency-conversion-quote";

/** The rate for one euro. */
export async function getRate({ db, account }: BankContext, currency: string): Promise<string> {
  const rate = (await findRate(db, account, currency)) ?? RATES[currency];
  if (rate === undefined) throw errors.badRequest(`There is no rate for ${currency.slice(0, 10)}.`);
  return rate;
}
export async function setRate(
  { db, account, clock }: BankContext,
  currency: string,
  rate: string,
): Promise<void> {
  if (!isCurrency(currency) || currency === "EUR")
    throw errors.badRequest(`${currency.slice(0, 10)} is not a currency with an exchange rate for the euro.`);
  if (readRate(rate) === undefined) throw errors.badRequest("A rate is a decimal number above nothing.");
  await upsertRate(db, { account, currency, rate, updated_at: clock.nowMs() });
}

export type Exchange = { readonly source: Money; readonly target: Money; readonly rate: string };
/** `fixed`: which of the two amounts is given. The other one is computed and rounded in the bank's favour. */
export async function exchangeOf(
  context: BankContext,
  fixed: "source" | "target",
  money: Money,
  other: string,
): Promise<Exchange> {
  const [own, others] = [await getRate(context, money.currency), await getRate(context, other)];
  const found = convert(money, other, { from: own, to: others }, fixed === "source" ? "down" : "up");
  if (found.minor <= 0) throw errors.badRequest("The amount is too small to be exchanged.");
  return fixed === "source"
    ? { source: money, target: found, rate: crossRate(own, others) }
    : { source: found, target: money, rate: crossRate(others, own) };
}

type Order = {
  readonly money: Money;
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  readonly orderType: string;
  readonly to: QuoteKept["to"];
};
async function getPayee(context: BankContext, to: QuoteKept["to"], currency: string): Promise<Inside> {
  const target = await findInside(context, to);
  if (target?.ledger.currency !== currency)
    throw errors.badRequest(`counterparty_alias must be an account in ${currency} of this bank.`);
  return target;
}
export async function makeQuote(
  context: BankContext,
  from: LedgerRow,
  { money, sourceCurrency, targetCurrency, orderType, to }: Order,
  id: number,
): Promise<QuoteKept> {
  if (sourceCurrency !== from.currency)
    throw errors.badRequest(`The account ${from.id} is in ${from.currency}.`);
  if (sourceCurrency === targetCurrency) throw errors.badRequest("The two currencies are one.");
  const fixed = orderType === "SELL" ? "source" : "target";
  if (money.currency !== (fixed === "source" ? sourceCurrency : targetCurrency))
    throw errors.badRequest(
      `To ${orderType}, amount is in ${fixed === "source" ? sourceCurrency : targetCurrency}.`,
    );
  await getPayee(context, to, targetCurrency);
  const exchange = await exchangeOf(
    context,
    fixed,
    money,
    fixed === "source" ? targetCurrency : sourceCurrency,
  );
  const expiresAtMs = context.clock.nowMs() + HOLDS_MS;
  await setDeadline(context, QUOTE, id, expiresAtMs);
  return { ...exchange, orderType, expiresAtMs, to };
}

/** Posts both legs in one transaction. Each side has a record of its own. */
export async function takeQuote(context: BankContext, quote: RecordRow): Promise<void> {
  const { source, target, rate, orderType, to } = keptIn(QuoteKept, quote);
  await clearDeadline(context, QUOTE, quote.id);
  const from = await getKnownLedger(context.db, context.account, quote.owner_id);
  const payee = await getPayee(context, to, target.currency);
  const label = await labelled(context, from);
  const description = `${source.currency} to ${target.currency} at ${rate}`;
  const paid = await pay(context, {
    from,
    to: { own: "exchange", label: payee.label },
    money: source,
    description,
    type: "CURRENCY_CONVERSION",
  });
  const received = await receive(context, payee.ledger, target, description, {
    own: "exchange",
    type: "CURRENCY_CONVERSION",
    counterparty: label,
  });
  const shared = { rate, orderType, groupUuid: context.ids.uuid() };
  const sides: readonly (readonly [LedgerRow, ConversionKept])[] = [
    [
      from,
      {
        ...shared,
        type: "SELL",
        amount: source,
        counterAmount: target,
        label,
        counterLabel: payee.label,
        paymentId: paid.id,
      },
    ],
    [
      payee.ledger,
      {
        ...shared,
        type: "BUY",
        amount: target,
        counterAmount: source,
        label: payee.label,
        counterLabel: label,
        paymentId: received.id,
      },
    ],
  ];
  for (const [{ user_id, id }, body] of sides)
    await createRecord(context, {
      kind: "currency-conversion",
      userId: user_id,
      ownerId: id,
      status: "COMPLETED",
      body,
    });
}
