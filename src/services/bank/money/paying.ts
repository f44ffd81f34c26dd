/** Moves money from one account to another, or to another bank. Every kind of payment ends here. */

import { type Static, Type } from "@sinclair/typebox";
import {
  type BankContext,
  errors,
  findLedger,
  findNamedLedger,
  getOwnLedger,
  type Happening,
  happened,
  type LedgerRow,
  noteHappenings,
  type OwnKind,
  type PaymentDetails,
  type PaymentRow,
  paymentDetails,
  post,
  type Refusal,
  spentByUserSince,
  spentSince,
  takeId,
  takeIds,
  type Unchanging,
} from "../book/index.ts";
import { planAllocation } from "./allocation-plan.ts";
import { clearingMsOf, planClearing } from "./clearing-times.ts";
import { findFriend } from "./domain/friends.ts";
import { plainIban, readIban } from "./domain/iban.ts";
import type { Label } from "./domain/labels.ts";
import { DAY_MS, MONTH_MS, MONTHLY_LIMIT } from "./domain/limits.ts";
import type { Money } from "./domain/money.ts";
import { keepPayments, type Unsorted } from "./sorting.ts";
import { findUser } from "./store/users.ts";
import { labelOf } from "./views/accounts.ts";

export const PointerTo = Type.Object({
  type: Type.String(),
  value: Type.String(),
  name: Type.Optional(Type.String()),
});
export type PointerTo = Unchanging<Static<typeof PointerTo>>;
export type Inside = { readonly ledger: LedgerRow; readonly label: Label };
/**
 * The target of a payment: an account of this bank, an IBAN of another bank, or an own account of the bank
 * on behalf of the person in `label`.
 */
export type Target =
  | Inside
  | { readonly iban: string; readonly label: Label }
  | { readonly own: OwnKind; readonly label: Label };

export type Order = {
  readonly from: LedgerRow;
  readonly to: Target;
  /** Whether `from` and `to` were read in this transaction and no money has moved since. */
  readonly isCurrent?: boolean;
  readonly money: Money;
  readonly description: string;
  readonly type: string;
  readonly subType?: string;
  readonly batchId?: number;
  readonly scheduledId?: number;
  readonly details?: PaymentDetails;
  /** Details that the payee's side stores instead of `details`. */
  readonly payeeDetails?: PaymentDetails;
};

const POINTERS = ["IBAN", "EMAIL", "PHONE_NUMBER", "URL"];

export async function labelled(context: BankContext, ledger: LedgerRow): Promise<Label> {
  const user = await findUser(context.db, context.account, ledger.user_id);
  if (!user) throw new Error(`the account ${ledger.id} is nobody's`);
  return labelOf(ledger, user);
}

function soughtValue({ type, value }: PointerTo): string {
  if (!POINTERS.includes(type)) throw errors.badRequest(`A payment goes to one of ${POINTERS.join(", ")}.`);
  return type === "IBAN" ? plainIban(value) : value.trim().toLowerCase();
}
/** An account of ours. */
export async function findInside(context: BankContext, pointer: PointerTo): Promise<Inside | undefined> {
  const { type, value } = pointer;
  const found = await findNamedLedger(context.db, context.account, type, soughtValue(pointer));
  if (found) return { ledger: found.ledger, label: labelOf(found.ledger, found.owner) };
  if (type === "IBAN" && readIban(value) === undefined)
    throw errors.badRequest(`${value.slice(0, 60)} is no IBAN.`);
  return undefined;
}
/**
 * Any valid IBAN can be paid, also at other banks. An e-mail address or phone number must belong to a user
 * here.
 */
export async function findTarget(context: BankContext, pointer: PointerTo): Promise<Target> {
  const inside = await findInside(context, pointer);
  if (inside) return inside;
  const friend = findFriend(pointer);
  if (friend) return { own: "outside", label: friend };
  const value = soughtValue(pointer);
  if (pointer.type !== "IBAN") throw errors.badRequest(`Nobody here is known as ${value.slice(0, 100)}.`);
  if (!pointer.name) throw errors.badRequest("A payment to another bank needs the name of its owner.");
  return {
    iban: value,
    label: { iban: value, display_name: pointer.name, country: value.slice(0, 2), is_light: false },
  };
}

