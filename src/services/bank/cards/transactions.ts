/**
 * Card use at tills and cash machines. Each use is an action with its payments, or with the reason of
 * refusal.
 */

import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import {
  type BankContext,
  errors,
  findLedger,
  findRecordById,
  happened,
  insertRecord,
  isMoveAllowed,
  keptIn,
  keptText,
  type LedgerRow,
  pageOfRecords,
  type RecordRow,
  takeId,
  updateRecord,
} from "../book/index.ts";
import { charge, getKnownLedger, type Label, moveOwn, pay, receive } from "../money/index.ts";
import { bodyOf, CARD, findSecret, keepCard } from "./cards.ts";
import {
  ACTION,
  type ActionBody,
  type Authorisation,
  actionBodyOf,
  CVC2,
  Cvc2Body,
  type Merchant,
} from "./domain/card-actions.ts";
import { type CardBody, findCardRefusal, needsPin, PIN_TRIES_MAX, type Refusal } from "./domain/cards.ts";
import { insertCardUse, sumCardUses, updateCardUse } from "./store/cards.ts";
import { actionView } from "./views/card-actions.ts";

const DAY_MS = 86_400_000;
/** So long is money kept for a merchant who does not come for it. */
const RESERVED_MS = 7 * DAY_MS;
const REFUNDS_MAX = 50;

/** Gives money back that no merchant came for; `jobs.ts` does it. */
export const reservationEnd = {
  name: "bank.reservation-end",
  payload: Type.Object({ actionId: Type.Integer() }),
} satisfies WorkKind<{ actionId: number }>;

const merchantLabel = ({ name, country, categoryCode }: Merchant): Label => ({
  display_name: name,
  country,
  is_light: false,
  merchant_category_code: categoryCode,
});

async function getById(context: BankContext, kind: string, id: number): Promise<RecordRow> {
  const record = await findRecordById(context.db, context.account, kind, id);
  if (!record) throw errors.notFound(`There is no ${kind} ${id}.`);
  return record;
}

type Way = { readonly ledgerId: number } | { readonly refusal: Refusal };
/** By the number that was used, or by the code: which account the card draws on. */
async function wayOf(
  context: BankContext,
  card: RecordRow,
  body: CardBody,
  use: Authorisation,
): Promise<Way> {
  const { numberId, entry, pin } = use;
  if (numberId !== undefined) {
    const number = body.numbers.find(({ id }) => id === numberId);
    if (number?.status !== "ACTIVE")
      return { refusal: { decision: "REFUSED_NUMBER", reason: "The number is not in use." } };
    return { ledgerId: number.ledgerId };
  }
  const primary = body.pins.find(({ type }) => type === "PRIMARY")?.ledgerId ?? body.orderedLedgerId;
  if (!needsPin(entry) && pin === undefined) return { ledgerId: primary };
  for (const { type, ledgerId } of body.pins)
    if (pin !== undefined && (await findSecret(context, card.id, `pin/${type}`)) === pin) return { ledgerId };
  return { refusal: { decision: "REFUSED_PIN", reason: "The pin is wrong." } };
}
/** A wrong code is counted; too many lock the card until its owner gives it another. */
async function countPin(
  context: BankContext,
  card: RecordRow,
  body: CardBody,
  isWrong: boolean,
): Promise<void> {
  const wrongPins = isWrong ? body.wrongPins + 1 : 0;
  if (wrongPins === body.wrongPins) return;
  const isLocked = wrongPins >= PIN_TRIES_MAX && card.status === "ACTIVE";
  await keepCard(context, card, { ...body, wrongPins }, isLocked ? "PIN_TRIES_EXCEEDED" : card.status);
}
/** Checks the CVC: a stored one, or one that was generated for a single use. */
async function cvc2Refusal(
  context: BankContext,
  card: RecordRow,
  cvc2: string,
): Promise<Refusal | undefined> {
  const place = { kind: CVC2, userId: card.user_id, ownerId: card.id };
  const wrong = { decision: "REFUSED_CVC2", reason: "The cvc2 is wrong, was used, or is past its time." };
  const now = context.clock.nowMs();
  for (const record of await pageOfRecords(context.db, context.account, place, { limit: 100 })) {
    const { type, expiresAt } = keptIn(Cvc2Body, record);
    const isOpen = record.status === "AVAILABLE" && (expiresAt === null || expiresAt > now);
    if (!isOpen || (await findSecret(context, record.id, "cvc2")) !== cvc2) continue;
    if (type === "GENERATED") await updateRecord(context.db, { ...record, status: "USED", updated_at: now });
    return undefined;
  }
  return wrong;
}

