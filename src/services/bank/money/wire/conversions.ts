/** Currency conversions: offers, and the ones that were accepted. */

import { Type } from "@sinclair/typebox";
import {
  Amount,
  keptIn,
  LabelMonetaryAccount,
  type PaymentRow,
  type RecordRow,
  timeText,
} from "../../book/index.ts";
import { amountOf } from "../domain/money.ts";
import { ConversionKept, QuoteKept } from "../views/conversions.ts";
import { paymentView } from "../views/payments.ts";
import { Payment } from "./payments.ts";

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
  const { source, target, rate, expiresAtMs } = keptIn(QuoteKept, record);
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
  const kept = keptIn(ConversionKept, record);
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
