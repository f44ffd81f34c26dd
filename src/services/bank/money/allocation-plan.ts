/** Money that comes in may be shared out at once: where an account has rules for that, a job looks at each payment. */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import type { BankContext, LedgerRow, PaymentRow } from "../book/index.ts";

export const allocation = {
  name: "bank.allocate",
  payload: Type.Object({ ledgerId: Type.Integer(), paymentId: Type.Integer() }),
} satisfies WorkKind<{ ledgerId: number; paymentId: number }>;

/** Kept with the account, so that those without rules cost nothing. */
const MARK = '"allocates":true';
export const withRules = ({ details }: LedgerRow): string =>
  JSON.stringify({ ...JSON.parse(details), allocates: true });

export async function planAllocation(
  context: BankContext,
  { details, id }: LedgerRow,
  payment: PaymentRow,
): Promise<void> {
  if (payment.amount > 0 && details.includes(MARK))
    await context.enqueue(allocation, { ledgerId: id, paymentId: payment.id });
}
