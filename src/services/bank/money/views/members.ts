/** What members of bodies mean, and what is refused of them. */

import { errors } from "../../book/index.ts";
import { isCurrency, type Money, readAmount } from "../domain/money.ts";
import { readInstant } from "../domain/times.ts";

export type AddressBody = {
  street?: string;
  house_number?: string;
  po_box?: string;
  postal_code?: string;
  city?: string;
  country?: string;
  extra?: string;
  mailbox_name?: string;
  province?: string;
  is_user_address_updated?: boolean;
};
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
/** More than nothing. */
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

/** Where a browser may be led to. */
export function getWebAddress(member: string, text: string | undefined): string | undefined {
  if (text !== undefined && !(/^https?:\/\//.test(text) && URL.canParse(text)))
    throw errors.badRequest(`${member} must be an address with http or https.`);
  return text;
}
