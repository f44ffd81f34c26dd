/**
 * Payments to an e-mail address or phone number that no user has registered yet.
 * The money waits until somebody registers the alias or claims the payment on its page. After a time limit it is returned.
 */

import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import {
  type BankContext,
  clearDeadline,
  createRecord,
  errors,
  findLedger,
  findRecordById,
  type KeptOf,
  keptIn,
  type LedgerRow,
  moveRecord,
  openPage,
  type PaymentRow,
  pageOfLedgers,
  paymentDetails,
  type RecordRow,
  recordKind,
  setDeadline,
  takeId,
} from "../book/index.ts";
import type { Label } from "./domain/labels.ts";
import { ACCOUNTS_MAX } from "./domain/limits.ts";
import type { Money } from "./domain/money.ts";
import { findTarget, moveOwn, type PointerTo, receive } from "./paying.ts";
import { findPayment, updateDetails } from "./store/payments.ts";
import { deleteWaiting, insertWaiting, listWaiting } from "./store/waiting.ts";
import { PEOPLES_KINDS } from "./views/accounts.ts";
import type { Waiting } from "./views/payments.ts";

export const WAITING = "waiting-money";
const OPEN_MS = 5 * 86_400_000;
/** How many payments are handed out in one transaction. */
const TOGETHER_MAX = 100;
const NAMES = ["EMAIL", "PHONE_NUMBER"];
const WaitingKept = recordKind(
  [WAITING],
  Type.Object({
    type: Type.String(),
    value: Type.String(),
    payer: Type.String(),
  }),
);
type WaitingKept = KeptOf<typeof WaitingKept>;

export const mayWaitFor = ({ type }: PointerTo): boolean => NAMES.includes(type);
export const strangerLabel = ({ name, value }: PointerTo): Label => ({
  display_name: name ?? value,
  country: "NL",
  is_light: true,
});
const plainly = (value: string): string => value.trim().toLowerCase();

async function keepWaiting(
  { db, account }: BankContext,
  payment: PaymentRow,
  waiting: Waiting,
): Promise<PaymentRow> {
  const details = paymentDetails.write({ ...paymentDetails.read(payment.details), waiting });
  await updateDetails(db, { account, id: payment.id, details });
  return { ...payment, details };
}
/** Makes a payment wait for its payee. */
export async function beginWaiting(
  context: BankContext,
  from: LedgerRow,
  payment: PaymentRow,
  { type, value }: PointerTo,
): Promise<PaymentRow> {
  const { db, account, clock, request } = context;
  const kept: WaitingKept = { type, value: plainly(value), payer: from.display_name };
  await createRecord(context, {
    kind: WAITING,
    userId: from.user_id,
    ownerId: from.id,
    id: payment.id,
    body: kept,
  });
  await insertWaiting(db, { account, type, value: kept.value, payment_id: payment.id });
  const uuid = await openPage(context, { kind: WAITING, recordId: payment.id });
  const expiresAtMs = clock.nowMs() + OPEN_MS;
  await setDeadline(context, WAITING, payment.id, expiresAtMs);
  const shareUrl = `${request.mountUrl}/claim/${uuid}`;
  return keepWaiting(context, payment, { status: "PENDING", shareUrl, expiresAtMs });
}

