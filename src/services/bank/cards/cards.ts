/** Cards from their order to their end; each step that time takes is durable work. */

import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import {
  type BankContext,
  countRecords,
  errors,
  findLedger,
  findRecord,
  insertRecord,
  keptIn,
  keptText,
  type LedgerRow,
  type RecordRow,
  takeId,
  updateRecord,
} from "../book/index.ts";
import { charge, findUser, laterMonth } from "../money/index.ts";
import {
  CardBody,
  type CardNumber,
  CODE_SENT_AT,
  ORDER_STEPS,
  PIN_TYPES,
  type PinAssignment,
  type PinType,
} from "./domain/cards.ts";
import { findCardSecret, putCardSecret } from "./store/cards.ts";

export const CARD = "card";
export const CARDS_MAX = 100;
/** Four years, and the rest of the month. */
const MONTHS_VALID = 49;
const LIMIT_MINOR = 100_000;
const LIMIT_ATM_MINOR = 50_000;
const PIN = /^\d{4}$/;
const CODE_DIGITS = 6;
const SECOND = 1000;

/** Takes an order one step further, or ends a card whose date has come; `jobs.ts` does it. */
export const cardStep = {
  name: "bank.card-step",
  payload: Type.Object({
    cardId: Type.Integer(),
    step: Type.Union([Type.Literal("order"), Type.Literal("expire")]),
  }),
} satisfies WorkKind<{ cardId: number; step: "order" | "expire" }>;

export type GivenPin = {
  readonly type: string;
  readonly routing_type?: string;
  readonly pin_code?: string;
  readonly monetary_account_id?: number;
};
export type CardOrder = {
  readonly userId: number;
  readonly type: string;
  readonly subType: "DEBIT" | "CREDIT";
  readonly productType: string;
  readonly firstLine?: string | undefined;
  readonly secondLine: string;
  readonly nameOnCard: string;
  readonly preferredName?: string | undefined;
  readonly pins: readonly GivenPin[];
  readonly ledger: LedgerRow;
  readonly fallbackLedgerId?: number | undefined;
  readonly orderStatus?: string | undefined;
  /** Price of the card. The first card and virtual cards are free. */
  readonly price?: "CARD_REPLACEMENT" | "FREE";
};

export const bodyOf = (card: RecordRow): CardBody => keptIn(CardBody, card);
export async function getCard(context: BankContext, userId: number, id: number): Promise<RecordRow> {
  const card = await findRecord(context.db, context.account, { kind: CARD, userId, ownerId: 0 }, id);
  if (!card) throw errors.notFound(`There is no card ${id}.`);
  return card;
}
export async function requireOwnLedger(context: BankContext, userId: number, id: number): Promise<LedgerRow> {
  const ledger = await findLedger(context.db, context.account, id);
  if (ledger?.user_id !== userId || ledger.status !== "ACTIVE")
    throw errors.badRequest(`There is no open monetary account ${id}.`);
  return ledger;
}

export async function sealSecret(
  { db, account, secrets }: BankContext,
  ownerId: number,
  kind: string,
  plain: string,
): Promise<void> {
  await putCardSecret(db, { account, owner_id: ownerId, kind, value: secrets.seal(plain) });
}
export async function findSecret(
  { db, account, secrets }: BankContext,
  ownerId: number,
  kind: string,
): Promise<string | undefined> {
  const sealed = await findCardSecret(db, account, ownerId, kind);
  return sealed === undefined ? undefined : secrets.open(sealed);
}

const pinTypeOf = (text: string): PinType => {
  const type = PIN_TYPES.find((one) => one === text);
  if (!type) throw errors.badRequest(`A pin is one of ${PIN_TYPES.join(", ")}.`);
  return type;
};
/** Which code leads to which account; a code that is not given stays as it was. */
export async function assignPins(
  context: BankContext,
  card: { readonly id: number; readonly userId: number },
  kept: readonly PinAssignment[],
  given: readonly GivenPin[],
): Promise<readonly PinAssignment[]> {
  const after = new Map(kept.map((one) => [one.type, one]));
  for (const { type: text, routing_type = "MANUAL", pin_code, monetary_account_id } of given) {
    const type = pinTypeOf(text);
    const known = after.get(type);
    if (pin_code !== undefined) {
      if (!PIN.test(pin_code)) throw errors.badRequest("A pin has four digits.");
      await sealSecret(context, card.id, `pin/${type}`, pin_code);
    } else if (!known) throw errors.badRequest(`The ${type} pin needs a pin_code.`);
    const ledgerId = monetary_account_id ?? known?.ledgerId ?? kept[0]?.ledgerId;
    if (ledgerId === undefined) throw errors.badRequest(`The ${type} pin needs a monetary_account_id.`);
    await requireOwnLedger(context, card.userId, ledgerId);
    after.set(type, { type, routing: routing_type, ledgerId, status: "ACTIVE" });
  }
  return [...after.values()];
}

export async function newNumber(
  context: BankContext,
  { description, ledgerId, type }: Pick<CardNumber, "description" | "ledgerId" | "type">,
): Promise<CardNumber> {
  const { ids, db, account } = context;
  return {
    id: await takeId(db, account),
    uuid: ids.uuid(),
    description,
    status: "ACTIVE",
    ledgerId,
    fourDigit: ids.digits(4),
    type,
  };
}

