/** Payments, each as its own side sees it. */
import { type Static, Type } from "@sinclair/typebox";
import { amountOf } from "../domain/money.ts";
import type { PaymentRow } from "../tables.ts";
import { Amount, LabelMonetaryAccount, timeText } from "./shared.ts";

export const Payment = Type.Object({
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  monetary_account_id: Type.Integer(),
  amount: Amount,
  alias: LabelMonetaryAccount,
  counterparty_alias: LabelMonetaryAccount,
  description: Type.String(),
  type: Type.String(),
  sub_type: Type.String(),
  merchant_reference: Type.Optional(Type.String()),
  batch_id: Type.Optional(Type.Integer()),
  scheduled_id: Type.Optional(Type.Integer()),
  payment_arrival_expected: Type.Object({ status: Type.String(), time: Type.Optional(Type.String()) }),
  balance_after_mutation: Amount,
});

export function paymentView(row: PaymentRow): Static<typeof Payment> {
  const { currency } = row;
  const { merchant_reference } = JSON.parse(row.details);
  return {
    id: row.id,
    created: timeText(row.created_at),
    updated: timeText(row.updated_at),
    monetary_account_id: row.ledger_id,
    amount: amountOf({ minor: row.amount, currency }),
    alias: JSON.parse(row.alias),
    counterparty_alias: JSON.parse(row.counterparty),
    description: row.description,
    type: row.type,
    sub_type: row.sub_type,
    ...(merchant_reference !== undefined && { merchant_reference }),
    ...(row.batch_id !== null && { batch_id: row.batch_id }),
    ...(row.scheduled_id !== null && { scheduled_id: row.scheduled_id }),
    payment_arrival_expected: { status: row.arrival },
    balance_after_mutation: amountOf({ minor: row.balance_after, currency }),
  };
}