export type Unclaimed = {
  readonly record: RecordRow;
  readonly payment: PaymentRow;
  readonly money: Money;
  readonly payer: string;
};
export async function findUnclaimed(context: BankContext, id: number): Promise<Unclaimed | undefined> {
  const { db, account } = context;
  const record = await findRecordById(db, account, WAITING, id);
  const payment = record && (await findPayment(db, account, record.owner_id, id));
  if (!record || !payment) return undefined;
  const money = { minor: -payment.amount, currency: payment.currency };
  return { record, payment, money, payer: keptIn(WaitingKept, record).payer };
}
async function endWaiting(
  context: BankContext,
  { record, payment }: Unclaimed,
  status: "ACCEPTED" | "EXPIRED",
): Promise<void> {
  const { db, account, clock } = context;
  const { type, value } = keptIn(WaitingKept, record);
  await moveRecord(context, record, { status });
  await clearDeadline(context, WAITING, record.id);
  await deleteWaiting(db, { account, type, value, payment_id: record.id });
  const { waiting } = paymentDetails.read(payment.details);
  if (waiting) await keepWaiting(context, payment, { ...waiting, status, respondedAtMs: clock.nowMs() });
}
async function hand(context: BankContext, unclaimed: Unclaimed, ledger: LedgerRow): Promise<void> {
  const { money, payment } = unclaimed;
  await receive(context, ledger, money, payment.description, {
    own: "waiting",
    type: payment.type,
    counterparty: JSON.parse(payment.alias),
  });
  await endWaiting(context, unclaimed, "ACCEPTED");
}

/** Hands out more of the money that waits for an alias. The handler is `jobs/waiting.ts`. */
export const claiming = {
  name: "bank.claim",
  payload: Type.Object({
    type: Type.String(),
    value: Type.String(),
    ledgerId: Type.Integer(),
    after: Type.Integer(),
  }),
} satisfies WorkKind<PointerTo & { ledgerId: number; after: number }>;

/**
 * A new user has registered an alias. The payments that wait for it go to the user's account, if the
 * currency matches: the oldest at once, the others by a job.
 */
export async function claimByName(
  context: BankContext,
  { type, value }: PointerTo,
  ledger: LedgerRow,
  after = 0,
): Promise<void> {
  const { db, account } = context;
  const known = plainly(value);
  const ids = await listWaiting(db, { account, type, value: known }, { after, limit: TOGETHER_MAX });
  for (const id of ids) {
    const unclaimed = await findUnclaimed(context, id);
    if (unclaimed?.money.currency === ledger.currency) await hand(context, unclaimed, ledger);
  }
  const last = ids.at(-1);
  if (last !== undefined && ids.length === TOGETHER_MAX)
    await context.enqueue(claiming, { type, value: known, ledgerId: ledger.id, after: last });
}
/** A visitor of the claim page chooses the target: an account here, or an account at another bank. */
export async function claimTo(
  context: BankContext,
  id: number,
  { iban, name }: { readonly iban: string; readonly name: string },
): Promise<void> {
  await takeId(context.db, context.account);
  const unclaimed = await findUnclaimed(context, id);
  if (unclaimed?.record.status !== "PENDING")
    throw errors.badRequest("This money was claimed or taken back.");
  if (name === "") throw errors.badRequest("Please say who you are.");
  const target = await findTarget(context, { type: "IBAN", value: iban, name });
  if ("ledger" in target) return hand(context, unclaimed, target.ledger);
  await moveOwn(context, "waiting", "outside", unclaimed.money);
  await endWaiting(context, unclaimed, "ACCEPTED");
}

/** The account to return money to: the one that paid, or another of the same owner if that one is closed. */
async function findReturn({ db, account }: BankContext, record: RecordRow, currency: string) {
  const ledger = await findLedger(db, account, record.owner_id);
  if (ledger?.status === "ACTIVE") return ledger;
  const choice = { userId: record.user_id, kinds: PEOPLES_KINDS };
  const all = await pageOfLedgers(db, account, choice, { limit: ACCOUNTS_MAX });
  return all.find((one) => one.status === "ACTIVE" && one.currency === currency);
}
export async function returnUnclaimed(context: BankContext, record: RecordRow): Promise<void> {
  if (record.status !== "PENDING") return;
  const unclaimed = await findUnclaimed(context, record.id);
  if (!unclaimed) return;
  const { money, payment } = unclaimed;
  const ledger = await findReturn(context, record, money.currency);
  if (!ledger) return;
  await receive(context, ledger, money, "Nobody claimed it", {
    own: "waiting",
    type: payment.type,
    subType: "REVERSAL",
    counterparty: JSON.parse(payment.counterparty),
  });
  await endWaiting(context, unclaimed, "EXPIRED");
}