export async function planStep(context: BankContext, cardId: number, orderStatus: string): Promise<void> {
  const step = ORDER_STEPS[orderStatus];
  if (!step) return;
  const runAtMs = context.clock.nowMs() + step.afterSeconds * SECOND;
  await context.enqueue(cardStep, { cardId, step: "order" }, { runAtMs, key: `card-order/${cardId}` });
}

const ORDERS: readonly string[] = ["NEW_CARD_REQUEST_RECEIVED", "CARD_REQUEST_PENDING", "VIRTUAL_DELIVERY"];
function requireOrderStatus(status: string): string {
  if (!ORDERS.includes(status))
    throw errors.badRequest(`A card is ordered with one of ${ORDERS.join(", ")}.`);
  return status;
}

export async function orderCard(context: BankContext, order: CardOrder): Promise<RecordRow> {
  const { db, account, clock, ids } = context;
  const id = await takeId(db, account);
  const place = { kind: CARD, userId: order.userId, ownerId: 0 };
  const before = await countRecords(db, account, place);
  if (before >= CARDS_MAX) throw errors.badRequest(`A user has at most ${CARDS_MAX} cards.`);
  const user = await findUser(db, account, order.userId);
  const orderStatus = requireOrderStatus(order.orderStatus ?? "NEW_CARD_REQUEST_RECEIVED");
  const isVirtual = orderStatus === "VIRTUAL_DELIVERY";
  if (order.fallbackLedgerId !== undefined)
    await requireOwnLedger(context, order.userId, order.fallbackLedgerId);
  const start = [
    { type: "PRIMARY", routing: "MANUAL", ledgerId: order.ledger.id, status: "ACTIVE" },
  ] as const;
  const now = clock.nowMs();
  const number = { description: "", ledgerId: order.ledger.id, type: isVirtual ? "VIRTUAL" : "PHYSICAL" };
  const country = user?.country ?? "NL";
  const body: CardBody = {
    uuid: ids.uuid(),
    type: order.type,
    subType: order.subType,
    productType: order.productType,
    firstLine: order.firstLine ?? "",
    secondLine: order.secondLine,
    nameOnCard: order.nameOnCard,
    preferredName: order.preferredName ?? "",
    country,
    currency: order.ledger.currency,
    orderStatus,
    subStatus: "NONE",
    reference: ids.secret(29).toUpperCase(),
    expiresAt: laterMonth(now, MONTHS_VALID),
    limitMinor: LIMIT_MINOR,
    limitAtmMinor: LIMIT_ATM_MINOR,
    permissions: [{ id: await takeId(db, account), country, expiresAt: null }],
    pins: await assignPins(context, { id, userId: order.userId }, start, order.pins),
    numbers: [await newNumber(context, number)],
    orderedLedgerId: order.ledger.id,
    fallbackLedgerId: order.fallbackLedgerId ?? null,
    wrongPins: 0,
    wasActivated: isVirtual,
    replacedById: null,
    cancellationReason: "",
  };
  const row: RecordRow = {
    account,
    kind: CARD,
    id,
    user_id: order.userId,
    owner_id: 0,
    status: isVirtual ? "ACTIVE" : "DEACTIVATED",
    body: keptText(CARD, body),
    created_at: now,
    updated_at: now,
  };
  await insertRecord(db, row);
  await planStep(context, id, orderStatus);
  const price = order.price ?? (before > 0 && !isVirtual ? "CARD_ORDER" : "FREE");
  if (price !== "FREE") await charge(context, order.userId, price);
  await context.enqueue(
    cardStep,
    { cardId: id, step: "expire" },
    { runAtMs: body.expiresAt, key: `card-end/${id}` },
  );
  return row;
}

export async function keepCard(
  context: BankContext,
  card: RecordRow,
  body: CardBody,
  status = card.status,
): Promise<RecordRow> {
  const row = { ...card, status, body: keptText(CARD, body), updated_at: context.clock.nowMs() };
  await updateRecord(context.db, row);
  return row;
}

/** The next step of an order. The code that activates the card goes out by post, which is the outbox. */
export async function advanceOrder(context: BankContext, card: RecordRow): Promise<void> {
  const body = bodyOf(card);
  const step = ORDER_STEPS[body.orderStatus];
  if (!step || card.status === "CANCELLED") return;
  if (step.next === CODE_SENT_AT) {
    const code = context.ids.digits(CODE_DIGITS);
    await sealSecret(context, card.id, "activation", code);
    await context.outbox.send({
      kind: "letter",
      target: body.nameOnCard,
      subject: `The activation code of your card ${card.id}`,
      body: { card_id: card.id, activation_code: code },
    });
  }
  await keepCard(context, card, { ...body, orderStatus: step.next });
  await planStep(context, card.id, step.next);
}
export async function expireCard(context: BankContext, card: RecordRow): Promise<void> {
  if (["ACTIVE", "DEACTIVATED", "PIN_TRIES_EXCEEDED"].includes(card.status))
    await keepCard(context, card, bodyOf(card), "EXPIRED");
}
