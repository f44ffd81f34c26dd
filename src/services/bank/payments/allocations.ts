/** Allocates incoming money by the rules of the account. */
import { ServiceError } from "#kernel/operation";
import {
  type BankContext,
  createRecord,
  findLedger,
  findRecordById,
  keptIn,
  listNewestRecords,
  moveRecord,
  newestFirst,
  type PaymentRow,
  type RecordRow,
  takeId,
} from "../book/index.ts";
import { findPayment, getKnownLedger } from "../money/index.ts";
import type { Entry } from "../requests/index.ts";
import { payBatch } from "./orders.ts";
import {
  AllocateInstanceKept,
  AllocateKept,
  type Definition,
  PaymentBatchKept,
} from "./views/allocations.ts";

const RULE = "payment-auto-allocate";
const INSTANCE = "payment-auto-allocate-instance";
const BATCH = "payment-batch";
const RULES_MAX = 100;

export const counterpartyOf = ({ counterparty }: PaymentRow): string => {
  const { iban, display_name } = JSON.parse(counterparty);
  return iban ?? display_name;
};
/** Money that a rule itself has moved is not allocated again. */
async function isOwnDoing({ db, account }: BankContext, { batch_id }: PaymentRow): Promise<boolean> {
  const batch = batch_id === null ? undefined : await findRecordById(db, account, BATCH, batch_id);
  return batch !== undefined && keptIn(PaymentBatchKept, batch).isAllocation === true;
}
function entryFor({ to, description, money, fraction }: Definition, { amount, currency }: PaymentRow): Entry {
  const minor = money?.minor ?? Math.floor((amount * (fraction ?? 0)) / 100);
  const label = { display_name: to.name ?? to.value, country: "NL", is_light: false };
  return { money: { minor, currency }, to, label, description };
}

async function share(context: BankContext, rule: RecordRow, payment: PaymentRow): Promise<void> {
  const ledger = await getKnownLedger(context.db, context.account, rule.owner_id);
  const { definitions } = keptIn(AllocateKept, rule);
  const place = { userId: rule.user_id, ownerId: rule.owner_id };
  const batch = await createRecord(context, { kind: BATCH, ...place, body: { isAllocation: true } });
  const entries = definitions
    .map((definition) => entryFor(definition, payment))
    .filter(({ money }) => money.minor > 0);
  await payBatch(context, ledger, entries, { batchId: batch.id });
  await conclude(context, rule, "SUCCEEDED", { paymentId: payment.id, batchId: batch.id });
}
async function conclude(context: BankContext, rule: RecordRow, status: string, body: AllocateInstanceKept) {
  await createRecord(context, { kind: INSTANCE, userId: rule.user_id, ownerId: rule.id, status, body });
  const kept = { ...keptIn(AllocateKept, rule), latestId: body.paymentId };
  await moveRecord(context, rule, { ...(kept.type === "ONCE" && { status: "FINISHED" }), body: kept });
}

async function wasApplied(
  { db, account }: BankContext,
  rule: RecordRow,
  payment: PaymentRow,
): Promise<boolean> {
  const place = { kind: INSTANCE, userId: rule.user_id, ownerId: rule.id };
  for await (const instance of newestFirst(db, account, place)) {
    // It has a later number than its payment.
    if (instance.id < payment.id) return false;
    if (keptIn(AllocateInstanceKept, instance).paymentId === payment.id) return true;
  }
  return false;
}
/** Rules that apply to this payment and have not been applied to it yet. */
async function rulesFor(context: BankContext, ledgerId: number, payment: PaymentRow): Promise<RecordRow[]> {
  const { db, account } = context;
  const ledger = await findLedger(db, account, ledgerId);
  if (!ledger || (await isOwnDoing(context, payment))) return [];
  const place = { kind: RULE, userId: ledger.user_id, ownerId: ledgerId };
  const rules = await listNewestRecords(db, account, place, RULES_MAX);
  const fitting: RecordRow[] = [];
  for (const rule of rules) {
    const { counterparty } = keptIn(AllocateKept, rule);
    if (rule.status !== "ACTIVE" || counterparty !== counterpartyOf(payment)) continue;
    if (!(await wasApplied(context, rule, payment))) fitting.push(rule);
  }
  return fitting;
}
/** Applies each rule separately: if one cannot pay, the others still run. */
export async function allocate(context: BankContext, ledgerId: number, paymentId: number): Promise<void> {
  const payment = await findPayment(context.db, context.account, ledgerId, paymentId);
  if (!payment) return;
  for (const { id } of await rulesFor(context, ledgerId, payment)) {
    const attempt = (work: (inner: BankContext, rule: RecordRow) => Promise<void>) =>
      context.transact(async (inner) => {
        await takeId(inner.db, inner.account);
        const rule = (await rulesFor(inner, ledgerId, payment)).find((one) => one.id === id);
        if (rule) await work(inner, rule);
      });
    try {
      await attempt((inner, rule) => share(inner, rule, payment));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const message = error.message;
      await attempt((inner, rule) => conclude(inner, rule, "FAILED", { paymentId, message }));
    }
  }
}
