/** Payments, each as its own side sees it. */

import { type PaymentDetails, type PaymentRow, paymentDetails, timeText } from "../../book/index.ts";
import { amountOf } from "../domain/money.ts";

export type Waiting = NonNullable<PaymentDetails["waiting"]>;
const waitingView = ({ status, shareUrl, expiresAtMs, respondedAtMs }: Waiting) => ({
  vendorto_status: status,
  vendorto_sub_status: "NONE",
  vendorto_share_url: shareUrl,
  vendorto_expiry: timeText(expiresAtMs),
  ...(respondedAtMs !== undefined && { vendorto_time_responded: timeText(respondedAtMs) }),
});

export function paymentView(row: PaymentRow) {
  const { currency } = row;
  const { merchant_reference, attachments, arrives_at, waiting } = paymentDetails.read(row.details);
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
    ...(attachments && {
      attachment: attachments.map((id) => ({ id, monetary_account_id: row.ledger_id })),
    }),
    ...(waiting && waitingView(waiting)),
    ...(row.batch_id !== null && { batch_id: row.batch_id }),
    ...(row.scheduled_id !== null && { scheduled_id: row.scheduled_id }),
    payment_arrival_expected: {
      status: row.arrival,
      ...(arrives_at !== undefined && { time: timeText(arrives_at) }),
    },
    balance_after_mutation: amountOf({ minor: row.balance_after, currency }),
  };
}
