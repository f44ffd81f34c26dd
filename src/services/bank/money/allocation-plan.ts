/** Allocation of incoming money: if an account has rules, a job applies them to each incoming payment. */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import { type BankContext, type LedgerRow, ledgerDetails, type PaymentRow } from "../book/index.ts";

export const allocation = {
  name: "bank.allocate",
  payload: Type.Object({ ledgerId: Type.Integer(), paymentId: Type.Integer() }),
} satisfies WorkKind<{ ledgerId: number; paymentId: number }>;

/** Stored with the account, so that accounts without rules need no further query. */
const MARK = '"allocates":true';
export const withRules = ({ details }: LedgerRow): LedgerRow["details"] =>
  ledgerDetails.write({ ...ledgerDetails.read(details), allocates: true });

export async function planAllocation(
  context: BankContext,
  { details, id }: LedgerRow,
  payment: PaymentRow,
): Promise<void> {
  if (payment.amount > 0 && details.includes(MARK))
    await context.enqueue(allocation, { ledgerId: id, paymentId: payment.id });
}