function refused({ reason, ledger }: Refusal): Error {
  if (reason === "insufficient") return errors.badRequest("There is not enough money in the account.");
  if (reason === "closed") return errors.badRequest(`The account ${ledger.id} is closed.`);
  return errors.badRequest(`The account ${ledger.id} is in ${ledger.currency}.`);
}
/** `from` must be current. The dates are read only if the total ever spent could pass the limit. */
async function requireWithinLimits(
  { db, account, clock }: BankContext,
  from: LedgerRow,
  { minor, currency }: Money,
): Promise<void> {
  const now = clock.nowMs();
  const { daily_limit, spent, user_id: userId } = from;
  if (spent + minor > daily_limit && (await spentSince(db, from, now - DAY_MS)) + minor > daily_limit)
    throw errors.badRequest("This payment exceeds the account's limit for a day.");
  if (currency !== MONTHLY_LIMIT.currency) return;
  const enough = MONTHLY_LIMIT.minor - minor;
  if ((await spentByUserSince(db, account, { userId, currency, enough }, now - MONTH_MS)) > enough)
    throw errors.badRequest("This payment exceeds the amount that you may spend in a month.");
}

type Side = {
  readonly id: number;
  readonly ledgerId: number;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly label: Written;
  readonly counterparty: Written;
};
/** A label as stored JSON, and the name that the sorting rules read. */
type Written = { readonly json: string; readonly name: string };
const written = (label: Label): Written => ({ json: JSON.stringify(label), name: label.display_name });
type Common = Pick<Order, "description" | "type" | "subType" | "batchId" | "scheduledId" | "details"> & {
  readonly movementId: number;
  readonly atMs: number;
  readonly currency: string;
  readonly arrival: string;
};
function rowOf(account: string, common: Common, side: Side): Unsorted {
  return {
    account,
    id: side.id,
    ledger_id: side.ledgerId,
    movement_id: common.movementId,
    amount: side.amount,
    currency: common.currency,
    balance_after: side.balanceAfter,
    type: common.type,
    sub_type: common.subType ?? "PAYMENT",
    alias: side.label.json,
    counterparty: side.counterparty.json,
    description: common.description,
    batch_id: common.batchId ?? null,
    scheduled_id: common.scheduledId ?? null,
    arrival: common.arrival,
    details: paymentDetails.write(common.details ?? {}),
    created_at: common.atMs,
    updated_at: common.atMs,
  };
}

const happeningOf = ({ id, ledger_id }: PaymentRow, { user_id }: LedgerRow): Happening => ({
  category: "PAYMENT",
  action: "CREATE",
  userId: user_id,
  ledgerId: ledger_id,
  object: { type: "Payment", id },
});

type Moved = {
  readonly movementId: number;
  readonly atMs: number;
  readonly toId: number;
  readonly fromAfter: number;
  readonly toAfter: number;
};
/** Posts the movement within the limits, or throws. */
async function move(context: BankContext, { from, to, money, isCurrent }: Order): Promise<Moved> {
  const { db, account, clock } = context;
  const { minor, currency } = money;
  // Taking the ids locks the account's sequence, so the rows read below cannot change. Both sides need an
  // id, and so do their events.
  const movementId = await takeIds(db, account, 5);
  const current = isCurrent ? from : ((await findLedger(db, account, from.id)) ?? from);
  await requireWithinLimits(context, current, money);
  const atMs = clock.nowMs();
  const toId =
    "ledger" in to
      ? to.ledger.id
      : await getOwnLedger(db, account, "own" in to ? to.own : "clearing", currency, atMs);
  const posted = await post(db, account, {
    id: movementId,
    kind: "payment",
    atMs,
    legs: [
      { ledgerId: from.id, currency, minor: -minor },
      { ledgerId: toId, currency, minor },
    ],
    known: isCurrent && "ledger" in to ? [current, to.ledger] : [current],
  });
  if ("reason" in posted) throw refused(posted);
  const [fromAfter = 0, toAfter = 0] = posted.balancesAfter;
  return { movementId, atMs, toId, fromAfter, toAfter };
}

