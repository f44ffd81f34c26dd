/** Payments that strangers approve on the page of their bank: they succeed, fail, or end by time. */

import {
  type BankContext,
  type Category,
  clearDeadline,
  createRecord,
  errors,
  keptIn,
  type LedgerRow,
  moveRecord,
  openPage,
  type RecordRow,
  setDeadline,
  tell,
} from "../book/index.ts";
import { getKnownLedger, labelled, type Money, receive } from "../money/index.ts";
import { ISSUERS, type MerchantKind } from "./domain/merchants.ts";
import { findPayable, noteResult } from "./payables.ts";
import { MerchantKept, merchantView } from "./views/merchants.ts";

const OPEN_MS = 15 * 60_000;
const CATEGORIES: Readonly<Record<MerchantKind, Category>> = {
  "ideal-merchant-transaction": "IDEAL",
  "sofort-merchant-transaction": "SOFORT",
  "open-banking-merchant-transaction": "PAYMENT",
};
const TYPES: Readonly<Record<MerchantKind, string>> = {
  "ideal-merchant-transaction": "IdealMerchantTransaction",
  "sofort-merchant-transaction": "SofortMerchantTransaction",
  "open-banking-merchant-transaction": "OpenBankingMerchantTransaction",
};

export const DEFAULT_ISSUER = "TESTNL2A";
export type MerchantOrder = {
  readonly kind: MerchantKind;
  readonly money: Money;
  readonly issuer: string;
  readonly description: string;
  readonly share?: MerchantKept["share"];
};
/** The body of a new transaction. */
export async function beginMerchant(
  context: BankContext,
  ledger: LedgerRow,
  { kind, money, issuer, description, share }: MerchantOrder,
  id: number,
): Promise<MerchantKept> {
  if (!(issuer in ISSUERS))
    throw errors.badRequest(`issuer must be one of ${Object.keys(ISSUERS).join(", ")}.`);
  if (money.currency !== ledger.currency)
    throw errors.badRequest(`The account ${ledger.id} is in ${ledger.currency}.`);
  const now = context.clock.nowMs();
  const expiresAtMs = now + OPEN_MS;
  await setDeadline(context, kind, id, expiresAtMs);
  return {
    money,
    issuer,
    description,
    alias: await labelled(context, ledger),
    issuerUuid: await openPage(context, { kind, recordId: id }),
    purchase: `P${id}`,
    expiresAtMs,
    changedAtMs: now,
    share,
  };
}
/** Creates a transaction for the visitor of a payment page. */
export async function createMerchant(
  context: BankContext,
  ledger: LedgerRow,
  order: MerchantOrder,
  id: number,
): Promise<MerchantKept> {
  const body = await beginMerchant(context, ledger, order, id);
  await createRecord(context, { kind: order.kind, userId: ledger.user_id, ownerId: ledger.id, id, body });
  return body;
}

const isKind = (kind: string): kind is MerchantKind => kind in TYPES;
export async function concludeMerchant(
  context: BankContext,
  record: RecordRow,
  status: string,
  body: MerchantKept,
): Promise<void> {
  await clearDeadline(context, record.kind, record.id);
  const moved = await moveRecord(context, record, {
    status,
    body: { ...body, changedAtMs: context.clock.nowMs() },
  });
  if (!isKind(record.kind)) return;
  await tell(context, moved, {
    category: CATEGORIES[record.kind],
    action: "UPDATE",
    type: TYPES[record.kind],
    shown: merchantView(moved, context.request.mountUrl),
  });
}
const PAYMENT_TYPES: Readonly<Record<string, string>> = {
  "ideal-merchant-transaction": "IDEAL",
  "sofort-merchant-transaction": "SOFORT",
  "open-banking-merchant-transaction": "OPEN_BANKING",
};

/** The payer has decided at their bank. */
export async function decideMerchant(
  context: BankContext,
  record: RecordRow,
  { status, payer }: { readonly status: string; readonly payer: string },
): Promise<void> {
  const { db, account } = context;
  const kept = keptIn(MerchantKept, record);
  if (status !== "SUCCESS") return concludeMerchant(context, record, status, kept);
  const ledger = await getKnownLedger(db, account, record.owner_id);
  const counterparty = { display_name: payer, country: "NL", is_light: false };
  const payment = await receive(context, ledger, kept.money, kept.description, {
    type: PAYMENT_TYPES[record.kind] ?? "IDEAL",
    counterparty,
    details: { merchant_reference: kept.purchase },
  });
  await concludeMerchant(context, record, status, { ...kept, counterparty });
  const payable = kept.share && (await findPayable(context, kept.share));
  if (payable) await noteResult(context, payable.record, payment);
}
export async function expireMerchant(context: BankContext, record: RecordRow): Promise<void> {
  if (record.status === "OPEN")
    await concludeMerchant(context, record, "EXPIRED", keptIn(MerchantKept, record));
}
