/** Cards, their PINs and their actions. */
import { type Static, Type } from "@sinclair/typebox";
import { Amount, LabelMonetaryAccount, type RecordRow, timeText } from "../../book/index.ts";
import { amountOf, dayText, MonetaryAccount } from "../../money/index.ts";
import type { CardBody } from "../domain/cards.ts";

const text = () => Type.String();
const optionalText = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const times = { id: Type.Integer(), created: text(), updated: text() };

export const CountryPermission = Type.Object({
  country: Type.String({ minLength: 2, maxLength: 2 }),
  expiry_time: optionalText(40),
  id: Type.Optional(Type.Integer({ minimum: 1 })),
});
export const PinAssignment = Type.Object({
  type: Type.String({ maxLength: 20 }),
  routing_type: optionalText(50),
  pin_code: optionalText(10),
  monetary_account_id: Type.Optional(Type.Integer({ minimum: 1 })),
  status: optionalText(50),
});
export const PrimaryAccountNumber = Type.Object({
  id: Type.Optional(Type.Integer({ minimum: 1 })),
  description: optionalText(140),
  status: optionalText(50),
  monetary_account_id: Type.Optional(Type.Integer({ minimum: 1 })),
  uuid: optionalText(50),
  four_digit: optionalText(4),
  type: optionalText(50),
});
const ShownPermission = Type.Object({
  id: Type.Integer(),
  country: text(),
  expiry_time: Type.Optional(text()),
});
const ShownPin = Type.Object({
  type: text(),
  routing_type: text(),
  monetary_account_id: Type.Integer(),
  status: text(),
});
const ShownNumber = Type.Object({
  id: Type.Integer(),
  uuid: text(),
  description: text(),
  status: text(),
  monetary_account_id: Type.Integer(),
  four_digit: text(),
  type: text(),
});

export const Card = Type.Object({
  ...times,
  public_uuid: text(),
  user_id: Type.Integer(),
  user_owner_id: Type.Integer(),
  user_holder_id: Type.Integer(),
  type: text(),
  sub_type: text(),
  product_type: text(),
  product_sub_type: text(),
  first_line: text(),
  second_line: text(),
  status: text(),
  sub_status: text(),
  order_status: text(),
  expiry_date: text(),
  name_on_card: text(),
  preferred_name_on_card: text(),
  primary_account_numbers: Type.Array(ShownNumber),
  payment_account_reference: text(),
  card_limit: Amount,
  card_limit_atm: Amount,
  country_permission: Type.Array(ShownPermission),
  label_monetary_account_ordered: LabelMonetaryAccount,
  label_monetary_account_current: LabelMonetaryAccount,
  monetary_account: MonetaryAccount,
  pin_code_assignment: Type.Array(ShownPin),
  monetary_account_id_fallback: Type.Optional(Type.Integer()),
  country: text(),
  is_card_eligible_for_free_replacement: Type.Boolean(),
  card_replacement: Type.Optional(
    Type.Object({ status: text(), card_id: Type.Integer(), card_new_id: Type.Integer() }),
  ),
  is_limited_edition: Type.Boolean(),
});

type Accounts = Pick<
  Static<typeof Card>,
  "label_monetary_account_ordered" | "label_monetary_account_current" | "monetary_account"
>;
export function cardView(
  record: RecordRow,
  body: CardBody,
  accounts: Accounts,
  isFreelyReplaced: boolean,
): Static<typeof Card> {
  const { currency } = body;
  return {
    id: record.id,
    created: timeText(record.created_at),
    updated: timeText(record.updated_at),
    public_uuid: body.uuid,
    user_id: record.user_id,
    user_owner_id: record.user_id,
    user_holder_id: record.user_id,
    type: body.type,
    sub_type: body.subType,
    product_type: body.productType,
    product_sub_type: "NONE",
    first_line: body.firstLine,
    second_line: body.secondLine,
    status: record.status,
    sub_status: body.subStatus,
    order_status: body.orderStatus,
    expiry_date: dayText(body.expiresAt),
    name_on_card: body.nameOnCard,
    preferred_name_on_card: body.preferredName,
    primary_account_numbers: body.numbers.map(({ ledgerId, fourDigit, ...number }) => ({
      ...number,
      monetary_account_id: ledgerId,
      four_digit: fourDigit,
    })),
    payment_account_reference: body.reference,
    card_limit: amountOf({ minor: body.limitMinor, currency }),
    card_limit_atm: amountOf({ minor: body.limitAtmMinor, currency }),
    country_permission: body.permissions.map(({ id, country, expiresAt }) => ({
      id,
      country,
      ...(expiresAt !== null && { expiry_time: timeText(expiresAt) }),
    })),
    ...accounts,
    pin_code_assignment: body.pins.map(({ type, routing, ledgerId, status }) => ({
      type,
      routing_type: routing,
      monetary_account_id: ledgerId,
      status,
    })),
    ...(body.fallbackLedgerId !== null && { monetary_account_id_fallback: body.fallbackLedgerId }),
    country: body.country,
    is_card_eligible_for_free_replacement: isFreelyReplaced,
    ...(body.replacedById !== null && {
      card_replacement: { status: "ORDERED", card_id: record.id, card_new_id: body.replacedById },
    }),
    is_limited_edition: false,
  };
}
