/** Payments that strangers approve at their own bank. */
import { Type } from "@sinclair/typebox";
import { Amount, LabelMonetaryAccount } from "../../book/index.ts";
import { ErrorMessage } from "../../money/index.ts";

export const merchantMembers = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  monetary_account_id: Type.Integer(),
  alias: LabelMonetaryAccount,
  counterparty_alias: Type.Optional(LabelMonetaryAccount),
  amount_requested: Amount,
  amount_guaranteed: Type.Optional(Amount),
  expiration: Type.String(),
  issuer: Type.String(),
  issuer_name: Type.String(),
  issuer_authentication_url: Type.String(),
  purchase_identifier: Type.String(),
  transaction_identifier: Type.String(),
  status: Type.String(),
  status_timestamp: Type.String(),
  error_message: ErrorMessage,
};
