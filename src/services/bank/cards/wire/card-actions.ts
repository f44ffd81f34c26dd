/** Card actions, as the card's owner sees them. */
import { Type } from "@sinclair/typebox";
import { Amount, LabelMonetaryAccount, LabelUser } from "../../book/index.ts";

const text = () => Type.String();
const times = { id: Type.Integer(), created: text(), updated: text() };

const CardLabel = Type.Object({
  uuid: text(),
  type: text(),
  second_line: text(),
  expiry_date: text(),
  status: text(),
  label_user: LabelUser,
});
const Refunded = Type.Object({ payment_id: Type.Integer(), amount: Amount });
export const MastercardAction = Type.Object({
  ...times,
  monetary_account_id: Type.Integer(),
  card_id: Type.Integer(),
  amount_local: Amount,
  amount_billing: Amount,
  amount_converted: Amount,
  amount_original_local: Amount,
  amount_original_billing: Amount,
  card_authorisation_id_response: text(),
  decision: text(),
  payment_status: text(),
  decision_description: text(),
  decision_description_translated: text(),
  description: text(),
  authorisation_status: text(),
  authorisation_type: text(),
  pan_entry_mode_user: text(),
  settlement_status: text(),
  clearing_status: text(),
  city: text(),
  alias: LabelMonetaryAccount,
  counterparty_alias: LabelMonetaryAccount,
  label_card: CardLabel,
  merchant_id: text(),
  merchant_category_code: text(),
  reservation_expiry_time: Type.Optional(text()),
  applied_limit: Type.Optional(text()),
  all_mastercard_action_refund: Type.Array(Refunded),
  pin_status: text(),
});
