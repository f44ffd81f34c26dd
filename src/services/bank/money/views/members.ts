/** Reads members of request bodies and refuses invalid values. */

import { type Static, Type } from "@sinclair/typebox";
import { errors } from "../../book/index.ts";
import { isCurrency, type Money, readAmount } from "../domain/money.ts";
import { readInstant } from "../domain/times.ts";

export const AddressBody = Type.Object({
  street: Type.Optional(Type.String()),
  house_number: Type.Optional(Type.String()),
  po_box: Type.Optional(Type.String()),
  postal_code: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  extra: Type.Optional(Type.String()),
  mailbox_name: Type.Optional(Type.String()),
  province: Type.Optional(Type.String()),
  is_user_address_updated: Type.Optional(Type.Boolean()),
});
export type AddressBody = Static<typeof AddressBody>;
export const messagesOf = (message: string) => [
  { error_description: message, error_description_translated: message },
];

export function getMoney(
  { value, currency }: { readonly value: string; readonly currency: string },
  member = "amount",
): Money {
  const minor = isCurrency(currency) ? readAmount(value, currency) : undefined;
  if (minor === undefined)
    throw errors.badRequest(`${member} must be a decimal number as text, and a currency of three letters.`);
  return { minor, currency };
}
/** Reads an amount above zero. */
export function getPositive(
  amount: { readonly value: string; readonly currency: string },
  member: string,
): Money {
  const money = getMoney(amount, member);
  if (money.minor <= 0) throw errors.badRequest(`${member} must be more than nothing.`);
  return money;
}
export function getInstant(text: string, member: string): number {
  const ms = readInstant(text);
  if (ms === undefined) throw errors.badRequest(`${member} must be an instant such as 2026-11-15 23:52:08.`);
  return ms;
}

/** Reads an address that a browser may be redirected to. */
export function getWebAddress(member: string, text: string | undefined): string | undefined {
  if (text !== undefined && !(/^https?:\/\//.test(text) && URL.canParse(text)))
    throw errors.badRequest(`${member} must be an address with http or https.`);
  return text;
}
