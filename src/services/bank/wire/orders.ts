/** Payments that are yet to be made, and several that are one thing. */
import { type Static, Type } from "@sinclair/typebox";
import { amountOf, type Money } from "../domain/money.ts";
import { Description, PointerBody, Reference } from "./members.ts";
import { Payment, ShownAttachment } from "./payments.ts";
import { Amount, LabelMonetaryAccount } from "./shared.ts";

type Label = Static<typeof LabelMonetaryAccount>;
export const EntryBody = Type.Object({
  amount: Amount,
  counterparty_alias: PointerBody,
  description: Description,
  attachment: Type.Optional(Type.Array(Type.Object({ id: Type.Integer({ minimum: 1 }) }), { maxItems: 10 })),
  merchant_reference: Type.Optional(Reference),
  allow_vendorto: Type.Optional(Type.Boolean()),
});
export type EntryBody = Static<typeof EntryBody>;

/** An order to pay, as it is kept until it is carried out. */
export type Entry = {
  readonly money: Money;
  readonly to: { readonly type: string; readonly value: string; readonly name?: string | undefined };
  /** How the other side was named when the order was given. */
  readonly label: Label;
  readonly description: string;
  readonly merchantReference?: string | undefined;
  readonly attachments?: readonly number[];
  /** Whether it may wait for whoever comes under the name. */
  readonly mayWait?: boolean;
  /** By which a draft's owner names it, from 1 on. */
  readonly id?: number;
};
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
export const entryView = (
  { id, money, label, description, merchantReference, attachments }: Entry,
  alias: Label | undefined,
): Static<typeof ShownEntry> => ({
  ...(id !== undefined && { id }),
  amount: amountOf(money),
  ...(alias && { alias }),
  counterparty_alias: label,
  description,
  ...(merchantReference !== undefined && { merchant_reference: merchantReference }),
  ...(attachments && { attachment: attachments.map((one) => ({ id: one })) }),
  type: "PAYMENT",
});

export const PaymentsOf = Type.Object({ Payment: Type.Array(Payment) });
/** What an order has become: one payment, or a batch of them. */
export const Result = Type.Object({
  Payment: Type.Optional(Payment),
  PaymentBatch: Type.Optional(Type.Object({ payments: PaymentsOf })),
});
