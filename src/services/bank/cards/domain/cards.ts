/** Cards: how they move from order to end, and whether one may be used. No table, no clock: rules alone. */

import { type Static, Type } from "@sinclair/typebox";
import { type KeptOf, recordKind, type Unchanging } from "../../book/index.ts";

const HOUR_SECONDS = 3600;
type OrderStep = { readonly next: string; readonly afterSeconds: number };
/** The steps of an order that follow without a caller. */
export const ORDER_STEPS: Readonly<Record<string, OrderStep>> = {
  NEW_CARD_REQUEST_RECEIVED: { next: "CARD_REQUEST_PENDING", afterSeconds: HOUR_SECONDS },
  CARD_REQUEST_PENDING: { next: "SENT_FOR_PRODUCTION", afterSeconds: 2 * HOUR_SECONDS },
  SENT_FOR_PRODUCTION: { next: "ACCEPTED_FOR_PRODUCTION", afterSeconds: 12 * HOUR_SECONDS },
  ACCEPTED_FOR_PRODUCTION: { next: "SENT_FOR_DELIVERY", afterSeconds: 24 * HOUR_SECONDS },
  SENT_FOR_DELIVERY: { next: "DELIVERED_TO_CUSTOMER", afterSeconds: 48 * HOUR_SECONDS },
};
/** From here on the code that activates the card is in its owner's hands. */
export const CODE_SENT_AT = "ACCEPTED_FOR_PRODUCTION";
const IN_HAND: readonly string[] = [
  "ACCEPTED_FOR_PRODUCTION",
  "SENT_FOR_DELIVERY",
  "DELIVERED_TO_CUSTOMER",
  "VIRTUAL_DELIVERY",
];
export const isInHand = (orderStatus: string): boolean => IN_HAND.includes(orderStatus);

export const PIN_TRIES_MAX = 3;
export const PIN_TYPES = ["PRIMARY", "SECONDARY", "TERTIARY"] as const;
export type PinType = (typeof PIN_TYPES)[number];

export const Permission = Type.Object({
  id: Type.Number(),
  country: Type.String(),
  expiresAt: Type.Union([Type.Number(), Type.Null()]),
});
export type Permission = Unchanging<Static<typeof Permission>>;
export const PinAssignment = Type.Object({
  type: Type.Union(PIN_TYPES.map((type) => Type.Literal(type))),
  routing: Type.String(),
  ledgerId: Type.Number(),
  status: Type.String(),
});
export type PinAssignment = Unchanging<Static<typeof PinAssignment>>;
export const CardNumber = Type.Object({
  id: Type.Number(),
  uuid: Type.String(),
  description: Type.String(),
  status: Type.String(),
  ledgerId: Type.Number(),
  fourDigit: Type.String(),
  type: Type.String(),
});
export type CardNumber = Unchanging<Static<typeof CardNumber>>;
/** The stored members of a card besides its id, status and times. */
export const CardBody = recordKind(
  ["card"],
  Type.Object({
    uuid: Type.String(),
    type: Type.String(),
    subType: Type.String(),
    productType: Type.String(),
    firstLine: Type.String(),
    secondLine: Type.String(),
    nameOnCard: Type.String(),
    preferredName: Type.String(),
    country: Type.String(),
    currency: Type.String(),
    orderStatus: Type.String(),
    subStatus: Type.String(),
    reference: Type.String(),
    expiresAt: Type.Number(),
    limitMinor: Type.Number(),
    limitAtmMinor: Type.Number(),
    permissions: Type.Array(Permission),
    pins: Type.Array(PinAssignment),
    numbers: Type.Array(CardNumber),
    orderedLedgerId: Type.Number(),
    fallbackLedgerId: Type.Union([Type.Number(), Type.Null()]),
    wrongPins: Type.Number(),
    /** Whether the PIN was given once. After that the card can be switched off and on without it. */
    wasActivated: Type.Boolean(),
    replacedById: Type.Union([Type.Number(), Type.Null()]),
    cancellationReason: Type.String(),
  }),
);
export type CardBody = KeptOf<typeof CardBody>;

export const ENTRY_MODES = ["CHIP", "CONTACTLESS", "MAGNETIC_STRIPE", "E_COMMERCE", "ATM"] as const;
export type EntryMode = (typeof ENTRY_MODES)[number];
export type CardUse = {
  /** In the card's currency. */
  readonly minor: number;
  readonly entry: EntryMode;
  readonly country: string;
  readonly atMs: number;
  /** The amount spent in this way during the last day. */
  readonly spentMinor: number;
};
export type Refusal = { readonly decision: string; readonly reason: string; readonly appliedLimit?: string };

/** The reason why this use is refused, or undefined. PINs and the balance are checked elsewhere. */
export function findCardRefusal(status: string, card: CardBody, use: CardUse): Refusal | undefined {
  if (card.expiresAt <= use.atMs)
    return { decision: "REFUSED_CARD_EXPIRED", reason: "The card is past its date." };
  if (status !== "ACTIVE") return { decision: "REFUSED_CARD_STATUS", reason: `The card is ${status}.` };
  const isPermitted = card.permissions.some(
    ({ country, expiresAt }) => country === use.country && (expiresAt === null || expiresAt > use.atMs),
  );
  if (!isPermitted)
    return { decision: "REFUSED_COUNTRY", reason: `The card is not open for ${use.country}.` };
  const isAtm = use.entry === "ATM";
  const limit = isAtm ? card.limitAtmMinor : card.limitMinor;
  if (use.spentMinor + use.minor > limit)
    return {
      decision: "REFUSED_LIMIT",
      reason: "This would pass the card's limit for a day.",
      appliedLimit: isAtm ? "CARD_LIMIT_ATM" : "CARD_LIMIT_POS",
    };
  return undefined;
}
/** Whether a PIN is required. */
export const needsPin = (entry: EntryMode): boolean => entry === "CHIP" || entry === "ATM";

const NAME_LENGTH_MAX = 21;
/** The forms of a name that may be printed on a card: whole, shortened, or the last part. */
export function namesOnCard(displayName: string): string[] {
  const parts = displayName.split(/\s+/).filter(Boolean);
  const last = parts.at(-1) ?? "";
  const initials = parts.slice(0, -1).map((part) => `${part.slice(0, 1)}.`);
  const names = [
    parts.join(" "),
    [...initials, last].join(" "),
    [parts[0] ?? "", last].join(" ").trim(),
    last,
  ];
  return [...new Set(names.map((name) => name.slice(0, NAME_LENGTH_MAX).trim()))].filter(Boolean);
}

const FREE_WITHIN_MS = 90 * 86_400_000;
/** A card that expires soon is replaced without charge. */
export const isFreelyReplaced = (expiresAt: number, nowMs: number): boolean =>
  expiresAt - nowMs < FREE_WITHIN_MS;
