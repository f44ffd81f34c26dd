/** Changes by owners to their cards, and replacement cards. */

import { type BankContext, errors, type RecordRow, requireAsked, takeId } from "../book/index.ts";
import {
  assignPins,
  bodyOf,
  CARD,
  findSecret,
  type GivenPin,
  keepCard,
  newNumber,
  orderCard,
  planStep,
  requireOwnLedger,
  sealSecret,
} from "./cards.ts";
import {
  type CardBody,
  type CardNumber,
  isFreelyReplaced,
  isInHand,
  type Permission,
  type PinAssignment,
} from "./domain/cards.ts";

const NUMBERS_MAX = 10;
const LIMIT_MAX_MINOR = 5_000_000;

export type CardChange = {
  readonly pin_code?: string;
  readonly activation_code?: string;
  readonly status?: string;
  readonly order_status?: string;
  readonly limitMinor?: number;
  readonly limitAtmMinor?: number;
  readonly permissions?: readonly {
    readonly country: string;
    readonly expiresAt: number | null;
    readonly id?: number;
  }[];
  readonly pins?: readonly GivenPin[];
  readonly numbers?: readonly {
    readonly id?: number;
    readonly description?: string;
    readonly status?: string;
    readonly monetary_account_id?: number;
  }[];
  readonly fallbackLedgerId?: number;
  readonly preferredName?: string;
  readonly secondLine?: string;
  readonly cancellationReason?: string;
};

/** A new PIN, alone or in an assignment, unlocks a card. */
const hasNewPin = ({ pin_code, pins = [] }: CardChange): boolean =>
  pin_code !== undefined || pins.some((pin) => pin.pin_code !== undefined);
async function statusAfter(
  context: BankContext,
  card: RecordRow,
  body: CardBody,
  change: CardChange,
): Promise<{ status: string; wasActivated: boolean }> {
  const { activation_code } = change;
  const isLocked = card.status === "PIN_TRIES_EXCEEDED";
  const status = change.status ?? (isLocked && hasNewPin(change) ? "ACTIVE" : undefined);
  if (status === undefined) return { status: card.status, wasActivated: body.wasActivated };
  requireAsked(CARD, card.status, status);
  if (status !== "ACTIVE" || status === card.status) return { status, wasActivated: body.wasActivated };
  if (isLocked && !hasNewPin(change))
    throw errors.badRequest("After too many wrong pins the card needs a new pin_code.");
  if (body.wasActivated) return { status, wasActivated: true };
  if (!isInHand(body.orderStatus))
    throw errors.badRequest(`A card whose order is ${body.orderStatus} cannot be activated.`);
  if (activation_code === undefined || activation_code !== (await findSecret(context, card.id, "activation")))
    throw errors.badRequest("The activation_code is not the one that came with the card.");
  return { status, wasActivated: true };
}
function orderAfter(card: RecordRow, { orderStatus }: CardBody, wanted: string | undefined): string {
  if (wanted === undefined) return orderStatus;
  requireAsked("card-order", orderStatus, wanted, "order_status");
  if (card.status === "CANCELLED") throw errors.badRequest("The card is cancelled.");
  return wanted;
}

type GivenNumber = NonNullable<CardChange["numbers"]>[number];
function numberAfter(
  known: CardNumber | undefined,
  { id, description, status, monetary_account_id }: GivenNumber,
): CardNumber {
  if (!known) throw errors.badRequest(`The card has no number ${id}.`);
  if (status !== undefined && status !== "ACTIVE" && status !== "CANCELLED")
    throw errors.badRequest("A number is ACTIVE or CANCELLED.");
  if (known.status === "CANCELLED" && status === "ACTIVE")
    throw errors.badRequest("A number that was cancelled stays so.");
  return {
    ...known,
    ...(description !== undefined && { description }),
    ...(status !== undefined && { status }),
    ...(monetary_account_id !== undefined && { ledgerId: monetary_account_id }),
  };
}
/** Numbers with an id are changed. The others are new virtual numbers for the web. */
async function numbersAfter(
  context: BankContext,
  card: RecordRow,
  body: CardBody,
  given: readonly GivenNumber[],
): Promise<readonly CardNumber[]> {
  const numbers = new Map(body.numbers.map((number) => [number.id, number]));
  for (const one of given) {
    const { id, description = "", monetary_account_id: ledgerId = body.orderedLedgerId } = one;
    await requireOwnLedger(context, card.user_id, ledgerId);
    const number =
      id === undefined
        ? await newNumber(context, { description, ledgerId, type: "VIRTUAL" })
        : numberAfter(numbers.get(id), one);
    numbers.set(number.id, number);
  }
  if (numbers.size > NUMBERS_MAX) throw errors.badRequest(`A card has at most ${NUMBERS_MAX} numbers.`);
  return [...numbers.values()];
}
async function permissionsAfter(
  { db, account }: BankContext,
  given: NonNullable<CardChange["permissions"]>,
): Promise<readonly Permission[]> {
  const permissions = [];
  for (const { country, expiresAt, id } of given)
    permissions.push({ id: id ?? (await takeId(db, account)), country, expiresAt });
  return permissions;
}
const requireLimit = (minor: number): number => {
  if (minor < 0 || minor > LIMIT_MAX_MINOR)
    throw errors.badRequest("The limit of a card is at most 50000.00 a day.");
  return minor;
};

