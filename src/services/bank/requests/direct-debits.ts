/**
 * Direct debits: creditors collect within the limits that the account's owner has set. The owner can have a
 * debit returned.
 */

import { Type } from "@sinclair/typebox";
import {
  type BankContext,
  createRecord,
  errors,
  keptIn,
  type LedgerRow,
  ledgerDetails,
  listNewestRecords,
  moveRecord,
  pageOfRecords,
  type RecordRow,
  recordKind,
  setDeadline,
} from "../book/index.ts";
import { findInside, getKnownLedger, type Label, type Money, pay, receive } from "../money/index.ts";
import { tellResponse } from "./requests.ts";
import { RequestKept } from "./views/requests.ts";
import { WhitelistKept } from "./views/whitelists.ts";

const DAY_MS = 86_400_000;
/** The notice period in which the owner can refuse before the debit is collected. */
const NOTICE_MS = 2 * DAY_MS;
const REFUND_WITHIN_MS = 56 * DAY_MS;
const REFUND_TAKES_MS = DAY_MS;
const MONTH_MS = 30 * DAY_MS;
const WHITELISTS_MAX = 1000;
const RESULTS_AT_ONCE = 1000;
const CollectedKept = recordKind(
  ["whitelist-result"],
  Type.Object({ requestId: Type.Number(), minor: Type.Number(), payingLedgerId: Type.Number() }),
);

export type Collection = {
  readonly iban: string;
  readonly money: Money;
  readonly creditorName: string;
  readonly creditorIban?: string | undefined;
  readonly schemeIdentifier: string;
  readonly mandateIdentifier: string;
  readonly isRecurring: boolean;
  readonly description: string;
};

/** A creditor wants to collect: immediately if a whitelist covers it, otherwise after the notice period. */
export async function collect(context: BankContext, wanted: Collection): Promise<RecordRow> {
  const target = await findInside(context, { type: "IBAN", value: wanted.iban });
  if (!target) throw errors.badRequest("There is no account with this IBAN.");
  const { ledger, label } = target;
  if (wanted.money.currency !== ledger.currency)
    throw errors.badRequest(`The account ${ledger.id} is in ${ledger.currency}.`);
  const counterparty: Label = {
    ...(wanted.creditorIban !== undefined && { iban: wanted.creditorIban }),
    display_name: wanted.creditorName,
    country: wanted.creditorIban?.slice(0, 2) ?? "NL",
    is_light: false,
  };
  const kept: RequestKept = {
    amount: wanted.money,
    expiresAtMs: context.clock.nowMs() + NOTICE_MS,
    alias: label,
    counterparty,
    description: wanted.description,
    inquirerLedgerId: 0,
    type: "DIRECT_DEBIT",
    subType: wanted.isRecurring ? "RECURRING" : "ONCE",
    isLowerAllowed: false,
    isHigherAllowed: false,
    credit_scheme_identifier: wanted.schemeIdentifier,
    mandate_identifier: wanted.mandateIdentifier,
  };
  const whitelist = await findCovering(context, ledger, kept);
  const response = await createRecord(context, {
    kind: "request-response",
    userId: ledger.user_id,
    ownerId: ledger.id,
    body: { ...kept, eligible_whitelist_id: whitelist?.id },
  });
  await tellResponse(context, response, "CREATE");
  await setDeadline(context, "request-response", response.id, kept.expiresAtMs);
  return whitelist ? acceptBy(context, response, whitelist) : response;
}

const minorOf = (amount: Money | undefined): number => amount?.minor ?? Number.POSITIVE_INFINITY;
async function collectedSince(
  { db, account }: BankContext,
  whitelist: RecordRow,
  sinceMs: number,
): Promise<number> {
  const place = { kind: "whitelist-result", userId: whitelist.user_id, ownerId: whitelist.id };
  let sum = 0;
  for (let last: RecordRow | undefined, isEnd = false; !isEnd; ) {
    const slice = { limit: RESULTS_AT_ONCE, ...(last && { olderThan: last.id }) };
    const results = await pageOfRecords(db, account, place, slice);
    for (const result of results)
      if (result.status === "ACTIVE" && result.created_at >= sinceMs)
        sum += keptIn(CollectedKept, result).minor;
    last = results.at(-1);
    isEnd = results.length < RESULTS_AT_ONCE || !last || last.created_at < sinceMs;
  }
  return sum;
}
async function isWithin(context: BankContext, whitelist: RecordRow, minor: number): Promise<boolean> {
  const { perPayment, perMonth } = keptIn(WhitelistKept, whitelist);
  if (minor > minorOf(perPayment)) return false;
  if (!perMonth) return true;
  return (
    (await collectedSince(context, whitelist, context.clock.nowMs() - MONTH_MS)) + minor <= perMonth.minor
  );
}
/** Matches the creditor and, for recurring debits, the mandate. */
async function findCovering(
  context: BankContext,
  ledger: LedgerRow,
  kept: RequestKept,
): Promise<RecordRow | undefined> {
  const { db, account } = context;
  const kind = kept.subType === "RECURRING" ? "whitelist-sdd-recurring" : "whitelist-sdd-one-off";
  const known = await listNewestRecords(db, account, { kind, userId: ledger.user_id }, WHITELISTS_MAX);
  for (const whitelist of known) {
    const { scheme, mandate } = keptIn(WhitelistKept, whitelist);
    const isSame =
      scheme === kept.credit_scheme_identifier &&
      (kind.endsWith("one-off") || mandate === kept.mandate_identifier);
    if (whitelist.status === "ACTIVE" && isSame && (await isWithin(context, whitelist, kept.amount.minor)))
      return whitelist;
  }
  return undefined;
}

