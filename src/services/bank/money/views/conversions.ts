/** The stored body of a conversion. */

import { Type } from "@sinclair/typebox";
import { type KeptOf, recordKind } from "../../book/index.ts";
import { Label } from "../domain/labels.ts";
import { Money } from "../domain/money.ts";

export const QuoteKept = recordKind(
  ["currency-conversion-quote"],
  Type.Object({
    source: Money,
    target: Money,
    rate: Type.String(),
    orderType: Type.String(),
    expiresAtMs: Type.Number(),
    to: Type.Object({
      type: Type.String(),
      value: Type.String(),
      name: Type.Optional(Type.String()),
    }),
  }),
);
export type QuoteKept = KeptOf<typeof QuoteKept>;

export const ConversionKept = recordKind(
  ["currency-conversion"],
  Type.Object({
    amount: Money,
    counterAmount: Money,
    rate: Type.String(),
    type: Type.String(),
    orderType: Type.String(),
    groupUuid: Type.String(),
    label: Label,
    counterLabel: Label,
    paymentId: Type.Number(),
  }),
);
export type ConversionKept = KeptOf<typeof ConversionKept>;
