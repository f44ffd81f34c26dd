/** The stored bodies of payment pages. */

import { Type } from "@sinclair/typebox";
import { type KeptOf, recordKind } from "../../book/index.ts";
import { Money } from "../domain/money.ts";

export const TabKept = recordKind(
  ["vendorme-tab"],
  Type.Object({
    money: Type.Optional(Money),
    description: Type.String(),
    redirectUrl: Type.Optional(Type.String()),
    shareUuid: Type.String(),
    expiresAtMs: Type.Number(),
  }),
);
export type TabKept = KeptOf<typeof TabKept>;
export const ProfileKept = recordKind(
  ["vendorme-fundraiser-profile"],
  Type.Object({
    description: Type.String(),
    color: Type.String(),
    shareUuid: Type.String(),
  }),
);
export type ProfileKept = KeptOf<typeof ProfileKept>;
