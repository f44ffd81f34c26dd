/** What is kept of how money is divided as it comes in. */

import { type Static, Type } from "@sinclair/typebox";
import { type KeptOf, recordKind, type Unchanging } from "../../book/index.ts";
import { Money } from "../../money/index.ts";

/** A sum, or a hundredth part of what comes in. */
export const Definition = Type.Object({
  id: Type.Number(),
  to: Type.Object({
    type: Type.String(),
    value: Type.String(),
    name: Type.Optional(Type.String()),
    service: Type.Optional(Type.String()),
  }),
  description: Type.String(),
  money: Type.Optional(Money),
  fraction: Type.Optional(Type.Number()),
});
export type Definition = Unchanging<Static<typeof Definition>>;
export const AllocateKept = recordKind(
  ["payment-auto-allocate"],
  Type.Object({
    type: Type.String(),
    paymentId: Type.Number(),
    latestId: Type.Number(),
    /** Who pays: the rule is for what comes from there. */
    counterparty: Type.String(),
    definitions: Type.Array(Definition),
  }),
);
export type AllocateKept = KeptOf<typeof AllocateKept>;

export const AllocateInstanceKept = recordKind(
  ["payment-auto-allocate-instance"],
  Type.Object({
    paymentId: Type.Number(),
    batchId: Type.Optional(Type.Number()),
    message: Type.Optional(Type.String()),
  }),
);
export type AllocateInstanceKept = KeptOf<typeof AllocateInstanceKept>;
/** Of payments that were ordered together. */
export const PaymentBatchKept = recordKind(
  ["payment-batch"],
  Type.Object({ isAllocation: Type.Optional(Type.Boolean()) }),
);
