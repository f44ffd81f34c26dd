/** Invoices as users see them. */
import { Type } from "@sinclair/typebox";
import {
  type BankContext,
  type KeptOf,
  keptIn,
  type RecordRow,
  recordKind,
  timeText,
} from "../../book/index.ts";
import { InvoiceItem, invoiceSums, itemSums, PRICES, VAT_PERCENT } from "../domain/billing.ts";
import { dayText } from "../domain/days.ts";
import { amountOf } from "../domain/money.ts";
import { labelled, THE_BANK } from "../paying.ts";
import { getKnownLedger } from "../store/known.ts";

function itemView(item: InvoiceItem, currency: string) {
  const money = (minor: number) => amountOf({ minor, currency });
  const { inclusive, exclusive } = itemSums(item);
  const unit = itemSums({ ...item, quantity: 1 });
  const { words } = PRICES[item.name];
  return {
    id: item.id,
    billing_date: dayText(item.billedAt),
    type_description: words,
    type_description_translated: words,
    unit_vat_exclusive: money(unit.exclusive),
    unit_vat_inclusive: money(unit.inclusive),
    vat: VAT_PERCENT,
    quantity: item.quantity,
    total_vat_exclusive: money(exclusive),
    total_vat_inclusive: money(inclusive),
  };
}
function groupsOf(items: readonly InvoiceItem[], currency: string) {
  const types = [...new Set(items.map(({ name }) => PRICES[name].type))];
  return types.map((type) => {
    const own = items.filter(({ name }) => PRICES[name].type === type);
    const { inclusive, exclusive } = invoiceSums(own);
    return {
      type,
      type_description: type,
      type_description_translated: type,
      instance_description: own[0] ? PRICES[own[0].name].words : "",
      product_vat_exclusive: amountOf({ minor: exclusive, currency }),
      product_vat_inclusive: amountOf({ minor: inclusive, currency }),
      item: own.map((item) => itemView(item, currency)),
    };
  });
}
export const INVOICE = "invoice";
export const InvoiceBody = recordKind(
  [INVOICE],
  Type.Object({
    ledgerId: Type.Number(),
    number: Type.String(),
    currency: Type.String(),
    items: Type.Array(InvoiceItem),
    paymentId: Type.Union([Type.Number(), Type.Null()]),
    blobId: Type.Union([Type.String(), Type.Null()]),
  }),
);
export type InvoiceBody = KeptOf<typeof InvoiceBody>;
export async function invoiceView(context: BankContext, invoice: RecordRow) {
  const { ledgerId, number, currency, items } = keptIn(InvoiceBody, invoice);
  const ledger = await getKnownLedger(context.db, context.account, ledgerId);
  const { inclusive, exclusive, vat } = invoiceSums(items);
  const money = (minor: number) => amountOf({ minor, currency });
  return {
    id: invoice.id,
    created: timeText(invoice.created_at),
    updated: timeText(invoice.updated_at),
    invoice_date: dayText(invoice.created_at),
    invoice_number: number,
    status: invoice.status,
    category: "GENERAL",
    group: groupsOf(items, currency),
    total_vat_inclusive: money(inclusive),
    total_vat_exclusive: money(exclusive),
    total_vat: money(vat),
    alias: await labelled(context, ledger),
    counterparty_alias: THE_BANK,
    chamber_of_commerce_number: "00000000",
    vat_number: "NL000000000B01",
  };
}
