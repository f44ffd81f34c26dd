/**
 * Records that anybody can pay for on a public page: tabs, fundraisers, and requests to people who are not
 * users.
 */

import { Type } from "@sinclair/typebox";
import {
  type BankContext,
  createRecord,
  findLedger,
  findRecordById,
  keptIn,
  type LedgerRow,
  listNewestRecords,
  type PaymentRow,
  type RecordRow,
  recordKind,
  takesMoney,
  tell,
} from "../book/index.ts";
import {
  findPayment,
  type Label,
  labelled,
  type Money,
  ProfileKept,
  paymentView,
  receive,
  type Source,
  TabKept,
} from "../money/index.ts";
import { settleInquiry } from "./requests.ts";
import { RequestKept } from "./views/requests.ts";

export type Payable = {
  readonly record: RecordRow;
  readonly ledger: LedgerRow;
  readonly payee: Label;
  /** Absent: the payer chooses the amount. */
  readonly money?: Money | undefined;
  readonly description: string;
  readonly isOpen: boolean;
  readonly redirectUrl?: string | undefined;
};
type Terms = Pick<Payable, "money" | "description" | "isOpen" | "redirectUrl">;

const termsOf: Readonly<Record<string, (record: RecordRow) => Terms>> = {
  "vendorme-tab": (record) => {
    const { money, description, redirectUrl } = keptIn(TabKept, record);
    return { money, description, redirectUrl, isOpen: record.status === "WAITING_FOR_PAYMENT" };
  },
  "vendorme-fundraiser-profile": (record) => ({
    description: keptIn(ProfileKept, record).description,
    isOpen: record.status === "ACTIVE",
  }),
  "request-inquiry": (record) => {
    const { amount, description, redirect_url } = keptIn(RequestKept, record);
    return { money: amount, description, redirectUrl: redirect_url, isOpen: record.status === "PENDING" };
  },
};

export async function findPayable(
  context: BankContext,
  { kind, recordId }: { readonly kind: string; readonly recordId: number },
): Promise<Payable | undefined> {
  const { db, account } = context;
  const record = await findRecordById(db, account, kind, recordId);
  const terms = record && termsOf[kind]?.(record);
  const ledger = record && (await findLedger(db, account, record.owner_id));
  if (!terms || !ledger) return undefined;
  const isOpen = terms.isOpen && takesMoney(ledger);
  return { record, ledger, payee: await labelled(context, ledger), ...terms, isOpen };
}

const RESULTS_MAX = 200;
const RESULT = "share-result";
const ResultKept = recordKind([RESULT], Type.Object({ paymentId: Type.Number() }));
/** The newest payments that came in for it. */
export async function listResults({ db, account }: BankContext, record: RecordRow): Promise<PaymentRow[]> {
  const place = { kind: RESULT, userId: record.user_id, ownerId: record.id };
  const results = await listNewestRecords(db, account, place, RESULTS_MAX);
  const payments = await Promise.all(
    results.map((result) => findPayment(db, account, record.owner_id, keptIn(ResultKept, result).paymentId)),
  );
  return payments.filter((payment) => payment !== undefined);
}
/** Records an incoming payment for it, and notifies its owner. */
export async function noteResult(
  context: BankContext,
  record: RecordRow,
  payment: PaymentRow,
): Promise<void> {
  const { currency, amount } = payment;
  if (record.kind === "request-inquiry")
    return settleInquiry(context, record, { minor: Math.abs(amount), currency });
  await createRecord(context, {
    kind: RESULT,
    userId: record.user_id,
    ownerId: record.id,
    body: { paymentId: payment.id },
  });
  await tell(context, record, {
    category: "TAB_RESULT",
    action: "CREATE",
    type: record.kind === "vendorme-tab" ? "BunqMeTabResultInquiry" : "BunqMeFundraiserResult",
    shown: { payment: paymentView(payment) },
  });
}

/** A stranger's money has come. */
export async function receiveFor(
  context: BankContext,
  { record, ledger, description }: Payable,
  money: Money,
  source: Source,
): Promise<PaymentRow> {
  const payment = await receive(context, ledger, money, description, source);
  await noteResult(context, record, payment);
  return payment;
}