/** Applies all changes of an owner, or none. */
export async function changeCard(
  context: BankContext,
  card: RecordRow,
  change: CardChange,
): Promise<RecordRow> {
  const body = bodyOf(card);
  const { status, wasActivated } = await statusAfter(context, card, body, change);
  const orderStatus = orderAfter(card, body, change.order_status);
  const pins = [
    ...(change.pins ?? []),
    ...(change.pin_code === undefined ? [] : [{ type: "PRIMARY", pin_code: change.pin_code }]),
  ];
  if (change.fallbackLedgerId !== undefined)
    await requireOwnLedger(context, card.user_id, change.fallbackLedgerId);
  const isCancelledOrder = orderStatus === "NEW_CARD_REQUEST_CANCELLED";
  const changed: CardBody = {
    ...body,
    orderStatus,
    wasActivated,
    ...(change.limitMinor !== undefined && { limitMinor: requireLimit(change.limitMinor) }),
    ...(change.limitAtmMinor !== undefined && { limitAtmMinor: requireLimit(change.limitAtmMinor) }),
    ...(change.permissions && { permissions: await permissionsAfter(context, change.permissions) }),
    ...(change.numbers && { numbers: await numbersAfter(context, card, body, change.numbers) }),
    pins: await assignPins(context, { id: card.id, userId: card.user_id }, body.pins, pins),
    ...(hasNewPin(change) && { wrongPins: 0 }),
    ...(change.fallbackLedgerId !== undefined && { fallbackLedgerId: change.fallbackLedgerId }),
    ...(change.preferredName !== undefined && { preferredName: change.preferredName }),
    ...(change.secondLine !== undefined && { secondLine: change.secondLine }),
    ...(change.cancellationReason !== undefined && { cancellationReason: change.cancellationReason }),
  };
  if (orderStatus !== body.orderStatus) await planStep(context, card.id, orderStatus);
  return keepCard(context, card, changed, isCancelledOrder ? "CANCELLED" : status);
}

export type CardReplacement = {
  readonly nameOnCard?: string | undefined;
  readonly preferredName?: string | undefined;
  readonly secondLine?: string | undefined;
  readonly pins?: readonly GivenPin[] | undefined;
};
/** A new card in place of one that is there; the old one ends when the new one is ordered. */
export async function replaceCard(
  context: BankContext,
  card: RecordRow,
  wanted: CardReplacement,
): Promise<RecordRow> {
  const body = bodyOf(card);
  if (body.replacedById !== null) throw errors.badRequest(`The card ${card.id} was replaced already.`);
  const made = await orderCard(context, {
    userId: card.user_id,
    type: body.type,
    subType: body.subType === "CREDIT" ? "CREDIT" : "DEBIT",
    productType: body.productType,
    firstLine: body.firstLine,
    secondLine: wanted.secondLine ?? body.secondLine,
    nameOnCard: wanted.nameOnCard ?? body.nameOnCard,
    preferredName: wanted.preferredName ?? body.preferredName,
    pins: wanted.pins ?? [],
    ledger: await requireOwnLedger(context, card.user_id, body.orderedLedgerId),
    fallbackLedgerId: body.fallbackLedgerId ?? undefined,
    orderStatus: "CARD_REQUEST_PENDING",
    price: isFreelyReplaced(body.expiresAt, context.clock.nowMs()) ? "FREE" : "CARD_REPLACEMENT",
  });
  await copyPins(context, card.id, made.id, body.pins, wanted.pins ?? []);
  const kept = {
    ...bodyOf(made),
    limitMinor: body.limitMinor,
    limitAtmMinor: body.limitAtmMinor,
    permissions: body.permissions,
  };
  await keepCard(context, made, kept);
  const isOver = ["LOST", "STOLEN", "EXPIRED"].includes(card.status);
  const ended = { ...body, subStatus: "REPLACED", replacedById: made.id };
  await keepCard(context, card, ended, isOver ? card.status : "CANCELLED");
  return made;
}
/** The new card keeps the PINs unless others are given. */
async function copyPins(
  context: BankContext,
  fromId: number,
  toId: number,
  kept: readonly PinAssignment[],
  given: readonly GivenPin[],
): Promise<void> {
  for (const { type } of kept) {
    if (given.some((one) => one.type === type && one.pin_code !== undefined)) continue;
    const pin = await findSecret(context, fromId, `pin/${type}`);
    if (pin !== undefined) await sealSecret(context, toId, `pin/${type}`, pin);
  }
}
