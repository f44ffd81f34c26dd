/** The times at which payments leave for other banks. */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import {
  type BankContext,
  createRecord,
  emptyKind,
  findRecordById,
  type LedgerRow,
  moveRecord,
  type PaymentRow,
  type RecordRow,
  tell,
} from "../book/index.ts";
import { digitsOf, type Money } from "./domain/money.ts";
import { paymentView } from "./views/payments.ts";

/** There is a clearing every quarter of an hour. */
const CLEARING_MS = 15 * 60_000;
export const clearing = {
  name: "bank.clear",
  payload: Type.Object({ ledgerId: Type.Integer(), paymentId: Type.Integer() }),
} satisfies WorkKind<{ ledgerId: number; paymentId: number }>;
export const keyOfClearing = (paymentId: number): string => `clear:${paymentId}`;

export const nextClearingMs = (nowMs: number): number => Math.ceil((nowMs + 1) / CLEARING_MS) * CLEARING_MS;

const HELD_MS = 60 * 60_000;
/** Payments above this number of currency units are held for a check before they leave. */
const HELD_ABOVE_UNITS = 10_000;
const isHeld = ({ minor, currency }: Money): boolean => minor > HELD_ABOVE_UNITS * 10 ** digitsOf(currency);
/** The clearing time of a payment that is made now. */
export const clearingMsOf = (money: Money, nowMs: number): number =>
  nextClearingMs(isHeld(money) ? nowMs + HELD_MS : nowMs);

const DELAYED = "payment-delayed";
emptyKind(DELAYED);
const tellDelayed = (
  context: BankContext,
  record: RecordRow,
  payment: PaymentRow,
  action: "CREATE" | "UPDATE",
) =>
  tell(context, record, {
    category: "PAYMENT",
    action,
    type: "PaymentDelayed",
    shown: { id: record.id, status: record.status, payment: paymentView(payment) },
  });
export async function planClearing(
  context: BankContext,
  { user_id }: LedgerRow,
  payment: PaymentRow,
): Promise<void> {
  const { ledger_id, id, amount, currency } = payment;
  const money = { minor: -amount, currency };
  await context.enqueue(
    clearing,
    { ledgerId: ledger_id, paymentId: id },
    { runAtMs: clearingMsOf(money, context.clock.nowMs()), key: keyOfClearing(id) },
  );
  if (!isHeld(money)) return;
  const delayed = await createRecord(context, {
    kind: DELAYED,
    userId: user_id,
    ownerId: ledger_id,
    id,
    body: {},
  });
  await tellDelayed(context, delayed, payment, "CREATE");
}
/** Ends the hold: the payment has left, or came back. */
export async function endDelay(
  context: BankContext,
  payment: PaymentRow,
  status: "EXECUTED" | "FAILED",
): Promise<void> {
  const delayed = await findRecordById(context.db, context.account, DELAYED, payment.id);
  if (delayed) await tellDelayed(context, await moveRecord(context, delayed, { status }), payment, "UPDATE");
}