/** The account of the card, or its fallback account if the balance is too low. */
async function payableLedger(
  { db, account }: BankContext,
  ids: readonly (number | null)[],
  minor: number,
  currency: string,
): Promise<LedgerRow | undefined> {
  for (const id of ids) {
    const ledger = id === null ? undefined : await findLedger(db, account, id);
    if (
      ledger?.status === "ACTIVE" &&
      ledger.currency === currency &&
      ledger.balance + ledger.overdraft_limit >= minor
    )
      return ledger;
  }
  return undefined;
}

type Judged = { readonly ledgerId: number; readonly ledger?: LedgerRow; readonly refusal?: Refusal };
async function judge(
  context: BankContext,
  card: RecordRow,
  use: Authorisation,
  denial: Refusal | undefined,
): Promise<Judged> {
  const { db, account, clock } = context;
  const body = bodyOf(card);
  const { minor, currency } = use.billing;
  const ledgerId = body.orderedLedgerId;
  if (denial) return { ledgerId, refusal: denial };
  if (currency !== body.currency)
    throw errors.badRequest(`The card is in ${body.currency}: amount_billing must be, too.`);
  const atMs = clock.nowMs();
  const spentMinor = await sumCardUses(db, account, card.id, {
    sinceMs: atMs - DAY_MS,
    isAtm: use.entry === "ATM",
  });
  const refusal = findCardRefusal(card.status, body, {
    minor,
    entry: use.entry,
    country: use.merchant.country,
    atMs,
    spentMinor,
  });
  if (refusal) return { ledgerId, refusal };
  const way = await wayOf(context, card, body, use);
  const isWrongPin = "refusal" in way && way.refusal.decision === "REFUSED_PIN";
  await countPin(context, card, body, isWrongPin && use.pin !== undefined);
  if ("refusal" in way) return { ledgerId, refusal: way.refusal };
  const wrongCvc2 = use.cvc2 === undefined ? undefined : await cvc2Refusal(context, card, use.cvc2);
  if (wrongCvc2) return { ledgerId: way.ledgerId, refusal: wrongCvc2 };
  const ledger = await payableLedger(context, [way.ledgerId, body.fallbackLedgerId], minor, currency);
  if (ledger) return { ledgerId: ledger.id, ledger };
  const reason = "There is not enough money in the account.";
  return { ledgerId: way.ledgerId, refusal: { decision: "REFUSED_BALANCE", reason } };
}

/** Notes an event for the action. */
async function noted(context: BankContext, action: RecordRow, what: "CREATE" | "UPDATE"): Promise<RecordRow> {
  const ledger = await getKnownLedger(context.db, context.account, action.owner_id);
  await happened(context, {
    category: action.status === "REFUSED" ? "CARD_TRANSACTION_FAILED" : "CARD_TRANSACTION_SUCCESSFUL",
    action: what,
    userId: action.user_id,
    ledgerId: ledger.id,
    object: { type: "MasterCardAction", id: action.id, body: await actionView(context, action, ledger) },
  });
  return action;
}
async function keepAction(context: BankContext, action: RecordRow, status: string, body: ActionBody) {
  const row = { ...action, status, body: keptText(ACTION, body), updated_at: context.clock.nowMs() };
  await updateRecord(context.db, row);
  return noted(context, row, "UPDATE");
}

/**
 * Reserves the amount for the merchant, or refuses. Both write an action. `denial`: a reason to refuse that
 * the caller already knows.
 */
export async function authorise(
  context: BankContext,
  use: Authorisation,
  denial?: Refusal,
): Promise<RecordRow> {
  const { db, account, clock, ids } = context;
  const id = await takeId(db, account);
  const card = await getById(context, CARD, use.cardId);
  const { ledger, ledgerId, refusal } = await judge(context, card, use, denial);
  const now = clock.nowMs();
  const paid =
    ledger &&
    (await pay(context, {
      from: ledger,
      to: { own: "clearing", label: merchantLabel(use.merchant) },
      money: use.billing,
      description: `${use.merchant.name} ${use.merchant.city}`,
      type: "MASTERCARD",
      details: { mastercard_action_id: id },
    }));
  const body: ActionBody = {
    cardId: card.id,
    local: use.local,
    billing: use.billing,
    merchant: use.merchant,
    entry: use.entry,
    decision: refusal?.decision ?? "ALLOWED",
    reason: refusal?.reason ?? "The card was accepted.",
    appliedLimit: refusal?.appliedLimit ?? "",
    authorisationId: ids.digits(6),
    reservedUntil: now + RESERVED_MS,
    settledMinor: 0,
    refunds: [],
    paymentIds: paid ? [paid.id] : [],
  };
  const row: RecordRow = {
    account,
    kind: ACTION,
    id,
    user_id: card.user_id,
    owner_id: ledgerId,
    status: paid ? "AUTHORISED" : "REFUSED",
    body: keptText(ACTION, body),
    created_at: now,
    updated_at: now,
  };
  await insertRecord(db, row);
  await insertCardUse(db, {
    account,
    action_id: id,
    card_id: card.id,
    ledger_id: ledgerId,
    amount: paid ? use.billing.minor : 0,
    is_atm: use.entry === "ATM" ? 1 : 0,
    created_at: now,
  });
  if (paid)
    await context.enqueue(
      reservationEnd,
      { actionId: id },
      { runAtMs: body.reservedUntil, key: `reservation/${id}` },
    );
  return noted(context, row, "CREATE");
}

