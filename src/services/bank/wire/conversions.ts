/** Money turned into another currency: offers, and what was taken. */
import { type Static, Type } from "@sinclair/typebox";
import { amountOf, type Money } from "../domain/money.ts";
import type { PaymentRow, RecordRow } from "../tables.ts";
import { Payment, paymentView } from "./payments.ts";
import { Amount, LabelMonetaryAccount, timeText } from "./shared.ts";

type Label = Static<typeof LabelMonetaryAccount>;
export type QuoteKept = {
  readonly source: Money;
  readonly target: Money;
  readonly rate: string;
  readonly orderType: string;
  readonly expiresAtMs: number;
  readonly to: { readonly type: string; readonly value: string; readonly name?: string | undefined };
};
export const quoteMembers = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  status: Type.String(),
  amount_source: Amount,
  amount_target: Amount,
  rate: Type.String(),
  time_expiry: Type.String(),
};
export function quoteView(record: RecordRow) {
  const { source, target, rate, expiresAtMs }: QuoteKept = JSON.parse(record.body);
  return {
    id: record.id,
    created: timeText(record.created_at),
    updated: timeText(record.updated_at),
    status: record.status,
    amount_source: amountOf(source),
    amount_target: amountOf(target),
    rate,
    time_expiry: timeText(expiresAtMs),
  };
}

export type ConversionKept = {
  readonly amount: Money;
  readonly counterAmount: Money;
  readonly rate: string;
  readonly type: string;
  readonly orderType: string;
  readonly groupUuid: string;
  readonly label: Label;
  readonly counterLabel: Label;
  readonly paymentId: number;
};
export const conversionMembers = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  status: Type.String(),
  date_delivery_expected: Type.String(),
  rate: Type.String(),
  amount: Amount,
  counter_amount: Amount,
  group_uuid: Type.String(),
  type: Type.String(),
  order_type: Type.String(),
  label_monetary_account: LabelMonetaryAccount,
  counter_label_monetary_account: LabelMonetaryAccount,
  payment: Type.Optional(Payment),
};
export function conversionView(record: RecordRow, payment: PaymentRow | undefined) {
  const kept: ConversionKept = JSON.parse(record.body);
  return {
    id: record.id,
    created: timeText(record.created_at),
    updated: timeText(record.updated_at),
    status: record.status,
    date_delivery_expected: timeText(record.created_at).slice(0, 10),
    rate: kept.rate,
    amount: amountOf(kept.amount),
    counter_amount: amountOf(kept.counterAmount),
    group_uuid: kept.groupUuid,
    type: kept.type,
    order_type: kept.orderType,
    label_monetary_account: kept.label,
    counter_label_monetary_account: kept.counterLabel,
    ...(payment && { payment: paymentView(payment) }),
  };
}
