/**
 * Subscriptions and charges of users. A monthly invoice collects them and is paid from the user's account.
 */

import { Type } from "@sinclair/typebox";
import { ServiceError, type WorkKind } from "#kernel/operation";
import {
  type BankContext,
  emptyKind,
  findRecordById,
  happened,
  insertRecord,
  type KeptOf,
  keptIn,
  keptText,
  type LedgerRow,
  newestFirst,
  pageOfLedgers,
  pageOfRecords,
  type RecordRow,
  recordKind,
  takeId,
  type UserRow,
  updateRecord,
} from "../book/index.ts";
import { documentWork } from "./document-work.ts";
import { type InvoiceItem, invoiceSums, PRICES, PriceName } from "./domain/billing.ts";
import { laterMonth } from "./domain/days.ts";
import { ACCOUNTS_MAX } from "./domain/limits.ts";
import { pay, THE_BANK } from "./paying.ts";
import { INVOICE, InvoiceBody, invoiceView } from "./views/invoices.ts";

export const SUBSCRIPTION = "billing-contract-subscription";
/** A record below an account that refers to an invoice. Invoices themselves are stored by user. */
export const ACCOUNT_INVOICE = "account-invoice";
const CHARGE = "charge";
const DAY_MS = 86_400_000;
const PAYMENT_TRIES_MAX = 30;

/** Makes the invoice of a month, or retries its payment. The handler is `jobs/billing.ts`. */
export const billing = {
  name: "bank.billing",
  payload: Type.Object({ userId: Type.Integer() }),
} satisfies WorkKind<{ userId: number }>;
export const collecting = {
  name: "bank.collecting",
  payload: Type.Object({ invoiceId: Type.Integer(), tries: Type.Integer() }),
} satisfies WorkKind<{ invoiceId: number; tries: number }>;

export const SubscriptionBody = recordKind(
  [SUBSCRIPTION],
  Type.Object({
    type: Type.Union([Type.Literal("PERSON_FREE_V1"), Type.Literal("COMPANY_V1")]),
    startsAt: Type.Number(),
  }),
);
export type SubscriptionBody = KeptOf<typeof SubscriptionBody>;
emptyKind(ACCOUNT_INVOICE);
const ChargeBody = recordKind([CHARGE], Type.Object({ name: PriceName }));
export const invoiceBodyOf = (invoice: RecordRow): InvoiceBody => keptIn(InvoiceBody, invoice);

async function keepNew(
  { db, account, clock }: BankContext,
  row: Pick<RecordRow, "kind" | "id" | "user_id" | "owner_id" | "status"> & { readonly body: object },
): Promise<RecordRow> {
  const now = clock.nowMs();
  const record = { account, ...row, body: keptText(row.kind, row.body), created_at: now, updated_at: now };
  await insertRecord(db, record);
  return record;
}
const planBilling = (context: BankContext, userId: number): Promise<string> => {
  const runAtMs = laterMonth(context.clock.nowMs(), 1);
  return context.enqueue(billing, { userId }, { runAtMs, key: `billing/${userId}` });
};

/** Each user has a contract from the first day. Contracts with a price are billed monthly. */
export async function subscribe(context: BankContext, { id, kind }: UserRow): Promise<void> {
  const type = kind === "company" ? "COMPANY_V1" : "PERSON_FREE_V1";
  await keepNew(context, {
    kind: SUBSCRIPTION,
    id: await takeId(context.db, context.account),
    user_id: id,
    owner_id: 0,
    status: "ACTIVE",
    body: { type, startsAt: context.clock.nowMs() } satisfies SubscriptionBody,
  });
  if (PRICES[type].minor > 0) await planBilling(context, id);
}
/** Adds a charge to the user's next invoice. */
export async function charge(context: BankContext, userId: number, name: PriceName): Promise<void> {
  const id = await takeId(context.db, context.account);
  await keepNew(context, { kind: CHARGE, id, user_id: userId, owner_id: 0, status: "OPEN", body: { name } });
  await planBilling(context, userId);
}

