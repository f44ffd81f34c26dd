/** Payments on their way to other banks: settled at the next clearing, or returned. */
import { type BankContext, errors, type PaymentRow, type RecordRow } from "../book/index.ts";
import { clearing, endDelay, keyOfClearing } from "./clearing-times.ts";
import { moveOwn, receive } from "./paying.ts";
import { getKnownLedger } from "./store/known.ts";
import { findPayment, listPaymentsOfBatch, updateArrival } from "./store/payments.ts";

/** A payee with this name returns the payment, with the four characters as the reason code. */
const BOUNCING = /^Bounce ([A-Z]{2}\d{2})$/;
const REASONS: Readonly<Record<string, string>> = {
  AC01: "There is no such account.",
  AC04: "The account is closed.",
  AC06: "The account is blocked.",
  MD07: "Its owner has died.",
  MS03: "The other bank gives no reason.",
};
function bounceOf({ counterparty }: PaymentRow): string | undefined {
  const [, code = ""] = BOUNCING.exec(JSON.parse(counterparty).display_name) ?? [];
  return REASONS[code] && `${code}: ${REASONS[code]}`;
}

async function sendBack(context: BankContext, payment: PaymentRow, reason: string): Promise<void> {
  const { db, account, clock } = context;
  const ledger = await getKnownLedger(db, account, payment.ledger_id);
  const { currency, amount, counterparty } = payment;
  await receive(context, ledger, { minor: -amount, currency }, reason, {
    own: "clearing",
    type: payment.type,
    subType: "REVERSAL",
    counterparty: JSON.parse(counterparty),
  });
  const returned = { ...payment, arrival: "RETURNED", updated_at: clock.nowMs() };
  await updateArrival(db, returned);
  await endDelay(context, returned, "FAILED");
}
async function settle(context: BankContext, payment: PaymentRow): Promise<void> {
  const { currency, amount } = payment;
  await moveOwn(context, "clearing", "outside", { minor: -amount, currency });
  const arrived = { ...payment, arrival: "ARRIVED", updated_at: context.clock.nowMs() };
  await updateArrival(context.db, arrived);
  await endDelay(context, arrived, "EXECUTED");
}
export async function clear(context: BankContext, ledgerId: number, paymentId: number): Promise<void> {
  const payment = await findPayment(context.db, context.account, ledgerId, paymentId);
  if (payment?.arrival !== "ON_ITS_WAY") return;
  const bounce = bounceOf(payment);
  await (bounce === undefined ? settle(context, payment) : sendBack(context, payment, bounce));
}

/** Recalls the payments of a batch that have not left yet. */
export async function recallPayments(context: BankContext, batch: RecordRow): Promise<void> {
  const { db, account } = context;
  const payments = await listPaymentsOfBatch(db, account, batch.owner_id, batch.id);
  const waiting = payments.filter(({ arrival }) => arrival === "ON_ITS_WAY");
  if (waiting.length === 0) throw errors.badRequest("All of these payments have arrived.");
  for (const payment of waiting) {
    await context.cancelJob(clearing, keyOfClearing(payment.id));
    await sendBack(context, payment, "Recalled");
  }
}
