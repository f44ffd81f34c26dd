/** Payments, each as its own side sees it. */
import { Type } from "@sinclair/typebox";
import { Amount, LabelMonetaryAccount } from "../../book/index.ts";

/** Pictures that came with it. */
export const ShownAttachment = Type.Object({
  id: Type.Integer(),
  monetary_account_id: Type.Optional(Type.Integer()),
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