/** Pays the creditor at another bank. The debit is refused if the balance is too low. */
export async function payDebit(context: BankContext, response: RecordRow, ledgerId: number): Promise<void> {
  const kept = keptIn(RequestKept, response);
  await pay(context, {
    from: await getKnownLedger(context.db, context.account, ledgerId),
    to: { own: "outside", label: kept.counterparty },
    money: kept.amount,
    description: kept.description,
    type: "EBA_SDD",
    subType: "REQUEST",
    details: { merchant_reference: kept.mandate_identifier },
  });
}
export const isDebit = (response: RecordRow): boolean =>
  keptIn(RequestKept, response).type === "DIRECT_DEBIT";
export function accepted(context: BankContext, response: RecordRow): RequestKept {
  const kept = keptIn(RequestKept, response);
  return { ...kept, responded: kept.amount, respondedAtMs: context.clock.nowMs() };
}
async function acceptBy(context: BankContext, response: RecordRow, whitelist: RecordRow): Promise<RecordRow> {
  const kept = keptIn(RequestKept, response);
  const { payingLedgerId } = keptIn(WhitelistKept, whitelist);
  const ledger = await getKnownLedger(context.db, context.account, payingLedgerId);
  const place = { kind: "whitelist-result", userId: whitelist.user_id, ownerId: whitelist.id };
  const result = { requestId: response.id, minor: kept.amount.minor, payingLedgerId };
  if (ledger.balance < kept.amount.minor) {
    await createRecord(context, { ...place, id: response.id, status: "FAILED", body: result });
    return response;
  }
  await payDebit(context, response, payingLedgerId);
  await createRecord(context, { ...place, id: response.id, status: "ACTIVE", body: result });
  const moved = await moveRecord(context, response, {
    status: "ACCEPTED",
    body: accepted(context, response),
  });
  await tellResponse(context, moved, "UPDATE");
  return moved;
}

/** Nobody answered in time: the setting of the account decides. */
export async function endNotice(context: BankContext, response: RecordRow): Promise<void> {
  if (response.status === "REFUND_REQUESTED") return refund(context, response);
  if (response.status !== "PENDING") return;
  const ledger = await getKnownLedger(context.db, context.account, response.owner_id);
  const { sdd_expiration_action = "AUTO_ACCEPT" } = ledgerDetails.read(ledger.details).setting ?? {};
  const kept = keptIn(RequestKept, response);
  const isPaid =
    sdd_expiration_action === "AUTO_ACCEPT" &&
    ledger.status === "ACTIVE" &&
    ledger.balance >= kept.amount.minor;
  if (isPaid) await payDebit(context, response, ledger.id);
  const outcome = isPaid ? { status: "ACCEPTED", body: accepted(context, response) } : { status: "REJECTED" };
  await tellResponse(context, await moveRecord(context, response, outcome), "UPDATE");
}

/** Within eight weeks, without a reason. */
export async function requestRefund(context: BankContext, response: RecordRow) {
  const kept = keptIn(RequestKept, response);
  const now = context.clock.nowMs();
  if (kept.type !== "DIRECT_DEBIT") throw errors.badRequest("Only direct debits are given back.");
  if (now - (kept.respondedAtMs ?? now) > REFUND_WITHIN_MS)
    throw errors.badRequest("A direct debit is given back within eight weeks.");
  await setDeadline(context, "request-response", response.id, now + REFUND_TAKES_MS);
  return { status: "REFUND_REQUESTED", body: { ...kept, refundRequestedAtMs: now } };
}
async function refund(context: BankContext, response: RecordRow): Promise<void> {
  const kept = keptIn(RequestKept, response);
  const { responded = kept.amount, counterparty } = kept;
  await receive(
    context,
    await getKnownLedger(context.db, context.account, response.owner_id),
    responded,
    kept.description,
    {
      type: "EBA_SDD",
      subType: "REVERSAL",
      counterparty,
    },
  );
  const body = { ...kept, refundedAtMs: context.clock.nowMs() };
  await tellResponse(context, await moveRecord(context, response, { status: "REFUNDED", body }), "UPDATE");
}
