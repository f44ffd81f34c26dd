/** Invoices and contracts as users see them. */
import { Type } from "@sinclair/typebox";
import { Amount, LabelMonetaryAccount } from "../../book/index.ts";

const text = () => Type.String();
const Item = Type.Object({
  id: Type.Integer(),
  billing_date: text(),
  type_description: text(),
  type_description_translated: text(),
  unit_vat_exclusive: Amount,
  unit_vat_inclusive: Amount,
  vat: Type.Integer(),
  quantity: Type.Integer(),
  total_vat_exclusive: Amount,
  total_vat_inclusive: Amount,
});
const Group = Type.Object({
  type: text(),
  type_description: text(),
  type_description_translated: text(),
  instance_description: text(),
  product_vat_exclusive: Amount,
  product_vat_inclusive: Amount,
  item: Type.Array(Item),
});
export const Invoice = Type.Object({
  id: Type.Integer(),
  created: text(),
  updated: text(),
  invoice_date: text(),
  invoice_number: text(),
  status: text(),
  category: text(),
  group: Type.Array(Group),
  total_vat_inclusive: Amount,
  total_vat_exclusive: Amount,
  total_vat: Amount,
  alias: LabelMonetaryAccount,
  counterparty_alias: LabelMonetaryAccount,
  chamber_of_commerce_number: text(),
  vat_number: text(),
});
export const Subscription = {
  contract_date_start: text(),
  contract_version: Type.Integer(),
  subscription_type: text(),
  status: text(),
  sub_status: text(),
};
