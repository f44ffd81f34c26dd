/** Payment orders: checked on entry, carried out when due. The orders of a batch succeed or fail together. */

import { type Static, Type } from "@sinclair/typebox";
import type { Unchanging } from "../book/index.ts";
import {
  type BankContext,
  createRecord,
  emptyKind,
  errors,
  findLedger,
  findOpenPage,
  type LedgerRow,
  type PaymentRow,
  type RecordRow,
} from "../book/index.ts";
import {
  beginWaiting,
  findFriend,
  findInside,
  findPayment,
  findTarget,
  getPositive,
  listPaymentsOfBatch,
  type Money,
  mayWaitFor,
  type Order,
  type PointerTo,
  pay,
  paymentView,
  strangerLabel,
  type Target,
} from "../money/index.ts";
import {
  type Entry,
  type EntryBody,
  findPayable,
  getPictures,
  handOver,
  noteResult,
  type Payable,
} from "../requests/index.ts";
import { getBeneficiary, isBeneficiary, pricedByQuote } from "./beneficiaries.ts";

const SHARED = /\/share\/([0-9a-f-]{36})$/;
/** A payment to the address of a payment page pays for the record behind that page. */
async function findShared(context: BankContext, { type, value }: PointerTo): Promise<Payable | undefined> {
  const [, uuid] = type === "URL" ? (SHARED.exec(value) ?? []) : [];
  const page = uuid === undefined ? undefined : await findOpenPage(context.db, uuid);
  if (page?.account !== context.account) return undefined;
  const payable = await findPayable(context, { kind: page.kind, recordId: page.record_id });
  if (payable && !payable.isOpen) throw errors.badRequest("This can no longer be paid.");
  return payable;
}
type Found = Target & {
  readonly shared?: Payable;
  /** Nobody has registered this alias yet, and the payer agrees to wait. */
  readonly waitsFor?: PointerTo;
};
async function targetOf(context: BankContext, to: PointerTo, mayWait = false): Promise<Found> {
  const shared = await findShared(context, to);
  if (shared) return { ledger: shared.ledger, label: shared.payee, shared };
  if (mayWait && mayWaitFor(to) && !findFriend(to) && !(await findInside(context, to)))
    return { own: "waiting", label: strangerLabel(to), waitsFor: to };
  return findTarget(context, to);
}
function requireAsked({ money }: Payable, { minor, currency }: Money): void {
  if (money && (money.minor !== minor || money.currency !== currency))
    throw errors.badRequest("This is not the amount that is asked for.");
}
const TAB_RESULT = "vendorme-tab-result-response";
emptyKind(TAB_RESULT);
/** Notes on both sides what the payment was for. */
async function noteShared(context: BankContext, shared: Payable, payment: PaymentRow): Promise<void> {
  await createRecord(context, {
    kind: TAB_RESULT,
    userId: (await findLedger(context.db, context.account, payment.ledger_id))?.user_id ?? 0,
    ownerId: payment.ledger_id,
    id: payment.id,
    body: {},
  });
  // The id of the payee's side follows the id of the payer's.
  const received = await findPayment(context.db, context.account, shared.ledger.id, payment.id + 1);
  if (received) await noteResult(context, shared.record, received);
}

export async function entryOf(context: BankContext, body: EntryBody): Promise<Entry> {
  return entryTo(body, await targetOf(context, body.counterparty_alias, body.allow_vendorto));
}
function entryTo(body: EntryBody, { label }: Target): Entry {
  const { counterparty_alias, description, merchant_reference, attachment, allow_vendorto } = body;
  return {
    money: getPositive(body.amount, "amount"),
    to: counterparty_alias,
    label,
    description,
    merchantReference: merchant_reference,
    ...(attachment && { attachments: attachment.map(({ id }) => id) }),
    ...(allow_vendorto && { mayWait: true }),
  };
}
export async function entriesOf(context: BankContext, bodies: readonly EntryBody[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const body of bodies) entries.push(await entryOf(context, body));
  return entries;
}

