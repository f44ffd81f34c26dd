/** Further documents: a year at a glance, how to pay to an account, one payment, an invoice. */

import { type BankContext, findEvent, keptIn, pageOfLedgers, type RecordRow } from "../book/index.ts";
import {
  ACCOUNTS_MAX,
  amountText,
  dayText,
  findPayment,
  getKnownLedger,
  getKnownUser,
  type InvoiceBody,
  invoiceBodyOf,
  invoiceSums,
  itemSums,
  type Made,
  monthStart,
  PRICES,
  VAT_PERCENT,
} from "../money/index.ts";
import { OverviewKept } from "./domain/content.ts";
import { renderPdf, type Sheet } from "./pdf.ts";
import { ledgerBefore, turnoverOf } from "./store/statements.ts";

export const BIC = "MDLYNL2A";
const KINDS = ["bank", "savings", "joint", "card"] as const;

async function pdf(context: BankContext, sheet: Sheet): Promise<Made> {
  return { bytes: await renderPdf(sheet, context.clock.nowMs()), type: "application/pdf" };
}

/**
 * The balance of every account at the start and the end of a year (or today, in the current year), and its
 * turnover.
 */
export async function makeAnnualOverview(context: BankContext, record: RecordRow): Promise<Made> {
  const { db, account, clock } = context;
  const { user_id } = record;
  const { year } = keptIn(OverviewKept, record);
  const span = { fromMs: monthStart(year, 1), untilMs: monthStart(year + 1, 1) };
  const lastDay = dayText(Math.min(span.untilMs - 1, clock.nowMs()));
  const sums = new Map<string, number>();
  const rows = [];
  for (const ledger of await pageOfLedgers(
    db,
    account,
    { userId: user_id, kinds: KINDS },
    { limit: ACCOUNTS_MAX },
  )) {
    if (ledger.created_at >= span.untilMs) continue;
    const { id, currency, iban } = ledger;
    const [before, after] = [
      await ledgerBefore(db, account, id, span.fromMs),
      await ledgerBefore(db, account, id, span.untilMs),
    ];
    const { inMinor, outMinor } = await turnoverOf(db, account, id, span);
    const money = (minor: number) => amountText(minor, currency);
    sums.set(currency, (sums.get(currency) ?? 0) + after.balance);
    rows.push([iban, currency, money(before.balance), money(inMinor), money(outMinor), money(after.balance)]);
  }
  const { display_name } = await getKnownUser(db, account, user_id);
  return pdf(context, {
    title: `Annual overview ${year}`,
    facts: [
      ["Account holder", display_name],
      ["Period", `${year}-01-01 to ${lastDay}`],
    ],
    table: {
      columns: [
        { title: "Account", width: 135 },
        { title: "Currency", width: 44 },
        { title: `${year}-01-01`, width: 79, align: "right" },
        { title: "Came in", width: 79, align: "right" },
        { title: "Went out", width: 79, align: "right" },
        { title: lastDay, width: 79, align: "right" },
      ],
      rows,
    },
    totals: [...sums].map(([currency, minor]) => [
      `All accounts in ${currency}, ${lastDay}`,
      `${currency} ${amountText(minor, currency)}`,
    ]),
  });
}

/** A page with everything that is needed to pay to the account. */
export async function makeRib(context: BankContext, { owner_id }: RecordRow): Promise<Made> {
  const ledger = await getKnownLedger(context.db, context.account, owner_id);
  const grouped = ledger.iban.replace(/(.{4})(?=.)/g, "$1 ");
  return pdf(context, {
    title: "Bank account details",
    facts: [
      ["Account holder", ledger.display_name],
      ["IBAN", grouped],
      ["BIC", BIC],
      ["Currency", ledger.currency],
      ["Bank", "Medley Bank"],
      ["Opened", dayText(ledger.created_at)],
    ],
    closing: "Give this page to people who pay to this account or may collect from it.",
  });
}

/** One event on paper, such as a payment. */
export async function makeEventStatement(context: BankContext, { owner_id }: RecordRow): Promise<Made> {
  const { db, account } = context;
  const event = await findEvent(db, account, owner_id);
  if (!event) throw new Error(`the event ${owner_id} is gone`);
  const ledger = await getKnownLedger(context.db, context.account, event.ledger_id);
  const payment =
    event.object_kind === "Payment" ? await findPayment(db, account, ledger.id, event.object_id) : undefined;
  const common = [
    ["Account holder", ledger.display_name],
    ["Account", ledger.iban],
    ["Event", `${event.object_kind} ${event.object_id}`],
    ["Date", dayText(event.created_at)],
  ] as const;
  if (!payment) return pdf(context, { title: "Confirmation", facts: common });
  const { display_name, iban = "" } = JSON.parse(payment.counterparty) as {
    display_name: string;
    iban?: string;
  };
  const money = (minor: number) => `${payment.currency} ${amountText(minor, payment.currency)}`;
  return pdf(context, {
    title: "Confirmation of payment",
    facts: [
      ...common,
      [payment.amount < 0 ? "Paid to" : "Received from", display_name],
      ["Their account", iban],
      ["Description", payment.description],
    ],
    totals: [
      ["Amount", money(payment.amount)],
      ["Balance after it", money(payment.balance_after)],
    ],
  });
}

export async function makeInvoicePdf(context: BankContext, invoice: RecordRow): Promise<Made> {
  const { number, items, currency, ledgerId }: InvoiceBody = invoiceBodyOf(invoice);
  const ledger = await getKnownLedger(context.db, context.account, ledgerId);
  const money = (minor: number) => amountText(minor, currency);
  const sums = invoiceSums(items);
  return pdf(context, {
    title: `Invoice ${number}`,
    facts: [
      ["To", ledger.display_name],
      ["Account", ledger.iban],
      ["Date", dayText(invoice.created_at)],
      ["Status", invoice.status],
    ],
    table: {
      columns: [
        { title: "Date", width: 65 },
        { title: "What for", width: 190 },
        { title: "Number", width: 50, align: "right" },
        { title: "Without VAT", width: 95, align: "right" },
        { title: "With VAT", width: 95, align: "right" },
      ],
      rows: items.map((item) => {
        const { inclusive, exclusive } = itemSums(item);
        const { words } = PRICES[item.name];
        return [dayText(item.billedAt), words, String(item.quantity), money(exclusive), money(inclusive)];
      }),
    },
    totals: [
      ["Without VAT", `${currency} ${money(sums.exclusive)}`],
      [`VAT ${VAT_PERCENT} %`, `${currency} ${money(sums.vat)}`],
      ["Total", `${currency} ${money(sums.inclusive)}`],
    ],
  });
}
