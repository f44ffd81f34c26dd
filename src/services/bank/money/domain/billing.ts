/** Prices of the bank, and the sums of an invoice. All prices include VAT. */

import { type Static, Type } from "@sinclair/typebox";
import type { Unchanging } from "../../book/index.ts";
export type Price = { readonly type: string; readonly words: string; readonly minor: number };
export const PRICES = {
  PERSON_FREE_V1: { type: "SUBSCRIPTION", words: "Personal account, a month", minor: 0 },
  COMPANY_V1: { type: "SUBSCRIPTION", words: "Company account, a month", minor: 799 },
  CARD_ORDER: { type: "CARD", words: "Further card", minor: 900 },
  CARD_REPLACEMENT: { type: "CARD", words: "Card in place of another", minor: 900 },
  ATM_WITHDRAWAL: { type: "CASH", words: "Cash withdrawal", minor: 99 },
} as const satisfies Readonly<Record<string, Price>>;
const NAMES = Object.keys(PRICES) as (keyof typeof PRICES)[];
export const PriceName = Type.Union(NAMES.map((name) => Type.Literal(name)));
export type PriceName = keyof typeof PRICES;

export const VAT_PERCENT = 21;
/** Rounded half up, so that net and VAT add up to the total. */
export const withoutVat = (minor: number): number => Math.round((minor * 100) / (100 + VAT_PERCENT));

export const InvoiceItem = Type.Object({
  id: Type.Number(),
  name: PriceName,
  billedAt: Type.Number(),
  quantity: Type.Number(),
});
export type InvoiceItem = Unchanging<Static<typeof InvoiceItem>>;
export type InvoiceSums = { readonly inclusive: number; readonly exclusive: number; readonly vat: number };
export const itemSums = ({ name, quantity }: InvoiceItem): InvoiceSums => {
  const inclusive = PRICES[name].minor * quantity;
  const exclusive = withoutVat(inclusive);
  return { inclusive, exclusive, vat: inclusive - exclusive };
};
/** Each item is rounded separately, so that a reader who adds up the items gets the same sum. */
export function invoiceSums(items: readonly InvoiceItem[]): InvoiceSums {
  const sums = { inclusive: 0, exclusive: 0, vat: 0 };
  for (const item of items) {
    const { inclusive, exclusive, vat } = itemSums(item);
    sums.inclusive += inclusive;
    sums.exclusive += exclusive;
    sums.vat += vat;
  }
  return sums;
}
