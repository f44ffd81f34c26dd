/** Requests for money, as each side sees them. */
import { Type } from "@sinclair/typebox";
import { Amount, LabelMonetaryAccount, LabelUser } from "../../book/index.ts";
import { Address, ShownAttachment } from "../../money/index.ts";

export const Reference = Type.Object({ type: Type.String(), id: Type.Integer() });

const common = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  time_responded: Type.Optional(Type.String()),
  time_expiry: Type.String(),
  monetary_account_id: Type.Integer(),
  amount_inquired: Amount,
  amount_responded: Type.Optional(Amount),
  counterparty_alias: LabelMonetaryAccount,
  description: Type.String(),
  status: Type.String(),
  attachment: Type.Optional(Type.Array(ShownAttachment)),
  minimum_age: Type.Optional(Type.Integer()),
  require_address: Type.Optional(Type.String()),
  redirect_url: Type.Optional(Type.String()),
  address_shipping: Type.Optional(Address),
  address_billing: Type.Optional(Address),
};
export const inquiryMembers = {
  ...common,
  user_alias_created: Type.Optional(LabelUser),
  user_alias_revoked: Type.Optional(LabelUser),
  merchant_reference: Type.Optional(Type.String()),
  batch_id: Type.Optional(Type.Integer()),
  scheduled_id: Type.Optional(Type.Integer()),
  vendorme_share_url: Type.Optional(Type.String()),
  reference_split_the_bill: Type.Optional(Reference),
};
export const responseMembers = {
  ...common,
  alias: LabelMonetaryAccount,
  type: Type.String(),
  sub_type: Type.String(),
  time_refund_requested: Type.Optional(Type.String()),
  time_refunded: Type.Optional(Type.String()),
  credit_scheme_identifier: Type.Optional(Type.String()),
  mandate_identifier: Type.Optional(Type.String()),
  eligible_whitelist_id: Type.Optional(Type.Integer()),
  request_reference_split_the_bill: Type.Array(Reference),
};
export const RequestInquiry = Type.Object(inquiryMembers);
export const RequestResponse = Type.Object(responseMembers);
