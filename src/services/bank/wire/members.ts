/** Members of bodies that many kinds of money share. */
import { type Static, Type } from "@sinclair/typebox";
import { isCurrency, type Money, readAmount } from "../domain/money.ts";
import { readInstant } from "../domain/times.ts";
import { errors } from "../errors.ts";

export const PointerBody = Type.Object({
  type: Type.String({ maxLength: 50 }),
  value: Type.String({ minLength: 1, maxLength: 255 }),
  name: Type.Optional(Type.String({ maxLength: 140 })),
  service: Type.Optional(Type.String({ maxLength: 50 })),
});
export const Description = Type.String({ maxLength: 140 });
export const Reference = Type.String({ maxLength: 255 });
export const StatusBody = Type.String({ maxLength: 50 });
export const Instant = Type.String({ maxLength: 40 });
export const Address = Type.Object({
  street: Type.Optional(Type.String({ maxLength: 255 })),
  house_number: Type.Optional(Type.String({ maxLength: 20 })),
  po_box: Type.Optional(Type.String({ maxLength: 50 })),
  postal_code: Type.Optional(Type.String({ maxLength: 20 })),
  city: Type.Optional(Type.String({ maxLength: 255 })),
  country: Type.Optional(Type.String({ maxLength: 2 })),
  extra: Type.Optional(Type.String({ maxLength: 255 })),
  mailbox_name: Type.Optional(Type.String({ maxLength: 255 })),
  province: Type.Optional(Type.String({ maxLength: 255 })),
  is_user_address_updated: Type.Optional(Type.Boolean()),
});
export type AddressBody = Static<typeof Address>;
export const ErrorMessage = Type.Array(
  Type.Object({ error_description: Type.String(), error_description_translated: Type.String() }),
);
export const messagesOf = (message: string): Static<typeof ErrorMessage> => [
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
