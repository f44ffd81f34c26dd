/** The stored body of a whitelist. */

import { Type } from "@sinclair/typebox";
import { type KeptOf, recordKind } from "../../book/index.ts";
import { Label, Money, UserLabel } from "../../money/index.ts";

export const WHITELIST_KINDS = ["whitelist-sdd-one-off", "whitelist-sdd-recurring"] as const;
export const WhitelistKept = recordKind(
  WHITELIST_KINDS,
  Type.Object({
    payingLedgerId: Type.Number(),
    incomingLedgerId: Type.Number(),
    scheme: Type.String(),
    mandate: Type.String(),
    counterparty: Label,
    creator: Type.Optional(UserLabel),
    perMonth: Type.Optional(Money),
    perPayment: Type.Optional(Money),
    routing: Type.Optional(Type.String()),
  }),
);
export type WhitelistKept = KeptOf<typeof WhitelistKept>;
