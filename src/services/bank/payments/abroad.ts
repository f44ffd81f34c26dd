/**
 * Payments abroad: an offer with a fee, a recipient, and a transfer that arrives after a day or is returned.
 */

import {
  type BankContext,
  errors,
  keptIn,
  type LedgerRow,
  moveRecord,
  type RecordRow,
  setDeadline,
} from "../book/index.ts";
import {
  digitsOf,
  exchangeOf,
  getKnownLedger,
  labelled,
  type Money,
  moveOwn,
  pay,
  receive,
} from "../money/index.ts";
import { AbroadQuoteKept, labelOfRecipient, RecipientKept, TransferKept } from "./views/abroad.ts";

const HOLDS_MS = 30 * 60_000;
const PICK_UP_MS = 60 * 60_000;
const DELIVERY_MS = 86_400_000;
const FEE_THOUSANDTHS = 6;
/** The fixed part of the fee: half a unit of any currency. */
const baseFee = (currency: string): number => Math.ceil(10 ** digitsOf(currency) / 2);
const feeOf = ({ minor, currency }: Money): Money => ({
  minor: Math.ceil((minor * FEE_THOUSANDTHS) / 1000) + baseFee(currency),
  currency,
});

type Wanted = { readonly source?: Money | undefined; readonly target?: Money | undefined };
/** The fee is included in the amount paid. The rest is exchanged. */
export async function quoteAbroad(
  context: BankContext,
  { sourceCurrency, targetCurrency }: { readonly sourceCurrency: string; readonly targetCurrency: string },
  { source, target }: Wanted,
): Promise<AbroadQuoteKept> {
  if ((source === undefined) === (target === undefined))
    throw errors.badRequest("Either amount_source or amount_target says how much.");
  if ((source ?? target)?.currency !== (source ? sourceCurrency : targetCurrency))
    throw errors.badRequest("The amount is not in the currency that was named.");
  const now = context.clock.nowMs();
  const times = {
    quoteUuid: context.ids.uuid(),
    expiresAtMs: now + HOLDS_MS,
    deliveryAtMs: now + DELIVERY_MS,
  };
  if (source) {
    const fee = feeOf(source);
    const rest = { minor: source.minor - fee.minor, currency: source.currency };
    if (rest.minor <= 0) throw errors.badRequest("The fee would take all of it.");
    const exchange = await exchangeOf(context, "source", rest, targetCurrency);
    return { ...exchange, source, fee, ...times };
  }
  const exchange = await exchangeOf(context, "target", target as Money, sourceCurrency);
  const fee = feeOf(exchange.source);
  return { ...exchange, source: { ...fee, minor: exchange.source.minor + fee.minor }, fee, ...times };
}

/** Debits the account at once. The exchange account holds the money until it arrives. */
export async function sendAbroad(
  context: BankContext,
  from: LedgerRow,
  quote: RecordRow,
  recipient: RecordRow,
  id: number,
): Promise<TransferKept> {
  const offer = keptIn(AbroadQuoteKept, quote);
  if (offer.expiresAtMs <= context.clock.nowMs()) throw errors.badRequest("The offer has expired.");
  if (offer.transferId !== undefined) throw errors.badRequest("The offer was taken already.");
  const counterparty = labelOfRecipient(keptIn(RecipientKept, recipient));
  const { source, target, fee, rate, deliveryAtMs } = offer;
  const paid = await pay(context, {
    from,
    to: { own: "exchange", label: counterparty },
    money: source,
    description: `To ${counterparty.display_name} in ${target.currency}`,
    type: "TRANSFERWISE",
  });
  await moveOwn(context, "exchange", "income", fee);
  await moveRecord(context, quote, { body: { ...offer, transferId: id } });
  await setDeadline(context, "transferwise-transfer", id, context.clock.nowMs() + PICK_UP_MS);
  return {
    quoteId: quote.id,
    ledgerId: from.id,
    paymentId: paid.id,
    alias: await labelled(context, from),
    counterparty,
    source,
    target,
    fee,
    rate,
    reference: `T${id}`,
    deliveryAtMs,
  };
}

const BOUNCING = /^Bounce [A-Z]{2}\d{2}$/;
async function giveBack(
  context: BankContext,
  { ledgerId, source, fee, counterparty }: TransferKept,
): Promise<void> {
  const ledger = await getKnownLedger(context.db, context.account, ledgerId);
  await moveOwn(context, "income", "exchange", fee);
  await receive(context, ledger, source, "The transfer came back", {
    own: "exchange",
    type: "TRANSFERWISE",
    subType: "REVERSAL",
    counterparty,
  });
}
/** The transfer is picked up first. A day later it has arrived or been returned. */
export async function moveTransfer(context: BankContext, transfer: RecordRow): Promise<void> {
  const kept = keptIn(TransferKept, transfer);
  if (transfer.status === "PENDING") {
    await moveRecord(context, transfer, { status: "PROCESSING" });
    await setDeadline(
      context,
      transfer.kind,
      transfer.id,
      Math.max(kept.deliveryAtMs, context.clock.nowMs()),
    );
  } else if (transfer.status === "PROCESSING") {
    const isRefused = BOUNCING.test(kept.counterparty.display_name);
    if (isRefused) await giveBack(context, kept);
    else await moveOwn(context, "exchange", "outside", kept.target);
    await moveRecord(context, transfer, { status: isRefused ? "REFUNDED" : "COMPLETED" });
  }
}
