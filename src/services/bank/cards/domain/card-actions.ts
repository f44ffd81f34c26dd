/** What is kept of a use of a card. */

import type { Money } from "../../money/index.ts";
import type { EntryMode } from "./cards.ts";

export const ACTION = "mastercard-action";
export const CVC2 = "generated-cvc2";

export type Merchant = {
  readonly name: string;
  readonly city: string;
  readonly country: string;
  readonly categoryCode: string;
  readonly id: string;
};
export type ActionBody = {
  readonly cardId: number;
  readonly local: Money;
  readonly billing: Money;
  readonly merchant: Merchant;
  readonly entry: EntryMode;
  readonly decision: string;
  readonly reason: string;
  readonly appliedLimit: string;
  readonly authorisationId: string;
  readonly reservedUntil: number;
  readonly settledMinor: number;
  readonly refunds: readonly { readonly paymentId: number; readonly minor: number }[];
  readonly paymentIds: readonly number[];
};
export const actionBodyOf = ({ body }: { readonly body: string }): ActionBody => JSON.parse(body);

export type Cvc2Body = { readonly type: string; readonly expiresAt: number | null };

export type Authorisation = {
  readonly cardId: number;
  readonly numberId?: number | undefined;
  /** What the merchant asks for, and what that is in the card's currency. */
  readonly local: Money;
  readonly billing: Money;
  readonly merchant: Merchant;
  readonly entry: EntryMode;
  readonly pin?: string | undefined;
  readonly cvc2?: string | undefined;
};
/** What is kept while the holder of a card is asked; secret digits are kept sealed beside it. */
export type ChallengeKept = {
  readonly use: Omit<Authorisation, "pin" | "cvc2">;
  readonly expiresAtMs: number;
  /** The card transaction that came of it. */
  readonly actionId?: number;
};
