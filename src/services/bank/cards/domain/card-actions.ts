/** The stored body of a card action. */

import { type Static, Type } from "@sinclair/typebox";
import { type KeptOf, recordKind, type Unchanging } from "../../book/index.ts";
import { Money } from "../../money/index.ts";
import { ENTRY_MODES } from "./cards.ts";

export const ACTION = "mastercard-action";
export const CVC2 = "generated-cvc2";

const OneOfEntryModes = Type.Union(ENTRY_MODES.map((mode) => Type.Literal(mode)));

export const Merchant = Type.Object({
  name: Type.String(),
  city: Type.String(),
  country: Type.String(),
  categoryCode: Type.String(),
  id: Type.String(),
});
export type Merchant = Unchanging<Static<typeof Merchant>>;
export const ActionBody = recordKind(
  [ACTION],
  Type.Object({
    cardId: Type.Number(),
    local: Money,
    billing: Money,
    merchant: Merchant,
    entry: OneOfEntryModes,
    decision: Type.String(),
    reason: Type.String(),
    appliedLimit: Type.String(),
    authorisationId: Type.String(),
    reservedUntil: Type.Number(),
    settledMinor: Type.Number(),
    refunds: Type.Array(
      Type.Object({
        paymentId: Type.Number(),
        minor: Type.Number(),
      }),
    ),
    paymentIds: Type.Array(Type.Number()),
  }),
);
export type ActionBody = KeptOf<typeof ActionBody>;
export const actionBodyOf = ({ body }: { readonly body: string }): ActionBody => ActionBody.read(body);

export const Cvc2Body = recordKind(
  [CVC2],
  Type.Object({
    type: Type.String(),
    expiresAt: Type.Union([Type.Number(), Type.Null()]),
  }),
);
export type Cvc2Body = KeptOf<typeof Cvc2Body>;

export const Authorisation = Type.Object({
  cardId: Type.Number(),
  numberId: Type.Optional(Type.Number()),
  /** The amount that the merchant asks for, and the same amount in the card's currency. */
  local: Money,
  billing: Money,
  merchant: Merchant,
  entry: OneOfEntryModes,
  pin: Type.Optional(Type.String()),
  cvc2: Type.Optional(Type.String()),
});
export type Authorisation = Unchanging<Static<typeof Authorisation>>;
/** Money that came from another bank by a card, or because its sender did not know the new number yet. */
export const ArrivedKept = recordKind(
  ["switch-service-payment", "adyen-card-transaction"],
  Type.Object({ paymentId: Type.Number(), iban: Type.String() }),
);
/** The stored body of a pending challenge. Secret digits are stored separately, encrypted. */
export const ChallengeKept = recordKind(
  ["challenge-request"],
  Type.Object({
    use: Type.Omit(Authorisation, ["pin", "cvc2"]),
    expiresAtMs: Type.Number(),
    /** The card transaction that came of it. */
    actionId: Type.Optional(Type.Number()),
  }),
);
export type ChallengeKept = KeptOf<typeof ChallengeKept>;