type Origin = Pick<Order, "batchId" | "scheduledId" | "isCurrent">;
/** Looks up the payee again, because the order may be old. */
export async function payEntry(
  context: BankContext,
  from: LedgerRow,
  entry: Entry,
  origin: Origin = {},
): Promise<PaymentRow> {
  return payTo(context, from, await targetOf(context, entry.to, entry.mayWait), entry, origin);
}
/** Pays immediately. */
export async function payBody(context: BankContext, from: LedgerRow, body: EntryBody): Promise<PaymentRow> {
  if (isBeneficiary(body.counterparty_alias)) return payAbroad(context, from, body);
  const target = await targetOf(context, body.counterparty_alias, body.allow_vendorto);
  return payTo(context, from, target, entryTo(body, target), { isCurrent: true });
}
/** The amount is in the beneficiary's currency. */
async function payAbroad(context: BankContext, from: LedgerRow, body: EntryBody): Promise<PaymentRow> {
  const { counterparty_alias, description, merchant_reference } = body;
  const money = getPositive(body.amount, "amount");
  const { label, accountNumber, currency } = await getBeneficiary(context, from.user_id, counterparty_alias);
  if (money.currency !== currency) throw errors.badRequest(`This beneficiary is paid in ${currency}.`);
  const { source, quoteId } = await pricedByQuote(context, from, counterparty_alias, money);
  return pay(context, {
    from,
    to: { iban: accountNumber, label },
    money: source,
    description,
    type: "SWIFT",
    details: { merchant_reference, quote_id: quoteId, arrives_as: money },
  });
}
async function payTo(
  context: BankContext,
  from: LedgerRow,
  target: Found,
  { money, description, merchantReference, attachments }: Entry,
  origin: Origin = {},
): Promise<PaymentRow> {
  const pictures = attachments ? await getPictures(context, from, attachments) : [];
  const handed = "ledger" in target ? await handOver(context, pictures, target.ledger) : [];
  if (target.shared) requireAsked(target.shared, money);
  const paid = await pay(context, {
    from,
    to: target,
    money,
    description,
    type: "BUNQ",
    ...origin,
    details: { merchant_reference: merchantReference, ...(attachments && { attachments }) },
    ...(handed.length > 0 && { payeeDetails: { attachments: handed } }),
  });
  if (target.shared) await noteShared(context, target.shared, paid);
  return target.waitsFor ? beginWaiting(context, from, paid, target.waitsFor) : paid;
}

/** Runs in the caller's transaction, so that one failed payment rolls back the others. */
export async function payBatch(
  context: BankContext,
  from: LedgerRow,
  entries: readonly Entry[],
  origin: Origin & { readonly batchId: number },
): Promise<void> {
  for (const entry of entries) await payEntry(context, from, entry, origin);
}

/** The payment or batch that an order became. */
export const Outcome = Type.Object({
  paymentId: Type.Optional(Type.Number()),
  batchId: Type.Optional(Type.Number()),
});
export type Outcome = Unchanging<Static<typeof Outcome>>;
export async function carryOut(
  context: BankContext,
  from: LedgerRow,
  entries: readonly Entry[],
  origin: { readonly scheduledId?: number } = {},
): Promise<Outcome> {
  const [only, ...others] = entries;
  if (only && others.length === 0) return { paymentId: (await payEntry(context, from, only, origin)).id };
  const batch = await createBatch(context, from);
  await payBatch(context, from, entries, { ...origin, batchId: batch.id });
  return { batchId: batch.id };
}
const createBatch = (context: BankContext, { user_id, id }: LedgerRow): Promise<RecordRow> =>
  createRecord(context, { kind: "payment-batch", userId: user_id, ownerId: id, body: {} });

export async function batchView({ db, account }: BankContext, ledgerId: number, batchId: number) {
  const rows = await listPaymentsOfBatch(db, account, ledgerId, batchId);
  return { payments: { Payment: rows.map(paymentView) } };
}
export async function resultView(
  context: BankContext,
  ledgerId: number,
  { paymentId, batchId }: Outcome,
): Promise<{
  Payment?: ReturnType<typeof paymentView>;
  PaymentBatch?: Awaited<ReturnType<typeof batchView>>;
}> {
  if (batchId !== undefined) return { PaymentBatch: await batchView(context, ledgerId, batchId) };
  const payment =
    paymentId === undefined ? undefined : await findPayment(context.db, context.account, ledgerId, paymentId);
  return payment ? { Payment: paymentView(payment) } : {};
}
