/** Payments that are not made yet, and batches. */
import { Type } from "@sinclair/typebox";
import { Amount, LabelMonetaryAccount } from "../../book/index.ts";
import { Description, Payment, PointerBody, Reference, ShownAttachment } from "../../money/index.ts";

export const EntryBody = Type.Object({
  amount: Amount,
  counterparty_alias: PointerBody,
  description: Description,
  attachment: Type.Optional(Type.Array(Type.Object({ id: Type.Integer({ minimum: 1 }) }), { maxItems: 10 })),
  merchant_reference: Type.Optional(Reference),
  allow_vendorto: Type.Optional(Type.Boolean()),
});
export const ShownEntry = Type.Object({
  id: Type.Optional(Type.Integer()),
  amount: Amount,
  alias: Type.Optional(LabelMonetaryAccount),
  counterparty_alias: LabelMonetaryAccount,
  description: Type.String(),
  merchant_reference: Type.Optional(Type.String()),
  attachment: Type.Optional(Type.Array(ShownAttachment)),
  type: Type.String(),
});

export const PaymentsOf = Type.Object({ Payment: Type.Array(Payment) });
/** The result of an order: one payment, or a batch. */
export const Result = Type.Object({
  Payment: Type.Optional(Payment),
  PaymentBatch: Type.Optional(Type.Object({ payments: PaymentsOf })),
});
