/** The stored bodies of allocation rules. */

import { type Static, Type } from "@sinclair/typebox";
import { type KeptOf, recordKind, type Unchanging } from "../../book/index.ts";
import { Money } from "../../money/index.ts";

/** A fixed sum, or a percentage of the incoming amount. */
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
    /** The payer: the rule applies only to payments from this party. */
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
/** The stored body of a payment batch. */
export const PaymentBatchKept = recordKind(
  ["payment-batch"],
  Type.Object({ isAllocation: Type.Optional(Type.Boolean()) }),
);
