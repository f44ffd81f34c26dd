/** Payments, each as its own side sees it. */
import { type Static, Type } from "@sinclair/typebox";
import { amountOf } from "../domain/money.ts";
import type { PaymentRow } from "../tables.ts";
import { Amount, LabelMonetaryAccount, timeText } from "./shared.ts";

/** Pictures that came with it. */
export const ShownAttachment = Type.Object({
  id: Type.Integer(),
  monetary_account_id: Type.Optional(Type.Integer()),
});
/** What is kept of a payment besides its columns. */
type PaymentDetails = {
  readonly merchant_reference?: string | undefined;
  readonly attachments?: readonly number[] | undefined;
  /** When it reaches the other bank. */
  readonly arrives_at?: number;
  /** Money that waits for whoever comes under a name that nobody has yet. */
  readonly waiting?: Waiting;
};
export type Waiting = {
  readonly status: string;
  readonly shareUrl: string;
  readonly expiresAtMs: number;
  readonly respondedAtMs?: number;
};
const waitingView = ({ status, shareUrl, expiresAtMs, respondedAtMs }: Waiting) => ({
  vendorto_status: status,
  vendorto_sub_status: "NONE",
  vendorto_share_url: shareUrl,
  vendorto_expiry: timeText(expiresAtMs),
  ...(respondedAtMs !== undefined && { vendorto_time_responded: timeText(respondedAtMs) }),
});

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
  attachment: Type.Optional(Type.Array(ShownAttachment)),
  vendorto_status: Type.Optional(Type.String()),
  vendorto_sub_status: Type.Optional(Type.String()),
  vendorto_share_url: Type.Optional(Type.String()),
  vendorto_expiry: Type.Optional(Type.String()),
  vendorto_time_responded: Type.Optional(Type.String()),
  batch_id: Type.Optional(Type.Integer()),
  scheduled_id: Type.Optional(Type.Integer()),
  payment_arrival_expected: Type.Object({ status: Type.String(), time: Type.Optional(Type.String()) }),
  balance_after_mutation: Amount,
});

export function paymentView(row: PaymentRow): Static<typeof Payment> {
  const { currency } = row;
  const { merchant_reference, attachments, arrives_at, waiting }: PaymentDetails = JSON.parse(row.details);
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