async function subscriptionOf(
  { db, account }: BankContext,
  userId: number,
): Promise<SubscriptionBody | undefined> {
  const [record] = await pageOfRecords(db, account, { kind: SUBSCRIPTION, userId, ownerId: 0 }, { limit: 1 });
  return record && keptIn(SubscriptionBody, record);
}
/** Takes the charges since the last invoice and removes them from the list. */
async function takeCharges({ db, account, clock }: BankContext, userId: number): Promise<InvoiceItem[]> {
  const place = { kind: CHARGE, userId, ownerId: 0 };
  const items: InvoiceItem[] = [];
  for await (const record of newestFirst(db, account, place)) {
    // Behind one that was billed, all were.
    if (record.status !== "OPEN") break;
    const { name } = keptIn(ChargeBody, record);
    items.push({ id: record.id, name, billedAt: record.created_at, quantity: 1 });
    await updateRecord(db, { ...record, status: "BILLED", updated_at: clock.nowMs() });
  }
  return items.reverse();
}
async function billedLedger({ db, account }: BankContext, userId: number): Promise<LedgerRow | undefined> {
  const open = await pageOfLedgers(
    db,
    account,
    { userId, kinds: ["bank", "joint"] },
    { limit: ACCOUNTS_MAX },
  );
  return open.toReversed().find(({ status, currency }) => status === "ACTIVE" && currency === "EUR");
}

/** Makes the invoice of the month that has just ended. */
export async function bill(context: BankContext, userId: number): Promise<void> {
  const { db, account, clock } = context;
  const id = await takeId(db, account);
  const subscription = await subscriptionOf(context, userId);
  const monthly = subscription && PRICES[subscription.type].minor > 0 ? subscription.type : undefined;
  const ledger = await billedLedger(context, userId);
  if (!ledger) return;
  if (monthly) await planBilling(context, userId);
  const now = clock.nowMs();
  const items = await takeCharges(context, userId);
  if (monthly) items.unshift({ id, name: monthly, billedAt: now, quantity: 1 });
  if (items.length === 0) return;
  const body: InvoiceBody = {
    ledgerId: ledger.id,
    number: String(id).padStart(8, "0"),
    currency: ledger.currency,
    items,
    paymentId: null,
    blobId: null,
  };
  await keepNew(context, { kind: INVOICE, id, user_id: userId, owner_id: 0, status: "OPEN", body });
  await keepNew(context, {
    kind: ACCOUNT_INVOICE,
    id,
    user_id: userId,
    owner_id: ledger.id,
    status: "OPEN",
    body: {},
  });
  await context.enqueue(collecting, { invoiceId: id, tries: 0 }, { key: `collecting/${id}` });
}

/** Collects the amount of an invoice. If the balance is too low, it retries every day. */
export async function collect(context: BankContext, invoiceId: number, tries: number): Promise<void> {
  const { db, account, clock } = context;
  await takeId(db, account);
  const invoice = await findRecordById(db, account, INVOICE, invoiceId);
  if (invoice?.status !== "OPEN") return;
  const body = invoiceBodyOf(invoice);
  const paymentId = await payInvoice(context, invoice, body);
  if (paymentId === undefined && tries < PAYMENT_TRIES_MAX)
    await context.enqueue(
      collecting,
      { invoiceId, tries: tries + 1 },
      { runAtMs: clock.nowMs() + DAY_MS, key: `collecting/${invoiceId}` },
    );
  if (paymentId === undefined && tries > 0) return;
  const row = {
    ...invoice,
    status: paymentId === undefined ? "OPEN" : "PAID",
    body: keptText(INVOICE, { ...body, paymentId: paymentId ?? null }),
    updated_at: clock.nowMs(),
  };
  await updateRecord(db, row);
  await context.enqueue(documentWork, { kind: INVOICE, id: invoiceId });
  await happened(context, {
    category: "BILLING",
    action: tries === 0 ? "CREATE" : "UPDATE",
    userId: row.user_id,
    ledgerId: body.ledgerId,
    object: { type: "Invoice", id: invoiceId, body: await invoiceView(context, row) },
  });
}
async function payInvoice(
  context: BankContext,
  invoice: RecordRow,
  body: InvoiceBody,
): Promise<number | undefined> {
  const ledger = await billedLedger(context, invoice.user_id);
  const { inclusive } = invoiceSums(body.items);
  if (!ledger || ledger.balance < inclusive) return undefined;
  try {
    const paid = await pay(context, {
      from: ledger,
      to: { own: "income", label: THE_BANK },
      money: { minor: inclusive, currency: body.currency },
      description: `Invoice ${body.number}`,
      type: "BUNQ",
      subType: "BILLING",
      details: { invoice_id: invoice.id },
    });
    return paid.id;
  } catch (error) {
    // The account's daily limit refused the payment. It is handled like a balance that is too low.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