/** Pays, or throws without any change. Returns the payer's side. */
export async function pay(context: BankContext, order: Order): Promise<PaymentRow> {
  const { account } = context;
  const { from, to, money } = order;
  const { minor, currency } = money;
  if (minor <= 0) throw errors.badRequest("The amount must be more than nothing.");
  if ("ledger" in to && to.ledger.id === from.id)
    throw errors.badRequest("Money cannot go to the account that it comes from.");
  const { movementId, atMs, toId, fromAfter, toAfter } = await move(context, order);
  const payer = written(await labelled(context, from));
  const payee = written(to.label);
  const common = {
    ...order,
    movementId,
    atMs,
    currency,
    arrival: "iban" in to ? "ON_ITS_WAY" : "ARRIVED",
    ...("iban" in to && { details: { ...order.details, arrives_at: clearingMsOf(money, atMs) } }),
  };
  const side = rowOf(account, common, {
    id: movementId + 1,
    ledgerId: from.id,
    amount: -minor,
    balanceAfter: fromAfter,
    label: payer,
    counterparty: payee,
  });
  if (!("ledger" in to)) {
    const [payers] = await keepPayments(context, [{ payment: side, userId: from.user_id, name: payee.name }]);
    await noteHappenings(context, movementId + 3, [happeningOf(payers, from)]);
    if ("iban" in to) await planClearing(context, from, payers);
    return payers;
  }
  const otherSide = rowOf(
    account,
    { ...common, details: { ...order.details, ...order.payeeDetails } },
    {
      id: movementId + 2,
      ledgerId: toId,
      amount: minor,
      balanceAfter: toAfter,
      label: payee,
      counterparty: payer,
    },
  );
  const [payers, payees] = await keepPayments(context, [
    { payment: side, userId: from.user_id, name: payee.name },
    { payment: otherSide, userId: to.ledger.user_id, name: payer.name },
  ]);
  await noteHappenings(context, movementId + 3, [happeningOf(payers, from), happeningOf(payees, to.ledger)]);
  await planAllocation(context, to.ledger, payees);
  return payers;
}

export const THE_BANK: Label = { display_name: "Medley Bank", country: "NL", is_light: false };
/** The origin of money that no user pays: an own account of the bank, by default `outside`. */
export type Source = Pick<Partial<Order>, "type" | "subType" | "details"> & {
  readonly own?: OwnKind;
  readonly counterparty?: Label;
};
/** Pays money from one of the bank's own accounts to a user. Returns the payee's side. */
export async function receive(
  context: BankContext,
  ledger: LedgerRow,
  { minor, currency }: Money,
  description: string,
  { own = "outside", type = "SWIFT", counterparty = THE_BANK, ...kind }: Source = {},
): Promise<PaymentRow> {
  const { db, account, clock } = context;
  const movementId = await takeIds(db, account, 2);
  const atMs = clock.nowMs();
  const ownId = await getOwnLedger(db, account, own, currency, atMs);
  const posted = await post(db, account, {
    id: movementId,
    kind: "deposit",
    atMs,
    legs: [
      { ledgerId: ownId, currency, minor: -minor },
      { ledgerId: ledger.id, currency, minor },
    ],
  });
  if ("reason" in posted) throw refused(posted);
  const common = { ...kind, description, type, movementId, atMs, currency, arrival: "ARRIVED" };
  const side = {
    id: movementId + 1,
    ledgerId: ledger.id,
    amount: minor,
    balanceAfter: posted.balancesAfter[1] ?? 0,
    label: written(await labelled(context, ledger)),
    counterparty: written(counterparty),
  };
  const payment = rowOf(account, common, side);
  const [received] = await keepPayments(context, [
    { payment, userId: ledger.user_id, name: counterparty.display_name },
  ]);
  await happened(context, happeningOf(received, ledger));
  await planAllocation(context, ledger, received);
  return received;
}

/** Moves money between two of the bank's own accounts. No user's balance changes. */
export async function moveOwn(
  { db, account, clock }: BankContext,
  from: OwnKind,
  to: OwnKind,
  { minor, currency }: Money,
): Promise<void> {
  const id = await takeId(db, account);
  const atMs = clock.nowMs();
  await post(db, account, {
    id,
    kind: "settlement",
    atMs,
    legs: [
      { ledgerId: await getOwnLedger(db, account, from, currency, atMs), currency, minor: -minor },
      { ledgerId: await getOwnLedger(db, account, to, currency, atMs), currency, minor },
    ],
  });
}