function requireMove(action: RecordRow, to: string): void {
  if (!isMoveAllowed(ACTION, action.status, to))
    throw errors.badRequest(`A card transaction that is ${action.status} cannot become ${to}.`);
}
async function giveBack(context: BankContext, action: RecordRow, minor: number, subType: string) {
  const body = actionBodyOf(action);
  const ledger = await getKnownLedger(context.db, context.account, action.owner_id);
  const { merchant, billing } = body;
  const own = action.status === "SETTLED" ? "outside" : "clearing";
  return receive(
    context,
    ledger,
    { minor, currency: billing.currency },
    `${merchant.name} ${merchant.city}`,
    {
      own,
      type: "MASTERCARD",
      subType,
      counterparty: merchantLabel(merchant),
      details: { mastercard_action_id: action.id },
    },
  );
}

/** All of it goes back: the merchant took it back, or never came for it. */
export async function reverse(
  context: BankContext,
  actionId: number,
  status: "REVERSED" | "EXPIRED" = "REVERSED",
): Promise<RecordRow> {
  const { db, account } = context;
  await takeId(db, account);
  const action = await getById(context, ACTION, actionId);
  requireMove(action, status);
  const body = actionBodyOf(action);
  const back = await giveBack(context, action, body.billing.minor, "REVERSAL");
  await updateCardUse(db, { account, action_id: actionId, amount: 0 });
  return keepAction(context, action, status, { ...body, paymentIds: [...body.paymentIds, back.id] });
}

/** The merchant comes for the money: all that was kept, less, or more where the account has it. */
export async function settle(context: BankContext, actionId: number, minor?: number): Promise<RecordRow> {
  const { db, account } = context;
  await takeId(db, account);
  const action = await getById(context, ACTION, actionId);
  requireMove(action, "SETTLED");
  const body = actionBodyOf(action);
  const { billing, merchant } = body;
  const settledMinor = minor ?? billing.minor;
  if (settledMinor <= 0) throw errors.badRequest("The amount must be more than nothing.");
  const paymentIds = [...body.paymentIds];
  if (settledMinor < billing.minor)
    paymentIds.push((await giveBack(context, action, billing.minor - settledMinor, "REVERSAL")).id);
  if (settledMinor > billing.minor) {
    const from = await getKnownLedger(db, account, action.owner_id);
    const more = await pay(context, {
      from,
      to: { own: "clearing", label: merchantLabel(merchant) },
      money: { minor: settledMinor - billing.minor, currency: billing.currency },
      description: `${merchant.name} ${merchant.city}`,
      type: "MASTERCARD",
      details: { mastercard_action_id: action.id },
    });
    paymentIds.push(more.id);
  }
  await moveOwn(context, "clearing", "outside", { minor: settledMinor, currency: billing.currency });
  await updateCardUse(db, { account, action_id: actionId, amount: settledMinor });
  if (body.entry === "ATM") await charge(context, action.user_id, "ATM_WITHDRAWAL");
  return keepAction(context, action, "SETTLED", { ...body, settledMinor, paymentIds });
}

/** The merchant gives money back, all or in parts. */
export async function refund(context: BankContext, actionId: number, minor?: number): Promise<RecordRow> {
  await takeId(context.db, context.account);
  const action = await getById(context, ACTION, actionId);
  requireMove(action, "REFUNDED");
  const body = actionBodyOf(action);
  const before = body.refunds.reduce((sum, one) => sum + one.minor, 0);
  const back = minor ?? body.settledMinor - before;
  if (back <= 0 || before + back > body.settledMinor)
    throw errors.badRequest("More cannot be refunded than was settled.");
  if (body.refunds.length >= REFUNDS_MAX)
    throw errors.badRequest(`There are at most ${REFUNDS_MAX} refunds.`);
  const { id } = await giveBack(context, action, back, "REFUND");
  const isAll = before + back === body.settledMinor;
  return keepAction(context, action, isAll ? "REFUNDED" : "SETTLED", {
    ...body,
    refunds: [...body.refunds, { paymentId: id, minor: back }],
    paymentIds: [...body.paymentIds, id],
  });
}
