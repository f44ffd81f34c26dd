/** Payments abroad: cost, recipient and progress. */

import { type Static, Type } from "@sinclair/typebox";
import { Amount, keptIn, LabelMonetaryAccount, type RecordRow, timeText } from "../../book/index.ts";
import { amountOf } from "../../money/index.ts";
import type { Field, RecipientType } from "../domain/abroad.ts";
import { AbroadQuoteKept, detailOf, RecipientKept, TransferKept } from "../views/abroad.ts";

export const abroadQuoteMembers = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  time_expiry: Type.String(),
  quote_id: Type.String(),
  amount_source: Amount,
  amount_target: Amount,
  amount_fee: Amount,
  rate: Type.String(),
  time_delivery_estimate: Type.String(),
};
export function abroadQuoteView(record: RecordRow) {
  const kept = keptIn(AbroadQuoteKept, record);
  return {
    id: record.id,
    created: timeText(record.created_at),
    updated: timeText(record.updated_at),
    time_expiry: timeText(kept.expiresAtMs),
    quote_id: kept.quoteUuid,
    amount_source: amountOf(kept.source),
    amount_target: amountOf(kept.target),
    amount_fee: amountOf(kept.fee),
    rate: kept.rate,
    time_delivery_estimate: timeText(kept.deliveryAtMs),
  };
}

export const Detail = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 50 }),
  value: Type.String({ maxLength: 100 }),
});
export const recipientMembers = {
  id: Type.Integer(),
  account_id: Type.String(),
  currency: Type.String(),
  country: Type.String(),
  name_account_holder: Type.String(),
  account_number: Type.String(),
  bank_code: Type.Optional(Type.String()),
};
export function recipientView(record: RecordRow) {
  const kept = keptIn(RecipientKept, record);
  const code = detailOf(kept, ["sortCode", "abartn", "swiftCode"]);
  return {
    id: record.id,
    account_id: String(record.id),
    currency: kept.currency,
    country: kept.country,
    name_account_holder: kept.name,
    account_number: detailOf(kept, ["IBAN", "accountNumber"]) ?? "",
    ...(code !== undefined && { bank_code: code }),
  };
}

export const Requirement = Type.Object({
  type: Type.String(),
  label: Type.String(),
  fields: Type.Array(
    Type.Object({
      name: Type.String(),
      group: Type.Object({
        key: Type.String(),
        type: Type.String(),
        name: Type.String(),
        required: Type.Boolean(),
        refresh_requirements_on_change: Type.Boolean(),
        example: Type.String(),
        min_length: Type.String(),
        max_length: Type.String(),
        validation_regexp: Type.String(),
      }),
    }),
  ),
});
const fieldView = ({ key, name, example, minLength, maxLength, pattern }: Field) => ({
  name,
  group: {
    key,
    type: "text",
    name,
    required: true,
    refresh_requirements_on_change: false,
    example,
    min_length: String(minLength),
    max_length: String(maxLength),
    validation_regexp: pattern.source,
  },
});
export const requirementView = ({ type, label, fields }: RecipientType): Static<typeof Requirement> => ({
  type,
  label,
  fields: fields.map(fieldView),
});
export const transferMembers = {
  id: Type.Integer(),
  alias: LabelMonetaryAccount,
  counterparty_alias: LabelMonetaryAccount,
  status: Type.String(),
  sub_status: Type.String(),
  status_transferwise: Type.String(),
  status_transferwise_issue: Type.String(),
  amount_source: Amount,
  amount_target: Amount,
  rate: Type.String(),
  reference: Type.String(),
  pay_in_reference: Type.String(),
  time_delivery_estimate: Type.String(),
  quote: Type.Object(abroadQuoteMembers),
};
const PROVIDERS: Readonly<Record<string, string>> = {
  PENDING: "incoming_payment_waiting",
  PROCESSING: "processing",
  COMPLETED: "outgoing_payment_sent",
  REFUNDED: "funds_refunded",
};
export function transferView(record: RecordRow, quote: RecordRow): Static<TransferShape> {
  const kept = keptIn(TransferKept, record);
  return {
    id: record.id,
    alias: kept.alias,
    counterparty_alias: kept.counterparty,
    status: record.status,
    sub_status: "NONE",
    status_transferwise: PROVIDERS[record.status] ?? record.status,
    status_transferwise_issue: record.status === "REFUNDED" ? "RECIPIENT_REFUSED" : "NO_ISSUE",
    amount_source: amountOf(kept.source),
    amount_target: amountOf(kept.target),
    rate: kept.rate,
    reference: kept.reference,
    pay_in_reference: `P${record.id}`,
    time_delivery_estimate: timeText(kept.deliveryAtMs),
    quote: abroadQuoteView(quote),
  };
}
const Transfer = Type.Object(transferMembers);
type TransferShape = typeof Transfer;
