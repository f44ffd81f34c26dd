/** What is kept of conversions. */

import type { Label } from "../domain/labels.ts";
import type { Money } from "../domain/money.ts";

export type QuoteKept = {
  readonly source: Money;
  readonly target: Money;
  readonly rate: string;
  readonly orderType: string;
  readonly expiresAtMs: number;
  readonly to: { readonly type: string; readonly value: string; readonly name?: string | undefined };
};

export type ConversionKept = {
  readonly amount: Money;
  readonly counterAmount: Money;
  readonly rate: string;
  readonly type: string;
  readonly orderType: string;
  readonly groupUuid: string;
  readonly label: Label;
  readonly counterLabel: Label;
  readonly paymentId: number;
};
